import { setImmediate as turn } from 'node:timers/promises';
import { ApiRefusal } from '../sandbox/errors.ts';
import { createRateLimits, DEFAULT_LIMITS, type Limits, type RateLimits } from '../sandbox/limits.ts';
import type { ApiResponse, Clock, Transport } from '../shared/client/ports.ts';

interface VirtualTimer {
  due: number;
  fire: () => void;
}

/** After this many turns of the event loop without news, everyone is assumed to be waiting. */
const quietTurns = 3;

/** Time that passes only when everyone is waiting: hours of it take seconds, and nothing depends on the speed of the machine. */
export class VirtualTime implements Clock {
  readonly random: () => number;
  /** How far a person or a time server has set the clock forward or back. Timers are not affected. Milliseconds. */
  skewMs = 0;
  #now = Date.parse('2030-01-02T08:00:00Z');
  #working = 0;
  #news = 0;
  /** Sorted by due time, latest first. */
  readonly #timers: VirtualTimer[] = [];

  /** @param seed the same seed gives the same run */
  constructor(seed: number) {
    this.random = seeded(seed);
  }

  /** The elapsed time, regardless of how the clock was set. Milliseconds. */
  now(): number {
    return this.#now;
  }

  /** The time by this machine's clock. Milliseconds since the epoch. */
  date(): number {
    return this.#now + this.skewMs;
  }

  /** @param signal ends the wait early */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((wake) => {
      const timer = this.set(wake, milliseconds);
      const end = (): void => {
        const place = this.#timers.indexOf(timer);
        if (place >= 0) this.#timers.splice(place, 1);
        wake();
      };
      signal?.addEventListener('abort', end, { once: true });
    });
  }

  advance(milliseconds: number): Promise<void> {
    return this.sleep(milliseconds);
  }

  set(fire: () => void, milliseconds: number): VirtualTimer {
    const timer = { due: this.#now + milliseconds, fire };
    // After all that are due later, and before earlier-set ones that are due at the same time.
    this.#timers.splice(this.#timers.findLastIndex(({ due }) => due > timer.due) + 1, 0, timer);
    this.#news += 1;
    return timer;
  }

  /** Stops time while `work` runs. */
  async stopped<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#working += 1;
    try {
      return await work();
    } finally {
      this.#working -= 1;
      this.#news += 1;
    }
  }

  /**
   * Runs work to its end while time passes.
   *
   * @throws the error of the work, or an error if the work waits for anything other than this time
   */
  async during<Result>(work: Promise<Result>): Promise<Result> {
    let running = true;
    const ended = work.finally(() => (running = false));
    // The loop returns `ended` with its error. Until then, the error must not count as unhandled.
    ended.catch(() => undefined);
    for (let [quiet, seen] = [0, -1]; ; ) {
      await turn();
      if (!running) return ended;
      quiet = this.#working > 0 || seen !== this.#news ? 0 : quiet + 1;
      seen = this.#news;
      if (quiet < quietTurns) continue;
      const next = this.#timers.pop();
      if (next === undefined) throw new Error('Nobody sleeps, and the work is not done.');
      this.#now = Math.max(this.#now, next.due);
      this.#news += 1;
      next.fire();
    }
  }
}

/** Pseudo-random numbers from 0 up to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const limitKinds = ['fixed', 'sliding', 'bucket'] as const satisfies Limits['kind'][];

/** One account of the service with its rate limit, counted as in the sandbox. Nothing else of the service is modeled. */
export class LimitedAccount {
  /** The number of requests that were done, and that the rate limit refused. */
  done = 0;
  refused = 0;
  readonly #limits: RateLimits;
  readonly #clock: Clock;

  constructor(kind: Limits['kind'], clock: Clock) {
    this.#limits = createRateLimits({ ...DEFAULT_LIMITS, kind }, 'retry-after');
    this.#clock = clock;
  }

  /** Sends a request to the account and returns the response. Every request within the limit succeeds. */
  readonly transport: Transport = async () => {
    // The round trip takes 80 to 160 milliseconds.
    const way = 80 + this.#clock.random() * 80;
    await this.#clock.sleep(way / 2);
    const answer = this.#answer();
    await this.#clock.sleep(way / 2);
    return answer;
  };

  #answer(): ApiResponse {
    try {
      this.#limits.take('api', 'the account', this.#clock.now());
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error;
      this.refused += 1;
      return { status: 429, headers: error.headers, body: { error: error.message, code: error.code } };
    }
    this.done += 1;
    return { status: 200, headers: {}, body: { data: { id: String(this.done) } } };
  }
}
