import { deliveryKeys, type RecordKind, type ServiceRecord } from './api/records.ts';

/** The fields that most people use of a record that has more than ten. */
const main: Partial<Record<RecordKind, readonly string[]>> = {
  booking: [
    'id', 'status', 'event_type_id', 'event_type_name', 'start_time', 'end_time', 'invitee_name', 'invitee_email', 'invitee_timezone',
    'notes', 'question_responses', 'meeting_url', 'location', 'cancellation_reason', 'previous_start_time',
  ],
  contact: ['id', 'name', 'email', 'phone', 'timezone', 'notes'],
  eventType: ['id', 'name', 'description', 'duration_minutes', 'active', 'requires_approval', 'location', 'questions'],
};

/** Whether a record has so many fields that a shorter form of it helps. */
export const isWide = (kind: RecordKind): boolean => Object.hasOwn(main, kind);

/** The fields that the short form of a record may have, with those that a delivery adds. */
export function simpleFields(kind: RecordKind): ReadonlySet<string> {
  const known = fieldsOf.get(kind);
  if (known !== undefined) return known;
  const fields = new Set([...(main[kind] ?? []), ...deliveryKeys]);
  fieldsOf.set(kind, fields);
  return fields;
}

const fieldsOf = new Map<RecordKind, ReadonlySet<string>>();

/** The short form of a record: its main fields, as far as they say something. A record of another kind stays as it is. */
export function simplify(kind: RecordKind, record: ServiceRecord): ServiceRecord {
  if (!isWide(kind)) return record;
  const short: ServiceRecord = {};
  for (const field of simpleFields(kind)) {
    const value = record[field];
    if (value !== null && value !== undefined && value !== '') short[field] = value;
  }
  return short;
}
