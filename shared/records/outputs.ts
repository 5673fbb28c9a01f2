import { inZone } from '../time/time.ts';
import { isObject, hasValue } from '../values.ts';
import { deliveryFields, recordFields, type FieldOf, type OutputField, type OutputKind, outputTables, type RecordTable } from './fields.ts';
import type { BookingRecord, RecordKind, ServiceRecord } from './records.ts';

/** The labelled fields of a record, in order, with those that a delivery and an operation add. */
export const outputFields = (
  kind: OutputKind,
  { delivery = false, adds = [] }: { delivery?: boolean; adds?: readonly OutputField[] | undefined } = {},
): OutputField[] => [...recordFields[kind], ...(delivery ? deliveryFields : []), ...adds];

/** The shape of a returned record: complete with what is added for people, or only the main fields. */
export type Shape = 'presented' | 'simplified';

/** A record as it is shown. A record with few fields is never shortened. */
export const show = (kind: OutputKind, record: ServiceRecord, shape: Shape): ServiceRecord =>
  shape === 'simplified' && isWide(kind) ? simplify(kind, record) : present(kind, record);

/** The same, with what an event adds to its record. */
export const showWith = (kind: RecordKind, record: ServiceRecord, added: ServiceRecord, shape: Shape): ServiceRecord =>
  shape === 'simplified' ? simplify(kind, { ...record, ...added }) : { ...present(kind, record), ...added };

/**
 * A record prepared for people: a booking's times also in the invitee's time zone, its answers also as a list, and names also in two parts.
 * What cannot be computed is left out, and nothing that the service sent is changed.
 */
export function present(kind: OutputKind, record: ServiceRecord): ServiceRecord {
  if (kind === 'contact') return { ...record, ...nameParts(record) };
  return kind === 'booking' ? presentBooking(record) : record;
}

function presentBooking(record: Partial<BookingRecord>): ServiceRecord {
  const { start_time: start, end_time: end, invitee_timezone: zone, question_responses: responses, answers } = record;
  const shownStart = inZone(start, zone);
  const shownEnd = inZone(end, zone);
  const shown: { -readonly [Field in FieldOf<'booking'>]?: unknown } = { ...record };
  if (shownStart !== undefined) shown.invitee_start_time = shownStart;
  if (shownEnd !== undefined) shown.invitee_end_time = shownEnd;
  Object.assign(shown, nameParts(record, 'invitee_'));
  // Some services list them, or have their own list.
  const listed = Array.isArray(responses) ? responses.filter(isObject) : (answers ?? []);
  shown.answers = isObject(responses) ? Object.keys(responses).map((question) => ({ question, answer: responses[question] })) : listed;
  return shown;
}

/** A name in two parts: the first word, and the rest. A single word is a first name. Parts that the service sent stay. */
function nameParts(record: ServiceRecord, prefix = ''): ServiceRecord {
  const [firstKey, lastKey] = [`${prefix}first_name`, `${prefix}last_name`];
  const name = record[`${prefix}name`];
  if (typeof name !== 'string' || hasValue(record[firstKey]) || hasValue(record[lastKey])) return {};
  const [first = ''] = name.trim().split(/\s/, 1);
  return { [firstKey]: first, [lastKey]: name.trim().slice(first.length).trim() };
}

/** Whether a record has so many fields that a short form helps. */
export const isWide = (kind: OutputKind): boolean => (outputTables[kind] as RecordTable).main !== undefined;

/** The fields that the short form of a record may have, with those that a delivery adds, in order; none if the record has no short form. */
export function simpleFields(kind: OutputKind): ReadonlySet<string> {
  const { main }: RecordTable = outputTables[kind];
  return new Set(main === undefined ? [] : [...main, ...deliveryFields.map(({ key }) => key)]);
}

/** The short form of a record: its main fields, without empty ones. A record of another kind stays as it is. */
export function simplify(kind: OutputKind, record: ServiceRecord): ServiceRecord {
  if (!isWide(kind)) return record;
  const fields = [...simpleFields(kind)].flatMap((key) => (hasValue(record[key]) ? [[key, record[key]]] : []));
  return Object.fromEntries(fields) as ServiceRecord;
}

const first: readonly (FieldOf<'booking'> | 'event')[] = ['event', 'invitee_name', 'start_time', 'event_type_name'];

/** A record whose fields begin with what people look for, because a table shows few columns at a time. Names and values stay the same. */
export const inReadingOrder = (record: ServiceRecord): ServiceRecord => ({
  ...Object.fromEntries(first.flatMap((key) => (Object.hasOwn(record, key) ? [[key, record[key]]] : []))),
  ...record,
});
