import { setTimeout as sleep } from 'node:timers/promises';

type Nothing = undefined | false;

const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [20, 400];
/** The longest wait, for things that never happen; long, because machines are busy. */
const PATIENCE_MS = 240_000;

/**
 * Waits until `look` finds something, and returns it. The pauses grow with the wait, because a look often costs another program processor
 * time, such as n8n 15 ms for each request.
 *
 * @param what names the thing in the error; without it, the wait is unlimited, as in a test, which has its own limit
 */
export async function until<Found>(look: () => Found | Nothing | Promise<Found | Nothing>, what = ''): Promise<Exclude<Found, Nothing>> {
  for (let waited = 0; what === '' || waited < PATIENCE_MS; ) {
    const found = await look();
    if (found !== undefined && found !== false) return found as Exclude<Found, Nothing>;
    const pause = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, waited / 5));
    await sleep(pause);
    waited += pause;
  }
  throw new Error(`${what} has not come after ${PATIENCE_MS / 1000} seconds.`);
}
