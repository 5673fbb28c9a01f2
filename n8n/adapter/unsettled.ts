import { Unsettled } from '../../shared/api/unsettled.ts';

const mostKept = 10_000;

/**
 * What became of which request is not known, as long as this process lives: "Retry On Fail" runs the node again in it, and
 * then looks before it books. Another run may be another process's, so nobody is told to count on it.
 */
export function unsettledHere(): { unsettled: Unsettled; isOpen: () => boolean } {
  const kept = new Map<string, unknown>();
  const unsettled = new Unsettled({
    get: (key) => Promise.resolve(kept.get(key)),
    set(key, value) {
      kept.delete(key);
      kept.set(key, value);
      const [oldest] = kept.keys();
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
      return Promise.resolve(false);
    },
    delete: (key) => Promise.resolve(void kept.delete(key)),
  });
  return { unsettled, isOpen: () => kept.size > 0 };
}
