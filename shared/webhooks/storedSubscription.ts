import { ignoreRefusal, ServiceError } from '../serviceError.ts';
import type { SubscriptionRecord } from '../records/fields.ts';
import { isAtAddress } from '../reading/index.ts';
import { accountOf, isOtherAccount, type Account } from '../client/account.ts';
import type { Client } from '../client/client.ts';
import { allOf } from '../client/pages.ts';
import { listSubscriptions } from './accountSubscriptions.ts';
import { visible } from '../values.ts';

/**
 * The part of a subscription that must be stored. Without the secret no delivery can be verified, and the service shows it only once
 * (section 2).
 */
export interface Subscribed {
  id: string;
  signing_secret: string;
}

/** A stored subscription, with the address that was sent if that was also stored. */
export interface StoredSubscription extends Partial<Subscribed> {
  url?: string | undefined;
  /** The account that has the subscription. Absent if the service did not say. */
  account?: Account | undefined;
  /**
   * Whether a response was lost during its creation. What the lost request created may appear later, so {@link endSubscription} clears the
   * address.
   */
  repeated?: boolean;
}

/** Our subscription in an account that the connection no longer belongs to. */
export interface LeftBehind {
  id: string;
  account: Account;
  /** Says which subscription it is, which account has it, and how to remove it. */
  error: ServiceError;
}

/**
 * The subscription that the previous account still has.
 *
 * @param known the stored subscription
 * @param now the account of the connection
 * @returns `undefined` if both accounts are the same, or if either is unknown
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

/**
 * Whether a list shows the known subscription at this address. Then it is in the list's account, even if the user's email address has
 * changed.
 */
export const isListedHere = (listed: readonly SubscriptionRecord[], { id }: StoredSubscription, url: string): boolean =>
  listed.some((each) => each.id === id && isAtAddress(each, url) === true);

/**
 * Whether the account that had a subscription no longer has it. From another account this cannot be determined: then it counts as still
 * there.
 *
 * @throws ServiceError if the list cannot be read
 */
export async function isGone(client: Client, { id, account }: StoredSubscription): Promise<boolean> {
  const isListed = (await allOf(listSubscriptions(client))).some((each) => each.id === id);
  return !isListed && !isOtherAccount(account, await accountOf(client).catch(ignoreRefusal));
}
