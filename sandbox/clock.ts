import { setTimeout as wait } from 'node:timers/promises';
import type { Forms } from './variants.ts';

/**
 * The time of the sandbox: for expiry, rate limit windows and retries of deliveries. All values are milliseconds; `now()` counts from the
 * Unix epoch.
 */
export interface Clock {
  now(): number;
  /** Resolves when `ms` have passed, or early when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Moves the clock forward and wakes every sleeper whose time has come, in order. */
  advance(ms: number): Promise<void>;
}

/** A time in milliseconds since the epoch, in the form of the `Date` header. */
export const httpDate = (ms: number): string => new Date(ms).toUTCString();

export const MINUTE_MS = 60_000;
/** In which direction a clock that is not `same` is off. */
export const AHEAD = { same: 0, behind: -1, ahead: 1 } as const;

/** The header Date of every answer. */
export const dateHeader = (now: number, { dateHeader: runs }: Pick<Forms, 'dateHeader'>): string =>
  httpDate(now + AHEAD[runs] * 2 * MINUTE_MS);

/** The service's clock, if it differs from ours. */
export const serviceClock = (clock: Clock, { serviceClock: runs }: Forms): Clock =>
  runs === 'same' ? clock : { ...clock, now: () => clock.now() + AHEAD[runs] * 3 * MINUTE_MS };

/** Sleepers that a clock can wake by hand, each with the time that it is due. */
class Sleepers {
  readonly #waiting = new Map<() => void, number>();

  /** Resolves when it is woken, or when the signal aborts. */
  add(due: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => resolve();
    this.#waiting.set(wake, due);
    if (signal?.aborted === true) wake();
    else signal?.addEventListener('abort', wake, { once: true });
    return promise.finally(() => {
      this.#waiting.delete(wake);
      signal?.removeEventListener('abort', wake);
    });
  }

  /** Wakes the first sleeper that is due by then and returns when it was due; `undefined` if there is none. */
  wakeNext(until: number): number | undefined {
    const [first] = [...this.#waiting].filter(([, due]) => due <= until).sort(([, one], [, other]) => one - other);
    if (first === undefined) return undefined;
    const [wake, due] = first;
    this.#waiting.delete(wake);
    wake();
    return due;
  }
}

/** Lets all woken work run to its next wait, including network answers on loopback that have already arrived. */
async function letOthersRun(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Real time. It can still be moved forward, so that a token expires or a retry is due without a wait. */
export function realClock(): Clock {
  const sleepers = new Sleepers();
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  return {
    now,
    async sleep(ms, signal) {
      const over = new AbortController();
      const woken = sleepers.add(now() + ms, signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]));
      const passed = wait(Math.max(0, ms), undefined, { signal: over.signal, ref: false }).catch(() => undefined);
      await Promise.race([woken, passed]);
      over.abort();
    },
    async advance(ms) {
      ahead += ms;
      while (sleepers.wakeNext(now()) !== undefined);
      await letOthersRun();
    },
  };
}

/**
 * A clock that stands still until it is advanced. Network requests in between take no time on it. Wait for `settled()` before you advance
 * past a delivery's ten seconds; otherwise the receiver counts as not answering.
 *
 * @param startMs the first value of `now()`
 */
export function virtualClock(startMs = Date.UTC(2027, 0, 4, 9)): Clock {
  const sleepers = new Sleepers();
  let time = startMs;
  return {
    now: () => time,
    sleep: (ms, signal) => sleepers.add(time + ms, signal),
    async advance(ms) {
      const until = time + ms;
      await letOthersRun();
      for (let due = sleepers.wakeNext(until); due !== undefined; due = sleepers.wakeNext(until)) {
        time = Math.max(time, due);
        await letOthersRun();
      }
      time = until;
    },
  };
}
