import { hasEnded } from '../../reading/index.ts';
import { comparableTime } from '../../time/time.ts';
import type { BookingRecord } from '../../records/fields.ts';

/**
 * Sorts bookings in the order in which people look for them: upcoming ones by start, then past ones, latest first; cancelled ones last, in
 * the same order.
 */
export function sortByRelevance(records: readonly BookingRecord[], now: number): BookingRecord[] {
  const rank = (record: BookingRecord) => {
    const start = comparableTime(record.start_time) ?? Number.NaN;
    return {
      cancelled: hasEnded(record) ? 1 : 0,
      past: start >= now ? 0 : 1,
      distance: Number.isNaN(start) ? Infinity : Math.abs(start - now),
    };
  };
  return records
    .map((record) => ({ record, ...rank(record) }))
    .sort((a, b) => a.cancelled - b.cancelled || a.past - b.past || a.distance - b.distance)
    .map(({ record }) => record);
}
