import type { Clock } from './clock.ts';
import type { Forms } from './forms.ts';
import { LISTED, Store, type Listed, type Row } from './store.ts';

const LAG_MS = { none: 0, '1s': 1_000, '45s': 45_000, replicas: 45_000 } as const;

/** Where lists and reads by id look: at the stored records, or at a copy that is behind, as a replica of a database is. */
export class Shown {
  readonly lists: () => Store;
  readonly reads: () => Store;

  constructor(store: Store, clock: Clock, { listLag, readLag }: Forms) {
    const at = (lag: keyof typeof LAG_MS): (() => Store) => (lag === 'none' ? () => store : lateCopy(store, clock, LAG_MS[lag]));
    const late = at(listLag);
    let asked = 0;
    this.lists = listLag === 'replicas' ? () => (asked++ % 2 === 0 ? store : late()) : late;
    this.reads = at(readLag);
  }
}

interface Change {
  at: number;
  table: Listed;
  id: string;
  /** As it was after the change; absent if it was deleted. */
  row: Row<unknown> | undefined;
}

/** @returns a store with the records that were stored `lagMs` ago */
function lateCopy(store: Store, clock: Clock, lagMs: number): () => Store {
  const copy = new Store(':memory:');
  const waiting: Change[] = [];
  for (const table of LISTED) for (const row of store[table].rows({})) copy[table].put(row as Row<never>);
  store.onChange((table, id) => {
    const [row] = store[table].rows({ where: 'id = ?', values: [id] });
    waiting.push({ at: clock.now(), table, id, row });
  });
  return () => {
    for (let next = waiting[0]; next !== undefined && next.at <= clock.now() - lagMs; next = waiting[0]) {
      waiting.shift();
      if (next.row === undefined) copy[next.table].delete(next.id);
      else copy[next.table].put(next.row as Row<never>);
    }
    return copy;
  };
}
