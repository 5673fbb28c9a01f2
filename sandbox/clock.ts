import { setTimeout as wait } from 'node:timers/promises';
import type { Forms } from './variants.ts';

/**
 * The sandbox's clock, for expiry, rate limit windows and retries of deliveries. All values are in milliseconds; `now()` counts from the
 * Unix epoch.
 */
export interface SandboxClock {
  now(): number;
  /** Resolves when `ms` have passed, or early when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Moves the clock forward and wakes every sleeper that becomes due, in order. */
  advance(ms: number): Promise<void>;
}

/** A time in milliseconds since the epoch, in the format of the `Date` header. */
export const httpDate = (ms: number): string => new Date(ms).toUTCString();

export const MINUTE_MS = 60_000;
/** The direction in which a clock is off, unless it is `same`. */
export const AHEAD = { same: 0, behind: -1, ahead: 1 } as const;

/** The `Date` header of every response. */
export const dateHeader = (now: number, { dateHeader: runs }: Pick<Forms, 'dateHeader'>): string =>
  httpDate(now + AHEAD[runs] * 2 * MINUTE_MS);

/** The service's clock, which may differ from ours. */
export const serviceClock = (clock: SandboxClock, { serviceClock: runs }: Forms): SandboxClock =>
  runs === 'same' ? clock : { ...clock, now: () => clock.now() + AHEAD[runs] * 3 * MINUTE_MS };

/** Lets all woken work run until its next wait, including responses on loopback that have already arrived. */
async function letOthersRun(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** @param passes whether `base` advances by itself */
function movable(base: () => number, passes: boolean): SandboxClock {
  const sleepers = new Set<{ due: number; waker: AbortController }>();
  let ahead = 0;
  const now = (): number => base() + ahead;
  return {
    now,
    async sleep(ms, signal) {
      const sleeper = { due: now() + ms, waker: new AbortController() };
      sleepers.add(sleeper);
      const woken = signal === undefined ? sleeper.waker.signal : AbortSignal.any([signal, sleeper.waker.signal]);
      await wait(passes ? Math.max(0, ms) : NEVER_MS, undefined, { signal: woken, ref: false }).catch(() => undefined);
      sleepers.delete(sleeper);
    },
    async advance(ms) {
      const until = now() + ms;
      await letOthersRun();
      for (;;) {
        const [next] = [...sleepers].filter(({ due }) => due <= until).sort((one, other) => one.due - other.due);
        if (next === undefined) break;
        ahead += Math.max(0, next.due - now());
        sleepers.delete(next);
        next.waker.abort();
        await letOthersRun();
      }
      ahead += Math.max(0, until - now());
    },
  };
}

/** The longest wait of Node's timers: 24 days. */
const NEVER_MS = 2 ** 31 - 1;

/** Real time. It can also be moved forward, so that a token expires or a retry becomes due without waiting. */
export const realClock = (): SandboxClock => movable(() => Date.now(), true);

/**
 * A clock that stands still until it is advanced. Network requests take no time on it. Wait for `settled()` before you advance past a
 * delivery's ten seconds; otherwise the receiver counts as unresponsive.
 *
 * @param startMs the first value of `now()`
 */
export const virtualClock = (startMs = Date.UTC(2027, 0, 4, 9)): SandboxClock => movable(() => startMs, false);
