import { fetchClient, sendAuthorized } from '../../shared/client/httpClient.ts';
import type { Clock, Transport } from '../../shared/client/transport.ts';
import { type Sandbox, startSandbox, virtualClock, type SandboxOptions } from '../../sandbox/service.ts';
import { createClient, type Client } from '../../shared/client/client.ts';
import { memoryStore, PendingWrites } from '../../shared/writes/index.ts';
import { backgroundPolicy, type RetryPolicy } from '../../shared/client/retry.ts';
import { ServiceError } from '../../shared/client/errors.ts';

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
  (request) =>
    sendAuthorized(
      fetchClient(fetch),
      { ...request, headers: { ...request.headers, connection: 'close' } },
      token,
      new AbortController().signal,
    );

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

const running: Sandbox[] = [];
afterEach(() => Promise.all(running.splice(0).map((sandbox) => sandbox.stop())));

/** A {@link startService} that ends with the test. */
export async function serve(options?: SandboxOptions): Promise<TestService> {
  const service = await startService(options);
  running.push(service.sandbox);
  return service;
}

/** A sandbox in virtual time and a core client that talks to it over real HTTP; waits of the client move the clock. */
export async function startService(options: SandboxOptions = {}): Promise<TestService> {
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

/** The service error that a promise ends in; anything else fails the test. */
export async function refusal(promise: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await promise.then(
    (value) => new Error(`Nothing was refused, but this came: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof ServiceError) return error;
  throw error;
}

/** The same for work that ends at once. */
export const refusalOf = (work: () => unknown): Promise<ServiceError> => refusal(Promise.resolve().then(work));

/** Everything that an asynchronous list gives. */
export async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}
