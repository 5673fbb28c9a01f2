import type { Client } from '../api/client.ts';
import { walk } from '../api/pages.ts';
import type { ServiceRecord } from '../api/records.ts';

/** All subscriptions of the account, every page. */
export const listSubscriptions = (client: Client, most?: number): AsyncGenerator<ServiceRecord> =>
  walk(client, { scope: 'webhooks:manage', thing: 'webhook subscription', path: ['hooks'], record: 'subscription' }, most);

interface Reading {
  records: Promise<ServiceRecord[]>;
  /** When it was last made use of; absent while it is still under way. */
  usedAt?: number;
  /** Ids and addresses that this reading tells nothing more about: they were asked for before, or made by ourselves since. */
  told: Set<string>;
}

/** Who asks within so many milliseconds after another belongs to the same crowd. */
const crowdMs = 5_000;

/**
 * The subscriptions of one account as this process last saw them. A host that starts asks for each of its triggers
 * whether all is well, while the service takes ten such requests a minute (section 8): they come one upon the other and
 * share one reading. Who comes later, or asks about the same thing again, reads anew: another process may have subscribed
 * the same address meanwhile, and died before it could say so.
 */
export class AccountSubscriptions {
  #reading: Reading | undefined;

  /**
   * One subscription as the service lists it, `undefined` where it does not.
   *
   * @throws ServiceError whatever the reading ends in; who asks next reads again.
   */
  async find(client: Client, id: string): Promise<ServiceRecord | undefined> {
    return (await this.#ask(client, id)).find((record) => record['id'] === id);
  }

  /** All of them, for whoever subscribes this address: what the service listed, and what this process made and removed since. */
  async all(client: Client, url: string): Promise<readonly ServiceRecord[]> {
    return [...(await this.#ask(client, url))];
  }

  /** This process made a subscription. */
  async added(client: Client, record: ServiceRecord): Promise<void> {
    const reading = this.#reading;
    if (reading === undefined) return;
    reading.told.add(String(record['id']));
    (await reading.records).push(record);
    reading.usedAt = client.clock.now();
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

  async #ask(client: Client, about: string): Promise<ServiceRecord[]> {
    const reading = this.#shared(client, about) ?? this.#begin(client);
    reading.told.add(about);
    const records = await reading.records;
    reading.usedAt = client.clock.now();
    return records;
  }

  #shared({ clock }: Client, about: string): Reading | undefined {
    const known = this.#reading;
    if (known === undefined || known.told.has(about)) return undefined;
    // A clock that was set back shows a time before the last use: then nobody knows how long ago that was.
    const idleMs = known.usedAt === undefined ? 0 : clock.now() - known.usedAt;
    return idleMs >= 0 && idleMs < crowdMs ? known : undefined;
  }

  #begin(client: Client): Reading {
    const reading: Reading = { records: collected(client), told: new Set() };
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
