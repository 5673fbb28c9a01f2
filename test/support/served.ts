import { createClient, type Client } from '../../shared/client/client.ts';
import { memoryStore, PendingWrites } from '../../shared/writes/index.ts';
import { backgroundPolicy, type RetryPolicy } from '../../shared/client/retry.ts';
import type { Clock, Transport } from '../../shared/client/transport.ts';
import { startSandbox, virtualClock, type Sandbox, type SandboxOptions } from '../../sandbox/service.ts';
import { clockOf, fetchTransport, testStart } from './service.ts';

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
