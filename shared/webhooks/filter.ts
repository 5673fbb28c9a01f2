import * as z from 'zod/v4';
import type { BookingRecord, RecordKind } from '../records/records.ts';
import { field } from '../operations/define.ts';
import { formFields, type FormField } from '../operations/form.ts';
import { eventNamed } from '../events.ts';
import { idText } from '../values.ts';

/** The filters of a trigger. */
const TriggerFilter = {
  event_type_ids: field(z.array(z.string()).optional(), {
    label: 'Event Types',
    help: 'Only bookings of these event types start a run. Leave empty for all',
    control: 'choices',
    lookup: 'eventTypes',
  }),
};

/** The filter fields of a trigger. Contacts have no event type. */
export const filterFields = ({ record }: { record: RecordKind }): FormField[] => (record === 'booking' ? formFields(TriggerFilter) : []);

/**
 * The chosen ids or names of a field with several values, as text. On every platform, an expression may give anything: a single value,
 * numbers, text with commas, or nothing. Empty and unusable entries are ignored, and so are invisible characters that were pasted.
 */
export function chosenTexts(value: unknown): string[] {
  return [value]
    .flat()
    .flatMap((each) => idText(each)?.split(',') ?? [])
    .map((each) => each.replace(/\p{Cf}/gu, '').trim())
    .filter((each) => each !== '');
}

/** The same for events, which may be in another notation, such as `Booking Created`. */
export const chosenEvents = (value: unknown): string[] => chosenTexts(value).map(eventNamed);

/**
 * Whether a record belongs to one of the chosen event types. No choice means all. A record without an event type passes, because losing a
 * real event is worse than one too many.
 */
export function eventTypeMatches({ event_type_id: id }: Partial<BookingRecord>, chosen: readonly string[]): boolean {
  return chosen.length === 0 || typeof id !== 'string' || id === '' || chosen.includes(id);
}
