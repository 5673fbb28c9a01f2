import { createHash } from 'node:crypto';
import { NotSent } from '../../shared/api/transport.ts';

/** A call that was cancelled before anything was sent. */
export class GivenUp extends NotSent {
  constructor() {
    super('The call was cancelled before anything was sent.');
    this.name = 'GivenUp';
  }
}

/** How long a result that nobody received is kept for the next identical call. Milliseconds. */
const keptForMs = 60 * 60 * 1000;

/** More results than a working client leaves behind. */
const mostKept = 10_000;

/** Identifies what a call does. */
export const callKey = (tool: string, given: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([tool, ordered(given)]))
    .digest('base64url');

/** The same value with its keys sorted, so that equal values have equal text. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, ordered(inner)]),
  );
}

interface UnderWay {
  work: Promise<unknown>;
  /** The number of callers that are still waiting. */
  waiting: number;
  nobodyWaits: AbortController;
}

/**
 * The calls of one account that change something. The protocol cannot tell a repeated call from a new one: a client that lost patience
 * looks the same as one that wants the same thing twice. So a call that arrives while an identical one is running shares its result. A
 * result that nobody received goes to the next identical call, once.
 */
export class Calls {
  readonly #now: () => number;
  readonly #underWay = new Map<string, UnderWay>();
  readonly #untold = new Map<string, { result: unknown; at: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * @param key see {@link callKey}
   * @param left ends the wait of this caller only
   * @param work continues when everyone has left, because what was sent cannot be taken back; its signal says that nobody is waiting
   */
  async once<Result>(key: string, left: AbortSignal, work: (nobodyWaits: AbortSignal) => Promise<Result>): Promise<Result> {
    const untold = this.#takeUntold(key);
    // Anything under this key was put there by the same work.
    if (untold !== undefined) return untold.result as Result;
    const running = this.#underWay.get(key) ?? this.#begin(key, work);
    running.waiting += 1;
    const leaving = new AbortController();
    try {
      return (await Promise.race([running.work, whenAborted(left, leaving.signal)])) as Result;
    } catch (error) {
      // It ended because all earlier callers had left. This one came just before the end, and still wants it.
      if (error instanceof GivenUp && !left.aborted) return await this.once(key, left, work);
      throw error;
    } finally {
      leaving.abort();
      running.waiting -= 1;
      if (running.waiting === 0) running.nobodyWaits.abort(new GivenUp());
    }
  }

  #begin(key: string, work: (nobodyWaits: AbortSignal) => Promise<unknown>): UnderWay {
    const nobodyWaits = new AbortController();
    const running: UnderWay = { waiting: 0, nobodyWaits, work: work(nobodyWaits.signal) };
    this.#underWay.set(key, running);
    running.work.then(
      (result) => {
        this.#underWay.delete(key);
        // Someone may have come after everyone had left: that caller receives the result.
        if (running.waiting === 0) this.#keep(key, result);
      },
      () => this.#underWay.delete(key),
    );
    return running;
  }

  #keep(key: string, result: unknown): void {
    const [oldest] = this.#untold.keys();
    if (oldest !== undefined && this.#untold.size >= mostKept) this.#untold.delete(oldest);
    this.#untold.set(key, { result, at: this.#now() });
  }

  #takeUntold(key: string): { result: unknown } | undefined {
    for (const [each, { at }] of this.#untold) {
      if (this.#now() - at <= keptForMs) break;
      this.#untold.delete(each);
    }
    const untold = this.#untold.get(key);
    this.#untold.delete(key);
    return untold;
  }
}

/** @param over ends the watch */
const whenAborted = (watched: AbortSignal, over: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => reject(new GivenUp());
    if (watched.aborted) end();
    else watched.addEventListener('abort', end, { once: true, signal: over });
  });
