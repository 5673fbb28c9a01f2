import { isLate } from '../soon.ts';
import type { Claim } from './claims.ts';
import type { Soon } from './store.ts';

type Mine = Extract<Claim, { state: 'mine' }>;

/**
 * The result of handling an event: `taken` by its handler; `kept` if it was handled before; `busy` if it is being handled right now;
 * `failed` if its handler failed.
 */
export type Outcome = 'taken' | 'kept' | 'busy' | 'failed';

/**
 * Handles something under several claims, all of which are needed, and settles them according to the result.
 *
 * @param failed called with the reason if the handler failed, and if a store failed afterwards
 * @throws the error of a claim; then nothing is claimed
 */
export async function actUnder(
  claims: readonly (() => Soon<Claim>)[],
  act: () => unknown,
  failed: (error: unknown) => void,
): Promise<Outcome> {
  const mine: Mine[] = [];
  for (const claim of claims) {
    let given: Claim;
    try {
      const asked = claim();
      given = isLate(asked) ? await asked : asked;
    } catch (error) {
      await settle(mine, 'release', failed);
      throw error;
    }
    if (given.state !== 'mine') {
      // One known key is enough to know the event by all of them.
      await settle(mine, given.state === 'kept' ? 'keep' : 'release', failed);
      return given.state;
    }
    mine.push(given);
  }
  try {
    const done = act();
    if (isLate(done)) await done;
  } catch (error) {
    failed(error);
    await settle(mine, 'release', failed);
    return 'failed';
  }
  const kept = settle(mine, 'keep', failed);
  if (isLate(kept)) await kept;
  return 'taken';
}

/** Settles claims one after the other, immediately if their stores do. If a store fails now, the result does not change. */
function settle(mine: readonly Mine[], how: 'keep' | 'release', failed: (error: unknown) => void, from = 0): Soon<void> {
  for (let at = from; at < mine.length; at += 1) {
    try {
      const done = mine[at]?.[how]();
      if (isLate(done)) return done.then(undefined, failed).then(() => settle(mine, how, failed, at + 1));
    } catch (error) {
      failed(error);
    }
  }
}
