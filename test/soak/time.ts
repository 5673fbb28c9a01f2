import type { Clock } from '../../sandbox/service.ts';

interface Timer {
  due: number;
  fire: () => void;
}

/** After this many turns of the event loop without any news, everybody is assumed to be waiting. */
const QUIET_TURNS = 3;

/**
 * Time that only passes while nothing is running: once everything waits, it jumps to the end of the next wait. A minute of waiting takes
 * microseconds, and nothing depends on how fast the machine is. It
 * is the clock of the sandbox and of the package.
 */
export class VirtualTime implements Clock {
  /** How far a person, or a time server, has set the clock forward or back. Timers do not notice. */
  skewMs = 0;
  /** Called if everybody waits and nothing is ever going to wake them. */
  whenStuck: () => void = () => undefined;
  #time: number;
  #working = 0;
  #news = 0;
  #isWatching = false;
  readonly #timers = new Map<number, Timer>();
  #last = 0;

  constructor(startMs = Date.UTC(2030, 0, 2, 8)) {
    this.#time = startMs;
  }

  /** Milliseconds that have passed, whatever the clock was set to. */
  now(): number {
    return this.#time;
  }

  /** The time by the clock of this machine. */
  date(): number {
    return this.#time + this.skewMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.set(resolve, ms);
      signal?.addEventListener(
        'abort',
        () => {
          this.clear(timer);
          resolve();
        },
        { once: true },
      );
    });
  }

  advance(ms: number): Promise<void> {
    return this.sleep(ms);
  }

  set(fire: () => void, ms: number): number {
    this.#last += 1;
    // Like Node's own timers: whole milliseconds, and at least one.
    this.#timers.set(this.#last, { due: this.#time + Math.max(1, Math.trunc(ms)), fire });
    this.#watch();
    return this.#last;
  }

  clear(id: number): void {
    this.#timers.delete(id);
  }

  /** Time stands still while `work` is running. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#working += 1;
    try {
      return await work();
    } finally {
      this.#working -= 1;
      this.#watch();
    }
  }

  #watch(): void {
    this.#news += 1;
    if (this.#isWatching) return;
    this.#isWatching = true;
    setImmediate(() => this.#look(this.#news, QUIET_TURNS));
  }

  #look(seen: number, turns: number): void {
    if (this.#working > 0) {
      this.#isWatching = false;
    } else if (seen !== this.#news) {
      setImmediate(() => this.#look(this.#news, QUIET_TURNS));
    } else if (turns > 0) {
      setImmediate(() => this.#look(seen, turns - 1));
    } else {
      this.#isWatching = false;
      this.#leap();
    }
  }

  #leap(): void {
    let first: [number, Timer] | undefined;
    for (const entry of this.#timers) if (first === undefined || entry[1].due < first[1].due) first = entry;
    if (first === undefined) {
      this.whenStuck();
      return;
    }
    const [id, { due, fire }] = first;
    this.#timers.delete(id);
    this.#time = Math.max(this.#time, due);
    fire();
    this.#watch();
  }
}
