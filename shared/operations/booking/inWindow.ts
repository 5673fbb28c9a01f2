import { hasEnded, mayHaveStatus } from '../../reading/index.ts';
import type { BookingRecord, ServiceRecord } from '../../records/fields.ts';
import type { Client } from '../../client/client.ts';
import type { Listing } from '../../call.ts';
import { instantOf, instantsBetween } from '../../time/time.ts';
import type { RunContext } from '../define.ts';
import { readBookings, type BookingReading } from './reading.ts';

/** A time window. The times are ISO 8601 with an offset. */
export interface Window {
  /** The earliest start. */
  from?: string | undefined;
  /** All starts are before this time. */
  to?: string | undefined;
  /** Only bookings that have not started and are neither cancelled nor denied. */
  upcoming?: boolean | undefined;
}

export const hasWindow = ({ from, to, upcoming }: Window): boolean => from !== undefined || to !== undefined || upcoming === true;

/** The first and the last instant of a window, in milliseconds since the epoch. */
export const boundsOf = ({ from, to }: Window): readonly [begin: number, end: number] => [
  from === undefined ? -Infinity : instantOf(from),
  to === undefined ? Infinity : instantOf(to),
];

/**
 * The bookings that start in a window, sorted by start. A booking whose start cannot be read is not left out: it comes last.
 *
 * @param lists returns the lists of some statuses, with all other filters
 */
export async function bookingsInWindow(
  client: Client,
  lists: (statuses: readonly (string | undefined)[]) => Listing<'booking'>[],
  window: Window & { status?: string | undefined },
  context: RunContext,
): Promise<BookingRecord[]> {
  const { upcoming = false, status } = window;
  const [earliest, end] = boundsOf(window);
  const begin = upcoming ? Math.max(earliest, client.clock.now()) : earliest;
  const fits = (record: BookingRecord): boolean => {
    const [first, last] = instantsBetween(record.start_time);
    return last >= begin && first < end && mayHaveStatus(record, status) && !(upcoming && hasEnded(record));
  };
  const key = JSON.stringify(['in window', window]);
  const reading = await readBookings(client, { lists, status, upcoming, begin, end, fits, key }, context);
  if (reading.isPart) tellPart(reading.count, context, 'Add a status or an email.');
  const { records } = reading;
  tellRead(reading, records.length, records.filter(({ start_time: start }) => !Number.isFinite(instantsBetween(start)[0])).length, context);
  return records.toSorted((a, b) => startOf(a) - startOf(b));
}

/** Says, before the result, that it is incomplete and how to get all of it. @param advice used if the platform has none */
export function tellPart(count: number, { bound, partNote, note }: Pick<RunContext, 'bound' | 'partNote' | 'note'>, advice: string): void {
  (partNote ?? note)?.(`This is not the whole answer: ${onlyRead(count)} ${bound?.advice ?? advice}`);
}

export const onlyRead = (count: number): string => `only ${counted(count)} were read in the time for one search, and there are more.`;

/**
 * Says how many bookings were found and read, and why no more were read.
 *
 * @param unknown how many of the found ones have a start that cannot be read
 */
export function tellRead(reading: BookingReading, found: number, unknown: number, { note, aside = note }: RunContext): void {
  aside?.(`${counted(found)} ${are(found)} in this window, of ${reading.count.toLocaleString('en')} that were read.`);
  if (reading.conclusion !== undefined) aside?.(reading.conclusion);
  if (unknown > 0) note?.(`${counted(unknown)} ${are(unknown)} among them without a start that can be read.`);
}

export const counted = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'booking' : 'bookings'}`;
const are = (count: number): string => (count === 1 ? 'is' : 'are');

/** A time without an offset is sorted as if it were in UTC; a start that cannot be read comes last. */
function startOf({ start_time: start }: BookingRecord): number {
  const [first, last] = instantsBetween(start);
  return Number.isFinite(first) ? (first + last) / 2 : Number.MAX_VALUE;
}

/** The same records. If there are none, calls `check`, whose error says why. */
export const orElse = (
  list: AsyncIterable<ServiceRecord> & { readonly isTruncated: boolean },
  check: () => Promise<unknown>,
): AsyncIterable<ServiceRecord> & { readonly isTruncated: boolean } => ({
  get isTruncated() {
    return list.isTruncated;
  },
  async *[Symbol.asyncIterator]() {
    let count = 0;
    for await (const record of list) {
      count += 1;
      yield record;
    }
    if (count === 0) await check();
  },
});

/** The first records of a result that is always read completely. Afterwards, `isTruncated` says whether there are more. */
export function firstOf(
  read: () => Promise<ServiceRecord[]>,
  limit = Infinity,
): AsyncIterable<ServiceRecord> & { readonly isTruncated: boolean } {
  let isTruncated = false;
  return {
    get isTruncated() {
      return isTruncated;
    },
    async *[Symbol.asyncIterator]() {
      const all = await read();
      isTruncated = all.length > limit;
      yield* all.slice(0, limit);
    },
  };
}
