import { createHash } from 'node:crypto';
import { NotSent } from '../../shared/api/transport.ts';

/** A call that was given up before anything was sent. */
export class GivenUp extends NotSent {
  constructor() {
    super('The call was cancelled before anything was sent.');
    this.name = 'GivenUp';
  }
}

/** How long what nobody was told is kept for the one who asks again. Milliseconds. */
const keptForMs = 60 * 60 * 1000;

/** More ends than a client leaves that has not failed. */
const mostKept = 10_000;

/** What a call of a tool does: told apart from others by this. */
export const callKey = (tool: string, given: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([tool, ordered(given)]))
    .digest('base64url');

/** The same value with the same text, however its keys were ordered. */
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
  /** Who waits for it still. */
  waiting: number;
  nobodyWaits: AbortController;
}

/**
 * The calls of one account that change something. The protocol has no answer to a call that is sent again: a client that lost
 * patience cannot be told from one that wants the same twice. So a call that comes while the same is under way shares its end;
 * and an end that nobody was told is told to the next who asks for the same, once.
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
   * @param left ends the wait of this caller alone
   * @param work goes on when everybody has left, for what was sent cannot be called back; its signal tells that nobody waits
   */
  async once<Result>(key: string, left: AbortSignal, work: (nobodyWaits: AbortSignal) => Promise<Result>): Promise<Result> {
    const untold = this.#takeUntold(key);
    // Whatever stands under a key was put there by the same work.
    if (untold !== undefined) return untold.result as Result;
    const running = this.#underWay.get(key) ?? this.#begin(key, work);
    running.waiting += 1;
    const leaving = new AbortController();
    try {
      return (await Promise.race([running.work, whenAborted(left, leaving.signal)])) as Result;
    } finally {
      leaving.abort();
      running.waiting -= 1;
      if (running.waiting === 0) running.nobodyWaits.abort(new GivenUp());
    }
  }

  get isBusy(): boolean {
    return this.#underWay.size > 0;
  }

  #begin(key: string, work: (nobodyWaits: AbortSignal) => Promise<unknown>): UnderWay {
    const nobodyWaits = new AbortController();
    const running: UnderWay = { waiting: 0, nobodyWaits, work: work(nobodyWaits.signal) };
    this.#underWay.set(key, running);
    running.work.then(
      (result) => {
        this.#underWay.delete(key);
        if (nobodyWaits.signal.aborted) this.#keep(key, result);
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
