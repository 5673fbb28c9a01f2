import { limits } from './errors.ts';
import type { Clock } from './transport.ts';

/** Lets a request pass, at once or after a wait, so that a crowd stays under the service's limit. */
export interface Limiter {
  /** Resolves when the request may be sent. */
  pass(clock: Clock): Promise<void>;
  /** The service refused for the rate: everybody waits this long. Milliseconds. */
  pause(milliseconds: number, clock: Clock): void;
}

/**
 * A rolling log over the 1,000 requests a minute of section 8: at most `most` requests in any `windowMs`. A burst is
 * let through at once, because most runs are shorter than a minute; a margin is left for the clocks of two machines.
 * A clock that is set back counts as standing still for that moment, so that nobody waits for the hour that it lost.
 */
export function rollingLimiter(most: number = limits.requestsPerMinute - 20, windowMs: number = 60_500): Limiter {
  const log: number[] = [];
  let oldest = 0;
  let pausedUntil = 0;
  let queue: Promise<void> = Promise.resolve();
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
      while ((log[oldest] ?? Infinity) <= now - windowMs) oldest += 1;
      if (oldest > 1024) {
        log.splice(0, oldest);
        oldest = 0;
      }
      const full = log.length - oldest >= most ? (log[oldest] ?? now) + windowMs - now : 0;
      const wait = Math.max(full, pausedUntil - now);
      if (wait <= 0) {
        log.push(now);
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
      pausedUntil = Math.max(pausedUntil, elapsed(clock) + milliseconds);
    },
  };
}
