import type { Soon } from './store.ts';

/**
 * The result of claiming a delivery: `mine` for the first caller, who must settle it with `keep` or `release`; `kept` if it was already
 * handled; `busy` if it is being handled right now and the outcome is not known yet. In a database, `owner` is the value that identifies
 * this claim in its row.
 */
export type Claim = { state: 'mine'; owner?: string; keep(): Soon<void>; release(): Soon<void> } | { state: 'kept' } | { state: 'busy' };

/** Remembers which deliveries were handled. */
export interface Claims {
  /** If several callers claim the same key at once, exactly one of them gets `mine`. */
  claim(key: string): Soon<Claim>;
  /**
   * Claims a change that can happen to a thing repeatedly: `kept` if `key` is the last key that was kept for `thing`. So a change there,
   * back, and there again is handled three times. Only needed for polling.
   *
   * @param withinMs returns `busy` if another key of `thing` was kept within this time, because a list that was read earlier may be out of
   * date. By default, this is not checked. Milliseconds.
   */
  claimLast?(thing: string, key: string, withinMs?: number): Soon<Claim>;
}

/** Claims with `claimLast`. All stores of the package have it. */
export type ChangeClaims = Claims & Required<Pick<Claims, 'claimLast'>>;

/**
 * Remembers at least the last 10,000 deliveries in this process. Enough for a single process, if it may handle a repeated delivery again
 * after a restart.
 */
export function memoryClaims(): ChangeClaims {
  const [deliveries, changes] = [lastOf(10_000), lastOf(10_000)];
  return { claim: (key) => deliveries(key, ''), claimLast: changes };
}

/** For each of the most recently kept names, remembers the turn that was kept last. */
function lastOf(max: number) {
  const busy = new Set<string>();
  const kept = new Map<string, { turn: string; at: number }>();
  return (name: string, turn: string, withinMs = -Infinity): Claim => {
    if (busy.has(name)) return { state: 'busy' };
    const before = kept.get(name);
    if (before?.turn === turn) return { state: 'kept' };
    if (before !== undefined && before.at > Date.now() - withinMs) return { state: 'busy' };
    busy.add(name);
    return {
      state: 'mine',
      keep() {
        busy.delete(name);
        kept.delete(name);
        kept.set(name, { turn, at: Date.now() });
        const [oldest = ''] = kept.keys();
        if (kept.size > max) kept.delete(oldest);
      },
      release: () => void busy.delete(name),
    };
  };
}

type Mine = Extract<Claim, { state: 'mine' }>;

/**
 * The outcome of processing an event: `processed` by its handler; `duplicate` if it was already processed; `inProgress` if it is being
 * processed right now; `failed` if its handler failed.
 */
export type Outcome = 'processed' | 'duplicate' | 'inProgress' | 'failed';

/**
 * Processes something under several claims, all of which are needed, and settles them according to the outcome.
 *
 * @param failed called with the reason if the work failed, or if a store failed afterwards. It must not throw
 * @throws the error of a claim; then nothing is claimed
 */
export async function processOnce(
  claims: readonly (() => Soon<Claim>)[],
  work: () => unknown,
  failed: (error: unknown) => void,
): Promise<Outcome> {
  const mine: Mine[] = [];
  try {
    for (const claim of claims) {
      const answer = await claim();
      if (answer.state !== 'mine') {
        // One kept key proves that the event was handled, so its other keys are kept as well.
        await settle(mine, answer.state === 'kept' ? 'keep' : 'release', failed);
        return answer.state === 'kept' ? 'duplicate' : 'inProgress';
      }
      mine.push(answer);
    }
  } catch (error) {
    await settle(mine, 'release', failed);
    throw error;
  }
  try {
    await work();
  } catch (error) {
    failed(error);
    await settle(mine, 'release', failed);
    return 'failed';
  }
  await settle(mine, 'keep', failed);
  return 'processed';
}

/** Settles claims one after the other. A store that fails now does not change the outcome. */
async function settle(mine: readonly Mine[], how: 'keep' | 'release', failed: (error: unknown) => void): Promise<void> {
  for (const each of mine) {
    try {
      await each[how]();
    } catch (error) {
      failed(error);
    }
  }
}
