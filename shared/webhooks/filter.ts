import * as z from 'zod/v4';
import type { RecordKind, ServiceRecord } from '../api/records.ts';
import { field } from '../define.ts';
import { formFields, type FormField } from '../form.ts';

/** What a trigger can be narrowed by. */
export const TriggerFilter = {
  event_type_ids: field(z.array(z.string()).optional(), {
    label: 'Event Types',
    help: 'Only bookings of these event types start a run; leave it empty for all',
    control: 'choices',
    lookup: 'eventTypes',
  }),
};

/** The filter fields of a trigger: contacts have no event type. */
export const filterFields = ({ record }: { record: RecordKind }): FormField[] => (record === 'booking' ? formFields(TriggerFilter) : []);

/**
 * Whether a record belongs to one of the chosen event types. No choice means all; a record that does not tell its event
 * type passes, because losing a real event is worse than one too many.
 */
export function eventTypeMatches({ event_type_id: id }: ServiceRecord, chosen: readonly string[]): boolean {
  return chosen.length === 0 || typeof id !== 'string' || chosen.includes(id);
}
