import { setImmediate as turn } from 'node:timers/promises';
import { Refusal } from '../../sandbox/errors.ts';
import { DEFAULT_LIMITS, RateLimits, type Limits } from '../../sandbox/limits.ts';
import type { ApiRequest, ApiResponse, Clock, Transport } from '../../shared/client/transport.ts';

interface Sleeper {
  due: number;
  wake: () => void;
}

/** Time that only passes when everybody waits: hours of it take seconds. */
export class VirtualTime implements Clock {
  readonly random: () => number;
  #now = Date.parse('2030-01-02T08:00:00Z');
  /** Sorted by due time, the earliest last. */
  readonly #sleepers: Sleeper[] = [];

  /** @param seed the same seed gives the same run */
  constructor(seed: number) {
    this.random = seeded(seed);
  }

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((wake) => {
      const due = this.#now + milliseconds;
      this.#sleepers.splice(this.#placeOf(due), 0, { due, wake });
    });
  }

  /** Runs work to its end. @throws what the work throws, or an error if the work waits for anything other than sleep */
  async during<Result>(work: Promise<Result>): Promise<Result> {
    let running = true;
    const ended = work.finally(() => (running = false));
    // The last line passes an error on. Until then, it must not count as unhandled.
    ended.catch(() => undefined);
    for (;;) {
      await turn();
      if (!running) return ended;
      const next = this.#sleepers.pop();
      if (next === undefined) throw new Error('Nobody sleeps, and the work is not done.');
      this.#now = Math.max(this.#now, next.due);
      next.wake();
    }
  }

  /** The place after all that are due later, and before those that are due at the same time but were there first. */
  #placeOf(due: number): number {
    let [low, high] = [0, this.#sleepers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sleepers[middle]?.due ?? 0) > due) low = middle + 1;
      else high = middle;
    }
    return low;
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

/** The time for the way there and back, in milliseconds. */
const latency = { least: 80, most: 160 };

/** The answer of an account to a request within its limit. @param number counts these requests */
type Answering = (request: ApiRequest, number: number) => unknown;

/** One account of the service with its rate limit, counted as the sandbox counts. Nothing else of the service is modelled. */
export class LimitedAccount {
  /** The number of requests that were done, and of those that the rate limit refused. */
  done = 0;
  refused = 0;
  readonly #limits: RateLimits;
  readonly #clock: Clock;
  readonly #answering: Answering;

  constructor(kind: Limits['kind'], clock: Clock, answering: Answering = (_, number) => ({ id: String(number) })) {
    this.#limits = new RateLimits({ ...DEFAULT_LIMITS, kind }, 'retry-after');
    this.#clock = clock;
    this.#answering = answering;
  }

  /** Takes a request to the account and back. Every request within the limit succeeds. */
  readonly transport: Transport = async (request) => {
    const way = latency.least + this.#clock.random() * (latency.most - latency.least);
    await this.#clock.sleep(way / 2);
    const answer = this.#answer(request);
    await this.#clock.sleep(way / 2);
    return answer;
  };

  #answer(request: ApiRequest): ApiResponse {
    try {
      this.#limits.take('api', 'the account', this.#clock.now());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refused += 1;
      return { status: 429, headers: error.headers, body: { error: error.message, code: error.code } };
    }
    this.done += 1;
    return { status: 200, headers: {}, body: { data: this.#answering(request, this.done) } };
  }
}
