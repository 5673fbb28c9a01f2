import type { Client } from '../api/client.ts';
import { allOf, walk, type Records } from '../api/pages.ts';
import type { SubscriptionRecord } from '../api/records.ts';
import { listingOf } from '../api/resources.ts';

/** All subscriptions of the account, every page. */
export const listSubscriptions = (client: Client, most?: number): Records<SubscriptionRecord> =>
  walk(client, listingOf('subscription'), most);

/** Who asks within so many milliseconds after another belongs to the same crowd. */
const crowdMs = 5_000;

/**
 * The subscriptions of one account as this process last saw them. A host that starts asks for each of its triggers
 * whether all is well, while the service takes ten such requests a minute (section 8): they come one upon the other and
 * share one reading. Who comes later, or asks about the same thing again, reads anew: another process may have subscribed
 * the same address meanwhile, and died before it could say so.
 */
export class AccountSubscriptions {
  #reading: Promise<SubscriptionRecord[]> | undefined;
  #usedAt = 0;
  /** Ids and addresses that the reading tells nothing more about: they were asked for before, or made by ourselves since. */
  readonly #told = new Set<string>();

  /**
   * One subscription as the service lists it, `undefined` where it does not.
   *
   * @throws ServiceError whatever the reading ends in; who asks next reads again.
   */
  async find(client: Client, id: string): Promise<SubscriptionRecord | undefined> {
    return (await this.#ask(client, id)).find((record) => record.id === id);
  }

  /** All of them, for whoever subscribes this address. */
  all(client: Client, url: string): Promise<readonly SubscriptionRecord[]> {
    return this.#ask(client, url);
  }

  /** This process made a subscription: only a new reading can confirm it. */
  made({ clock }: Client, id: string): void {
    this.#told.add(id);
    this.#usedAt = clock.now();
  }

  async #ask(client: Client, about: string): Promise<SubscriptionRecord[]> {
    const { clock } = client;
    const idleMs = clock.now() - this.#usedAt;
    // A clock that was set back shows a time before the last use: then nobody knows how long ago that was.
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
}
