import { latestCommit } from '../assumptions.ts';
import type { Clock } from './transport.ts';

/** What is known of a request whose answer was lost. */
export interface Lost {
  /** Why no answer is known: a code of the network, or a status. */
  reason: string;
  /** How long ago it was sent, at least. Milliseconds of waiting, never the difference of two clocks alone. */
  waitedMs: number;
  /** How often the same was asked for again before. */
  recreated: number;
  /** How often the step was held because of it. */
  holds: number;
}

interface Kept extends Lost {
  /** When it was put down, and for how long the step asked to be held. Milliseconds. */
  keptAt: number;
  heldMs: number;
}

/** What a host that ends a step early, and runs it again later, keeps from one run to the next. */
export interface Store {
  /** @throws nothing: what cannot be read counts as absent */
  get(key: string): Promise<unknown>;
  /** @returns whether it will be found again */
  set(key: string, value: unknown): Promise<boolean>;
  delete(key: string): Promise<void>;
}

/** The most times that a step is held for one request. */
const mostHolds = 3;

/**
 * The requests whose answer was lost in a step that had no time to see what became of them. The step's next run, whether
 * it was held, replayed by hand or started anew for the same booking, then looks before it asks again.
 */
export class Unsettled {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** What an earlier run left open under this key. Of the time since, only what the step was held for is counted. */
  async recall(key: string, clock: Clock): Promise<Lost | undefined> {
    const kept = await this.#store.get(key);
    if (!isKept(kept)) return undefined;
    const { reason, recreated, holds, waitedMs, keptAt, heldMs } = kept;
    return { reason, recreated, holds, waitedMs: waitedMs + Math.min(heldMs, Math.max(0, clock.now() - keptAt)) };
  }

  /**
   * Puts it down for the next run.
   *
   * @returns whether that run will find it, and the seconds after which it can know (G29); none where it was held often enough
   */
  async keep(key: string, lost: Lost, clock: Clock): Promise<{ isKept: boolean; retryAfterSeconds?: number }> {
    // The first time as long as a late booking may take; then the service was not there to be asked, and needs longer.
    const seconds = Math.max(latestCommit.seconds + 2 - Math.floor(lost.waitedMs / 1000), lost.holds * 60, 1);
    const kept: Kept = { ...lost, holds: lost.holds + 1, keptAt: clock.now(), heldMs: seconds * 1000 };
    const isKept = await this.#store.set(key, kept);
    return { isKept, ...(isKept && lost.holds < mostHolds && { retryAfterSeconds: seconds }) };
  }

  /** It is known what became of it. */
  forget(key: string): Promise<void> {
    return this.#store.delete(key);
  }
}

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null) return false;
  const { reason, ...numbers } = value as Record<string, unknown>;
  return typeof reason === 'string' && ['waitedMs', 'recreated', 'holds', 'keptAt', 'heldMs'].every((name) => Number.isFinite(numbers[name]));
}
