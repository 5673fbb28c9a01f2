import { setTimeout as sleep } from 'node:timers/promises';

type Nothing = undefined | false;

const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [20, 400];

/**
 * Waits for what must come, and gives it; what never comes ends the test at its own limit. The pauses grow with the wait, because a look often
 * costs another program processor time, such as n8n 15 ms for each request.
 */
export async function until<Found>(look: () => Found | Nothing | Promise<Found | Nothing>): Promise<Exclude<Found, Nothing>> {
  for (let waited = 0; ; ) {
    const found = await look();
    if (found !== undefined && found !== false) return found as Exclude<Found, Nothing>;
    const pause = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, waited / 5));
    await sleep(pause);
    waited += pause;
  }
}
