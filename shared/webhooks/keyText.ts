import type { EventRow } from '../events.ts';
import type { BookingRecord, ContactRecord, ServiceRecord } from '../records/fields.ts';
import { comparableTime } from '../time/time.ts';
import { asText } from '../values.ts';

/** The SHA-256 of a text, as digits. Passed in where code also runs without Node.js. */
export type Hash = (text: string, form: 'hex' | 'base64url') => string;

/** The text whose SHA-256 is the key made from these parts. */
export const keyText = (...parts: readonly (string | undefined)[]): string => JSON.stringify(parts);

/** The parts whose hash is the key. */
export const changeParts = ({ name, turn }: Changing, record: ServiceRecord): readonly string[] => [
  'change',
  name,
  String(record['id']),
  turn === undefined ? '' : turns[turn](record),
];

/** An event, and what distinguishes one such change of a record from the next. */
export interface Changing {
  name: string;
  turn?: EventRow['turn'];
}

/** The start as an instant, so that another way to write it does not count as another start; the text itself if it is not a time. */
export function startOf({ start_time: start }: Partial<BookingRecord>): string {
  const at = comparableTime(start);
  return at === undefined ? asText(start) : new Date(at).toISOString();
}

/** A contact's data about the person as one text. A field that is absent counts as empty. */
export function personOf({ name, email, phone, timezone, locale, notes }: Partial<ContactRecord>): string {
  return JSON.stringify([name, email, phone, timezone, locale, notes].map(asText));
}

const turns = { start: startOf, person: personOf };
