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

/** The labelled fields of a record, in order, with those that a delivery or an operation adds. */
export const outputFields = (
  kind: OutputKind,
  { delivery, adds = [] }: { delivery?: 'whole' | 'alone'; adds?: readonly OutputField[] | undefined } = {},
): OutputField[] => [...recordFields[kind], ...(delivery === undefined ? [] : deliveryFields[delivery]), ...adds];

/** The labelled fields of a mapped record. Answers have none, because their names are the questions. */
export const mappedFields = (kind: OutputKind, more: Parameters<typeof outputFields>[1] = {}): OutputField[] =>
  outputFields(kind, more).filter(({ key }) => key !== answersField && key !== responsesField);

/**
 * The shape of a returned record. `presented`: complete, with what is added for people. `simplified`: only the most used fields. `mapped`:
 * complete, with each answer once, under its question, for hosts in which people pick single values.
 */
export type OutputShape = 'presented' | 'simplified' | 'mapped';

/** A record in the wanted shape. A record with few fields is never shortened. */
export function show(kind: OutputKind, record: ServiceRecord, shape: OutputShape): ServiceRecord {
  const whole = present(kind, record);
  if (shape === 'mapped') return mapped(kind, whole);
  return shape === 'simplified' && isWide(kind) ? short(record, whole, simpleFields(kind)) : whole;
}

/** The field with a booking's answers as people read them. */
export const answersField = 'answers' satisfies FieldOf<'booking'>;
const responsesField = 'question_responses' satisfies FieldOf<'booking'>;

/** A presented record in the shape `mapped`. If the service sends a list of answers, that list stays. */
export function mapped(kind: OutputKind, record: ServiceRecord): ServiceRecord {
  if (kind !== 'booking') return record;
  const { [responsesField]: responses, ...others } = record;
  return isObject(responses) ? { ...others, [answersField]: responses } : others;
}

/** An event's kind of record, and the field that it is about. */
interface EventRecord {
  record: RecordKind;
  tells?: string | undefined;
}

/** An event's record in the wanted shape, with the fields that the event adds. */
export const showWith = (row: EventRecord, record: ServiceRecord, added: ServiceRecord, shape: OutputShape): ServiceRecord => {
  const whole = { ...show(row.record, record, shape === 'mapped' ? shape : 'presented'), ...added };
  return shape === 'simplified' ? short(record, whole, simpleEventFields(row)) : whole;
};

/**
 * A record prepared for people: names also in two parts, who and when before ids, and for a booking readable times, times on the invitee's
 * clock and a list of answers. What cannot be computed is left out; values that the service sent stay the same.
 */
export function present(kind: OutputKind, record: ServiceRecord): ServiceRecord {
  if (kind === 'contact') return inOrder(kind, { ...record, ...nameParts(record) });
  return inOrder(kind, kind === 'booking' ? presentBooking(record) : record);
}

/** A record with its fields in the order of their table, followed by all others. */
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
    // A booking that was never moved has the same fields as one that was moved.
    readable_previous_start: previous === null ? null : readableTime(previous, zone, locale),
    invitee_start_time: startThere,
    invitee_end_time: inZone(end, zone),
  };
  // Some services send a list of responses, or of answers.
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

/** Whether a kind of record has enough fields that a short form helps. */
export const isWide = (kind: OutputKind): boolean => (outputTables[kind] as RecordTable).main !== undefined;

/** The maximum number of fields in a short form, so that people can take them in. */
const maxSimple = 10;

/** The fields of a record that most people use, in order; none if it has few fields. */
export const mainFields = (kind: OutputKind): readonly string[] => (outputTables[kind] as RecordTable).main ?? [];

/** The fields of a record's short form, in order. */
export const simpleFields = (kind: OutputKind): readonly string[] => mainFields(kind).slice(0, maxSimple);

/** The fields of an event's short form, in order: the event replaces the status, and the field that it is about replaces the least used. */
export function simpleEventFields({ record, tells }: EventRecord): readonly string[] {
  const told = tells === undefined ? [] : [tells];
  const fields = ['event', ...simpleFields(record).filter((key) => key !== 'status')];
  return [...fields.slice(0, maxSimple - told.length), ...told];
}

/** A record's main fields, without empty ones. A kind without a short form stays unchanged. */
export const mainPart = (kind: OutputKind, record: ServiceRecord): ServiceRecord =>
  isWide(kind) ? pick(record, mainFields(kind)) : record;

/** The short form of a record. If fewer than half its fields have values, others that the service sent fill it up. */
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

/** Moves the event to the front, because tables show few columns at a time. Names and values stay the same. */
export const inReadingOrder = (record: ServiceRecord): ServiceRecord =>
  'event' in record ? { event: record['event'], ...record } : record;
