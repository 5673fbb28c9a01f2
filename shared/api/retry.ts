import { rateLimitHeaders } from '../assumptions.ts';
import type { Clock } from './transport.ts';

/** How long the platform lets the core try. Milliseconds. */
export interface Patience {
  /** Tries of one request, including the first. */
  attempts: number;
  /** The maximum sum of the waits of one request. */
  totalWaitMs: number;
  /** When to look for the effect of a write whose answer was lost, counted from the end of its request: at once, and with growing pauses. */
  readBackMs: readonly number[];
  /** How much time the platform still gives; unlimited by default. */
  leftMs?: () => number;
}

/** For hosts that can wait, such as an n8n execution or a script. */
export const patient: Patience = {
  attempts: 5,
  totalWaitMs: 180_000,
  readBackMs: [0, 1_000, 3_000, 7_000, 15_000, 30_000],
};

/** For setting up a trigger: if that fails, the host tries again by itself, and it gives up after about a minute. */
export const brisk: Patience = { ...patient, attempts: 2 };

/** For lists in an open panel: a quick error is better than a late list. */
export const attended: Patience = { ...patient, attempts: 3, totalWaitMs: 10_000 };

/**
 * For hosts such as Zapier, which end a step after 30 seconds and try again by themselves: one quick second try, and only if it can do no
 * harm.
 */
export const hurried: Patience = { attempts: 2, totalWaitMs: 1_500, readBackMs: [0, 1_000, 4_000, 12_000] };

const firstBackOff = 500;
const window = rateLimitHeaders.windowSeconds * 1000;

/**
 * Milliseconds to wait after `attempt` tries: the time that the service asked for, plus up to a second so that many senders do not come
 * back at the same moment. If it asked for none: exponential back-off with full jitter, at most a minute, which is the length of the
 * documented windows (G16).
 */
export function waitBefore(attempt: number, retryAfterSeconds: number | undefined, rateLimited: boolean, clock: Clock): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000 + clock.random() * 1000;
  const ceiling = Math.min(window, firstBackOff * 2 ** (rateLimited ? attempt + 3 : attempt));
  return rateLimited ? ceiling / 2 + (clock.random() * ceiling) / 2 : clock.random() * ceiling;
}
