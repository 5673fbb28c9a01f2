import { DeliveryMemory } from '../../shared/webhooks/memory.ts';

/**
 * What claiming a delivery ended in: `mine` for the first to ask, who says afterwards what became of it; `kept` where it was acted
 * on before; `busy` where somebody is acting on it now, and nobody knows yet how that ends.
 */
export type Claim = { state: 'mine'; keep(): Promise<void>; release(): Promise<void> } | { state: 'kept' } | { state: 'busy' };

/** Where it is remembered which deliveries were acted on. */
export interface Claims {
  /** Exactly one of any number who ask at the same time gets `mine`. */
  claim(key: string): Promise<Claim>;
  /**
   * The same for what happens to one thing again and again: `kept` where `key` is the last that was kept of `thing`. So what goes
   * there, back, and there again is acted on three times. Only needed where an application polls.
   *
   * @param withinMs `busy` where another key of `thing` was kept within this time: a list that was read before that may show what is
   *   over. It does not matter where this is absent. Milliseconds.
   */
  claimLast?(thing: string, key: string, withinMs?: number): Promise<Claim>;
}

/** Claims that can tell changes apart, as all stores of the package can. */
export type ChangeClaims = Claims & Required<Pick<Claims, 'claimLast'>>;

/** As many as of deliveries, at least. */
const mostThings = 10_000;

/**
 * Remembers deliveries in this process alone, the last 10,000 at least: enough for one process that may act twice on what is sent
 * again after a restart.
 */
export function memoryClaims(): ChangeClaims {
  const taken = new DeliveryMemory();
  const busy = new Set<string>();
  const last = new Map<string, { key: string; at: number }>();
  return {
    async claim(key) {
      if (busy.has(key)) return { state: 'busy' };
      if (!taken.claim([key])) return { state: 'kept' };
      busy.add(key);
      return {
        state: 'mine',
        keep: async () => void busy.delete(key),
        release: async () => {
          taken.release([key]);
          busy.delete(key);
        },
      };
    },
    async claimLast(thing, key, withinMs = -Infinity) {
      // No delivery has such a key.
      const mark = `last ${thing}`;
      if (busy.has(mark)) return { state: 'busy' };
      const before = last.get(thing);
      if (before?.key === key) return { state: 'kept' };
      if (before !== undefined && before.at > Date.now() - withinMs) return { state: 'busy' };
      busy.add(mark);
      return {
        state: 'mine',
        async keep() {
          last.delete(thing);
          last.set(thing, { key, at: Date.now() });
          const [oldest] = last.keys();
          if (last.size > mostThings && oldest !== undefined) last.delete(oldest);
          busy.delete(mark);
        },
        release: async () => void busy.delete(mark),
      };
    },
  };
}
