import type { Client } from '../../shared/api/client.ts';
import type { ServiceRecord } from '../../shared/api/records.ts';
import { changeItem, poll, type ChangeStore } from '../../shared/changes/feed.ts';
import { pollEvery, Polls } from '../../shared/changes/pace.ts';
import type { Connection } from './connection.ts';
import { wantedEvents } from './deliveries.ts';

/** Looks for changes itself: for an application that no delivery can reach, or that must not miss any. */
export class Polling {
  readonly #client: Client;
  readonly #connection: Connection;
  readonly #polls = new Polls();

  constructor(client: Client, connection: Connection) {
    this.#client = client;
    this.#connection = connection;
  }

  /** What has changed since the last poll; the first one takes stock. */
  async once(): Promise<{ records: ServiceRecord[]; calls: number }> {
    const given: ServiceRecord[] = [];
    const store: ChangeStore = {
      read: () => this.#connection.state.known,
      // Given first and kept then: ended between the two, it gives them again, with the same change_key. A database does both at once.
      write: (kept, changes) => {
        for (const change of changes) given.push(changeItem(change, 'presented'));
        for (const record of given) console.log(`${String(record['event'])} ${String(record['id'])} found`);
        this.#connection.keep({ known: kept });
      },
    };
    const { calls } = await this.#polls.run(
      'all',
      () => Date.now(),
      () => poll(this.#client, store, { events: wantedEvents }),
    );
    return { records: given, calls };
  }

  /** Polls as often as the account's size allows, until `wait` says no. */
  async forEver(wait: (milliseconds: number) => Promise<boolean>): Promise<void> {
    for (let calls = 1; await wait(pollEvery(calls)); ) {
      if (this.#connection.state.tokens === undefined) continue;
      try {
        ({ calls } = await this.once());
      } catch (error) {
        console.error(`The poll failed, and the next one finds the same: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
}
