import { ignoreRefusal } from '../serviceError.ts';
import type { SubscriptionRecord } from '../records/fields.ts';
import { accountOf, isOtherAccount, type Account } from '../client/account.ts';
import type { Client } from '../client/client.ts';
import { allOf, paginate, type Records } from '../client/pages.ts';
import { listingOf } from '../records/resources.ts';

/** All subscriptions of the account, from all pages. */
export const listSubscriptions = (client: Client, max?: number): Records<SubscriptionRecord> =>
  paginate(client, listingOf('subscription'), max);

/** Checks within this time of each other share a reading. Milliseconds. */
const crowdMs = 5_000;

/**
 * The subscriptions of one account, as this process last read them. A host that starts checks the subscription of each trigger, but the
 * service allows only ten such requests a minute (section 8). So checks in quick succession share one reading. A later check, or a second
 * one of the same subscription, reads again: another process may have subscribed the same address in the meantime and died before saving
 * that.
 */
export class AccountSubscriptions {
  #reading: Promise<SubscriptionRecord[]> | undefined;
  /** The account that the reading belongs to. */
  #account: Account | undefined;
  #usedAt = 0;
  /** Ids and addresses for which the reading is out of date: they were already checked, or this process has changed them since. */
  readonly #told = new Set<string>();

  /**
   * All subscriptions of the account.
   *
   * @param about the id or the address for which the caller needs them
   * @throws ServiceError if reading fails; the next check reads again
   */
  async list(client: Client, about: string): Promise<readonly SubscriptionRecord[]> {
    const { clock } = client;
    const idleMs = clock.now() - this.#usedAt;
    // If the clock was set back, the time since the last use is unknown.
    const isOfTheCrowd = idleMs >= 0 && idleMs < crowdMs && !this.#told.has(about);
    if (this.#reading === undefined || !isOfTheCrowd) {
      this.#reading = allOf(listSubscriptions(client));
      this.#told.clear();
    }
    this.#told.add(about);
    this.#usedAt = clock.now();
    try {
      return await this.#reading;
    } catch (error) {
      this.#reading = undefined;
      throw error;
    } finally {
      this.#usedAt = clock.now();
    }
  }

  /**
   * All subscriptions, and the account that they belong to: `undefined` if the service does not say. A reading of a previously connected
   * account is not used.
   *
   * @param about the id or the address for which the caller needs them
   * @throws ServiceError if the list cannot be read
   */
  async listOf(client: Client, about: string): Promise<{ account: Account | undefined; listed: readonly SubscriptionRecord[] }> {
    const listed = await this.list(client, about);
    const account = await accountOf(client).catch(ignoreRefusal);
    const isSwitched = isOtherAccount(this.#account, account);
    this.#account = account ?? this.#account;
    if (!isSwitched) return { account, listed };
    this.#reading = undefined;
    return { account, listed: await this.list(client, about) };
  }

  /** Notes that this process created a subscription, which only a new reading can confirm. */
  made({ clock }: Client, id: string): void {
    this.#told.add(id);
    this.#usedAt = clock.now();
  }
}
