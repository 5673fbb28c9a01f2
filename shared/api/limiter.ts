import { limits } from '../limits.ts';
import type { Clock } from './transport.ts';

/** Lets a request pass, at once or after a wait, so that a crowd stays under the service's limit. */
export interface Limiter {
  /** Resolves when a request may be sent. @param resource the first part of its path, where resources have limits of their own */
  pass(clock: Clock, resource?: string): Promise<void>;
  /** The service refused for the rate: everybody waits this long. Milliseconds. */
  pause(milliseconds: number, clock: Clock, resource?: string): void;
}

const windowOfAMinute = 60_500;

/**
 * Both limits of section 8 for one account: subscription requests count towards their own 10 a minute as well (G27), and
 * one that was refused keeps nobody else waiting. Ten are few, and a person waits for them: they are paced only once the
 * service has refused one, as it does when many triggers start at once.
 */
export function accountLimiter(): Limiter {
  const all = rollingLimiter();
  const subscriptions = rollingLimiter(limits.subscriptionRequestsPerMinute, windowOfAMinute, { onlyAfterRefusal: true });
  return {
    async pass(clock, resource) {
      if (resource === 'hooks') await subscriptions.pass(clock);
      await all.pass(clock);
    },
    pause: (milliseconds, clock, resource) => (resource === 'hooks' ? subscriptions : all).pause(milliseconds, clock),
  };
}

/** How much further apart requests are sent after a refusal, and how they come closer again from one to the next. */
const apart = { factor: 2, closer: 1.002 };

/**
 * A rolling log over the 1,000 requests a minute of section 8: at most `most` requests in any `windowMs`. A burst is
 * let through at once, because most runs are shorter than a minute; a margin is left for the clocks of two machines.
 * A clock that is set back counts as standing still for that moment, so that nobody waits for the hour that it lost.
 *
 * A refusal all the same means that others use the account too: another process, another application. From then on the
 * requests are spread evenly, and further apart as long as refusals follow within half a window, so that any number of
 * processes that know nothing of each other settle at the limit. Two windows without a refusal allow bursts again.
 */
export function rollingLimiter(most: number = limits.requestsPerMinute - 20, windowMs: number = windowOfAMinute, { onlyAfterRefusal = false } = {}): Limiter {
  /** When the last `most` requests passed. */
  const log: number[] = [];
  let pausedUntil = 0;
  let queue: Promise<void> = Promise.resolve();
  const fairGap = windowMs / most;
  /** Milliseconds from one request to the next; 0 while nobody else was noticed. */
  let gap = 0;
  let nextAt = 0;
  let refusedAt = -Infinity;
  let passed = 0;
  let last: number | undefined;

  const elapsed = (clock: Clock): number => {
    const now = clock.now();
    passed += Math.max(0, now - (last ?? now));
    last = now;
    return passed;
  };

  const admit = async (clock: Clock) => {
    for (;;) {
      const now = elapsed(clock);
      const wasRefused = now - refusedAt <= 2 * windowMs;
      if (!wasRefused) gap = 0;
      const isFull = log.length >= most && (wasRefused || !onlyAfterRefusal);
      const full = isFull ? (log[0] ?? now) + windowMs - now : 0;
      const wait = Math.max(full, pausedUntil - now, nextAt - now);
      if (wait <= 0) {
        log.push(now);
        if (log.length > most) log.shift();
        nextAt = now + gap;
        if (gap > 0) gap = Math.max(fairGap, gap / apart.closer);
        return;
      }
      await clock.sleep(Math.ceil(wait));
    }
  };

  return {
    pass(clock) {
      // One at a time and in order: who came first is not overtaken.
      const turn = queue.then(() => admit(clock));
      queue = turn.catch(() => undefined);
      return turn;
    },
    pause(milliseconds, clock) {
      const now = elapsed(clock);
      // Refusals that come in during a pause answer requests from before it: they tell nothing new.
      const isNews = now >= pausedUntil;
      const isSoon = now - pausedUntil < windowMs / 2;
      // Who lets requests through until one is refused has to blame that one on itself: it tells nothing of others.
      const isOurs = onlyAfterRefusal && log.length === most && now - (log[0] ?? -Infinity) < windowMs;
      if (isNews && gap === 0) gap = isOurs ? 0 : fairGap * apart.factor;
      else if (isNews && isSoon) gap = Math.min(gap * apart.factor, windowMs / 15);
      refusedAt = now;
      pausedUntil = Math.max(pausedUntil, now + milliseconds);
    },
  };
}
