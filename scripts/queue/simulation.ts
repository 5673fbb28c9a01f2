import { setImmediate as turn } from 'node:timers/promises';
import { inParallel, PoolFailure } from '../../n8n/adapter/pool.ts';
import { Refusal } from '../../sandbox/errors.ts';
import { DEFAULT_LIMITS, RateLimits, type Limits } from '../../sandbox/limits.ts';
import { createClient } from '../../shared/api/client.ts';
import { rollingLimiter } from '../../shared/api/limiter.ts';
import { patient } from '../../shared/api/retry.ts';
import type { ApiResponse, Clock } from '../../shared/api/transport.ts';

/** Time that passes only when everybody waits: minutes are simulated in moments. */
export class VirtualTime {
  #now = Date.UTC(2030, 0, 1);
  #sleepers: { due: number; wake: () => void }[] = [];
  #random: () => number;

  /** @param seed the same one gives the same run */
  constructor(seed: number) {
    let state = seed;
    this.#random = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
  }

  get clock(): Clock {
    return { now: () => this.#now, sleep: (milliseconds) => this.sleep(milliseconds), random: this.#random };
  }

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#sleepers.push({ due: this.#now + milliseconds, wake: resolve });
    return promise;
  }

  /** Lets time pass until the work is done. */
  async until<T>(work: Promise<T>): Promise<T> {
    const state = { done: false };
    const end = (): void => void (state.done = true);
    work.then(end, end);
    for (;;) {
      await turn();
      if (state.done) return work;
      if (this.#sleepers.length === 0) continue;
      this.#now = Math.min(...this.#sleepers.map(({ due }) => due));
      const [due, later] = [this.#sleepers.filter((each) => each.due <= this.#now), this.#sleepers.filter((each) => each.due > this.#now)];
      this.#sleepers = later;
      for (const { wake } of due) wake();
    }
  }
}

export interface Sharing {
  /** Processes, each with a limiter of its own. */
  workers: number;
  /** Executions at a time in each of them, each of which sends twelve requests at a time. */
  executions: number;
  /** In all. */
  items: number;
  kind: Limits['kind'];
  /** How long the service takes for one. */
  latencyMs: number;
  seed?: number;
}

export interface Shared {
  done: number;
  /** Ended in an error that a person would see. */
  lost: number;
  /** Answers with 429; their items came through later, or are lost. */
  refused: number;
  minutes: number;
  /** Of what the service would have let through in that time. */
  share: number;
}

/** Requests at a time of one execution, as the node sends them. */
const WIDTH = 12;

/** What becomes of items that several processes send to one account, none of which knows of the others: the core's own client and limiter, and the service's own count. */
export async function shareTheLimit({ workers, executions, items, kind, latencyMs, seed = 7 }: Sharing): Promise<Shared> {
  const time = new VirtualTime(seed);
  const service = new RateLimits({ ...DEFAULT_LIMITS, kind }, 'retry-after');
  const started = time.now();
  let done = 0;
  let lost = 0;
  let refused = 0;

  const transport = async (): Promise<ApiResponse> => {
    // Half on the way, half for the answer, and never twice the same.
    const way = latencyMs * (0.35 + 0.3 * time.clock.random());
    await time.sleep(way);
    const answer = take(service, time.now());
    if (answer.status === 429) refused += 1;
    await time.sleep(way);
    return answer;
  };
  const runs = Array.from({ length: workers }, () => {
    const limiter = rollingLimiter();
    return Array.from({ length: executions }, () => createClient({ baseUrl: 'https://service.invalid/api/v1', transport, clock: time.clock, patience: patient, limiter }));
  }).flat();
  const of = (index: number): number => Math.floor(items / runs.length) + (index < items % runs.length ? 1 : 0);
  const all = runs.map((client, index) =>
    inParallel(Array.from({ length: of(index) }), WIDTH, async () => {
      try {
        await client.send({ method: 'POST', path: ['bookings'], body: {}, scope: 'bookings:write', thing: 'booking' });
        done += 1;
      } catch (error) {
        if (error instanceof PoolFailure || !(error instanceof Error)) throw error;
        lost += 1;
      }
    }),
  );
  await time.until(Promise.all(all));
  const minutes = (time.now() - started) / 60_000;
  const allowed = kind === 'sliding' ? Math.ceil(minutes) : kind === 'fixed' ? Math.ceil(minutes) : 1 + minutes;
  return { done, lost, refused, minutes, share: done / (DEFAULT_LIMITS.api * allowed) };
}

function take(service: RateLimits, now: number): ApiResponse {
  try {
    service.take('api', 'account', now);
    return { status: 201, headers: {}, body: { id: 'booking' } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: 429, headers: error.headers, body: { error: 'Rate limit exceeded', code: error.code } };
  }
}
