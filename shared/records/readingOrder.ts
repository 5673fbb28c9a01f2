import type { FieldOf } from './fields.ts';
import type { ServiceRecord } from './records.ts';

/** The event, then who, when and what. */
const first: readonly (FieldOf<'booking'> | 'event')[] = ['event', 'invitee_name', 'start_time', 'event_type_name'];

/** A record whose fields begin with what people look for, because a table shows few columns at a time. Names and values stay the same. */
export const inReadingOrder = (record: ServiceRecord): ServiceRecord => ({
  ...Object.fromEntries(first.flatMap((key) => (Object.hasOwn(record, key) ? [[key, record[key]]] : []))),
  ...record,
});
