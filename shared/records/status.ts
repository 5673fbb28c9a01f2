import { statusKeys, statusTransitions, statusWords } from '../assumptions.ts';
import { asText, isObject } from '../values.ts';
import type { BookingRecord } from './records.ts';
import { comparableTime } from '../time/time.ts';

/** A booking's status, as far as the document names one. */
export type KnownStatus = keyof typeof statusTransitions;

interface WithStatus {
  readonly status?: unknown;
}

/**
 * Whether a booking has this status, in any letter case and spelling (`cancelled`, `CANCELED`), with more words after it, in other words
 * for it, or inside an object (G21). A booking that was denied is cancelled as well.
 */
export const hasStatus = ({ status }: WithStatus, wanted: KnownStatus): boolean =>
  statusWords[wanted].test(saidOf(status)) || (wanted === 'cancelled' && wasDenied({ status }));

/** Whether a booking was never accepted. */
export const wasDenied = ({ status }: WithStatus): boolean => statusWords.denied.test(saidOf(status));

/** Whether a booking says nothing of its status. */
export const saysNoStatus = ({ status }: WithStatus): boolean => saidOf(status) === '';

/** Whether a booking may have a status that was asked for: it shows none of the others. A service may filter by email alone (G42). */
export const mayHaveStatus = (record: { readonly status?: unknown }, wanted: string | undefined): boolean =>
  wanted === undefined ||
  (Object.keys(statusTransitions) as KnownStatus[]).every((each) => statusTransitions[each] === wanted || !hasStatus(record, each));

/** Whether a booking will not take place: it was cancelled, or never accepted. */
export const hasEnded = (record: WithStatus): boolean => hasStatus(record, 'cancelled');

/** A status in capitals, with `_` between its words. */
const saidOf = (status: unknown): string =>
  asText(isObject(status) ? statusKeys.map((key) => status[key]).find((value) => asText(value) !== '') : status)
    .trim()
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toUpperCase()
    .replace(/[\s-]+/g, '_');

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
