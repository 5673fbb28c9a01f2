import type { Clock } from '../../sandbox/service.ts';

interface Timer {
  due: number;
  fire: () => void;
}

const realImmediate = globalThis.setImmediate;

/** After this many turns of the event loop without any news, everybody is assumed to be waiting. */
const QUIET_TURNS = 3;

/**
 * Time that only passes while nothing is running: once everything waits, it jumps to the end of the next wait. A minute of waiting takes
 * microseconds, and nothing depends on how fast the machine is.
 *
 * It is the clock of the sandbox and, after `takeOver`, that of everything else in the process. The adapters read `Date.now` and
 * `setTimeout` themselves, because their platforms do not pass them in.
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

  /** Time stands still while `work` is running, or until it says through `atRest` that it is only waiting. */
  async during<T>(work: (atRest: () => void) => Promise<T>): Promise<T> {
    this.#working += 1;
    let isCounted = true;
    const rest = (): void => {
      if (!isCounted) return;
      isCounted = false;
      this.#working -= 1;
      this.#watch();
    };
    try {
      return await work(rest);
    } finally {
      rest();
    }
  }

  /**
   * Replaces the process's own time with this time.
   *
   * @returns a function that restores the process's own time
   */
  takeOver(random: () => number): () => void {
    const own = {
      now: Date.now,
      monotonic: performance.now.bind(performance),
      random: Math.random,
      setTimeout: globalThis.setTimeout,
      clearTimeout: globalThis.clearTimeout,
    };
    Date.now = () => this.#time + this.skewMs;
    performance.now = () => this.#time;
    Math.random = random;
    const set = (fire: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): number => this.set(() => fire(...args), ms);
    globalThis.setTimeout = set as unknown as typeof globalThis.setTimeout;
    globalThis.clearTimeout = (id: unknown) => (typeof id === 'number' ? this.clear(id) : own.clearTimeout(id as NodeJS.Timeout));
    return () => {
      Date.now = own.now;
      performance.now = own.monotonic;
      Math.random = own.random;
      globalThis.setTimeout = own.setTimeout;
      globalThis.clearTimeout = own.clearTimeout;
    };
  }

  #watch(): void {
    this.#news += 1;
    if (this.#isWatching) return;
    this.#isWatching = true;
    realImmediate(() => this.#look(this.#news, QUIET_TURNS));
  }

  #look(seen: number, turns: number): void {
    if (this.#working > 0) {
      this.#isWatching = false;
    } else if (seen !== this.#news) {
      realImmediate(() => this.#look(this.#news, QUIET_TURNS));
    } else if (turns > 0) {
      realImmediate(() => this.#look(seen, turns - 1));
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
