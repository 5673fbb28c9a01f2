import { type ErrorKind, ServiceError } from '../../shared/serviceError.ts';
import type { WriteResult } from '../../shared/call.ts';
import type { Client } from '../../shared/client/client.ts';
import { PendingWrites, runWrite, type EffectLookup, type PendingStore, type SearchFor, type Write } from '../../shared/writes/index.ts';
import type { PendingWrite } from '../../shared/client/pendingWrites.ts';

export const startedAt = Date.parse('2059-01-01T12:00:00Z');
export const minute = 60_000;
export const error = (kind: ErrorKind, message = 'No answer.') => new ServiceError(kind, { message, advice: `Advice for ${kind}.` });
export const lost: Extract<WriteResult, { state: 'unknown' }> = { state: 'unknown', error: error('unreachable'), isServiceError: false };
export const failed: Extract<WriteResult, { state: 'unknown' }> = { state: 'unknown', error: error('server'), isServiceError: true };
export const done: WriteResult = { state: 'succeeded', answer: { status: 201, headers: {}, body: 'made' } };
export const refused = (kind: ErrorKind): WriteResult => ({ state: 'rejected', error: error(kind, 'No.') });
export const nothing: EffectLookup<string> = { candidates: [], isComplete: true };
export const found: EffectLookup<string> = { ...nothing, found: 'found' };
/** A platform's own signal, such as Zapier's to refresh the token. */
export const signal = new Error('refresh');

type Step<Value> = Value | Error | ((stage: Stage) => Value);

/** One write with everything around it. Its responses and searches come in this order, and the last one repeats. */
export class Stage {
  /** This machine's clock, and how far the service's clock is ahead of it; `undefined` if unknown. */
  now = startedAt;
  ahead: number | undefined;
  answers: Step<WriteResult>[] = [done];
  searches: Step<EffectLookup<string>>[] = [nothing];
  readonly kept = new Map<string, { pending: PendingWrite; content?: unknown }>();
  /** What was done, in order: `send`, `search`, `sleep 1000`, `keep`, `forget`. */
  readonly log: string[] = [];
  readonly asked: SearchFor<string>[] = [];
  readonly repeats: boolean[] = [];
  /** The idempotency key of each request. */
  readonly keys: (string | undefined)[] = [];
  store: Partial<PendingStore> = {};
  write: Partial<Write<string, string>> = {};
  onDone: Client['onDone'];
  policy = {
    attempts: 1,
    totalWaitMs: 7_000,
    readBackMs: [0, 1_000, 4_000] as readonly number[],
    leftMs: undefined as (() => number) | undefined,
  };

  get sends(): number {
    return this.log.filter((each) => each === 'send').length;
  }

  /** Stores a write that an earlier try left pending. */
  earlier(agoMs: number, more: Partial<PendingWrite> = {}): this {
    const at = this.now - agoMs;
    this.kept.set('key', { pending: { reason: 'It was lost.', sentAfter: at, sentBefore: at, holds: 0, ...more }, content: 'earlier' });
    return this;
  }

  run(): Promise<string> {
    const next = <Value>(steps: Step<Value>[]): Value => {
      const step = steps.length > 1 ? steps.shift() : steps[0];
      if (step instanceof Error) throw step;
      return typeof step === 'function' ? (step as (stage: Stage) => Value)(this) : (step as Value);
    };
    const store: PendingStore = {
      advice: 'Advice of the store.',
      get: async (key) => this.kept.get(key),
      set: async (key, value) => {
        this.log.push('keep');
        this.kept.set(key, structuredClone(value) as { pending: PendingWrite });
        return true;
      },
      delete: async (key) => {
        this.log.push('forget');
        this.kept.delete(key);
      },
      ...this.store,
    };
    const client: Partial<Client> = {
      write: async ({ idempotencyKey: key }) => {
        this.log.push('send');
        this.keys.push(key);
        return next(this.answers);
      },
      clock: {
        now: () => this.now,
        sleep: async (milliseconds) => {
          this.log.push(`sleep ${milliseconds}`);
          this.now += milliseconds;
        },
        random: () => Math.random(),
      },
      retryPolicy: this.policy as Client['retryPolicy'],
      writes: new PendingWrites(store),
      onDone: this.onDone,
      serviceNow: () => (this.ahead === undefined ? undefined : this.now + this.ahead),
    };
    return runWrite(client as Client, {
      lockKey: 'lock',
      keys: { content: 'key' },
      content: 'sent',
      isIdempotent: false,
      call: { method: 'POST', path: ['things'], resourceName: 'thing', scope: 'any' },
      read: ({ body }) => (body === 'made' ? 'made' : undefined),
      unseen: () => 'unseen',
      rejected: async (_, isRepeat) => void this.repeats.push(isRepeat),
      find: async (search) => {
        this.log.push('search');
        this.asked.push(search);
        return next(this.searches);
      },
      uncertain: (content, sentAt) => `What was ${content} at ${sentAt.toISOString().slice(11, 19)} may exist.`,
      ...this.write,
    } satisfies Write<string, string>);
  }
}
