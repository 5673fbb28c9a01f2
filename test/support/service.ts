import { networkFault, type ApiRequest, type ApiResponse, type Clock, type Transport } from '../../shared/client/transport.ts';
import type { Sandbox } from '../../sandbox/service.ts';

/** The moment at which tests begin: a Wednesday morning, far from any change of clocks. */
export const testStart = Date.parse('2030-01-02T08:00:00Z');

/** The sandbox's clock as the core sees it: sleeping advances it, chance is always one half. */
export const clockOf = ({ clock }: Sandbox): Clock => ({
  now: () => clock.now(),
  sleep: (milliseconds) => clock.advance(milliseconds),
  random: () => 0.5,
});

/** The core's port over plain `fetch`, as a custom application would write it. */
export const fetchTransport =
  (token: string): Transport =>
  async ({ method, url, query = {}, headers, body }: ApiRequest): Promise<ApiResponse> => {
    const address = new URL(url);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    try {
      const response = await fetch(address, {
        method,
        headers: { ...headers, authorization: `Bearer ${token}`, connection: 'close' },
        redirect: 'manual',
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: Object.fromEntries(response.headers), body: parse(text) };
    } catch (error) {
      throw networkFault(error) ?? error;
    }
  };

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
