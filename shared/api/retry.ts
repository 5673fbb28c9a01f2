import { rateLimitHeaders, latestCommit } from '../assumptions.ts';
import type { Clock } from './transport.ts';

/** How long a platform lets the core try. Milliseconds. */
export interface Patience {
  /** Tries of one request, the first included. */
  attempts: number;
  /** The most that the waits of one request may add up to. */
  totalWaitMs: number;
  /** When to look for what became of a request whose answer was lost, counted from its end. */
  readBackMs: readonly number[];
  /** What the platform still leaves of its time; as much as is needed where it is absent. */
  leftMs?: () => number;
}

/** For hosts that may wait: an n8n execution, a script. */
export const patient: Patience = {
  attempts: 5,
  totalWaitMs: 180_000,
  readBackMs: [2_000, 7_000, (latestCommit.seconds + 2) * 1000],
};

/** For a trigger's life cycle, which its host starts again by itself when it fails, and ends after about a minute. */
export const brisk: Patience = { ...patient, attempts: 2 };

/** For lists that somebody is waiting for, with the panel open: a sentence soon is better than a list late. */
export const attended: Patience = { ...patient, attempts: 3, totalWaitMs: 10_000 };

/** For hosts that end a step after 30 seconds and try again by themselves, as Zapier does: one quick second try of what can do no harm. */
export const hurried: Patience = { attempts: 2, totalWaitMs: 1_500, readBackMs: [2_000, 12_000] };

const firstBackOff = 500;
const window = rateLimitHeaders.windowSeconds * 1000;

/**
 * Milliseconds before the next try after `attempt` tries: what the service asked for, plus up to a second so that a
 * crowd does not come back at once; where it asked for nothing, exponential back-off with full jitter, capped at the
 * minute that the documented windows last (G16).
 */
export function waitBefore(attempt: number, retryAfterSeconds: number | undefined, rateLimited: boolean, clock: Clock): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000 + clock.random() * 1000;
  const ceiling = Math.min(window, firstBackOff * 2 ** (rateLimited ? attempt + 3 : attempt));
  return rateLimited ? ceiling / 2 + (clock.random() * ceiling) / 2 : clock.random() * ceiling;
}
