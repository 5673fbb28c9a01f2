import { latestCommit } from '../assumptions.ts';
import type { Client } from './client.ts';
import { ServiceError } from './errors.ts';

/** What one look at the service showed. */
export interface Look<Found> {
  /** What was looked for; absent where it was not seen. */
  found?: Found | undefined;
  /** Whether not seen means not there: everything came, and all of it could be compared. */
  complete: boolean;
}

export interface Fate<Found> {
  found?: Found;
  /** It was looked for past the latest moment at which it can still appear (G29), and surely is not there. */
  isAbsent: boolean;
  /** Whether the service answered the last look. */
  isAnswered: boolean;
  /** How long ago the request was sent, at least, in milliseconds. */
  waitedMs: number;
}

/**
 * What became of a request whose answer was lost: looks for its effect at the moments that the platform's patience gives.
 *
 * Time is counted by what was slept, never by the clock: a clock that is set forward in between would end the wait before
 * what was asked for can appear, and it would then be asked for twice.
 *
 * @param waitedMs what was waited before, by an earlier run of the step: then it looks at once
 */
export async function readBack<Found>({ clock, patience }: Client, look: () => Promise<Look<Found>>, waitedMs = 0): Promise<Fate<Found>> {
  let slept = waitedMs;
  let isAbsent = false;
  let isAnswered = false;
  const moments = waitedMs === 0 ? patience.readBackMs : [waitedMs, ...patience.readBackMs.filter((at) => at > waitedMs)];
  for (const at of moments) {
    if (at - slept >= (patience.leftMs?.() ?? Infinity)) break;
    await clock.sleep(at - slept);
    slept = at;
    try {
      const { found, complete } = await look();
      if (found !== undefined) return { found, isAbsent: false, isAnswered: true, waitedMs: slept };
      isAnswered = true;
      isAbsent = complete && slept > latestCommit.seconds * 1000;
    } catch (error) {
      // A look that did not work tells nothing; the next one may.
      if (!(error instanceof ServiceError)) throw error;
      isAbsent = false;
      isAnswered = false;
    }
  }
  return { isAbsent, isAnswered, waitedMs: slept };
}
