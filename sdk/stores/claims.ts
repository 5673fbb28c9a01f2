import { DeliveryMemory } from '../../shared/webhooks/memory.ts';
import type { Soon } from './store.ts';

/**
 * The result of claiming a delivery: `mine` for the first caller, who must settle it with `keep` or `release`; `kept` if it was handled
 * before; `busy` if it is being handled right now and its result is not known yet.
 */
export type Claim = { state: 'mine'; keep(): Soon<void>; release(): Soon<void> } | { state: 'kept' } | { state: 'busy' };

/** Remembers which deliveries were handled. */
export interface Claims {
  /** If several callers claim the same key at once, exactly one of them gets `mine`. */
  claim(key: string): Soon<Claim>;
  /**
   * The same for changes that can happen to a thing repeatedly: `kept` if `key` is the last key that was kept for `thing`. So a change
   * there, back, and there again is handled three times. Only needed for polling.
   *
   * @param withinMs gives `busy` if another key of `thing` was kept within this time, because a list that was read earlier may be out of
   *   date. By default, this is not checked. Milliseconds.
   */
  claimLast?(thing: string, key: string, withinMs?: number): Soon<Claim>;
}

/** Claims with `claimLast`, which all stores of the package have. */
export type ChangeClaims = Claims & Required<Pick<Claims, 'claimLast'>>;

/** Things whose last change is remembered: as many as deliveries. */
const maxThings = 10_000;

/**
 * Remembers at least the last 10,000 deliveries in this process. Enough for one process that may handle a repeated delivery again after a
 * restart.
 */
export function memoryClaims(): ChangeClaims {
  const taken = new DeliveryMemory();
  const busy = new Set<string>();
  const last = new Map<string, { key: string; at: number }>();
  return {
    claim(key) {
      if (busy.has(key)) return { state: 'busy' };
      if (!taken.claim([key])) return { state: 'kept' };
      busy.add(key);
      return {
        state: 'mine',
        keep: () => void busy.delete(key),
        release() {
          taken.release([key]);
          busy.delete(key);
        },
      };
    },
    claimLast(thing, key, withinMs = -Infinity) {
      // No delivery has a key of this form.
      const mark = `last ${thing}`;
      if (busy.has(mark)) return { state: 'busy' };
      const before = last.get(thing);
      if (before?.key === key) return { state: 'kept' };
      if (before !== undefined && before.at > Date.now() - withinMs) return { state: 'busy' };
      busy.add(mark);
      return {
        state: 'mine',
        keep() {
          last.delete(thing);
          last.set(thing, { key, at: Date.now() });
          const [oldest] = last.keys();
          if (last.size > maxThings && oldest !== undefined) last.delete(oldest);
          busy.delete(mark);
        },
        release: () => void busy.delete(mark),
      };
    },
  };
}
