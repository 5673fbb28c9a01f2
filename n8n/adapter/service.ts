import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import {
  createClient,
  type Client,
  accountLimiter,
  type AccountLimiter,
  type Sender,
  interactivePolicy,
  activationPolicy,
  backgroundPolicy,
  type RetryPolicy,
  type Clock,
} from '../../shared/client/index.ts';
import { memoryStore, PendingWrites } from '../../shared/writes/index.ts';
import { renewingRequest } from '../../shared/oauth/index.ts';
import { AccountSubscriptions } from '../../shared/webhooks/index.ts';
import { Accounts } from './accounts.ts';
import { credentialType } from './identity.ts';
import { accountOf, cancelSignal, hostTransport, type Host } from './transport.ts';

/** After a write whose result is not known. Another worker of n8n cannot see what this one remembers, so only the same run is promised. */
const retryAdvice =
  'Look for it in the service before you run this again. With Retry On Fail, the next try looks for it first, and sends it only if it is certainly not there.';

/** What this process shares for one connection: the service's limits, the last reading of its subscriptions, and open writes. */
interface Account {
  limiter: AccountLimiter;
  subscriptions: AccountSubscriptions;
  writes: PendingWrites;
  isBusy(): boolean;
}

const accounts = new Accounts<Account>(
  () => {
    const limiter = accountLimiter();
    const writes = new PendingWrites(memoryStore(() => Date.now(), retryAdvice));
    return {
      limiter,
      writes,
      subscriptions: new AccountSubscriptions(),
      isBusy: () => writes.isBusy || limiter.isBusy(hostClock(undefined)),
    };
  },
  () => Date.now(),
);

/** Real time. A wait ends early if the execution is cancelled. */
const hostClock = (cancelled: AbortSignal | undefined): Clock => ({
  now: () => Date.now(),
  sleep: (milliseconds) => sleep(milliseconds, cancelled),
  random: () => Math.random(),
});

/**
 * The core's client for the node's credential. It waits as long as the service asks, because an n8n execution can.
 *
 * @throws ServiceError `invalid` if the base URL cannot be used; n8n's error if no credential is set
 */
export async function clientFor(host: Host, waiting?: Waiting): Promise<Client> {
  return (await connectionOf(host, waiting)).client;
}

/** How long a host waits, and who goes first. */
export interface Waiting {
  patience: RetryPolicy;
  sender: Sender;
}

/** A scheduled poll, for which nobody waits: all other work goes first. */
export const inBackground: Waiting = { patience: backgroundPolicy, sender: 'bulk' };
/** For a person who publishes a workflow or looks at a panel. n8n tries again if it fails. */
export const whilePublishing: Waiting = { patience: activationPolicy, sender: 'person' };

/** The same, with what the triggers of the connection share. */
export async function connectionOf(
  host: Host,
  waiting = waitingOf(host),
): Promise<{ client: Client; subscriptions: AccountSubscriptions }> {
  const address = await baseUrlOf(host);
  const { limiter, subscriptions, writes } = accounts.of(await accountOf(host), address);
  const client = createClient({
    baseUrl: address,
    transport: hostTransport(host, renewingRequest(address)),
    clock: hostClock(cancelSignal(host)),
    retryPolicy: waiting.patience,
    limiter: limiter.for(waiting.sender),
    writes,
  });
  return { client, subscriptions };
}

/** The base URL of the credential; empty text if there is none. */
export async function baseUrlOf(host: Host): Promise<string> {
  const { baseUrl } = await host.getCredentials(credentialType);
  return typeof baseUrl === 'string' ? baseUrl : '';
}
const waitingOf = (host: Host): Waiting => ({ patience: patienceOf(host), sender: senderOf(host) });

const isRun = (host: Host): host is IExecuteFunctions => 'getInputData' in host;

/** n8n publishes a trigger again by itself, up to five times before its deadline. And a person is waiting for a list. */
function patienceOf(host: Host): RetryPolicy {
  if (isRun(host)) return backgroundPolicy;
  return 'getActivationMode' in host ? activationPolicy : interactivePolicy;
}

/** Runs of many items let all other work go first. */
function senderOf(host: Host): Sender {
  if (!isRun(host)) return 'person';
  return host.getInputData().length === 1 ? 'single' : 'bulk';
}
