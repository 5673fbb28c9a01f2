import * as z from 'zod/v4';
import type { BookingRecord, RecordKind } from '../api/records.ts';
import { field } from '../define.ts';
import { formFields, type FormField } from '../form.ts';
import { idText } from '../values.ts';

/** What a trigger can be narrowed by. */
export const TriggerFilter = {
  event_type_ids: field(z.array(z.string()).optional(), {
    label: 'Event Types',
    help: 'Only bookings of these event types start a run. Leave empty for all',
    control: 'choices',
    lookup: 'eventTypes',
  }),
};

/** The filter fields of a trigger: contacts have no event type. */
export const filterFields = ({ record }: { record: RecordKind }): FormField[] => (record === 'booking' ? formFields(TriggerFilter) : []);

/**
 * What was chosen in a field that takes several ids or names, as texts. On both platforms an expression may give anything:
 * a single value, numbers, a text with commas between, nothing at all. Empty entries, and those that are no ids, choose nothing.
 */
export function chosenTexts(value: unknown): string[] {
  const entries: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value];
  return entries
    .flatMap((each) => idText(each) ?? [])
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/**
 * Whether a record belongs to one of the chosen event types. No choice means all; a record that does not tell its event
 * type passes, because losing a real event is worse than one too many.
 */
export function eventTypeMatches({ event_type_id: id }: Partial<BookingRecord>, chosen: readonly string[]): boolean {
  return chosen.length === 0 || typeof id !== 'string' || chosen.includes(id);
}
