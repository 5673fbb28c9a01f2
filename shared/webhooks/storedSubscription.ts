import { ignoreRefusal, ServiceError } from '../serviceError.ts';
import type { SubscriptionRecord } from '../records/fields.ts';
import { isAtAddress } from '../reading/index.ts';
import { accountOf, isOtherAccount, type Account } from '../client/account.ts';
import type { Client } from '../client/client.ts';
import { allOf } from '../client/pages.ts';
import { listSubscriptions } from './accountSubscriptions.ts';
import { visible } from '../values.ts';

/** What must be stored of a subscription. Without the secret no delivery can be verified, and the service shows it only once (section 2). */
export interface Subscribed {
  id: string;
  signing_secret: string;
}

/** What was stored of a subscription, with the address that was sent if that was stored as well. */
export interface StoredSubscription extends Partial<Subscribed> {
  url?: string | undefined;
  /** The account that has it. Absent if the service did not say. */
  account?: Account | undefined;
  /** Whether an answer was lost before. What that request made may appear later, so {@link endSubscription} clears the address. */
  repeated?: boolean;
}

/** A subscription of ours that an account still has, because the connection now belongs to another one. */
export interface LeftBehind {
  id: string;
  account: Account;
  /** Says which subscription it is, which account has it, and how to remove it. */
  error: ServiceError;
}

/**
 * What the account of before still has.
 *
 * @param known what was stored of the subscription
 * @param now the account of the connection
 * @returns `undefined` if both are the same, or if one of them is not known
 */
export function leftBehind({ id, url, account }: StoredSubscription, now: Account | undefined): LeftBehind | undefined {
  if (id === undefined || account === undefined || now === undefined || !isOtherAccount(account, now)) return undefined;
  const [its, ours] = [account.name, now.name].map((name) => `"${visible(name).slice(0, 80)}"`);
  return {
    id,
    account,
    error: new ServiceError('notFound', {
      message: `The webhook subscription "${id}"${url === undefined ? '' : ` for ${url}`} is still in the account ${its}, and this connection now belongs to ${ours}, so it was not deleted.`,
      advice: `To remove it, connect ${its} again and delete that subscription.`,
    }),
  };
}

/** Whether a list shows the known subscription at this address. Then it is in the account of the list, even if its user has another email address now. */
export const isListedHere = (listed: readonly SubscriptionRecord[], { id }: StoredSubscription, url: string): boolean =>
  listed.some((each) => each.id === id && isAtAddress(each, url) === true);

/** Whether the account that had a subscription does not have it any more. In another account, nobody can tell: then it counts as there. */
export async function isGone(client: Client, { id, account }: StoredSubscription): Promise<boolean> {
  const isListed = (await allOf(listSubscriptions(client))).some((each) => each.id === id);
  return !isListed && !isOtherAccount(account, await accountOf(client).catch(ignoreRefusal));
}
