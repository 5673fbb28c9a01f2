import { networkFault, type ApiRequest, type ApiResponse, type Transport } from '../../shared/api/transport.ts';

const TIMEOUT_MS = 30_000;

/** The core's port over plain `fetch`: what a custom application writes to use the core. */
export const fetchTransport =
  (token: string): Transport =>
  async ({ method, url, query = {}, headers, body }: ApiRequest): Promise<ApiResponse> => {
    const address = new URL(url);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    try {
      const response = await fetch(address, {
        method,
        headers: { ...headers, authorization: `Bearer ${token}` },
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, headers: Object.fromEntries(response.headers), body: parsed(await response.text()) };
    } catch (error) {
      throw networkFault(error) ?? error;
    }
  };

/** The text itself where it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
