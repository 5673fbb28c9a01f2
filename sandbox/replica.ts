import type { SandboxClock } from './clock.ts';
import type { Forms } from './variants.ts';
import { LISTED, openStore, type ListedTable, type StoredRow, type SandboxStore } from './store.ts';

const LAG_MS = { none: 0, '1s': 1_000, '45s': 45_000, replicas: 45_000 } as const;

export type ShownStore = ReturnType<typeof whatIsShown>;

/** The source of lists and reads by id: the stored records, or a copy that lags, as a database replica does. */
export function whatIsShown(store: SandboxStore, clock: SandboxClock, { listLag, readLag }: Forms) {
  const copies: SandboxStore[] = [];
  const at = (lag: keyof typeof LAG_MS): (() => SandboxStore) => {
    if (lag === 'none') return () => store;
    const copy = openStore(':memory:');
    copies.push(copy);
    return lateCopy(copy, store, clock, LAG_MS[lag]);
  };
  const late = at(listLag);
  let asked = 0;
  return {
    lists: listLag === 'replicas' ? () => (asked++ % 2 === 0 ? store : late()) : late,
    reads: at(readLag),
    close: (): void => copies.forEach((copy) => copy.close()),
  };
}

/** @returns a function that brings the copy to the state that the store had `lagMs` ago, and returns it */
function lateCopy(copy: SandboxStore, store: SandboxStore, clock: SandboxClock, lagMs: number): () => SandboxStore {
  /** Each row as it was after the change; absent if it was deleted. */
  const waiting: { at: number; table: ListedTable; id: string; row: StoredRow<unknown> | undefined }[] = [];
  for (const table of LISTED) for (const row of store[table].rows({})) copy[table].put(row as StoredRow<never>);
  store.onChange((table, id) => {
    const [row] = store[table].rows({ where: 'id = ?', values: [id] });
    waiting.push({ at: clock.now(), table, id, row });
  });
  return () => {
    for (let next = waiting[0]; next !== undefined && next.at <= clock.now() - lagMs; next = waiting[0]) {
      waiting.shift();
      if (next.row === undefined) copy[next.table].delete(next.id);
      else copy[next.table].put(next.row as StoredRow<never>);
    }
    return copy;
  };
}
