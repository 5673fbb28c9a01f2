import { latestCommit } from '../assumptions.ts';
import type { Clock } from './transport.ts';

/** What is known of a write whose answer was lost. */
export interface Pending {
  /** Why no answer is known: a code of the network, a status, or what the answer held. */
  reason: string;
  /** When it was sent, by this machine's clock. Milliseconds since the epoch. */
  sentAt: number;
  /** When it was sent at the earliest, by the service's clock, once an answer has told the time there. */
  serviceSentAt?: number | undefined;
  /** How long ago it was sent, at least; below zero where it may not have been sent yet. Milliseconds of waiting, never the difference of two clocks alone. */
  waitedMs: number;
  /** How often the same was sent again before. */
  resent: number;
  /** How often the step was held because of it. */
  holds: number;
}

/** Under which names a write is known from one run to the next. */
export interface WriteKeys {
  /** By what is written: the same for whoever asks for the same. */
  content: string;
  /** By the item of a run that the host may repeat, with the run that it belongs to; the item's values may differ from one try to the next. */
  item?: { run: string; name: string } | undefined;
}

interface Kept extends Pending {
  /** When it was put down, and for how long the step asked to be held. Milliseconds. */
  keptAt: number;
  heldMs: number;
  /** The item whose write it is. */
  item?: { run: string; name: string } | undefined;
  /** What was sent, where the store may know it. */
  content?: unknown;
}

/** Where open writes are put down. */
export interface Store {
  /** Whether it may hold what was sent; a store that others can read gets keys and times alone. */
  isPrivate: boolean;
  /** Whether nothing is in it, where that can be told. */
  readonly isEmpty?: boolean;
  /**
   * Whether a write is put down before it is sent: for a program that whoever uses it may end at any moment and start anew, and
   * that may run more than once at a time.
   */
  readonly isAhead?: boolean;
  /** @throws nothing: what cannot be read counts as absent */
  get(key: string): Promise<unknown>;
  /** @returns whether the host's next run will surely find it */
  set(key: string, value: unknown): Promise<boolean>;
  delete(key: string): Promise<void>;
}

/** How long a write may stay open: by then whoever sent it has looked for it. Milliseconds. */
export const openForMs = 24 * 60 * 60 * 1000;

/** How long after a booking was made another write must not take it for its own. Milliseconds. */
const takenForMs = 60 * 60 * 1000;

/** The most times that a step is held for one write. */
const mostHolds = 3;

/**
 * What the writes of one connection have to know of each other: which are open, because their answer was lost; which records
 * were made or found by one of them already; and who is at work on the same thing right now.
 */
export class PendingWrites {
  readonly #store: Store | undefined;
  readonly #turns = new Map<string, Promise<void>>();
  readonly #taken = new Map<string, number>();

  /** @param store none: what is open is forgotten with the call */
  constructor(store?: Store) {
    this.#store = store;
  }

  /** Whether something is under way or open: then this must not be forgotten. */
  get isBusy(): boolean {
    return this.#turns.size > 0 || this.#store?.isEmpty === false;
  }

  /** Does `work` once all who asked before under the same key are done: of two bookings alike, the second is sent when the first is settled. */
  async inTurn<Result>(key: string, clock: Clock, work: () => Promise<Result>): Promise<Result> {
    const before = this.#turns.get(key);
    // A run that was cancelled while it waited sends nothing any more: its clock says so.
    const turn = before === undefined ? work() : before.then(() => clock.sleep(0)).then(work);
    const over = turn.then(nothing, nothing);
    this.#turns.set(key, over);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(key) === over) this.#turns.delete(key);
    }
  }

  /** From now on this record belongs to the write that made or found it. */
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
   * What an earlier run left open. Of the time since, only what the step was held for is counted. A write that another item of
   * the same run left open is that item's own.
   *
   * @returns with what had been sent, where the store may know it
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
   * Puts it down for the next run.
   *
   * @param content what was sent
   * @returns whether that run will find it, and the seconds after which it can know (G29); none where it was held often enough
   */
  async keep(keys: WriteKeys, pending: Pending, content: unknown, clock: Clock): Promise<{ isKept: boolean; retryAfterSeconds?: number }> {
    if (this.#store === undefined) return { isKept: false };
    // The first time as long as a late booking may take; then the service was not there to be asked, and needs longer.
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
   * Puts a write down that is about to be sent, where the store wants that: whoever finds it there looks before they send.
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

  /** The same once its end is known. */
  async withdraw(keys: WriteKeys): Promise<void> {
    if (this.#store?.isAhead === true) await this.forget(keys);
  }

  /** It is known what became of it. */
  async forget(keys: WriteKeys): Promise<void> {
    for (const key of namesOf(keys)) await this.#store?.delete(key);
  }
}

const nothing = (): void => undefined;

/** The item's own name first: its write is its own, whatever it holds by now. */
const namesOf = ({ content, item }: WriteKeys): string[] => [...(item === undefined ? [] : [`${item.run} ${item.name}`]), content];

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null) return false;
  const { reason, ...numbers } = value as Record<string, unknown>;
  return (
    typeof reason === 'string' &&
    ['sentAt', 'waitedMs', 'resent', 'holds', 'keptAt', 'heldMs'].every((name) => Number.isFinite(numbers[name]))
  );
}
