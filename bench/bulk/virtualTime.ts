import type { Clock } from '../../shared/api/transport.ts';
import { seeded } from '../harness/statistics.ts';

interface Sleeper {
  due: number;
  wake: () => void;
}

/** Time that passes only when everybody waits: hours of it take seconds. */
export class VirtualTime implements Clock {
  readonly random: () => number;
  #now = Date.parse('2030-01-02T08:00:00Z');
  /** By due time, the earliest last. */
  readonly #sleepers: Sleeper[] = [];

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

  /** Runs work to its end. */
  async during<Result>(work: Promise<Result>): Promise<Result> {
    let running = true;
    const ended = work.finally(() => (running = false));
    // An error is handed on by the last line; until then nobody else may take it for unhandled.
    ended.catch(() => undefined);
    while (running) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.#sleepers.pop();
      if (next === undefined) continue;
      this.#now = Math.max(this.#now, next.due);
      next.wake();
    }
    return ended;
  }

  /** Behind all that are due later, and before those that were there first. */
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
