import { Unsettled } from '../../shared/api/unsettled.ts';

/** What a host keeps that ends a step early and runs it again: the store lasts from one run to the next. */
export function heldStep(): { store: Map<string, unknown>; unsettled: Unsettled } {
  const store = new Map<string, unknown>();
  const unsettled = new Unsettled({
    get: async (key) => store.get(key),
    set: async (key, value) => {
      store.set(key, value);
      return true;
    },
    delete: async (key) => {
      store.delete(key);
    },
  });
  return { store, unsettled };
}
