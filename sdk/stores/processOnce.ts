import type { Claim } from './claims.ts';
import type { Soon } from './store.ts';

type Mine = Extract<Claim, { state: 'mine' }>;

/**
 * The result of processing an event: `processed` by its handler; `duplicate` if it was processed before; `inProgress` if it is being
 * processed right now; `failed` if its handler failed.
 */
export type Outcome = 'processed' | 'duplicate' | 'inProgress' | 'failed';

/**
 * Processes something under several claims, all of which are needed, and settles them according to the result.
 *
 * @param failed called with the reason if the work failed, and if a store failed afterwards. It must not throw
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
        // One known key is enough to know the event by all of them.
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

/** Settles claims one after the other. If a store fails now, the result does not change. */
async function settle(mine: readonly Mine[], how: 'keep' | 'release', failed: (error: unknown) => void): Promise<void> {
  for (const each of mine) {
    try {
      await each[how]();
    } catch (error) {
      failed(error);
    }
  }
}
