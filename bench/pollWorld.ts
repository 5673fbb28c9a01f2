import { createClient, type Client } from '../shared/client/client.ts';
import { backgroundPolicy } from '../shared/client/retry.ts';
import { pollEvery } from '../shared/polling/pace.ts';
import { compareLists, type Poll } from '../shared/polling/poll.ts';
import { sha256 } from '../shared/webhooks/key.ts';

/** By what a service sorts its lists. */
export const orders = ['newest first', 'oldest first', 'by start', 'by update', 'by id'] as const;

export interface World {
  count: number;
  order: (typeof orders)[number];
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
  hours?: number;
  changesAMinute?: number;
  answersIn?: number;
  seed?: number;
  /** For how many minutes it polls before the first change, and after the last one. */
  calm?: number;
  settle?: number;
}

const minute = 60_000;
const day = 24 * 60 * minute;
const startsAt = Date.parse('2030-01-02T08:00:00Z');
const statuses = ['PENDING', 'CONFIRMED', 'CANCELLED'] as const;

interface Booking {
  id: string;
  status: (typeof statuses)[number];
  start: number;
  created: number;
  updated: number;
}

/** A generator of numbers that gives the same ones each time. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const keyOf: Record<World['order'], (booking: Booking) => number> = {
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

  constructor(order: World['order'], unfiltered: boolean, bookings: readonly Booking[]) {
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

interface Change {
  at: number;
  kind: 'new' | 'upcoming' | 'past';
  event: string;
  id: string;
  seenAt?: number;
}

export interface Figures {
  /** Calls of a poll after the first sweep: the mean for each minute, and the most of one poll. */
  callsAMinute: number;
  mostCalls: number;
  /** Minutes until an event was seen: the median and the most. */
  minutes: Record<Change['kind'], { median: number; most: number; share: number }>;
  unseen: number;
  twice: number;
  invented: number;
  events: number;
  /** What is kept, in characters. */
  kept: number;
}

class Killed extends Error {}

/** Polls a service in virtual time, in which bookings change, also while its pages are read. */
export async function pollWorld(world: World): Promise<Figures> {
  const {
    hours = 6,
    changesAMinute = 2,
    answersIn = 300,
    behindMs = 0,
    kills = 0,
    seed = 1,
    settle = 65,
    calm = 15,
    isUnfiltered = false,
  } = world;
  const random = randomOf(seed);
  const exponential = (mean: number): number => -Math.log(1 - random()) * mean;
  /** How long before its start a booking is made: a week on average, and at most 60 days. */
  const lead = (): number => Math.floor(Math.min(60 * day, exponential(7 * day)));
  let now = startsAt;
  const newId = (): string =>
    `bkg_${Math.floor(random() * 2 ** 48)
      .toString(16)
      .padStart(12, '0')}`;
  const bookings = new Map<string, Booking>();
  for (let index = 0; index < world.count; index += 1) {
    const created = startsAt - Math.floor(random() * 3 * 365 * day);
    const start = created + lead();
    const chance = random();
    const status = chance < 0.8 ? 'CONFIRMED' : chance < 0.98 || start < startsAt ? 'CANCELLED' : 'PENDING';
    const updated = chance > 0.7 ? created + Math.floor(random() * Math.max(0, Math.min(start, startsAt) - created)) : created;
    const id = newId();
    bookings.set(id, { id, status, start, created, updated });
  }
  const all = [...bookings.values()];
  const copies = [new Copy(world.order, isUnfiltered, all), ...(behindMs > 0 ? [new Copy(world.order, isUnfiltered, all)] : [])];
  const behind: [at: number, booking: Booking, former: Booking | undefined][] = [];
  const changes: Change[] = [];
  const touched = new Set<string>();
  const pools = {
    upcoming: all.filter(({ start, status }) => start > startsAt + hours * 60 * minute * 1.5 && status === 'CONFIRMED'),
    past: all.filter(({ start, status }) => start < startsAt && status === 'CONFIRMED'),
    pending: all.filter(({ status }) => status === 'PENDING'),
  };
  const picked = (pool: Booking[]): Booking | undefined => {
    for (let tries = 0; tries < 20; tries += 1) {
      const booking = pool[Math.floor(random() * pool.length)];
      if (booking !== undefined && !touched.has(booking.id)) return booking;
    }
    return undefined;
  };
  function put(booking: Booking): void {
    const former = bookings.get(booking.id);
    bookings.set(booking.id, booking);
    copies[0]?.put(booking, former);
    if (behindMs > 0) behind.push([now + behindMs, booking, former]);
  }
  function change(at: number): void {
    const chance = random();
    const moved = (start: number): number => Math.max(start, at) + day + Math.floor(exponential(5 * day));
    const note = (kind: Change['kind'], event: string, booking: Booking): void => {
      touched.add(booking.id);
      changes.push({ at, kind, event, id: booking.id });
      put(booking);
    };
    const made = (): void => {
      const booking: Booking = {
        id: newId(),
        status: 'CONFIRMED',
        start: at + minute + lead(),
        created: at,
        updated: at,
      };
      note('new', 'BOOKING_CREATED', booking);
    };
    if (chance < 0.45) return made();
    const pool = chance < 0.85 ? 'upcoming' : chance < 0.9 ? 'pending' : 'past';
    const booking = picked(pools[pool]);
    if (booking === undefined) return made();
    if (pool === 'pending') return note('upcoming', 'BOOKING_CREATED', { ...booking, status: 'CONFIRMED', updated: at });
    const kind = pool === 'past' ? 'past' : 'upcoming';
    if (chance < 0.68 || chance > 0.95)
      return note(kind, 'BOOKING_RESCHEDULED', {
        ...booking,
        start: pool === 'past' ? booking.start - day : moved(booking.start),
        updated: at,
      });
    note(kind, 'BOOKING_CANCELLED', { ...booking, status: 'CANCELLED', updated: at });
  }

  let end = Infinity;
  let nextChange = Infinity;
  function advanceTo(to: number): void {
    for (;;) {
      const due = Math.min(nextChange, behind[0]?.[0] ?? Infinity);
      if (due > to) break;
      now = Math.max(now, due);
      if (due === nextChange) {
        change(now);
        nextChange = now + exponential(minute / changesAMinute);
        if (nextChange > end) nextChange = Infinity;
      } else {
        const [, booking, former] = behind.shift() as (typeof behind)[number];
        copies[1]?.put(booking, former);
      }
    }
    now = Math.max(now, to);
  }
  let calls = 0;
  let dieAt = Infinity;
  const iso = (at: number): string => new Date(at).toISOString();
  const client: Client = createClient({
    baseUrl: 'https://service.example/api/v1',
    retryPolicy: backgroundPolicy,
    clock: { now: () => now, sleep: async (ms) => advanceTo(now + ms), random },
    transport: async ({ url, query = {} }) => {
      calls += 1;
      advanceTo(now + answersIn);
      if (calls >= dieAt) throw new Killed();
      if (url.endsWith('/me')) return { status: 200, headers: {}, body: { data: { id: 'usr_1' } } };
      let [cursor, issued] = (query['cursor'] ?? '').split('@');
      if (cursor !== '' && now - Number(issued) > (world.expiresIn ?? Infinity)) {
        if (world.expired === 'first page') cursor = '';
        else if (world.expired === 'empty') return { status: 200, headers: {}, body: { data: [], next_cursor: null } };
        else return { status: 400, headers: {}, body: { error: { code: 'invalid_cursor', message: 'The cursor has expired.' } } };
      }
      const copy = copies[calls % 4 === 3 ? copies.length - 1 : 0] as Copy;
      const { data, next } = copy.page(query['status'] ?? '', Number(query['limit']), world.cursor, cursor === '' ? undefined : cursor);
      const body = {
        data: data.map(({ id, status, start, created, updated }) => ({
          ...{ id, status, start_time: iso(start), created_at: iso(created), updated_at: iso(updated) },
        })),
        next_cursor: next === null ? null : `${next}@${now}`,
      };
      return { status: 200, headers: {}, body };
    },
  });

  const wanted = { events: ['BOOKING_CREATED', 'BOOKING_RESCHEDULED', 'BOOKING_CANCELLED'] };
  let [saved, memory]: [unknown, unknown] = [undefined, undefined];
  let [counted, spent, most, twice, invented, begun] = [0, 0, 0, 0, 0, 0];
  let nextPoll = startsAt;
  while (now < end + settle * minute) {
    advanceTo(nextPoll);
    const began = now;
    calls = 0;
    const isKilled = begun > 0 && random() < kills;
    dieAt = isKilled && random() < 0.5 ? 2 + Math.floor(random() * 15) : Infinity;
    let found: Poll | undefined;
    try {
      found = await compareLists(client, memory, wanted, sha256);
    } catch (error) {
      if (!isKilled) throw error;
    }
    // A platform that ends has what it saved last.
    if (isKilled || found === undefined) memory = saved;
    else {
      memory = JSON.parse(JSON.stringify(found.kept));
      if (found.changes.length > 0 || found.mustKeep) saved = memory;
      for (const { row, record } of found.changes) {
        const change = changes.find(({ id, event }) => id === record.id && event === row.name);
        if (change === undefined) invented += 1;
        else if (change.seenAt === undefined) change.seenAt = now;
        else twice += 1;
      }
      if (begun === 0 && found.goesOn !== true) {
        begun = now;
        // A whole reading of a long list is followed by a pause.
        nextChange = now + calm * minute;
        end = nextChange + hours * 60 * minute;
      } else if (began > end - hours * 60 * minute && now < end) {
        counted += Math.max(1, pollEvery(found.calls) / minute);
        spent += calls;
        most = Math.max(most, calls);
      }
    }
    const every = found === undefined ? minute : pollEvery(found.calls);
    nextPoll = Math.max(began + every, startsAt + Math.ceil((now - startsAt) / minute) * minute);
  }
  const minutes = {} as Figures['minutes'];
  for (const kind of ['new', 'upcoming', 'past'] as const) {
    const delays = changes
      .filter((each) => each.kind === kind)
      .map(({ at, seenAt = Infinity }) => (seenAt - at) / minute)
      .sort((a, b) => a - b);
    minutes[kind] = {
      median: delays[Math.floor(delays.length / 2)] ?? 0,
      most: delays.at(-1) ?? 0,
      share: delays.filter((delay) => delay <= 2.5).length / Math.max(1, delays.length),
    };
  }
  const unseen = changes.filter(({ seenAt }) => seenAt === undefined).length;
  const kept = JSON.stringify(memory).length;
  return { callsAMinute: spent / counted, mostCalls: most, minutes, unseen, twice, invented, events: changes.length, kept };
}
