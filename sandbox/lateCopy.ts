import type { Clock } from './clock.ts';
import type { Forms } from './forms.ts';
import { LISTED, openStore, type Listed, type Row, type Store } from './store.ts';

const LAG_MS = { none: 0, '1s': 1_000, '45s': 45_000, replicas: 45_000 } as const;

/** Where lists and reads by id look: at the stored records, or at a copy that is behind, as a replica of a database is. */
export class Shown {
  readonly lists: () => Store;
  readonly reads: () => Store;
  readonly #copies: LateCopy[] = [];

  constructor(store: Store, clock: Clock, { listLag, readLag }: Forms) {
    const at = (lag: keyof typeof LAG_MS): (() => Store) => {
      if (lag === 'none') return () => store;
      const copy = new LateCopy(store, clock, LAG_MS[lag]);
      this.#copies.push(copy);
      return () => copy.read();
    };
    const late = at(listLag);
    let asked = 0;
    this.lists = listLag === 'replicas' ? () => (asked++ % 2 === 0 ? store : late()) : late;
    this.reads = at(readLag);
  }

  close(): void {
    for (const copy of this.#copies) copy.close();
  }
}

interface Change {
  at: number;
  table: Listed;
  id: string;
  /** As it was after the change; absent if it was deleted. */
  row: Row<unknown> | undefined;
}

/** A store with the records that another one had some time ago. */
class LateCopy {
  readonly #copy = openStore(':memory:');
  readonly #waiting: Change[] = [];
  readonly #readable: () => number;

  constructor(store: Store, clock: Clock, lagMs: number) {
    for (const table of LISTED) for (const row of store[table].rows({})) this.#copy[table].put(row as Row<never>);
    this.#readable = () => clock.now() - lagMs;
    store.onChange((table, id) => {
      const [row] = store[table].rows({ where: 'id = ?', values: [id] });
      this.#waiting.push({ at: clock.now(), table, id, row });
    });
  }

  read(): Store {
    for (let next = this.#waiting[0]; next !== undefined && next.at <= this.#readable(); next = this.#waiting[0]) {
      this.#waiting.shift();
      if (next.row === undefined) this.#copy[next.table].delete(next.id);
      else this.#copy[next.table].put(next.row as Row<never>);
    }
    return this.#copy;
  }

  close(): void {
    this.#copy.close();
  }
}
