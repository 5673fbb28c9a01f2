import { PendingWrites } from '../../shared/writes/index.ts';

/** What a host keeps that ends a step early and runs it again, like Zapier: the store lasts from one run to the next. */
export function heldStep({ mayStoreContent = false, writesAhead = false } = {}): {
  store: Map<string, unknown>;
  writes: () => PendingWrites;
} {
  const store = new Map<string, unknown>();
  /** Each run is a new process with nothing but the store. */
  const writes = () =>
    new PendingWrites({
      mayStoreContent,
      writesAhead,
      canHold: true,
      advice: 'Replay this step.',
      get: async (key) => store.get(key),
      set: async (key, value) => {
        store.set(key, JSON.parse(JSON.stringify(value)));
        return true;
      },
      delete: async (key) => {
        store.delete(key);
      },
    });
  return { store, writes };
}
