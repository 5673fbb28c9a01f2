import { bookingDateFilters, statusTransitions, type DateFilters } from '../../assumptions.ts';
import type { Client } from '../../client/client.ts';
import { ServiceError } from '../../client/errors.ts';
import { paginate, type Listing } from '../../client/pages.ts';
import { maxScanned, partNote } from '../../client/scanLimit.ts';
import { hasEnded } from '../../records/status.ts';
import type { BookingRecord } from '../../records/records.ts';
import { instantOf, instantsBetween } from '../../time/time.ts';

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

/**
 * The bookings of some lists that start in a window, sorted by start. The service documents no filter by date and no order (G31, G46), so the
 * lists are read, and a booking whose start cannot be read is not left out: it comes last.
 *
 * @param limit how many are wanted. With a limit, no more is read than a search may read; without one, everything is
 * @param note is told how many fit and how many were read, and if there were too many to read all of them
 * @param filters the service's own filters, if it has any
 * @throws ServiceError `invalid` if the window ends before it begins
 */
export async function bookingsInWindow(
  client: Client,
  lists: readonly Listing<'booking'>[],
  { from, to, upcoming = false }: Window,
  limit?: number,
  note?: (sentence: string) => void,
  filters: DateFilters | undefined = bookingDateFilters,
): Promise<BookingRecord[]> {
  const [earliest, latest] = [from === undefined ? -Infinity : instantOf(from), to === undefined ? Infinity : instantOf(to)];
  if (earliest >= latest)
    throw new ServiceError('invalid', {
      message: '"Before" must be later than "After".',
      advice: 'Correct it and run this again.',
      fields: [{ field: 'to', message: 'must be later than "After"' }],
    });
  const now = client.clock.now();
  const begin = upcoming ? Math.max(earliest, now) : earliest;
  const list = paginate(
    client,
    filters === undefined ? lists : lists.map((each) => filtered(each, filters, begin, latest)),
    limit && maxScanned,
  );
  const read = await list.all();
  const fitting = read.filter((record) => {
    const [first, last] = instantsBetween(record.start_time);
    return last >= begin && first < latest && !(upcoming && hasEnded(record));
  });
  note?.(`${counted(fitting.length)} in this window, of ${read.length.toLocaleString('en')} that were read.`);
  const unknown = fitting.filter(({ start_time: start }) => !Number.isFinite(instantsBetween(start)[0]));
  if (unknown.length > 0) note?.(`${counted(unknown.length)} among them without a start that can be read.`);
  if (list.isTruncated) note?.(partNote('bookings', 'Add a status or an email, or ask for all of them.'));
  return fitting.sort((a, b) => startOf(a) - startOf(b));
}

/** The list asked for by date, a minute wider, because such a filter may leave out its bounds. What comes is filtered again. */
function filtered(list: Listing<'booking'>, filters: DateFilters, begin: number, end: number): Listing<'booking'> {
  const at = (name: string, ms: number) => (Number.isFinite(ms) ? { [name]: new Date(ms).toISOString() } : {});
  return { ...list, query: { ...list.query, ...at(filters.from, begin - aMinute), ...at(filters.to, end + aMinute) } };
}

const aMinute = 60_000;

const counted = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'booking is' : 'bookings are'}`;

/** A time without an offset is sorted as if it were in UTC; what cannot be read comes last. */
function startOf({ start_time: start }: BookingRecord): number {
  const [first, last] = instantsBetween(start);
  return Number.isFinite(first) ? (first + last) / 2 : Number.MAX_VALUE;
}
