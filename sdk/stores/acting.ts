import { isLate } from '../soon.ts';
import type { Claim } from './claims.ts';

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
  claims: readonly (() => Promise<Claim>)[],
  act: () => unknown,
  failed: (error: unknown) => void,
): Promise<Outcome> {
  const mine: Mine[] = [];
  for (const claim of claims) {
    let given: Claim;
    try {
      given = await claim();
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
  await settle(mine, 'keep', failed);
  return 'taken';
}

/** If a store fails now, the result does not change. */
async function settle(mine: readonly Mine[], how: 'keep' | 'release', failed: (error: unknown) => void): Promise<void> {
  for (const claim of mine) {
    try {
      await claim[how]();
    } catch (error) {
      failed(error);
    }
  }
}
