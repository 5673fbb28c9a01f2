import type { FieldOf } from './api/fields.ts';
import type { ServiceRecord } from './api/records.ts';

/** What happened, who, when and what. */
const first: readonly (FieldOf<'booking'> | 'event')[] = ['event', 'invitee_name', 'start_time', 'event_type_name'];

/** A record whose fields begin with what a person looks for: a table of fields shows few at a time. Names and values stay as they are. */
export const inReadingOrder = (record: ServiceRecord): ServiceRecord => ({
  ...Object.fromEntries(first.flatMap((key) => (Object.hasOwn(record, key) ? [[key, record[key]]] : []))),
  ...record,
});
