import { statusTransitions } from '../../assumptions.ts';
import type { Client } from '../../client/client.ts';
import { paginate, type Listing, maxScanned, partNote } from '../../client/pages.ts';
import { hasEnded } from '../../records/status.ts';
import type { BookingRecord, ServiceRecord } from '../../records/records.ts';
import { instantOf, instantsBetween } from '../../time/time.ts';
import type { RunContext } from '../define.ts';

/** A window of time. The times are ISO 8601 with an offset. */
export interface Window {
  /** The earliest start. */
  from?: string | undefined;
  /** Every start is before it. */
  to?: string | undefined;
  /** Only what has not started, and was neither cancelled nor denied. */
  upcoming?: boolean | undefined;
}

export const hasWindow = ({ from, to, upcoming }: Window): boolean => from !== undefined || to !== undefined || upcoming === true;

/**
 * The statuses to ask for. What a list without a status holds is not documented, so each status is asked for as well (G42).
 *
 * @param status the only one that is wanted
 */
export function statusesIn({ upcoming }: Window, status: string | undefined): readonly (string | undefined)[] {
  if (status !== undefined) return [status];
  const { pending, confirmed, cancelled } = statusTransitions;
  return upcoming === true ? [undefined, pending, confirmed] : [undefined, pending, confirmed, cancelled];
}

/** The first and the last instant of a window, in milliseconds. */
export const boundsOf = ({ from, to }: Window): readonly [begin: number, end: number] => [
  from === undefined ? -Infinity : instantOf(from),
  to === undefined ? Infinity : instantOf(to),
];

/**
 * The bookings of some lists that start in a window, sorted by start, see {@link readFitting}. A booking whose start cannot be read is not
 * left out: it comes last.
 */
export async function bookingsInWindow(
  client: Client,
  lists: readonly Listing<'booking'>[],
  window: Window,
  options: ReadOptions = {},
): Promise<BookingRecord[]> {
  const { upcoming = false } = window;
  const [earliest, end] = boundsOf(window);
  const begin = upcoming ? Math.max(earliest, client.clock.now()) : earliest;
  const fits = (record: BookingRecord): boolean => {
    const [first, last] = instantsBetween(record.start_time);
    return last >= begin && first < end && !(upcoming && hasEnded(record));
  };
  const fitting = await readFitting(client, lists, async (read) => read.filter(fits), options);
  return fitting.sort((a, b) => startOf(a) - startOf(b));
}

interface ReadOptions extends Pick<RunContext, 'limit' | 'note'> {
  /** How to read all, if there were too many. */
  advice?: string;
}

/**
 * The bookings of some lists that fit a window. The service documents no filter by date and no order (G31, G46), so the lists are read. With a
 * limit, no more is read than a search may read; without one, everything is. The note is told how many fit and how many were read, and if
 * there were too many to read all of them.
 */
export async function readFitting(
  client: Client,
  lists: readonly Listing<'booking'>[],
  fitting: (read: BookingRecord[]) => Promise<BookingRecord[]>,
  { limit, note, advice = 'Add a status or an email, or ask for all of them.' }: ReadOptions,
): Promise<BookingRecord[]> {
  const list = paginate(client, lists, limit && maxScanned);
  const read = await list.all();
  const found = await fitting(read);
  note?.(`${counted(found.length)} in this window, of ${read.length.toLocaleString('en')} that were read.`);
  const unknown = found.filter(({ start_time: start }) => !Number.isFinite(instantsBetween(start)[0]));
  if (unknown.length > 0) note?.(`${counted(unknown.length)} among them without a start that can be read.`);
  if (list.isTruncated) note?.(partNote('bookings', advice));
  return found;
}

const counted = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'booking is' : 'bookings are'}`;

/** A time without an offset is sorted as if it were in UTC; what cannot be read comes last. */
function startOf({ start_time: start }: BookingRecord): number {
  const [first, last] = instantsBetween(start);
  return Number.isFinite(first) ? (first + last) / 2 : Number.MAX_VALUE;
}

/** The first records of what is read as a whole. Once they are read, `isTruncated` says whether there are more. */
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
