import type { Claim } from './claims.ts';

type Mine = Extract<Claim, { state: 'mine' }>;

/**
 * What became of an event: `taken` by its handler; `kept` where it was taken before; `busy` where somebody acts on it now;
 * `failed` with its handler.
 */
export type Outcome = 'taken' | 'kept' | 'busy' | 'failed';

/**
 * Acts on something under claims, all of which have to be had, and settles them by what became of it.
 *
 * @param failed told why the handler failed, and of a store that failed afterwards
 * @throws whatever claiming itself fails with; then nothing is claimed
 */
export async function actUnder(
  claims: readonly (() => Promise<Claim>)[],
  act: () => unknown,
  failed: (error: unknown) => void,
): Promise<Outcome> {
  const mine: Mine[] = [];
  // A store that fails now must not undo what was decided.
  const settle = async (how: 'keep' | 'release'): Promise<void> => {
    for (const claim of mine) await claim[how]().catch(failed);
  };
  for (const claim of claims) {
    const given = await claim().catch(async (error: unknown) => {
      await settle('release');
      throw error;
    });
    if (given.state !== 'mine') {
      // Known by one of its keys, it is known by all of them.
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
