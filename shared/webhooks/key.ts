import type { EventRow } from '../events.ts';
import type { BookingRecord, ContactRecord, ServiceRecord } from '../records/fields.ts';
import { comparableTime } from '../time/time.ts';
import { asText } from '../values.ts';
import type { Hash } from './signature.ts';

/** A key made from these parts: 64 hexadecimal digits. */
export const deliveryKey = (sha256: Hash, ...parts: readonly (string | undefined)[]): string => sha256(JSON.stringify(parts), 'hex');

/**
 * The key of a change: 64 hexadecimal digits, the same in a delivery and in a poll, and for every repeat. It is computed from the event,
 * the record's id and, for changes that can happen repeatedly, the new value: a rescheduled booking's start, or a contact's data. It is
 * unique only within one account, because another account may use the same ids.
 *
 * If a record changes to A, to B and to A again, both changes to A have the same key. To tell them apart, keep only the last key for each
 * record and event.
 */
export const changeKey = (sha256: Hash, { name, turn }: Changing, record: ServiceRecord): string =>
  deliveryKey(sha256, 'change', name, String(record['id']), turn === undefined ? '' : turns[turn](record));

/** An event, and what distinguishes one such change of a record from the next. */
export interface Changing {
  name: string;
  turn?: EventRow['turn'];
}

/** The start as an instant, so that the same start in another notation does not count as a change; the text itself if it is not a time. */
export function startOf({ start_time: start }: Partial<BookingRecord>): string {
  const at = comparableTime(start);
  return at === undefined ? asText(start) : new Date(at).toISOString();
}

/** A contact's data about the person as one text. A field that is absent counts as empty. */
export function personOf({ name, email, phone, timezone, locale, notes }: Partial<ContactRecord>): string {
  return JSON.stringify([name, email, phone, timezone, locale, notes].map(asText));
}

const turns = { start: startOf, person: personOf };
