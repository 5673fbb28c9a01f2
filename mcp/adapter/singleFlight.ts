import { createHash } from 'node:crypto';
import { ServiceError, NotSent } from '../../shared/client/index.ts';
import type { ServiceRecord } from '../../shared/records/index.ts';
import { asText, sortedJson } from '../../shared/values.ts';
import type { PendingWrites, WriteKeys } from '../../shared/writes/index.ts';

/** A call that was cancelled before anything was sent. */
export class GivenUp extends NotSent {
  constructor() {
    super('The call was cancelled before anything was sent.');
    this.name = 'GivenUp';
  }
}

/** How long the next identical call may get what an earlier one made without anybody being told. Milliseconds. */
const keptForMs = 10 * 60 * 1000;

/** Identifies a call by its tool and arguments, in any order. */
export const callKey = (tool: string, args: unknown): string =>
  createHash('sha256')
    .update(sortedJson([tool, args]))
    .digest('base64url');

/** What is known about an account's calls beyond those that run in this process: in memory for one process, in a database for several. */
export interface CallLedger {
  /**
   * Waits until no other process runs the same call, then begins it here.
   *
   * @param left ends the wait, which then throws the signal's reason
   * @param about if the result has a secret, an identical call that runs elsewhere is not waited for
   * @throws ServiceError `conflict` if an identical call is about to receive a secret: {@link toldToAnother}
   */
  begin(key: string, left: AbortSignal, about: Pick<Work, 'secretFor' | 'begunAt'>): Promise<Turn>;
  /** A client has cancelled this request of its own: it does not read the response, even if that was already written out. */
  cancelled(caller: string): Promise<void>;
}

/** One call, from its beginning until somebody was told its result. An error in these methods does not change the result. */
export interface Turn {
  /** What an identical call made without anybody being told, or that ended after this call had arrived. */
  made?: { id: string; untold: readonly WriteKeys[] } | undefined;
  /** Does the work of the call. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The call has a result that nobody has been told yet. @param untold the writes that stay recorded as pending until then */
  done(id: string, untold: readonly WriteKeys[]): Promise<void>;
  /**
   * The result was written out.
   *
   * @param caller which request was answered, if another request can cancel it, before or after
   * @param isRead whether somebody can have read it. Default: yes
   * @returns whether that counts: `false` if nobody can have read it
   */
  told(caller?: string, isRead?: boolean): Promise<boolean>;
  /** The call ended without a result. What an identical call had made before stays known. */
  failed(): Promise<void>;
}

/**
 * A ledger in the memory of one process.
 *
 * @param now the time in milliseconds since the epoch
 */
export function memoryLedger(now: () => number): CallLedger {
  const ended = new Map<string, { id: string; at: number; begunAt: number; untold: readonly WriteKeys[]; toldTo?: string }>();
  const cancelled = new Map<string, { at: number }>();
  /**
   * Whether the caller cancelled the call that began at that time. The time matters because each session numbers its requests from the
   * start.
   */
  const hasLeft = (caller: string, begunAt: number): boolean => (cancelled.get(caller)?.at ?? -Infinity) >= begunAt;
  return {
    async begin(key, _, { begunAt }) {
      for (const known of [ended, cancelled]) for (const [each, { at }] of known) if (now() - at > keptForMs) known.delete(each);
      const last = ended.get(key);
      const isTold = last?.toldTo !== undefined && !hasLeft(last.toldTo, last.begunAt);
      let own: typeof last;
      return {
        made: isTold ? undefined : last,
        run: (work) => work(),
        async done(id, untold) {
          own = { id, at: now(), begunAt, untold };
          ended.set(key, own);
        },
        async told(caller = '', isRead = true) {
          const counts = isRead && !hasLeft(caller, begunAt);
          if (counts && own !== undefined) own.toldTo = caller;
          return counts;
        },
        failed: async () => undefined,
      };
    },
    cancelled: async (caller) => void cancelled.set(caller, { at: now() }),
  };
}

/** @param caller,isRead see {@link Turn.told} */
export type Told = (caller?: string, isRead?: boolean) => void;

interface RunningCall {
  work: Promise<ServiceRecord>;
  /** Absent until the call has a result, and again after somebody was told. */
  turn?: Turn | undefined;
  /** Its writes, which stay recorded as pending until somebody was told. */
  untold: WriteKeys[];
  /** The number of callers that are still waiting. */
  waiting: number;
  abandoned: AbortController;
}

/** The work of a call. Both functions continue when everyone has left, because what was sent cannot be taken back. */
export interface Work {
  /**
   * @param abandoned aborts when nobody is waiting any more
   * @param onDone takes a write that was done: it is forgotten once its result was told
   */
  begin: (abandoned: AbortSignal, onDone: (keys: WriteKeys) => void) => Promise<ServiceRecord>;
  /**
   * Called instead of `begin` after an identical call that made a record without anybody being told.
   *
   * @param id the record's
   * @returns the record as it is now; `undefined` if it is gone, and then `begin` is called
   */
  readAgain?: ((id: string, abandoned: AbortSignal) => Promise<ServiceRecord | undefined>) | undefined;
  /** Set if the result has a secret, so that only one caller may receive it: what it is made for, such as an address. */
  secretFor?: string | undefined;
  /** When the call arrived. Milliseconds since the epoch. */
  begunAt: number;
}

/**
 * The calls of one account that change something. The protocol cannot tell a repeated call from a new one: a client that lost patience
 * looks the same as one that wants the same thing twice. So a call that arrives while an identical one is running shares its result, unless
 * the result has a secret. If nobody received a result, only the id of what was made is kept, and the next identical call reads that record
 * again. Until then, the write stays recorded as pending, so that the next session finds it as well.
 */
export class SingleFlight {
  readonly #pending: Pick<PendingWrites, 'forget'>;
  readonly #ledger: CallLedger;
  readonly #running = new Map<string, RunningCall>();
  /** Forgets the writes whose results were told. The next call waits for this, because it must not find them pending. */
  #forgetting: Promise<unknown> | undefined;

  constructor(pending: Pick<PendingWrites, 'forget'>, ledger: CallLedger) {
    this.#pending = pending;
    this.#ledger = ledger;
  }

  /**
   * @param key see {@link callKey}
   * @param left ends the wait of this caller only
   * @returns the result, and a function to call once it was written out for this caller: see {@link Turn.told}
   * @throws ServiceError `conflict` if an identical call is about to receive a secret
   */
  async run(key: string, left: AbortSignal, work: Work): Promise<{ record: ServiceRecord; told: Told }> {
    const earlier = this.#running.get(key);
    if (earlier !== undefined && earlier.waiting > 0 && work.secretFor !== undefined) throw toldToAnother(work.secretFor);
    const running = earlier ?? this.#begin(key, work);
    running.waiting += 1;
    const leaving = new AbortController();
    try {
      const record = await Promise.race([running.work, whenAborted(left, leaving.signal)]);
      return { record, told: (caller, isRead) => this.#told(running, caller, isRead) };
    } catch (error) {
      // The call ended because all earlier callers had left. This caller arrived just before that, and still wants it.
      if (error instanceof GivenUp && !left.aborted) return await this.run(key, left, work);
      throw error;
    } finally {
      leaving.abort();
      running.waiting -= 1;
      if (running.waiting === 0) running.abandoned.abort(new GivenUp());
    }
  }

  #begin(key: string, work: Work): RunningCall {
    const running: RunningCall = { waiting: 0, abandoned: new AbortController(), untold: [], work: Promise.resolve({}) };
    this.#running.set(key, running);
    running.work = this.#result(key, work, running).finally(() => this.#running.delete(key));
    return running;
  }

  async #result(key: string, work: Work, running: RunningCall): Promise<ServiceRecord> {
    if (this.#forgetting !== undefined) await this.#forgetting;
    const turn = await this.#ledger.begin(key, running.abandoned.signal, work);
    try {
      const record = await turn.run(() => this.#record(work, turn, running));
      // Also recorded while callers still wait: they may leave before they are told.
      const isKnown = await turn.done(asText(record['id']), running.untold).then(() => true, ignore);
      // If the ledger could not record it, the writes stay recorded as pending, where other processes find them.
      if (isKnown) running.turn = turn;
      if (running.waiting === 0) await turn.told(undefined, false).catch(ignore);
      return record;
    } catch (error) {
      await turn.failed().catch(ignore);
      throw error;
    }
  }

  async #record({ begin, readAgain }: Work, { made }: Turn, { abandoned, untold }: RunningCall): Promise<ServiceRecord> {
    const beginNow = (): Promise<ServiceRecord> => begin(abandoned.signal, (keys) => untold.push(keys));
    if (made === undefined || readAgain === undefined) return beginNow();
    const record = await readAgain(made.id, abandoned.signal);
    if (record === undefined) await this.#forget(made.untold);
    else untold.push(...made.untold);
    return record ?? beginNow();
  }

  /** See {@link CallLedger.cancelled}. */
  cancelled(caller: string): Promise<void> {
    return this.#ledger.cancelled(caller);
  }

  #told(running: RunningCall, caller?: string, isRead?: boolean): void {
    const before = this.#forgetting;
    const tell = async (): Promise<void> => {
      await before;
      const { turn, untold } = running;
      // If several callers share a result, it is enough that one has read it.
      if (turn === undefined || (await turn.told(caller, isRead)) === false) return;
      running.turn = undefined;
      await this.#forget(untold);
    };
    const forgetting = tell().catch(ignore);
    this.#forgetting = forgetting;
    void forgetting.then(() => {
      if (this.#forgetting === forgetting) this.#forgetting = undefined;
    });
  }

  #forget(untold: readonly WriteKeys[]): Promise<unknown> {
    return Promise.all(untold.map((keys) => this.#pending.forget(keys)));
  }
}

const ignore = (): void => undefined;

/** @param over ends the watch */
const whenAborted = (watched: AbortSignal, over: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => reject(new GivenUp());
    if (watched.aborted) end();
    else watched.addEventListener('abort', end, { once: true, signal: over });
  });

/** The refusal of a call that is identical to one about to receive a secret. @param secretFor what the secret is made for */
export const toldToAnother = (secretFor: string): ServiceError =>
  new ServiceError('conflict', {
    message: `The same call is already running, so what it makes for ${secretFor} may or may not exist yet. Only its caller gets the secret, and nothing more was sent.`,
    advice: 'Wait for its result.',
  });
