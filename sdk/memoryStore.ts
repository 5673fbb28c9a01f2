import type { Store } from './stores/store.ts';

/** A store for one process. Its content is lost when the process ends. */
export function memoryStore<Value>(value?: Value): Store<Value> {
  let kept = value;
  let last: Promise<unknown> = Promise.resolve();
  return {
    read: () => kept,
    write: (next) => void (kept = next),
    delete: () => void (kept = undefined),
    withLock(work) {
      const turn = last.then(work);
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}
