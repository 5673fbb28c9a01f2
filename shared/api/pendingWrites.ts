import { latestCommit } from '../assumptions.ts';
import type { Clock } from './transport.ts';

/** What is known about a write whose answer was lost. */
export interface Pending {
  /** Why there is no answer: a network error code, a status, or what the answer contained. */
  reason: string;
  /** When it was sent, by this machine's clock. Milliseconds since the epoch. */
  sentAt: number;
  /** The earliest time when it was sent, by the service's clock, once an answer has shown that clock. */
  serviceSentAt?: number | undefined;
  /**
   * At least how long ago it was sent; below zero if it may not have been sent yet. Counted in milliseconds of waiting, never only as the
   * difference of two clocks.
   */
  waitedMs: number;
  /** How often the same write was sent again before. */
  resent: number;
  /** How often the step was held because of it. */
  holds: number;
}

/** The names under which a later run finds a write. */
export interface WriteKeys {
  /** By content: the same for everyone who requests the same. */
  content: string;
  /** By the item of a run that the host may repeat, and that run. The item's values may change from one try to the next. */
  item?: { run: string; name: string } | undefined;
}

interface Kept extends Pending {
  /** When it was saved, and for how long the step asked to be held. Milliseconds. */
  keptAt: number;
  heldMs: number;
  /** The item to which the write belongs. */
  item?: { run: string; name: string } | undefined;
  /** What was sent, if the store may know it. */
  content?: unknown;
}

/** Where open writes are saved. */
export interface Store {
  /** Whether it may contain what was sent. A store that others can read only gets keys and times. */
  isPrivate: boolean;
  /** Whether it is empty, if that is known. */
  readonly isEmpty?: boolean;
  /**
   * Whether a write is saved before it is sent: for a program that its user may end and restart at any moment, and that may run several
   * times at once.
   */
  readonly isAhead?: boolean;
  /** Never throws: unreadable data counts as absent. */
  get(key: string): Promise<unknown>;
  /** @returns whether the host's next run will certainly find it */
  set(key: string, value: unknown): Promise<boolean>;
  delete(key: string): Promise<void>;
}

/** How long a write stays open. By then, its sender has looked for it. Milliseconds. */
export const openForMs = 24 * 60 * 60 * 1000;

/** For how long after a booking was made no other write may claim it. Milliseconds. */
const takenForMs = 60 * 60 * 1000;

/** How often a step is held for one write, at most. */
const mostHolds = 3;

/**
 * What the writes of one connection need to know about each other: which are open because their answer was lost, which records already
 * belong to one of them, and who is working on the same thing right now.
 */
export class PendingWrites {
  readonly #store: Store | undefined;
  readonly #turns = new Map<string, Promise<void>>();
  readonly #taken = new Map<string, number>();

  /** @param store if absent, open writes are forgotten together with the call */
  constructor(store?: Store) {
    this.#store = store;
  }

  /** Whether a write is running or open: then this object must be kept. */
  get isBusy(): boolean {
    return this.#turns.size > 0 || this.#store?.isEmpty === false;
  }

  /**
   * Does `work` after all earlier work with the same key: of two identical bookings, the second is sent when the outcome of the first is
   * known.
   */
  async inTurn<Result>(key: string, clock: Clock, work: () => Promise<Result>): Promise<Result> {
    const before = this.#turns.get(key);
    // A run that was cancelled while it waited must not send anything: its clock throws.
    const turn = before === undefined ? work() : before.then(() => clock.sleep(0)).then(work);
    const over = turn.then(nothing, nothing);
    this.#turns.set(key, over);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(key) === over) this.#turns.delete(key);
    }
  }

  /** From now on, this record belongs to the write that made or found it. */
  take(id: string, clock: Clock): void {
    const now = clock.now();
    for (const [oldest, at] of this.#taken) {
      if (now - at <= takenForMs) break;
      this.#taken.delete(oldest);
    }
    this.#taken.set(id, now);
  }

  isTaken(id: string): boolean {
    return this.#taken.has(id);
  }

  /**
   * What an earlier run left open. Of the time since then, only the time for which the step was held is counted. A write that belongs to
   * another item of the same run is not returned.
   *
   * @returns the write with what had been sent, if the store may know it
   */
  async recall(keys: WriteKeys, clock: Clock): Promise<(Pending & { content?: unknown }) | undefined> {
    for (const key of namesOf(keys)) {
      const kept = await this.#store?.get(key);
      if (!isKept(kept) || Math.abs(clock.now() - kept.keptAt) > openForMs) continue;
      const isAnothers = keys.item !== undefined && kept.item?.run === keys.item.run && kept.item.name !== keys.item.name;
      if (isAnothers) continue;
      const { keptAt, heldMs, waitedMs, item: _, ...rest } = kept;
      return { ...rest, waitedMs: waitedMs + Math.min(heldMs, Math.max(0, clock.now() - keptAt)) };
    }
    return undefined;
  }

  /**
   * Saves it for the next run.
   *
   * @param content what was sent
   * @returns whether that run will find it, and the seconds after which the outcome can be known (G29); no seconds if the step was already
   *   held often enough
   */
  async keep(keys: WriteKeys, pending: Pending, content: unknown, clock: Clock): Promise<{ isKept: boolean; retryAfterSeconds?: number }> {
    if (this.#store === undefined) return { isKept: false };
    // The first time, as long as a late booking may take. Later, the service did not answer the search and needs longer.
    const seconds = Math.max(latestCommit.seconds + 2 - Math.floor(pending.waitedMs / 1000), pending.holds * 60, 1);
    const kept: Kept = {
      ...pending,
      holds: pending.holds + 1,
      keptAt: clock.now(),
      heldMs: seconds * 1000,
      item: keys.item,
      ...(this.#store.isPrivate && { content }),
    };
    let isKept = true;
    for (const key of namesOf(keys)) isKept = (await this.#store.set(key, kept)) && isKept;
    return { isKept, ...(isKept && pending.holds < mostHolds && { retryAfterSeconds: seconds }) };
  }

  /**
   * Saves a write before it is sent, if the store wants that: anyone who finds it looks before they send.
   *
   * @param withinMs how long it may take until it is sent
   */
  async announce(
    keys: WriteKeys,
    content: unknown,
    { resent, holds }: Pick<Pending, 'resent' | 'holds'>,
    clock: Clock,
    withinMs: number,
  ): Promise<void> {
    if (this.#store?.isAhead !== true) return;
    await this.keep(keys, { reason: 'the program ended', sentAt: clock.now(), waitedMs: -withinMs, resent, holds }, content, clock);
  }

  /** Removes it again once its outcome is known. */
  async withdraw(keys: WriteKeys): Promise<void> {
    if (this.#store?.isAhead === true) await this.forget(keys);
  }

  /** Deletes a write whose outcome is known. */
  async forget(keys: WriteKeys): Promise<void> {
    for (const key of namesOf(keys)) await this.#store?.delete(key);
  }
}

const nothing = (): void => undefined;

/** The item's own name comes first: its write belongs to it, whatever its values are now. */
const namesOf = ({ content, item }: WriteKeys): string[] => [...(item === undefined ? [] : [`${item.run} ${item.name}`]), content];

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null) return false;
  const { reason, ...numbers } = value as Record<string, unknown>;
  return (
    typeof reason === 'string' &&
    ['sentAt', 'waitedMs', 'resent', 'holds', 'keptAt', 'heldMs'].every((name) => Number.isFinite(numbers[name]))
  );
}
