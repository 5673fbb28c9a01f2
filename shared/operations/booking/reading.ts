import type { BookingRecord } from '../../records/fields.ts';
import { hasEnded, hasStatus, type KnownStatus } from '../../reading/index.ts';
import { listScan, statusTransitions } from '../../assumptions.ts';
import type { Client } from '../../client/client.ts';
import type { Listing } from '../../call.ts';
import { isNew, ListPages } from '../../client/pages.ts';
import { limits } from '../../limits.ts';
import { comparableTime, instantsBetween } from '../../time/time.ts';
import type { Resume, RunContext } from '../define.ts';

/** The bookings that somebody needs. */
export interface BookingQuery {
  /** The lists of these statuses; `undefined` stands for the list without one. */
  lists: (statuses: readonly (string | undefined)[]) => Listing<'booking'>[];
  /** The only status that is wanted. */
  status?: string | undefined;
  /** Neither cancelled nor denied ones. */
  upcoming?: boolean;
  /** The instants between which they start. Milliseconds. */
  begin: number;
  end: number;
  /** Which records are kept: those that start between the two, or may do. */
  fits: (record: BookingRecord) => boolean;
  /** What is asked for, as text: a later call for the same may go on where this one stopped. */
  key: string;
}

/**
 * Reads the bookings of a time. The service documents no order and no filter by date (G31, G46), and not what a list without a status holds
 * (G42). So the lists of all statuses are read side by side, each once, and the first page of the list without a status. Only if that shows a
 * booking that the others lack, it is read as well.
 *
 * A list whose pages are sorted is read until it has left the time clearly behind, see {@link Order}. Where somebody waits, reading also
 * stops when its time or its share of the account's requests is used up. The answer says which of the two happened.
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

/** A list of so few pages is read anew each time. */
const shortList = 10;
/** How long a later call may go on with what was read. Milliseconds. */
const keptMs = 5 * 60_000;
/** The last long reading of each connection. */
const lastLong = new WeakMap<object, BookingReading>();

/** It is taken out, so that two calls at once do not go on with one reading. */
function kept({ connection, clock }: Client, key: string, resume: Resume | undefined): BookingReading | undefined {
  const last = lastLong.get(connection);
  if (last === undefined || last.wanted.key !== key || clock.now() - last.readAt > keptMs) return undefined;
  if (resume === undefined || (resume === 'unfinished' && !last.isPart)) return undefined;
  lastLong.delete(connection);
  return last;
}

/** How much one call may read where somebody waits. */
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

  /** Does the work of one request if there is room for it; `undefined` if there is not, or if other work has failed. */
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

/** Bookings while they are read. */
export class BookingReading {
  /** The records that fit. */
  readonly records: BookingRecord[] = [];
  /** The number of pages that were read. */
  pages = 0;
  /** Reading stopped although a list goes on, and nothing shows that the rest does not fit. */
  isPart = true;
  /** When it was last read on. Milliseconds. */
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

  /** How many bookings were read. */
  get count(): number {
    return this.#count;
  }

  /** Why the answer is whole although a list was not read to its end; `undefined` if all were. */
  get conclusion(): string | undefined {
    if (this.isPart) return undefined;
    const orders = this.#lists.map((list) => (this.#isOver(list) ? undefined : this.#passed(list.order)));
    if (orders.includes('creation'))
      return 'The lists are sorted by creation, so bookings made after this window, or more than a year before it, were not read.';
    return orders.includes('start') ? 'The lists are sorted by start, so bookings far outside this window were not read.' : undefined;
  }

  /** Prepares to read on in a later call. Returns whether that is possible: what was read still leads on. */
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

  /** Reads on from where reading stopped. @throws ServiceError if a list cannot be read */
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

  /** Whether it has no more to show. A service that ignores a filter shows the same list for several. */
  #isOver(list: WatchedList): boolean {
    const before = this.#lists.slice(0, Math.max(0, this.#lists.indexOf(list)));
    return list.isOver || before.some((other) => list.begin !== undefined && other.begin === list.begin);
  }

  async #read(list: WatchedList, client: Client, budget: Budget, pages = Infinity): Promise<void> {
    for (let read = 0; read < pages && !this.#isDone(list); read += 1) {
      const page = await budget.spend(() => list.next(client, { size: limits.pageSize, isKnown: this.#count > 0 }));
      if (page === undefined) return;
      this.pages += 1;
      // What the list without a status shows first is compared with the others before it counts as read.
      if (pages === Infinity) this.#add(page.records, list);
    }
  }

  #add(records: readonly BookingRecord[], list: WatchedList): void {
    const { keep = () => true } = list.listing;
    // What has no id is in the list of its status as well.
    const isOnce = ({ id }: BookingRecord): boolean => id !== '' || !this.#besides.includes(list);
    const fresh = records.filter((record) => keep(record) && isOnce(record) && isNew(record, this.#ids));
    this.#count += fresh.length;
    this.records.push(...fresh.filter(this.wanted.fits));
  }

  /** Whether the first page of a list without a status shows a booking that is in no other list. */
  #isLacked({ first = [], isOver }: WatchedList): boolean {
    if (isOver) return false;
    const isRead = this.#lists.every((list) => this.#isOver(list));
    return first.some(
      (record) =>
        record.id !== '' &&
        !this.#ids.has(record.id) &&
        !(this.wanted.upcoming === true && hasEnded(record)) &&
        // In a list that was not read to its end, it may come later.
        (isRead || !knownStatuses.some((each) => hasStatus(record, each))),
    );
  }
}

const knownStatuses = Object.keys(statusTransitions) as KnownStatus[];

/** A list that is read as long as it may show something. */
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
/** So many full pages in order are no coincidence. */
const enoughPages = 3;
/** How long before its start a booking is made at most. Milliseconds. */
const clearLead = 400 * aDay;

/** Times in the order in which a list has them. */
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
   * By which order the rest of the list lies outside a time; `undefined` if nothing shows that. A list may begin in the middle, such as one
   * that has what is to come first and then what is past. So one sorted by start must have begun on the other side of the time.
   *
   * Nobody books for a time that has passed, and hardly anybody more than a year ahead: from that follows what an order by creation says.
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
