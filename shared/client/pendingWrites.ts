import { KeyedMutex } from './keyedMutex.ts';
import type { Clock } from './ports.ts';
import { isObject } from '../values.ts';

/** The idempotency key of a write: the same for each attempt at it, and for nothing else (G48). */
export interface IdempotencyKey {
  value: string;
  /** Exactly what was sent with the key. A service refuses anything else with the same key. */
  request: string;
  /** When it was first sent. The service forgets the key some time after that. Milliseconds since the epoch. */
  since: number;
}

/** A write that was sent and whose outcome is unknown. All times are milliseconds since the epoch. */
export interface PendingWrite {
  /** What was received instead of a result, as a sentence with the service's own words and status; empty before anything was received. */
  reason: string;
  /** The earliest and the latest time at which it may have been sent, by this machine's clock. */
  sentAfter: number;
  sentBefore: number;
  /** The latest time at which it may have been sent, by the service's clock. Absent until a response has shown that clock. */
  serviceSentBefore?: number | undefined;
  /** How often the platform was asked to hold the step because of this write. */
  holds: number;
  /** When its sender stopped looking for its result and reported it as unknown. Absent before that. */
  endedAt?: number;
  /** The key with which it can be sent again. Absent if it can only be looked for. */
  key?: IdempotencyKey | undefined;
}

/** The keys under which a later attempt finds a write. */
export interface WriteKeys {
  /** Made from what the write is about: the same for everyone who wants the same thing, even if the details differ. */
  content: string;
  /**
   * Made from everything that is sent, if that is more. While the result is not in doubt (the write is in progress, or done but not
   * reported), only an identical request is the same write.
   */
  identical?: string | undefined;
  /** Made from the item of a run that the host may repeat. The item's values may change between attempts. */
  item?: string | undefined;
}

/** Stores pending writes. They contain the invitee's name and address, so nobody else may be able to read them. */
export interface PendingStore {
  /** Whether the store is empty. Absent if that is unknown. */
  readonly isEmpty?: boolean;
  /**
   * Whether a write is recorded before it is sent: for a program that its user may end at any moment, and of which several may run at once.
   */
  readonly writesAhead?: boolean;
  /** Whether the platform can hold a step and run it again later, when it will find what is stored here. */
  readonly canHold?: boolean;
  /** Coordinates the processes that share this store. Default: only within this process. */
  readonly coordination?: WriteCoordination;
  /** A sentence that tells the person what to do. It must be true on this platform, whichever attempt was the last. */
  readonly advice: string;
  /**
   * Unreadable data counts as absent. @throws ServiceError if it cannot be determined now whether something is pending: then nothing is
   * sent
   */
  get(key: string): Promise<unknown>;
  /**
   * @returns whether the next attempt will certainly find it. @throws ServiceError if it must be recorded before it is sent, and cannot be
   */
  set(key: string, value: unknown): Promise<boolean>;
  /** If the deletion fails, the write is looked for once more, which does no harm. */
  delete(key: string): Promise<void>;
}

/** Coordinates the writes of all processes that act for one account. */
export interface WriteCoordination {
  /** Whether work is running or waiting in this process, so that this object must be kept. Absent if it can be discarded at any time. */
  readonly isBusy?: boolean;
  /** Runs work with the same key one after another, across all processes. @throws ServiceError if it cannot begin: then nothing is sent */
  run<Result>(key: string, clock: Pick<Clock, 'sleep'> | undefined, work: () => Promise<Result>): Promise<Result>;
  /** Assigns a record to the write that created or found it. @param by identifies that write. @param now milliseconds since the epoch */
  assign(id: string, by: string, now: number): Promise<void>;
  /** Whether a record is assigned to a different write. */
  isAssigned(id: string, by?: string): Promise<boolean>;
}

/** How long a write stays pending. Milliseconds. */
export const pendingForMs = 24 * 60 * 60 * 1000;

/** How long a record stays assigned to the write that created or found it, so that no other write claims it as its own. Milliseconds. */
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

/** The state that the writes of one account share: which are pending, which records belong to one of them, and who is sending. */
export class PendingWrites {
  readonly store: PendingStore;
  readonly coordination: WriteCoordination;

  constructor(store: PendingStore, coordination: WriteCoordination = store.coordination ?? new InProcess()) {
    this.store = store;
    this.coordination = coordination;
  }

  /** Whether a write is running or pending, so that this object must be kept. */
  get isBusy(): boolean {
    return this.coordination.isBusy === true || this.store.isEmpty === false;
  }

  /**
   * Assigns a record to the write that created or found it. A record without an id is not assigned, because any other one without an id
   * would look like it.
   */
  async assign(id: string | undefined, by: string, clock: Clock): Promise<void> {
    // The record is reported even if the other processes cannot learn whose it is.
    if (id !== undefined && id !== '') await this.coordination.assign(id, by, clock.now()).catch(() => undefined);
  }

  readonly isAssigned = (id: string, by?: string): Promise<boolean> => this.coordination.isAssigned(id, by);

  /** @returns the pending write of an earlier attempt, with what it sent */
  async recall(keys: WriteKeys | undefined, clock: Clock): Promise<StoredWrite | undefined> {
    const isPending = (kept: unknown): kept is StoredWrite =>
      isKept(kept) && Math.abs(clock.now() - kept.pending.sentBefore) <= pendingForMs;
    return (await Promise.all(this.#namesOf(keys).map((key) => this.store.get(key)))).find(isPending);
  }

  /**
   * Records a write before it is sent. @returns whether the next attempt will certainly find it. @throws ServiceError if it must not be
   * sent
   */
  async announce(keys: WriteKeys | undefined, pending: PendingWrite, content: unknown, by?: string): Promise<boolean> {
    const value: StoredWrite = { pending, content, by, request: keys?.identical };
    const kept = await Promise.all(this.#namesOf(keys).map((key) => this.store.set(key, value)));
    return kept.length > 0 && kept.every(Boolean);
  }

  /**
   * Records a write that may have been sent. Never throws, because nobody may be told that it was not. @returns whether the next attempt
   * will find it
   */
  keep(...write: Parameters<PendingWrites['announce']>): Promise<boolean> {
    return this.announce(...write).catch(() => false);
  }

  /**
   * The keys of a write whose result is not in doubt. Someone who wants something different of the same thing does not find it under these.
   */
  certain<Keys extends WriteKeys | undefined>(keys: Keys): Keys {
    return keys?.identical === undefined || this.store.writesAhead !== true ? keys : { ...keys, content: keys.identical };
  }

  /** Never throws: a write that remains is only looked for once more. */
  async forget(keys: WriteKeys | undefined): Promise<void> {
    for (const key of this.#namesOf(keys)) await this.store.delete(key).catch(() => undefined);
  }

  /** The item's own key comes first: its write belongs to it, even if its values have changed. */
  #namesOf(keys: WriteKeys | undefined): string[] {
    const names = [keys?.item, this.certain(keys)?.content, keys?.content];
    return [...new Set(names.filter((name) => name !== undefined))];
  }
}

/** A pending write with what it sent. */
export interface StoredWrite {
  pending: PendingWrite;
  content: unknown;
  /** Identifies the write: a record that is assigned to another write is not its effect. */
  by?: string | undefined;
  /** Everything that was sent, as in {@link WriteKeys}. */
  request?: string | undefined;
}

function isKept(value: unknown): value is StoredWrite {
  if (!isObject(value) || !isObject(value['pending'])) return false;
  const { reason, ...numbers } = value['pending'];
  return typeof reason === 'string' && ['sentAfter', 'sentBefore', 'holds'].every((name) => Number.isFinite(numbers[name]));
}

/**
 * Keeps pending writes for as long as this process lives. It never makes room by dropping one that may still be needed.
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
