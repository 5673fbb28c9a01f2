import {
  type BookingRecord,
  deliveryFields,
  type FieldOf,
  type OutputField,
  type OutputKind,
  outputTables,
  recordFields,
  type RecordKind,
  type RecordTable,
  type ServiceRecord,
} from './fields.ts';
import { readableLocal, readableTime } from '../time/readable.ts';
import { inZone } from '../time/time.ts';
import { certainZone } from '../time/zones.ts';
import { isObject, hasValue } from '../values.ts';

/** The labelled fields of a record, in order, with those that a delivery and an operation add. */
export const outputFields = (
  kind: OutputKind,
  { delivery, adds = [] }: { delivery?: 'whole' | 'alone'; adds?: readonly OutputField[] | undefined } = {},
): OutputField[] => [...recordFields[kind], ...(delivery === undefined ? [] : deliveryFields[delivery]), ...adds];

/** The labelled fields of a mapped record. The answers have no fields, because their names are those of questions. */
export const mappedFields = (kind: OutputKind, more: Parameters<typeof outputFields>[1] = {}): OutputField[] =>
  outputFields(kind, more).filter(({ key }) => key !== answersField && key !== responsesField);

/**
 * The shape of a returned record: complete with what is added for people; only the fields that are used most; or complete for hosts in which
 * people choose single values, with each answer once, under its question.
 */
export type OutputShape = 'presented' | 'simplified' | 'mapped';

/** A record as it is shown. A record with few fields is never shortened. */
export function show(kind: OutputKind, record: ServiceRecord, shape: OutputShape): ServiceRecord {
  const whole = present(kind, record);
  if (shape === 'mapped') return mapped(kind, whole);
  return shape === 'simplified' && isWide(kind) ? short(record, whole, simpleFields(kind)) : whole;
}

/** The field with a booking's answers that people read. */
export const answersField = 'answers' satisfies FieldOf<'booking'>;
const responsesField = 'question_responses' satisfies FieldOf<'booking'>;

/** A presented record in the shape `mapped`. A service that lists the answers itself has its list. */
export function mapped(kind: OutputKind, record: ServiceRecord): ServiceRecord {
  if (kind !== 'booking') return record;
  const { [responsesField]: responses, ...others } = record;
  return isObject(responses) ? { ...others, [answersField]: responses } : others;
}

/** What an event is to its record. */
interface EventRecord {
  record: RecordKind;
  tells?: string | undefined;
}

/** The record of an event as it is shown, with what the event adds to it. */
export const showWith = (row: EventRecord, record: ServiceRecord, added: ServiceRecord, shape: OutputShape): ServiceRecord => {
  const whole = { ...show(row.record, record, shape === 'mapped' ? shape : 'presented'), ...added };
  return shape === 'simplified' ? short(record, whole, simpleEventFields(row)) : whole;
};

/**
 * A record prepared for people: a booking's times also as the invitee reads them and on the invitee's clock, its answers also as a list, names also in two
 * parts, and who and when before ids. What cannot be computed is left out, and nothing that the service sent is changed.
 */
export function present(kind: OutputKind, record: ServiceRecord): ServiceRecord {
  if (kind === 'contact') return inOrder(kind, { ...record, ...nameParts(record) });
  return inOrder(kind, kind === 'booking' ? presentBooking(record) : record);
}

/** A record with its fields in the order of their table, and after them those that are in no table. */
function inOrder(kind: OutputKind, record: ServiceRecord): ServiceRecord {
  const ordered: ServiceRecord = {};
  for (const key in outputTables[kind].fields) if (Object.hasOwn(record, key)) ordered[key] = record[key];
  return { ...ordered, ...record };
}

function presentBooking(record: Partial<BookingRecord>): ServiceRecord {
  const { start_time: start, end_time: end, previous_start_time: previous, locale, question_responses: responses, answers } = record;
  const zone = certainZone(record.invitee_timezone);
  const startThere = inZone(start, zone);
  const made: { [Field in FieldOf<'booking'>]?: unknown } = {
    readable_start: readableLocal(startThere, zone, locale),
    // A booking that was never moved has the same fields as one that was.
    readable_previous_start: previous === null ? null : readableTime(previous, zone, locale),
    invitee_start_time: startThere,
    invitee_end_time: inZone(end, zone),
  };
  // Some services list them, or have their own list.
  const listed = Array.isArray(responses) ? responses.filter(isObject) : (answers ?? []);
  const whole: ServiceRecord = { ...record };
  for (const [key, value] of Object.entries(made)) if (value !== undefined) whole[key] = value;
  return Object.assign(whole, nameParts(record, 'invitee_'), {
    answers: isObject(responses) ? Object.keys(responses).map((question) => ({ question, answer: responses[question] })) : listed,
  });
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

/** A short form has at most this many fields, so that people can take them in. */
const maxSimple = 10;

/** The fields of a record that most people use, in order; none if the record has few. */
export const mainFields = (kind: OutputKind): readonly string[] => (outputTables[kind] as RecordTable).main ?? [];

/** The fields of a record's short form, in order. */
export const simpleFields = (kind: OutputKind): readonly string[] => mainFields(kind).slice(0, maxSimple);

/** The fields of an event's short form, in order: the event in place of the status, and what it tells before what is used least. */
export function simpleEventFields({ record, tells }: EventRecord): readonly string[] {
  const told = tells === undefined ? [] : [tells];
  const fields = ['event', ...simpleFields(record).filter((key) => key !== 'status')];
  return [...fields.slice(0, maxSimple - told.length), ...told];
}

/** The main fields of a record, without empty ones. A record of another kind stays as it is. */
export const mainPart = (kind: OutputKind, record: ServiceRecord): ServiceRecord =>
  isWide(kind) ? pick(record, mainFields(kind)) : record;

/** The short form of a record. Where it would have fewer than half of its fields, it also has what the service sent, as far as there is room. */
function short(sent: ServiceRecord, whole: ServiceRecord, keys: readonly string[]): ServiceRecord {
  const main = pick(whole, keys);
  const found = Object.keys(main);
  if (found.length >= keys.length / 2) return main;
  const others = Object.keys(sent).filter((key) => hasValue(sent[key]) && !found.includes(key));
  return { ...main, ...pick(whole, others.slice(0, maxSimple - found.length)) };
}

export function pick(record: ServiceRecord, keys: readonly string[]): ServiceRecord {
  const picked: ServiceRecord = {};
  for (const key of keys) if (hasValue(record[key])) picked[key] = record[key];
  return picked;
}

/** A record that begins with its event, because a table shows few columns at a time. Names and values stay the same. */
export const inReadingOrder = (record: ServiceRecord): ServiceRecord =>
  'event' in record ? { event: record['event'], ...record } : record;
