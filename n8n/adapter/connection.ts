import { sleep } from 'n8n-workflow';
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
  checkBaseUrl,
} from '../../shared/client/index.ts';
import { memoryStore, PendingWrites } from '../../shared/writes/index.ts';
import { harmlessRequest } from '../../shared/oauth/index.ts';
import { AccountSubscriptions } from '../../shared/webhooks/index.ts';
import { asText } from '../../shared/values.ts';
import { nodeError } from './errors.ts';
import { credentialType } from './names.ts';
import { accountOf, cancelSignal, hostTransport, type NodeContext } from './transport.ts';

/**
 * Shown after a write whose result is unknown. It promises only what the same run can do, because another worker of n8n cannot see what
 * this one remembers.
 */
const retryAdvice =
  'If "Retry On Fail" tries once more, that try looks for it first, and sends it if it is not there. After the last try, look for it in the service before you run this again.';

/** What this process shares for one connection: the rate limit, the last reading of its subscriptions, and pending writes. */
interface SharedAccount {
  limiter: AccountLimiter;
  subscriptions: AccountSubscriptions;
  writes: PendingWrites;
  usedAt: number;
}

/** Keyed by the credential and the normalized base URL, so that an extra slash makes no second account. Least recently used first. */
const accounts = new Map<string, SharedAccount>();
const maxAccounts = 500;
/** An account that was used within this time counts as in use, because the service still counts its requests. Milliseconds. */
const recently = 120_000;

/** @throws ServiceError `invalid` if the base URL cannot be used */
function accountFor(credential: string, baseUrl: string): SharedAccount {
  const key = JSON.stringify([credential, checkBaseUrl(baseUrl)]);
  const account = accounts.get(key) ?? {
    limiter: accountLimiter(),
    subscriptions: new AccountSubscriptions(),
    writes: new PendingWrites(memoryStore(() => Date.now(), retryAdvice)),
    usedAt: 0,
  };
  accounts.delete(key);
  if (accounts.size >= maxAccounts) makeRoom();
  account.usedAt = Date.now();
  accounts.set(key, account);
  return account;
}

/** Removes the least recently used account, but never one in use: its calls could then exceed the limit or repeat a pending write. */
function makeRoom(): void {
  for (const [key, { usedAt, writes, limiter }] of accounts) {
    if (Date.now() - usedAt < recently || writes.isBusy || limiter.isBusy(hostClock(undefined))) continue;
    accounts.delete(key);
    return;
  }
}

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
export async function clientFor(host: NodeContext, waiting?: Waiting): Promise<Client> {
  return (await connectionOf(host, waiting)).client;
}

/** How long a caller waits, and its priority over others. */
export interface Waiting {
  patience: RetryPolicy;
  sender: Sender;
}

/** For a scheduled poll, for which nobody waits: all other work takes priority. */
export const inBackground: Waiting = { patience: backgroundPolicy, sender: 'bulk' };
/** For a person who publishes a workflow or looks at a panel. n8n tries again if it fails. */
export const whilePublishing: Waiting = { patience: activationPolicy, sender: 'person' };

/** A trigger's client, and the subscriptions that all triggers of the connection share. */
export async function connectionOf(
  host: NodeContext,
  waiting = waitingOf(host),
): Promise<{ client: Client; subscriptions: AccountSubscriptions }> {
  const address = await baseUrlOf(host);
  const account = accountFor(await accountOf(host), address);
  const client = createClient({
    baseUrl: address,
    transport: hostTransport(host, harmlessRequest(address)),
    clock: hostClock(cancelSignal(host)),
    retryPolicy: waiting.patience,
    limiter: account.limiter.for(waiting.sender),
    writes: account.writes,
    connection: account,
  });
  return { client, subscriptions: account.subscriptions };
}

/** The credential's base URL, or an empty text if it has none. @throws n8n's error, such as that the credential was deleted */
export async function baseUrlOf(host: NodeContext): Promise<string> {
  const { baseUrl } = await host.getCredentials(credentialType).catch((error: unknown) => {
    const told = nodeError(host.getNode(), error);
    told.description ||= 'Nothing was sent. Check the credential of this node, and try again.';
    throw told;
  });
  return asText(baseUrl);
}

/** A run of many items yields to all other work. n8n itself retries publishing a trigger, up to five times. For a list, a person waits. */
function waitingOf(host: NodeContext): Waiting {
  if ('getInputData' in host) return { patience: backgroundPolicy, sender: host.getInputData().length === 1 ? 'single' : 'bulk' };
  return { patience: 'getActivationMode' in host ? activationPolicy : interactivePolicy, sender: 'person' };
}
