import { sleep } from 'n8n-workflow';
import { createClient, type Client } from '../../shared/api/client.ts';
import { accountLimiter, type Limiter } from '../../shared/api/limiter.ts';
import { brisk, patient } from '../../shared/api/retry.ts';
import type { Clock } from '../../shared/api/transport.ts';
import type { Unsettled } from '../../shared/api/unsettled.ts';
import { AccountSubscriptions } from '../../shared/webhooks/subscriptions.ts';
import { credentialType } from './identity.ts';
import { hostTransport, type Host } from './transport.ts';
import { unsettledHere } from './unsettled.ts';

/** What all that this process does for one connection shares: the service's limits, what was read of its subscriptions, and what is open. */
interface Account {
  limiter: Limiter;
  subscriptions: AccountSubscriptions;
  unsettled: Unsettled;
}

const accounts = new Map<string, Account>();
const mostAccounts = 500;

function accountOf(connection: string): Account {
  const known = accounts.get(connection);
  if (known !== undefined) return known;
  const [oldest] = accounts.keys();
  if (accounts.size >= mostAccounts && oldest !== undefined) accounts.delete(oldest);
  const account = { limiter: accountLimiter(), subscriptions: new AccountSubscriptions(), unsettled: unsettledHere() };
  accounts.set(connection, account);
  return account;
}

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
  const { limiter, subscriptions, unsettled } = accountOf(`${address} ${host.getNode().credentials?.[credentialType]?.id ?? ''}`);
  const client = createClient({
    baseUrl: address,
    transport: hostTransport(host),
    // Only a run can be cancelled.
    clock: hostClock('getExecutionCancelSignal' in host ? host.getExecutionCancelSignal() : undefined),
    // n8n itself publishes a trigger again, up to five times before its deadline.
    patience: 'getActivationMode' in host && !('getInputData' in host) ? brisk : patient,
    limiter,
    unsettled,
  });
  return { client, subscriptions };
}
