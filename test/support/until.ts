import { setTimeout as sleep } from 'node:timers/promises';
import { growingPauses } from '../../tools/process/pause.ts';

const SHORTEST_MS = 20;

type Nothing = undefined | false;

/**
 * Waits for what must come, and gives it; what never comes ends the test at its own limit. A look that asks somebody else, and so returns a
 * promise, is repeated ever more seldom.
 */
export async function until<Found>(look: () => Found | Nothing | Promise<Found | Nothing>): Promise<Exclude<Found, Nothing>> {
  const pause = growingPauses(SHORTEST_MS);
  for (;;) {
    const looked = look();
    const found = await looked;
    if (found !== undefined && found !== false) return found as Exclude<Found, Nothing>;
    await (looked instanceof Promise ? pause() : sleep(SHORTEST_MS));
  }
}
