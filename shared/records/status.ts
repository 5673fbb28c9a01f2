import { statusTransitions } from '../assumptions.ts';
import type { BookingRecord } from './records.ts';
import { comparableTime } from '../time/time.ts';

/** A booking's status, as far as the document names one. */
export type KnownStatus = keyof typeof statusTransitions;

/** Whether a booking has this status, in any letter case, in either spelling (`cancelled`, `CANCELED`), and with more words after it. */
export const hasStatus = ({ status }: { readonly status?: unknown }, wanted: KnownStatus): boolean => {
  const said = saidOf(status).replace(/^CANCELED/, 'CANCELLED');
  const known = statusTransitions[wanted];
  return said === known || (wanted === 'cancelled' && said.startsWith(`${known}_`));
};

/** Whether a booking may have a status that was asked for: it shows none of the others. A service may filter by email alone (G42). */
export const mayHaveStatus = (record: { readonly status?: unknown }, wanted: string | undefined): boolean =>
  wanted === undefined ||
  (Object.keys(statusTransitions) as KnownStatus[]).every((each) => statusTransitions[each] === wanted || !hasStatus(record, each));

/** Whether a booking will not take place: it was cancelled, or never accepted. */
export const hasEnded = (record: { readonly status?: unknown }): boolean =>
  hasStatus(record, 'cancelled') || ['DENIED', 'DECLINED', 'REJECTED', 'DELETED', 'EXPIRED'].includes(saidOf(record.status));

const saidOf = (status: unknown): string =>
  typeof status === 'string'
    ? status
        .trim()
        .toUpperCase()
        .replace(/[\s-]+/g, '_')
    : '';

/**
 * Bookings in the order in which people look for them: upcoming ones by start, then past ones, the latest first; cancelled ones last, in
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
