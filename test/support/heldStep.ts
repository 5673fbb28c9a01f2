import { PendingWrites } from '../../shared/api/pendingWrites.ts';

/**
 * What a host keeps that ends a step early and runs it again: the store lasts from one run to the next.
 *
 * @param isPrivate whether it may hold what was sent
 * @param isAhead whether it wants a write before that is sent
 */
export function heldStep(isPrivate = false, isAhead = false): { store: Map<string, unknown>; writes: () => PendingWrites } {
  const store = new Map<string, unknown>();
  /** Each run is a new process with nothing but the store. */
  const writes = () =>
    new PendingWrites({
      isPrivate,
      isAhead,
      get: async (key) => store.get(key),
      set: async (key, value) => {
        store.set(key, value);
        return true;
      },
      delete: async (key) => {
        store.delete(key);
      },
    });
  return { store, writes };
}
