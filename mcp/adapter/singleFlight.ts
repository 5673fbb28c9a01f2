import { createHash } from 'node:crypto';
import { ServiceError, NotSent } from '../../shared/client/index.ts';
import type { ServiceRecord } from '../../shared/records/index.ts';
import { asText, isObject } from '../../shared/values.ts';

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
    .update(
      JSON.stringify([tool, args], (_, value: unknown) => (isObject(value) ? Object.fromEntries(Object.entries(value).sort()) : value)),
    )
    .digest('base64url');

/** Forgets that a write is open. */
type Forget = () => Promise<void>;

interface Running {
  work: Promise<ServiceRecord>;
  /** What its writes have done stays recorded as open until somebody was told. */
  untold: Forget[];
  /** The number of callers that are still waiting. */
  waiting: number;
  abandoned: AbortController;
}

/** What a call does. Both parts continue when everyone has left, because what was sent cannot be taken back. */
export interface Work {
  /**
   * @param abandoned aborts when nobody is waiting any more
   * @param untold takes what forgets a write that was done: called once its result was told
   */
  begin: (abandoned: AbortSignal, untold: (forget: Forget) => void) => Promise<ServiceRecord>;
  /**
   * Instead of `begin`, after an identical call that made a record which nobody was told.
   *
   * @param id the record's
   * @returns the record as it is now; `undefined` if it is gone, and then `begin` is called
   */
  readAgain?: ((id: string, abandoned: AbortSignal) => Promise<ServiceRecord | undefined>) | undefined;
  /** If the result has a secret, so that only one caller may receive it: what it is made for, such as an address. */
  secretFor?: string | undefined;
}

/**
 * The calls of one account that change something. The protocol cannot tell a repeated call from a new one: a client that lost patience
 * looks the same as one that wants the same thing twice. So a call that arrives while an identical one is running shares its result, unless
 * that has a secret. If nobody received a result, only the id of what was made is kept, and the next identical call reads that record
 * again. Until then the write stays recorded as open, so that the next session finds it as well.
 */
export class SingleFlight {
  readonly #now: () => number;
  readonly #running = new Map<string, Running>();
  readonly #undelivered = new Map<string, { id: string; at: number; untold: Forget[] }>();
  /** What was told is being forgotten: the next call must not find it open. */
  #forgetting: Promise<unknown> | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * @param key see {@link callKey}
   * @param left ends the wait of this caller only
   * @returns the result, and what must be called once it was told to this caller
   * @throws ServiceError `conflict` if an identical call is about to receive a secret
   */
  async run(key: string, left: AbortSignal, work: Work): Promise<{ record: ServiceRecord; told: () => void }> {
    const earlier = this.#running.get(key);
    if (earlier !== undefined && earlier.waiting > 0 && work.secretFor !== undefined) throw toldToAnother(work.secretFor);
    const running = earlier ?? this.#begin(key, work);
    running.waiting += 1;
    const leaving = new AbortController();
    try {
      const record = await Promise.race([running.work, whenAborted(left, leaving.signal)]);
      return { record, told: () => this.#forget(key, running) };
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

  #begin(key: string, work: Work): Running {
    const abandoned = new AbortController();
    const untold: Forget[] = [];
    const running: Running = { waiting: 0, abandoned, untold, work: this.#result(key, work, abandoned.signal, untold) };
    this.#running.set(key, running);
    running.work.then(
      ({ id }) => {
        this.#running.delete(key);
        const now = this.#now();
        for (const [each, { at }] of this.#undelivered) if (now - at > keptForMs) this.#undelivered.delete(each);
        // Also for those who wait until this moment: they may leave before they are told.
        this.#undelivered.set(key, { id: asText(id), at: now, untold });
      },
      () => this.#running.delete(key),
    );
    return running;
  }

  async #result(key: string, { begin, readAgain }: Work, abandoned: AbortSignal, untold: Forget[]): Promise<ServiceRecord> {
    if (this.#forgetting !== undefined) await this.#forgetting;
    const beginNow = (): Promise<ServiceRecord> => begin(abandoned, (forget) => untold.push(forget));
    const made = this.#undelivered.get(key);
    if (made === undefined || readAgain === undefined || this.#now() - made.at > keptForMs) return beginNow();
    const record = await readAgain(made.id, abandoned);
    if (record === undefined) await Promise.all(made.untold.map((forget) => forget()));
    else untold.push(...made.untold);
    return record ?? beginNow();
  }

  #forget(key: string, { untold }: Running): void {
    if (this.#undelivered.get(key)?.untold === untold) this.#undelivered.delete(key);
    if (untold.length === 0) return;
    const forgetting = Promise.allSettled([this.#forgetting, ...untold.splice(0).map((forget) => forget())]);
    this.#forgetting = forgetting;
    void forgetting.then(() => {
      if (this.#forgetting === forgetting) this.#forgetting = undefined;
    });
  }
}

/** @param over ends the watch */
const whenAborted = (watched: AbortSignal, over: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => reject(new GivenUp());
    if (watched.aborted) end();
    else watched.addEventListener('abort', end, { once: true, signal: over });
  });

const toldToAnother = (secretFor: string): ServiceError =>
  new ServiceError('conflict', {
    message: `The same call is running already, so what it makes for ${secretFor} may or may not exist yet. Only its caller is told the secret, and nothing more was sent.`,
    advice: 'Wait for its result.',
  });
