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

/** For how long the next identical call may get what an earlier one made that nobody was told. Milliseconds. */
const keptForMs = 10 * 60 * 1000;

/** Identifies what a call does, in whatever order its arguments come. */
export const callKey = (tool: string, args: unknown): string =>
  createHash('sha256')
    .update(sortedJson([tool, args]))
    .digest('base64url');

/** What is known of an account's calls beyond those that run in this process: in memory for one process, in a database for several. */
export interface CallLedger {
  /**
   * Waits until no other process runs the same call, then begins it here.
   *
   * @param left ends the wait, which then throws the signal's reason
   * @param about if the result has a secret, an identical call that runs elsewhere is not waited for
   * @throws ServiceError `conflict` if an identical call is about to receive a secret: {@link toldToAnother}
   */
  begin(key: string, left: AbortSignal, about: Pick<Work, 'secretFor' | 'begunAt'>): Promise<Turn>;
  /** A client has given up this request of its own: it reads no answer to it, even if one was written out already. */
  cancelled(caller: string): Promise<void>;
}

/** One call from its beginning to the moment at which somebody was told its result. What fails here changes no result. */
export interface Turn {
  /** What an identical call has made that nobody was told, or that ended after this one had come. */
  made?: { id: string; untold: readonly WriteKeys[] } | undefined;
  /** Does its work. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** It has a result that nobody has been told yet. @param untold the writes that stay recorded as open until then */
  done(id: string, untold: readonly WriteKeys[]): Promise<void>;
  /**
   * The result was written out.
   *
   * @param caller which request was answered, if that can be cancelled by another one, before or after
   * @param isRead whether somebody can have read it. Default: yes
   * @returns whether that counts: `false` if nobody can have read it
   */
  told(caller?: string, isRead?: boolean): Promise<boolean>;
  /** It ended without a result. What an identical call had made before stays known. */
  failed(): Promise<void>;
}

/**
 * What one process remembers of its calls.
 *
 * @param now the time in milliseconds since the epoch
 */
export function memoryLedger(now: () => number): CallLedger {
  const ended = new Map<string, { id: string; at: number; begunAt: number; untold: readonly WriteKeys[]; toldTo?: string }>();
  const cancelled = new Map<string, { at: number }>();
  /** Whether it gave up a call that began then: each session counts its requests from the beginning. */
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
  /** Absent until it has a result, and after somebody was told. */
  turn?: Turn | undefined;
  /** What its writes have done stays recorded as open until somebody was told. */
  untold: WriteKeys[];
  /** The number of callers that are still waiting. */
  waiting: number;
  abandoned: AbortController;
}

/** What a call does. Both parts continue when everyone has left, because what was sent cannot be taken back. */
export interface Work {
  /**
   * @param abandoned aborts when nobody is waiting any more
   * @param onDone takes a write that was done: it is forgotten once its result was told
   */
  begin: (abandoned: AbortSignal, onDone: (keys: WriteKeys) => void) => Promise<ServiceRecord>;
  /**
   * Instead of `begin`, after an identical call that made a record which nobody was told.
   *
   * @param id the record's
   * @returns the record as it is now; `undefined` if it is gone, and then `begin` is called
   */
  readAgain?: ((id: string, abandoned: AbortSignal) => Promise<ServiceRecord | undefined>) | undefined;
  /** If the result has a secret, so that only one caller may receive it: what it is made for, such as an address. */
  secretFor?: string | undefined;
  /** When the call came. Milliseconds since the epoch. */
  begunAt: number;
}

/**
 * The calls of one account that change something. The protocol cannot tell a repeated call from a new one: a client that lost patience
 * looks the same as one that wants the same thing twice. So a call that arrives while an identical one is running shares its result, unless
 * that has a secret. If nobody received a result, only the id of what was made is kept, and the next identical call reads that record
 * again. Until then the write stays recorded as open, so that the next session finds it as well.
 */
export class SingleFlight {
  readonly #pending: Pick<PendingWrites, 'forget'>;
  readonly #ledger: CallLedger;
  readonly #running = new Map<string, RunningCall>();
  /** What was told is being forgotten: the next call must not find it open. */
  #forgetting: Promise<unknown> | undefined;

  constructor(pending: Pick<PendingWrites, 'forget'>, ledger: CallLedger) {
    this.#pending = pending;
    this.#ledger = ledger;
  }

  /**
   * @param key see {@link callKey}
   * @param left ends the wait of this caller only
   * @returns the result, and what must be called once it was written out for this caller: see {@link Turn.told}
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
      // It ended because all earlier callers had left. This one came just before the end, and still wants it.
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
      // Also for those who wait until this moment: they may leave before they are told.
      const isKnown = await turn.done(asText(record['id']), running.untold).then(() => true, ignore);
      // What the others cannot learn stays recorded as open: they find it there.
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
      // Of several who share a result, one who has read it is enough.
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

/** The refusal of a call that is identical to one that is about to receive a secret. @param secretFor what it is made for */
export const toldToAnother = (secretFor: string): ServiceError =>
  new ServiceError('conflict', {
    message: `The same call is already running, so what it makes for ${secretFor} may or may not exist yet. Only its caller gets the secret, and nothing more was sent.`,
    advice: 'Wait for its result.',
  });
