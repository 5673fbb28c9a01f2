import { setTimeout as sleep } from 'node:timers/promises';

type Nothing = undefined | false;

const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [20, 400];
/** A bound for what never comes: machines are busy. */
const PATIENCE_MS = 240_000;

/**
 * Waits for what must come, and gives it. The pauses grow with the wait, because a look often costs another program processor time, such as
 * n8n 15 ms for each request.
 *
 * @param what is named if it does not come; without it, the wait has no end, as in a test, which has its own limit
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
