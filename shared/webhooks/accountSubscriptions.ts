import type { Client } from '../api/client.ts';
import { walk } from '../api/pages.ts';
import type { ServiceRecord } from '../api/records.ts';

/** All subscriptions of the account, every page. */
export const listSubscriptions = (client: Client, most?: number): AsyncGenerator<ServiceRecord> =>
  walk(client, { scope: 'webhooks:manage', thing: 'webhook subscription', path: ['hooks'], record: 'subscription' }, most);

interface Reading {
  at: number;
  records: Promise<ServiceRecord[]>;
  /** Ids that this reading tells nothing more about: they were asked for before, or made by ourselves since. */
  told: Set<string>;
}

/**
 * How old a reading may be, in milliseconds: to say that a subscription is still there, and to know what there is. The
 * latter lasts as long as it takes to subscribe 25 triggers at ten requests a minute.
 */
const fresh = { found: 30_000, all: 150_000 };

/**
 * The subscriptions of one account as this process last saw them. A host that starts asks for each of its triggers
 * whether all is well, while the service takes ten such requests a minute (section 8): they share one reading.
 */
export class AccountSubscriptions {
  #reading: Reading | undefined;

  /**
   * One subscription as the service lists it, `undefined` where it does not. A reading answers once for an id: who asks
   * again wants to know what changed since.
   *
   * @throws ServiceError whatever the reading ends in; who asks next reads again.
   */
  async find(client: Client, id: string): Promise<ServiceRecord | undefined> {
    if (this.#reading?.told.has(id)) this.#reading = undefined;
    const { records, told } = this.#newer(client, fresh.found);
    told.add(id);
    return (await records).find((record) => record['id'] === id);
  }

  /** All of them: what the service listed a while ago, and what this process made and removed since. */
  async all(client: Client): Promise<readonly ServiceRecord[]> {
    return [...(await this.#newer(client, fresh.all).records)];
  }

  /** This process made a subscription. */
  async added(record: ServiceRecord): Promise<void> {
    this.#reading?.told.add(String(record['id']));
    (await this.#reading?.records)?.push(record);
  }

  /** This process removed a subscription. */
  async removed(id: string): Promise<void> {
    const records = (await this.#reading?.records) ?? [];
    const place = records.findIndex((record) => record['id'] === id);
    if (place >= 0) records.splice(place, 1);
  }

  /** What was done may have gone otherwise than it was told: who asks next reads again. */
  forget(): void {
    this.#reading = undefined;
  }

  #newer(client: Client, thanMs: number): Reading {
    const now = client.clock.now();
    const known = this.#reading;
    // A clock that was set back makes a reading neither old nor fresh.
    if (known !== undefined && now >= known.at && now - known.at < thanMs) return known;
    const reading: Reading = { at: now, records: collected(client), told: new Set() };
    this.#reading = reading;
    reading.records.catch(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    return reading;
  }
}

async function collected(client: Client): Promise<ServiceRecord[]> {
  const records: ServiceRecord[] = [];
  for await (const record of listSubscriptions(client)) records.push(record);
  return records;
}
