import { sleep, type IExecuteFunctions, type IPollFunctions } from 'n8n-workflow';
import { createClient, type Client } from '../../shared/api/client.ts';
import { accountLimiter, type AccountLimiter, type Sender } from '../../shared/api/limiter.ts';
import { attended, brisk, patient, type Patience } from '../../shared/api/retry.ts';
import type { Clock } from '../../shared/api/transport.ts';
import type { PendingWrites } from '../../shared/api/pendingWrites.ts';
import { renewingRequest } from '../../shared/renewal.ts';
import { AccountSubscriptions } from '../../shared/webhooks/subscriptions.ts';
import { Accounts } from './accounts.ts';
import { credentialType } from './identity.ts';
import { pendingWritesHere } from './pendingWrites.ts';
import { cancelSignal, hostTransport, type Host } from './transport.ts';

/** What all that this process does for one connection shares: the service's limits, what was read of its subscriptions, and what is open. */
interface Account {
  limiter: AccountLimiter;
  subscriptions: AccountSubscriptions;
  writes: PendingWrites;
  isBusy(): boolean;
}

const accounts = new Accounts<Account>(
  () => {
    const limiter = accountLimiter();
    const writes = pendingWritesHere();
    return {
      limiter,
      writes,
      subscriptions: new AccountSubscriptions(),
      isBusy: () => writes.isBusy || limiter.isBusy(hostClock(undefined)),
    };
  },
  () => Date.now(),
);

/** Real time; a wait ends early when the execution is cancelled. */
const hostClock = (cancelled: AbortSignal | undefined): Clock => ({
  now: () => Date.now(),
  sleep: (milliseconds) => sleep(milliseconds, cancelled),
  random: () => Math.random(),
});

/**
 * The core's client for the credential that the node uses. It waits as long as the service asks it to, because an n8n
 * execution may.
 *
 * @throws ServiceError `invalid` where the base address cannot be used; what n8n throws where no credential is set.
 */
export async function clientFor(host: Host): Promise<Client> {
  return (await connectionOf(host)).client;
}

/** The same with what the triggers of the connection share. */
export async function connectionOf(host: Host): Promise<{ client: Client; subscriptions: AccountSubscriptions }> {
  const { baseUrl } = await host.getCredentials(credentialType);
  const address = typeof baseUrl === 'string' ? baseUrl : '';
  const { limiter, subscriptions, writes } = accounts.of(host.getNode().credentials?.[credentialType]?.id ?? '', address);
  const client = createClient({
    baseUrl: address,
    transport: hostTransport(host, renewingRequest(address)),
    clock: hostClock(cancelSignal(host)),
    patience: patienceOf(host),
    limiter: limiter.for(senderOf(host)),
    writes,
  });
  return { client, subscriptions };
}

const isPoll = (host: Host): host is IPollFunctions => '__emit' in host;

/** Nobody waits for a poll but who fetches a test event by hand. */
const isInBackground = (host: Host): boolean => isPoll(host) && host.getMode() !== 'manual';

const isRun = (host: Host): host is IExecuteFunctions => 'getInputData' in host;

/** n8n itself publishes a trigger again, up to five times before its deadline; and who waits for a list looks at it. */
function patienceOf(host: Host): Patience {
  if (isRun(host) || isInBackground(host)) return patient;
  return !isPoll(host) && 'getActivationMode' in host ? brisk : attended;
}

/** Runs of many items, and polls, let all others go first. */
function senderOf(host: Host): Sender {
  if (isInBackground(host)) return 'bulk';
  if (!isRun(host)) return 'person';
  return host.getInputData().length === 1 ? 'single' : 'bulk';
}
