import { sleep, type IExecuteFunctions } from 'n8n-workflow';
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
export async function clientFor(host: Host, waiting?: Waiting): Promise<Client> {
  return (await connectionOf(host, waiting)).client;
}

/** How long a host waits, and who goes first. */
export interface Waiting {
  patience: Patience;
  sender: Sender;
}

/** A poll at its time, for which nobody waits: it lets all others go first. */
export const inBackground: Waiting = { patience: patient, sender: 'bulk' };
/** What somebody waits for who publishes or looks at a panel; n8n starts it again where it fails. */
export const whilePublishing: Waiting = { patience: brisk, sender: 'person' };

/** The same with what the triggers of the connection share. */
export async function connectionOf(
  host: Host,
  waiting = waitingOf(host),
): Promise<{ client: Client; subscriptions: AccountSubscriptions }> {
  const address = await baseUrlOf(host);
  const { limiter, subscriptions, writes } = accounts.of(host.getNode().credentials?.[credentialType]?.id ?? '', address);
  const client = createClient({
    baseUrl: address,
    transport: hostTransport(host, renewingRequest(address)),
    clock: hostClock(cancelSignal(host)),
    patience: waiting.patience,
    limiter: limiter.for(waiting.sender),
    writes,
  });
  return { client, subscriptions };
}

/** The base address as it stands in the credential; an empty text where none does. */
export async function baseUrlOf(host: Host): Promise<string> {
  const { baseUrl } = await host.getCredentials(credentialType);
  return typeof baseUrl === 'string' ? baseUrl : '';
}
const waitingOf = (host: Host): Waiting => ({ patience: patienceOf(host), sender: senderOf(host) });

const isRun = (host: Host): host is IExecuteFunctions => 'getInputData' in host;

/** n8n itself publishes a trigger again, up to five times before its deadline; and who waits for a list looks at it. */
function patienceOf(host: Host): Patience {
  if (isRun(host)) return patient;
  return 'getActivationMode' in host ? brisk : attended;
}

/** Runs of many items let all others go first. */
function senderOf(host: Host): Sender {
  if (!isRun(host)) return 'person';
  return host.getInputData().length === 1 ? 'single' : 'bulk';
}
