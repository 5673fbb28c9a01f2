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
}

/**
 * Remembers deliveries in this process alone, the last 10,000 at least: enough for one process that may act twice on what is sent
 * again after a restart.
 */
export function memoryClaims(): Claims {
  const taken = new DeliveryMemory();
  const busy = new Set<string>();
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
  };
}
