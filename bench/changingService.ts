import { createEnvelopes } from '../sandbox/envelopes.ts';
import { chooseForms } from '../sandbox/variants.ts';
import { createClient, type Client } from '../shared/client/client.ts';
import { memoryStore, PendingWrites } from '../shared/writes/index.ts';
import { backgroundPolicy } from '../shared/client/retry.ts';
import type { ApiRequest, ApiResponse } from '../shared/client/ports.ts';

const envelopes = createEnvelopes(chooseForms());

/** By what a service sorts its lists. */
type Order = 'newest first' | 'oldest first' | 'by start' | 'by update' | 'by id';

export interface World {
  count: number;
  order: Order;
  /** A place in the list, or the record after which the next page begins. */
  cursor: 'offset' | 'key';
  /** After so long, a cursor is refused, or shows the first page. Milliseconds. */
  expiresIn?: number;
  expired?: 'refused' | 'first page' | 'empty';
  /** How far the copy is behind that answers every fourth request. Milliseconds. */
  behindMs?: number;
  /** The service ignores the status that is asked for. */
  isUnfiltered?: boolean;
  /** The share of polls that are killed: half in the middle, half before anything is saved. */
  kills?: number;
  hours: number;
  changesAMinute?: number;
  /** For how many minutes it polls before the first change, and after the last one. */
  calm: number;
  settle: number;
}

export const minute = 60_000;
const day = 24 * 60 * minute;
export const startsAt = Date.parse('2030-01-02T08:00:00Z');
const statuses = ['PENDING', 'CONFIRMED', 'CANCELLED'] as const;

interface Booking {
  id: string;
  status: (typeof statuses)[number];
  start: number;
  created: number;
  updated: number;
}

const keyOf: Record<Order, (booking: Booking) => number> = {
  'newest first': ({ created }) => -created,
  'oldest first': ({ created }) => created,
  'by start': ({ start }) => start,
  'by update': ({ updated }) => -updated,
  'by id': ({ id }) => Number(`0x${id.slice(4)}`),
};

/** One copy of the service's database: its lists, sorted. */
class Copy {
  readonly #key: (booking: Booking) => number;
  readonly #lists = new Map<string, [key: number, booking: Booking][]>();
  readonly #unfiltered: boolean;

  constructor(order: Order, unfiltered: boolean, bookings: readonly Booking[]) {
    this.#key = keyOf[order];
    this.#unfiltered = unfiltered;
    for (const status of statuses) this.#lists.set(status, []);
    this.#lists.set('', []);
    for (const booking of bookings) this.#list(booking).push([this.#key(booking), booking]);
    for (const list of this.#lists.values()) list.sort(([a], [b]) => a - b);
  }

  #list({ status }: Pick<Booking, 'status'>): [number, Booking][] {
    return this.#lists.get(this.#unfiltered ? '' : status) ?? [];
  }

  static #at(list: readonly [number, Booking][], key: number): number {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((list[middle]?.[0] ?? 0) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  put(booking: Booking, former: Booking | undefined): void {
    if (former !== undefined) {
      const list = this.#list(former);
      let at = Copy.#at(list, this.#key(former));
      while (list[at]?.[1].id !== booking.id) at += 1;
      list.splice(at, 1);
    }
    const list = this.#list(booking);
    const key = this.#key(booking);
    list.splice(Copy.#at(list, key), 0, [key, booking]);
  }

  page(status: string, size: number, kind: World['cursor'], cursor: string | undefined): { data: Booking[]; next: string | null } {
    const list = this.#list({ status: status as Booking['status'] });
    let from = 0;
    if (cursor !== undefined && kind === 'offset') from = Number(cursor);
    if (cursor !== undefined && kind === 'key') {
      const [key, id] = cursor.split(' ');
      from = Copy.#at(list, Number(key));
      while (list[from]?.[0] === Number(key)) {
        from += 1;
        if (list[from - 1]?.[1].id === id) break;
      }
    }
    const data = list.slice(from, from + size);
    const last = data.at(-1);
    const isMore = from + size < list.length && last !== undefined;
    return {
      data: data.map(([, booking]) => booking),
      next: isMore ? (kind === 'offset' ? String(from + size) : `${last[0]} ${last[1].id}`) : null,
    };
  }
}

export interface Change {
  at: number;
  kind: 'new' | 'upcoming' | 'past';
  event: string;
  id: string;
  seenAt?: number;
}

/** What a copy that is behind shows later. */
type Behind = [at: number, booking: Booking, former: Booking | undefined];

/** Ends a poll in the middle of its calls. */
export class Killed extends Error {}

const iso = (at: number): string => new Date(at).toISOString();

/** A service in virtual time whose bookings change, also while its pages are read. */
export class ChangingService {
  now = startsAt;
  /** Calls of the current poll, and which of them kills it. */
  calls = 0;
  dieAt = Infinity;
  /** When changes begin and end. */
  nextChange = Infinity;
  end = Infinity;
  readonly changes: Change[] = [];
  readonly client: Client;
  readonly #world: World;
  readonly #random: () => number;
  readonly #bookings = new Map<string, Booking>();
  readonly #copies: Copy[];
  readonly #behind: Behind[] = [];
  readonly #touched = new Set<string>();
  #ids = 0;
  readonly #pools: Record<'upcoming' | 'past' | 'pending', Booking[]>;

  constructor(world: World, random: () => number) {
    this.#world = world;
    this.#random = random;
    const all = Array.from({ length: world.count }, () => this.#old());
    for (const booking of all) this.#bookings.set(booking.id, booking);
    this.#copies = Array.from(
      { length: world.behindMs === undefined ? 1 : 2 },
      () => new Copy(world.order, world.isUnfiltered === true, all),
    );
    this.#pools = {
      upcoming: all.filter(({ start, status }) => start > startsAt + day / 2 && status === 'CONFIRMED'),
      past: all.filter(({ start, status }) => start < startsAt && status === 'CONFIRMED'),
      pending: all.filter(({ status }) => status === 'PENDING'),
    };
    this.client = createClient({
      baseUrl: 'https://service.example/api/v1',
      writes: new PendingWrites(memoryStore(() => this.now, '')),
      retryPolicy: backgroundPolicy,
      clock: { now: () => this.now, sleep: async (ms) => this.advanceTo(this.now + ms), random },
      transport: async (request) => this.#answer(request),
    });
  }

  /** Lets time pass, with the changes that are due. */
  advanceTo(to: number): void {
    for (;;) {
      const due = Math.min(this.nextChange, this.#behind[0]?.[0] ?? Infinity);
      if (due > to) break;
      this.now = Math.max(this.now, due);
      if (due === this.nextChange) {
        this.#change(this.now);
        this.nextChange = this.now + this.#exponential(minute / (this.#world.changesAMinute ?? 2));
        if (this.nextChange > this.end) this.nextChange = Infinity;
      } else {
        const [, booking, former] = this.#behind.shift() as Behind;
        this.#copies[1]?.put(booking, former);
      }
    }
    this.now = Math.max(this.now, to);
  }

  #exponential(mean: number): number {
    return -Math.log(1 - this.#random()) * mean;
  }

  /** How long before its start a booking is made: a week on average, and at most 60 days. */
  #lead(): number {
    return Math.floor(Math.min(60 * day, this.#exponential(7 * day)));
  }

  #newId(): string {
    // Among a hundred thousand, 32 bits of chance are twice the same.
    return `bkg_${(Math.floor(this.#random() * 2 ** 32) * 2 ** 16 + ((this.#ids += 1) % 2 ** 16)).toString(16).padStart(12, '0')}`;
  }

  /** A booking of the last three years. */
  #old(): Booking {
    const created = startsAt - Math.floor(this.#random() * 3 * 365 * day);
    const start = created + this.#lead();
    const chance = this.#random();
    const status = chance < 0.8 ? 'CONFIRMED' : chance < 0.98 || start < startsAt ? 'CANCELLED' : 'PENDING';
    const updated = chance > 0.7 ? created + Math.floor(this.#random() * (Math.min(start, startsAt) - created)) : created;
    return { id: this.#newId(), status, start, created, updated };
  }

  #picked(pool: readonly Booking[]): Booking | undefined {
    for (let tries = 0; tries < 20; tries += 1) {
      const booking = pool[Math.floor(this.#random() * pool.length)];
      if (booking !== undefined && !this.#touched.has(booking.id)) return booking;
    }
    return undefined;
  }

  /** No booking changes twice, so that each change has one event. */
  #note(kind: Change['kind'], event: string, booking: Booking): void {
    this.#touched.add(booking.id);
    this.changes.push({ at: this.now, kind, event, id: booking.id });
    const former = this.#bookings.get(booking.id);
    this.#bookings.set(booking.id, booking);
    this.#copies[0]?.put(booking, former);
    if (this.#copies.length > 1) this.#behind.push([this.now + (this.#world.behindMs ?? 0), booking, former]);
  }

  #change(at: number): void {
    const chance = this.#random();
    const pool = chance < 0.85 ? 'upcoming' : chance < 0.9 ? 'pending' : 'past';
    const booking = chance < 0.45 ? undefined : this.#picked(this.#pools[pool]);
    if (booking === undefined) {
      const made: Booking = { id: this.#newId(), status: 'CONFIRMED', start: at + minute + this.#lead(), created: at, updated: at };
      this.#note('new', 'BOOKING_CREATED', made);
    } else if (pool === 'pending') this.#note('upcoming', 'BOOKING_CREATED', { ...booking, status: 'CONFIRMED', updated: at });
    else if (chance < 0.68 || chance > 0.95)
      this.#note(pool, 'BOOKING_RESCHEDULED', { ...booking, start: booking.start + (pool === 'past' ? -day : day), updated: at });
    else this.#note(pool, 'BOOKING_CANCELLED', { ...booking, status: 'CANCELLED', updated: at });
  }

  #answer({ url, query = {} }: ApiRequest): ApiResponse {
    this.calls += 1;
    this.advanceTo(this.now + 300);
    if (this.calls >= this.dieAt) throw new Killed();
    const answer = (status: number, body: unknown): ApiResponse => ({ status, headers: {}, body });
    if (url.endsWith('/me')) return answer(200, envelopes.single('user', { id: 'usr_1' }));
    const [cursor = '', issued] = (query['cursor'] ?? '').split('@');
    const isExpired = cursor !== '' && this.now - Number(issued) > (this.#world.expiresIn ?? Infinity);
    if (isExpired && this.#world.expired === 'empty') return answer(200, envelopes.list('bookings', [], null));
    if (isExpired && this.#world.expired !== 'first page')
      return answer(400, { error: { code: 'invalid_cursor', message: 'The cursor has expired.' } });
    const copy = this.#copies[this.calls % 4 === 3 ? this.#copies.length - 1 : 0] as Copy;
    const from = cursor === '' || isExpired ? undefined : cursor;
    const { data, next } = copy.page(query['status'] ?? '', Number(query['limit']), this.#world.cursor, from);
    const shown = data.map(({ id, status, start, created, updated }) => ({
      ...{ id, status, start_time: iso(start), created_at: iso(created), updated_at: iso(updated) },
    }));
    return answer(200, envelopes.list('bookings', shown, next === null ? null : `${next}@${this.now}`));
  }
}
