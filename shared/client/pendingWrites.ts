import { KeyedMutex } from './keyedMutex.ts';
import type { Clock } from './ports.ts';
import { isObject } from '../values.ts';

/** The idempotency key under which a write was sent: the same for each try of it, and for nothing else (G48). */
export interface IdempotencyKey {
  value: string;
  /** Exactly what was sent under it. A service refuses anything else under the same key. */
  request: string;
  /** When it was first sent. The service forgets it some time after that. Milliseconds since the epoch. */
  since: number;
}

/** A write that was sent and whose result is not known. All times are milliseconds since the epoch. */
export interface PendingWrite {
  /** What came instead of a result, as a sentence with the service's own words and status; empty before anything came. */
  reason: string;
  /** The earliest and the latest time at which it was sent, by this machine's clock. */
  sentAfter: number;
  sentBefore: number;
  /** The latest time at which it was sent, by the service's clock. Absent until an answer has shown that clock. */
  serviceSentBefore?: number | undefined;
  /** How often the platform was asked to hold the step because of it. */
  holds: number;
  /** When whoever sent it stopped looking for its result and said that it is not known. Absent before. */
  endedAt?: number;
  /** The key under which it can be sent again. Absent if it can only be looked for. */
  key?: IdempotencyKey | undefined;
}

/** The names under which a later try finds a write. */
export interface WriteKeys {
  /** By what it is about: the same for everyone who wants the same thing, if perhaps in other words. */
  content: string;
  /** By all that is sent, if that is more: before its result is in doubt, and until it is told, only an identical request is the same write. */
  identical?: string | undefined;
  /** By the item of a run that the host may repeat. The item's values may change from one try to the next. */
  item?: string | undefined;
}

/** Where pending writes are kept. What is kept has the invitee's name and address, so nobody else may be able to read it. */
export interface PendingStore {
  /** Whether it contains anything. Absent if nobody knows. */
  readonly isEmpty?: boolean;
  /** Whether a write is recorded before it is sent: for a program that its user may end at any moment, and that may run several times at once. */
  readonly writesAhead?: boolean;
  /** Whether the platform can hold a step and run it again later, when it will find what is kept here. */
  readonly canHold?: boolean;
  /** What the processes that share it tell each other. Default: those of one process. */
  readonly coordination?: WriteCoordination;
  /** Tells the person what to do, in a sentence that is true on this platform whichever try was the last. */
  readonly advice: string;
  /** Unreadable data counts as absent. @throws ServiceError if nobody can know now whether something is pending: then nothing is sent */
  get(key: string): Promise<unknown>;
  /** @returns whether the next try will certainly find it. @throws ServiceError if what is recorded ahead must not be sent without that */
  set(key: string, value: unknown): Promise<boolean>;
  /** What stays is looked for once more, which does no harm. */
  delete(key: string): Promise<void>;
}

/** What the processes that act for one account tell each other about its writes. */
export interface WriteCoordination {
  /** Whether work is running or waiting in this process: then this object must be kept. Absent if it may be forgotten. */
  readonly isBusy?: boolean;
  /** Runs work with the same key one after another, in all processes. @throws ServiceError if it cannot begin: then nothing is sent */
  run<Result>(key: string, clock: Pick<Clock, 'sleep'> | undefined, work: () => Promise<Result>): Promise<Result>;
  /** From now on this record belongs to the write that made or found it. @param by which write that is. @param now milliseconds since the epoch */
  assign(id: string, by: string, now: number): Promise<void>;
  /** Whether a record belongs to another write than this one. */
  isAssigned(id: string, by?: string): Promise<boolean>;
}

/** How long a write stays pending. Milliseconds. */
export const pendingForMs = 24 * 60 * 60 * 1000;

/** For how long after a record was made or found no other write is told that it made it. Milliseconds. */
const assignedForMs = 60 * 60 * 1000;

/** The coordination of the writes of one process. */
export class InProcess extends KeyedMutex implements WriteCoordination {
  readonly #assigned = new Map<string, { by: string; at: number }>();

  async assign(id: string, by: string, now: number): Promise<void> {
    for (const [each, { at }] of this.#assigned) if (now - at > assignedForMs) this.#assigned.delete(each);
    this.#assigned.set(id, { by, at: now });
  }

  async isAssigned(id: string, by?: string): Promise<boolean> {
    const assigned = this.#assigned.get(id);
    return assigned !== undefined && assigned.by !== by;
  }
}

/** What the writes of one account need to know about each other: which are pending, which records belong to one of them, and who is sending. */
export class PendingWrites {
  readonly store: PendingStore;
  readonly coordination: WriteCoordination;

  constructor(store: PendingStore, coordination: WriteCoordination = store.coordination ?? new InProcess()) {
    this.store = store;
    this.coordination = coordination;
  }

  /** Whether a write is running or pending: then this object must be kept. */
  get isBusy(): boolean {
    return this.coordination.isBusy === true || this.store.isEmpty === false;
  }

  /** From now on, this record belongs to the write that made or found it. Any other record without an id would count as it. */
  async assign(id: string | undefined, by: string, clock: Clock): Promise<void> {
    // What was made is told even if the others cannot learn whose it is.
    if (id !== undefined && id !== '') await this.coordination.assign(id, by, clock.now()).catch(() => undefined);
  }

  readonly isAssigned = (id: string, by?: string): Promise<boolean> => this.coordination.isAssigned(id, by);

  /** @returns the pending write of an earlier try, with what it had sent */
  async recall(keys: WriteKeys | undefined, clock: Clock): Promise<StoredWrite | undefined> {
    const isPending = (kept: unknown): kept is StoredWrite =>
      isKept(kept) && Math.abs(clock.now() - kept.pending.sentBefore) <= pendingForMs;
    return (await Promise.all(this.#namesOf(keys).map((key) => this.store.get(key)))).find(isPending);
  }

  /** Records a write before it is sent. @returns whether the next try will certainly find it. @throws ServiceError if it must not be sent */
  async announce(keys: WriteKeys | undefined, pending: PendingWrite, content: unknown, by?: string): Promise<boolean> {
    const value: StoredWrite = { pending, content, by, request: keys?.identical };
    const kept = await Promise.all(this.#namesOf(keys).map((key) => this.store.set(key, value)));
    return kept.length > 0 && kept.every(Boolean);
  }

  /** Records a write that may have been sent. Never throws: nobody may be told that it was not. @returns whether the next try will find it */
  keep(...write: Parameters<PendingWrites['announce']>): Promise<boolean> {
    return this.announce(...write).catch(() => false);
  }

  /** The names of a write whose result is not in doubt: nobody who wants something else of the same thing finds it under these. */
  certain<Keys extends WriteKeys | undefined>(keys: Keys): Keys {
    return keys?.identical === undefined || this.store.writesAhead !== true ? keys : { ...keys, content: keys.identical };
  }

  /** Never throws: what stays is looked for once more. */
  async forget(keys: WriteKeys | undefined): Promise<void> {
    for (const key of this.#namesOf(keys)) await this.store.delete(key).catch(() => undefined);
  }

  /** The item's own name comes first: its write belongs to it, whatever its values are now. */
  #namesOf(keys: WriteKeys | undefined): string[] {
    const names = [keys?.item, this.certain(keys)?.content, keys?.content];
    return [...new Set(names.filter((name) => name !== undefined))];
  }
}

/** A pending write with what it had sent. */
export interface StoredWrite {
  pending: PendingWrite;
  content: unknown;
  /** Which write it is: what belongs to another one is not its effect. */
  by?: string | undefined;
  /** All that was sent, as {@link WriteKeys} has it. */
  request?: string | undefined;
}

function isKept(value: unknown): value is StoredWrite {
  if (!isObject(value) || !isObject(value['pending'])) return false;
  const { reason, ...numbers } = value['pending'];
  return typeof reason === 'string' && ['sentAfter', 'sentBefore', 'holds'].every((name) => Number.isFinite(numbers[name]));
}

/**
 * Keeps pending writes as long as this process lives. It never makes room by forgetting one that may still be needed.
 *
 * @param now the time in milliseconds since the epoch
 * @param advice see {@link PendingStore.advice}
 */
export function memoryStore(now: () => number, advice: string): PendingStore {
  const kept = new Map<string, { value: unknown; until: number }>();
  const forgetOld = (): void => {
    for (const [key, { until }] of kept) if (until <= now()) kept.delete(key);
  };
  return {
    advice,
    get isEmpty() {
      forgetOld();
      return kept.size === 0;
    },
    get: (key) => Promise.resolve(kept.get(key)?.value),
    set(key, value) {
      forgetOld();
      kept.set(key, { value, until: now() + pendingForMs });
      return Promise.resolve(true);
    },
    delete: (key) => Promise.resolve(void kept.delete(key)),
  };
}
