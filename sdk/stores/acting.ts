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
  // If a store fails now, the result does not change.
  const settle = async (how: 'keep' | 'release'): Promise<void> => {
    for (const claim of mine) await claim[how]().catch(failed);
  };
  for (const claim of claims) {
    const given = await claim().catch(async (error: unknown) => {
      await settle('release');
      throw error;
    });
    if (given.state !== 'mine') {
      // One known key is enough to know the event by all of them.
      await settle(given.state === 'kept' ? 'keep' : 'release');
      return given.state;
    }
    mine.push(given);
  }
  try {
    await act();
  } catch (error) {
    failed(error);
    await settle('release');
    return 'failed';
  }
  await settle('keep');
  return 'taken';
}
