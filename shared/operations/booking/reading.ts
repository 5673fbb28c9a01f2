import type { BookingRecord } from '../../records/fields.ts';
import { hasEnded, hasStatus, type KnownStatus } from '../../reading/index.ts';
import { listScan, statusTransitions } from '../../assumptions.ts';
import type { Client } from '../../client/client.ts';
import type { Listing } from '../../call.ts';
import { isNew, ListPages } from '../../client/pages.ts';
import { limits } from '../../limits.ts';
import { comparableTime, instantsBetween } from '../../time/time.ts';
import type { Resume, RunContext } from '../define.ts';

/** The bookings to read. */
export interface BookingQuery {
  /** Returns the lists of these statuses; `undefined` means the list without a status. */
  lists: (statuses: readonly (string | undefined)[]) => Listing<'booking'>[];
  /** If set, the only wanted status. */
  status?: string | undefined;
  /** Leaves out cancelled and denied bookings. */
  upcoming?: boolean;
  /** The wanted bookings start between these instants. Milliseconds since the epoch. */
  begin: number;
  end: number;
  /** Which records are kept: those that start, or may start, between the two instants. */
  fits: (record: BookingRecord) => boolean;
  /** Identifies the query: a later call with the same key may continue where this one stopped. */
  key: string;
}

/**
 * Reads the bookings of a period. The service documents no order and no date filter (G31, G46), nor what a list without a status contains
 * (G42). So the lists of all statuses are read in parallel, each once, along with the first page of the list without a status. That list is
 * read further only if it shows a booking that the others lack.
 *
 * A list with sorted pages is read until it has clearly passed the period, see {@link Order}. If someone is waiting, reading also stops
 * when its time or its share of the account's requests is used up. The result says which of the two happened.
 */
export async function readBookings(client: Client, wanted: BookingQuery, { bound }: Pick<RunContext, 'bound'>): Promise<BookingReading> {
  const { connection, clock } = client;
  const budget = new Budget(client, bound !== undefined);
  const earlier = kept(client, wanted.key, bound?.resume);
  const reading = earlier !== undefined && (await earlier.resume(client, budget)) ? earlier : new BookingReading(wanted, clock.now());
  await reading.readOn(client, budget);
  reading.readAt = clock.now();
  if (bound?.resume !== undefined && reading.pages > shortList) lastLong.set(connection, reading);
  return reading;
}

/** A list with at most this many pages is read again each time. */
const shortList = 10;
/** How long a later call may continue with what was read. Milliseconds. */
const keptMs = 5 * 60_000;
/** The most recent long reading of each connection. */
const lastLong = new WeakMap<object, BookingReading>();

/** Removes the reading that it returns, so that two simultaneous calls do not continue the same one. */
function kept({ connection, clock }: Client, key: string, resume: Resume | undefined): BookingReading | undefined {
  const last = lastLong.get(connection);
  if (last === undefined || last.wanted.key !== key || clock.now() - last.readAt > keptMs) return undefined;
  if (resume === undefined || (resume === 'unfinished' && !last.isPart)) return undefined;
  lastLong.delete(connection);
  return last;
}

/** How much one call may read while someone is waiting. */
class Budget {
  readonly #client: Client;
  readonly #until: number;
  #calls: number;
  #slowest = 0;

  constructor(client: Client, isBounded: boolean) {
    const { clock, retryPolicy } = client;
    const left = retryPolicy.leftMs === undefined ? Infinity : retryPolicy.leftMs() - listScan.reserveMs;
    this.#client = client;
    this.#until = isBounded ? clock.now() + Math.min(listScan.milliseconds, left) : Infinity;
    this.#calls = isBounded ? limits.requestsPerMinute * listScan.share : Infinity;
  }

  /** Runs the work of one request if the budget allows it; `undefined` if it does not, or if other work has failed. */
  async spend<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    const { clock } = this.#client;
    const before = clock.now();
    if (this.#calls < 1 || before + this.#slowest > this.#until) return undefined;
    this.#calls -= 1;
    try {
      return await work();
    } catch (error) {
      this.#calls = 0;
      throw error;
    } finally {
      this.#slowest = Math.max(this.#slowest, clock.now() - before);
    }
  }
}

/** A set of bookings that is being read. */
export class BookingReading {
  readonly records: BookingRecord[] = [];
  /** The number of pages read so far. */
  pages = 0;
  /** Whether reading stopped before the end of a list, and nothing shows that the rest does not fit. */
  isPart = true;
  /** When reading last continued. Milliseconds since the epoch. */
  readAt: number;
  readonly wanted: BookingQuery;
  readonly #lists: WatchedList[];
  readonly #besides: WatchedList[];
  readonly #ids = new Set<string>();
  #count = 0;

  constructor(wanted: BookingQuery, now: number) {
    const { pending, confirmed, cancelled } = statusTransitions;
    const { status, upcoming = false, lists } = wanted;
    const watched = (statuses: readonly (string | undefined)[]): WatchedList[] => lists(statuses).map((list) => new WatchedList(list));
    this.wanted = wanted;
    this.readAt = now;
    this.#lists = watched(status === undefined ? [pending, confirmed, ...(upcoming ? [] : [cancelled])] : [status]);
    this.#besides = status === undefined ? watched([undefined]) : [];
  }

  get count(): number {
    return this.#count;
  }

  /** Why the result is complete although a list was not read to its end; `undefined` if all were. */
  get conclusion(): string | undefined {
    if (this.isPart) return undefined;
    const orders = this.#lists.map((list) => (this.#isOver(list) ? undefined : this.#passed(list.order)));
    if (orders.includes('creation'))
      return 'The lists are sorted by creation, so bookings made after this window, or more than a year before it, were not read.';
    return orders.includes('start') ? 'The lists are sorted by start, so bookings far outside this window were not read.' : undefined;
  }

  /** Prepares to continue in a later call. @returns whether that is possible, because the last pages can still be read */
  async resume(client: Client, budget: Budget): Promise<boolean> {
    const open = this.isPart ? [...this.#lists, ...this.#lacking].filter((list) => !this.#isDone(list)) : [];
    const pages = await Promise.all(
      open.map(async (list) => {
        const page = await budget.spend(() => list.again(client, { size: limits.pageSize, isKnown: true }));
        this.pages += 1;
        this.#add(page?.records ?? [], list);
        return page;
      }),
    );
    return !pages.includes(undefined);
  }

  /** Continues reading. @throws ServiceError if a list cannot be read */
  async readOn(client: Client, budget: Budget): Promise<void> {
    const begun = this.#besides.filter(({ first }) => first === undefined);
    await Promise.all([
      ...this.#lists.map((list) => this.#read(list, client, budget)),
      ...begun.map((list) => this.#read(list, client, budget, 1)),
    ]);
    const lacking = this.#lacking;
    await Promise.all(lacking.map((list) => this.#read(list, client, budget)));
    for (const list of begun) this.#add(list.first ?? [], list);
    this.isPart = [...this.#lists, ...lacking].some((list) => !this.#isDone(list));
  }

  get #lacking(): WatchedList[] {
    return this.#besides.filter((list) => this.#isLacked(list));
  }

  #passed(order: Order): ReturnType<Order['passed']> {
    return order.passed(this.wanted, this.readAt);
  }

  #isDone(list: WatchedList): boolean {
    return this.#isOver(list) || this.#passed(list.order) !== undefined;
  }

  /** Whether the list has nothing more to show. A service that ignores a filter shows the same list several times. */
  #isOver(list: WatchedList): boolean {
    const before = this.#lists.slice(0, Math.max(0, this.#lists.indexOf(list)));
    return list.isOver || before.some((other) => list.begin !== undefined && other.begin === list.begin);
  }

  async #read(list: WatchedList, client: Client, budget: Budget, pages = Infinity): Promise<void> {
    for (let read = 0; read < pages && !this.#isDone(list); read += 1) {
      const page = await budget.spend(() => list.next(client, { size: limits.pageSize, isKnown: this.#count > 0 }));
      if (page === undefined) return;
      this.pages += 1;
      // The first page of the list without a status counts as read only after it was compared with the others.
      if (pages === Infinity) this.#add(page.records, list);
    }
  }

  #add(records: readonly BookingRecord[], list: WatchedList): void {
    const { keep = () => true } = list.listing;
    // A booking without an id is skipped here, because it is also in the list of its status.
    const isOnce = ({ id }: BookingRecord): boolean => id !== '' || !this.#besides.includes(list);
    const fresh = records.filter((record) => keep(record) && isOnce(record) && isNew(record, this.#ids));
    this.#count += fresh.length;
    this.records.push(...fresh.filter(this.wanted.fits));
  }

  /** Whether the first page of a list without a status shows a booking that no other list has. */
  #isLacked({ first = [], isOver }: WatchedList): boolean {
    if (isOver) return false;
    const isRead = this.#lists.every((list) => this.#isOver(list));
    return first.some(
      (record) =>
        record.id !== '' &&
        !this.#ids.has(record.id) &&
        !(this.wanted.upcoming === true && hasEnded(record)) &&
        // If the list of its status was not read to its end, the booking may still come there.
        (isRead || !knownStatuses.some((each) => hasStatus(record, each))),
    );
  }
}

const knownStatuses = Object.keys(statusTransitions) as KnownStatus[];

/** A list that is read for as long as it may show something. */
class WatchedList extends ListPages<'booking'> {
  readonly order = new Order();
  /** The records of its first page, and their ids as text if each has one. */
  first: readonly BookingRecord[] | undefined;
  begin: string | undefined;

  override async next(...given: Parameters<ListPages<'booking'>['next']>) {
    const page = await super.next(...given);
    if (this.first === undefined) {
      this.first = page.records;
      if (this.first.length > 0 && this.first.every(({ id }) => id !== '')) this.begin = JSON.stringify(this.first.map(({ id }) => id));
    }
    this.order.add(page.records);
    return page;
  }
}

const aDay = 86_400_000;
/** How many full pages must be in order to rule out coincidence. */
const enoughPages = 3;
/** The longest time between a booking's creation and its start that is expected. Milliseconds. */
const clearLead = 400 * aDay;

/** Records in which order a list shows its times. */
class Sequence {
  first = Number.NaN;
  last = Number.NaN;
  #isUp = true;
  #isDown = true;

  add(at: number): void {
    if (at < this.last || !Number.isFinite(at)) this.#isUp = false;
    if (at > this.last || !Number.isFinite(at)) this.#isDown = false;
    if (Number.isNaN(this.first)) this.first = at;
    this.last = at;
  }

  get isUp(): boolean {
    return this.#isUp && this.last > this.first;
  }

  get isDown(): boolean {
    return this.#isDown && this.last < this.first;
  }
}

/** The order that the pages of a list have shown so far. */
class Order {
  readonly #starts = new Sequence();
  readonly #made = new Sequence();
  #fullPages = 0;
  #longestLead = 0;

  add(records: readonly BookingRecord[]): void {
    if (records.length >= limits.pageSize) this.#fullPages += 1;
    for (const { start_time: start, created_at: created } of records) {
      const at = comparableTime(created) ?? Number.NaN;
      const [earliest, latest] = instantsBetween(start);
      this.#starts.add(earliest);
      this.#made.add(at);
      this.#longestLead = Math.max(this.#longestLead, latest - at);
    }
  }

  /**
   * The order that puts the rest of the list outside a period; `undefined` if no order shows that. A list may begin in the middle, for
   * example with the future and then the past. So a list sorted by start must have begun on the other side of the period.
   *
   * An order by creation also allows a conclusion, because nobody books a time that has passed, and hardly anyone more than a year ahead.
   */
  passed({ begin, end }: Pick<BookingQuery, 'begin' | 'end'>, now: number): 'start' | 'creation' | undefined {
    if (this.#fullPages < enoughPages) return undefined;
    const [starts, made] = [this.#starts, this.#made];
    if (starts.isDown && starts.last < begin - 2 * aDay && starts.first >= Math.min(end, now)) return 'start';
    if (starts.isUp && starts.last > end + 2 * aDay && starts.first <= begin) return 'start';
    const lead = Math.max(clearLead, 2 * this.#longestLead);
    return (made.isDown && made.last < begin - lead) || (made.isUp && made.last > end + 2 * aDay) ? 'creation' : undefined;
  }
}
