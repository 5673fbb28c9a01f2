import { setTimeout as sleep } from 'node:timers/promises';

type Nothing = undefined | false;

/** Waits for what must come, and gives it; what never comes ends the test at its own limit. */
export async function until<Found>(look: () => Found | Nothing | Promise<Found | Nothing>): Promise<Exclude<Found, Nothing>> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found as Exclude<Found, Nothing>;
    await sleep(20);
  }
}
