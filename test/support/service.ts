import { createClient, type Client } from '../../shared/client/client.ts';
import { memoryStore, PendingWrites } from '../../shared/writes/index.ts';
import { backgroundPolicy, type RetryPolicy } from '../../shared/client/retry.ts';
import { networkFault, type ApiRequest, type ApiResponse, type Clock, type Transport } from '../../shared/client/transport.ts';
import { startSandbox, virtualClock, type Sandbox, type SandboxOptions } from '../../sandbox/service.ts';

/** The moment at which tests begin: a Wednesday morning, far from any change of clocks. */
export const testStart = Date.parse('2030-01-02T08:00:00Z');

export interface TestService {
  sandbox: Sandbox;
  client: Client;
  /** A client of another patience, account or scopes on the same service. */
  clientWith(options: {
    patience?: Partial<RetryPolicy>;
    token?: string;
    writes?: PendingWrites;
    transport?: (inner: Transport) => Transport;
    clock?: Clock;
  }): Client;
}

/** A sandbox in virtual time and a core client that talks to it over real HTTP; waits of the client move the clock. */
export async function serve(options: SandboxOptions = {}): Promise<TestService> {
  const sandbox = await startSandbox({ clock: virtualClock(testStart), ...options });
  const clock = clockOf(sandbox);
  const { access_token: token } = sandbox.issueToken();
  const clientWith: TestService['clientWith'] = ({
    patience = {},
    token: other = token,
    writes = new PendingWrites(memoryStore(() => clock.now(), 'Try again.')),
    transport = (inner) => inner,
    clock: ownClock = clock,
  }) =>
    createClient({
      baseUrl: sandbox.baseUrl,
      clock: ownClock,
      retryPolicy: { ...backgroundPolicy, ...patience },
      transport: transport(fetchTransport(other)),
      writes,
    });
  return { sandbox, clientWith, client: clientWith({}) };
}

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
