import { createEnvelopes } from '../sandbox/envelopes.ts';
import { chooseForms } from '../sandbox/variants.ts';
import { createClient, type Client } from '../shared/client/client.ts';
import { memoryStore, PendingWrites } from '../shared/writes/index.ts';
import { backgroundPolicy } from '../shared/client/retry.ts';
import type { ApiRequest, ApiResponse } from '../shared/client/ports.ts';

const envelopes = createEnvelopes(chooseForms());

/** The orders in which a service may sort its lists. */
type ListOrder = 'newest first' | 'oldest first' | 'by start' | 'by update' | 'by id';

export interface World {
  count: number;
  order: ListOrder;
  /** What a cursor contains: a position in the list, or the record after which the next page begins. */
  cursor: 'offset' | 'key';
  /** The time after which a cursor is refused, or shows the first page or an empty one. Milliseconds. */
  expiresIn?: number;
  expired?: 'refused' | 'first page' | 'empty';
  /** How far the copy that responds to every fourth request lags behind. Milliseconds. */
  behindMs?: number;
  /** Whether the service ignores the requested status. */
  isUnfiltered?: boolean;
  /** The share of polls that are killed: half in the middle, half before anything is saved. */
  kills?: number;
  hours: number;
  changesAMinute?: number;
  /** How many minutes it polls before the first change, and after the last one. */
  calm: number;
  settle: number;
}

export const minute = 60_000;
const day = 24 * 60 * minute;
export const startsAt = Date.parse('2030-01-02T08:00:00Z');

interface ChangingBooking {
  id: string;
  status: 'PENDING' | 'CONFIRMED' | 'CANCELLED';
  start: number;
  created: number;
  updated: number;
}

const keyOf: Record<ListOrder, (booking: ChangingBooking) => number> = {
  'newest first': ({ created }) => -created,
  'oldest first': ({ created }) => created,
  'by start': ({ start }) => start,
  'by update': ({ updated }) => -updated,
  'by id': ({ id }) => Number(`0x${id.slice(4)}`),
};

/** One copy of the service's database: its lists, each sorted when first requested. */
class Copy {
  readonly #world: World;
  readonly #bookings: Map<string, ChangingBooking>;
  readonly #lists = new Map<string, ChangingBooking[]>();

  constructor(world: World, bookings: readonly ChangingBooking[]) {
    this.#world = world;
    this.#bookings = new Map(bookings.map((each) => [each.id, each]));
  }

  put(booking: ChangingBooking): void {
    this.#bookings.set(booking.id, booking);
    const key = keyOf[this.#world.order];
    for (const [status, list] of this.#lists) {
      const former = list.findIndex(({ id }) => id === booking.id);
      if (former >= 0) list.splice(former, 1);
      const next = list.findIndex((each) => key(each) >= key(booking));
      if (this.#isIn(booking, status)) list.splice(next < 0 ? list.length : next, 0, booking);
    }
  }

  #isIn(booking: ChangingBooking, status: string): boolean {
    return this.#world.isUnfiltered === true || booking.status === status;
  }

  page(status: string, size: number, cursor: string | undefined): { data: readonly ChangingBooking[]; next: string | null } {
    const { order, cursor: kind } = this.#world;
    const key = keyOf[order];
    const list =
      this.#lists.get(status) ?? [...this.#bookings.values()].filter((each) => this.#isIn(each, status)).sort((a, b) => key(a) - key(b));
    this.#lists.set(status, list);
    let from = kind === 'offset' ? Number(cursor ?? 0) : 0;
    if (cursor !== undefined && kind === 'key') {
      const [last, id] = cursor.split(' ');
      const isLast = (each: ChangingBooking): boolean => key(each) === Number(last) && each.id === id;
      const found = list.findIndex((each) => key(each) > Number(last) || isLast(each));
      from = found < 0 ? list.length : found;
      if (list.slice(from, from + 1).some(isLast)) from += 1;
    }
    const data = list.slice(from, from + size);
    const last = data.at(-1);
    if (last === undefined || from + size >= list.length) return { data, next: null };
    return { data, next: kind === 'offset' ? String(from + size) : `${key(last)} ${last.id}` };
  }
}

export interface MadeChange {
  at: number;
  kind: 'new' | 'upcoming' | 'past';
  event: string;
  id: string;
  seenAt?: number;
}

/** A booking that a lagging copy shows only later. */
type Behind = [at: number, booking: ChangingBooking];

/** Ends a poll in the middle of its calls. */
class Killed extends Error {}

const iso = (at: number): string => new Date(at).toISOString();

/** A service in virtual time whose bookings change, even while its pages are read. */
export class ChangingService {
  now = startsAt;
  /** The number of calls in the current poll, and the call that kills it. */
  calls = 0;
  dieAt = Infinity;
  /** When changes begin and end. */
  nextChange = Infinity;
  end = Infinity;
  readonly changes: MadeChange[] = [];
  readonly client: Client;
  readonly #world: World;
  readonly #random: () => number;
  readonly #copies: Copy[];
  readonly #behind: Behind[] = [];
  readonly #touched = new Set<string>();
  #ids = 0;
  readonly #pools: Record<'upcoming' | 'past' | 'pending', ChangingBooking[]>;

  constructor(world: World, random: () => number) {
    this.#world = world;
    this.#random = random;
    const all = Array.from({ length: world.count }, () => this.#old());
    this.#copies = Array.from({ length: world.behindMs === undefined ? 1 : 2 }, () => new Copy(world, all));
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

  /** Lets time pass, and makes the changes that are due. */
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
        const [, booking] = this.#behind.shift() as Behind;
        this.#copies[1]?.put(booking);
      }
    }
    this.now = Math.max(this.now, to);
  }

  #exponential(mean: number): number {
    return -Math.log(1 - this.#random()) * mean;
  }

  /** How long before its start a booking is created: a week on average, and at most 60 days. Milliseconds. */
  #lead(): number {
    return Math.floor(Math.min(60 * day, this.#exponential(7 * day)));
  }

  #newId(): string {
    // With only 32 random bits, two of a hundred thousand ids would collide.
    return `bkg_${(Math.floor(this.#random() * 2 ** 32) * 2 ** 16 + ((this.#ids += 1) % 2 ** 16)).toString(16).padStart(12, '0')}`;
  }

  /** A booking that was created in the last three years. */
  #old(): ChangingBooking {
    const created = startsAt - Math.floor(this.#random() * 3 * 365 * day);
    const start = created + this.#lead();
    const chance = this.#random();
    const status = chance < 0.8 ? 'CONFIRMED' : chance < 0.98 || start < startsAt ? 'CANCELLED' : 'PENDING';
    const updated = chance > 0.7 ? created + Math.floor(this.#random() * (Math.min(start, startsAt) - created)) : created;
    return { id: this.#newId(), status, start, created, updated };
  }

  #picked(pool: readonly ChangingBooking[]): ChangingBooking | undefined {
    for (let tries = 0; tries < 20; tries += 1) {
      const booking = pool[Math.floor(this.#random() * pool.length)];
      if (booking !== undefined && !this.#touched.has(booking.id)) return booking;
    }
    return undefined;
  }

  /** Records a change. No booking changes twice, so that each change has one event. */
  #note(kind: MadeChange['kind'], event: string, booking: ChangingBooking): void {
    this.#touched.add(booking.id);
    this.changes.push({ at: this.now, kind, event, id: booking.id });
    this.#copies[0]?.put(booking);
    if (this.#copies.length > 1) this.#behind.push([this.now + (this.#world.behindMs ?? 0), booking]);
  }

  #change(at: number): void {
    const chance = this.#random();
    const pool = chance < 0.85 ? 'upcoming' : chance < 0.9 ? 'pending' : 'past';
    const booking = chance < 0.45 ? undefined : this.#picked(this.#pools[pool]);
    if (booking === undefined) {
      const made: ChangingBooking = { id: this.#newId(), status: 'CONFIRMED', start: at + minute + this.#lead(), created: at, updated: at };
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
    const { data, next } = copy.page(query['status'] ?? '', Number(query['limit']), from);
    const shown = data.map(({ id, status, start, created, updated }) => ({
      ...{ id, status, start_time: iso(start), created_at: iso(created), updated_at: iso(updated) },
    }));
    return answer(200, envelopes.list('bookings', shown, next === null ? null : `${next}@${this.now}`));
  }
}
