import { recordEnvelope } from '../assumptions.ts';
import { brand } from '../brand.ts';
import { asText, hasValue, idText, isInexact, isObject, onlyOne } from '../values.ts';
import { tidy } from '../client/errorBody.ts';
import { ServiceError } from '../client/errors.ts';
import { recordTables, type FieldRow, type RecordKind, type RecordOf } from './fields.ts';

export type { BookingRecord, ContactRecord, EventTypeRecord, RecordKind, RecordOf, SubscriptionRecord, UserRecord } from './fields.ts';

/**
 * A record of any kind as it is passed to a platform, which reads none of its fields: canonical names, and every unknown field unchanged.
 */
export type ServiceRecord = { [field: string]: unknown };

type Path = readonly string[];

interface Reading {
  names: readonly string[];
  /** Fields that may be in other places, and those places. */
  aliases: readonly (readonly [field: string, paths: readonly Path[]])[];
  /** Fields that contain ids. Numbers in them become text (G3). */
  ids: readonly string[];
  /** The field for a whole name, if the record also has one for its first part. */
  wholeName: string | undefined;
}

const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The usual other names of a field: `startTime` for `start_time`, and `uid` or `booking_id` for the id. */
const otherNames = (field: string, names: readonly string[]): readonly Path[] =>
  (field === 'id' ? ['_id', 'uid', ...names.flatMap((name) => [camelCase(`${name}_id`), `${name}_id`])] : [camelCase(field)])
    .filter((key) => key !== field)
    .map((key) => [key]);

function readingOf({ names, fields }: { names: readonly string[]; fields: Readonly<Record<string, FieldRow>> }): Reading {
  const rows = Object.entries(fields);
  const aliases = rows
    .map(([field, { alsoAt = [], isMade }]) => {
      const paths = [...otherNames(field, names), ...alsoAt, ...alsoAt.map((path) => path.map(camelCase))];
      return [field, isMade === true ? [] : paths] as const;
    })
    .filter(([, paths]) => paths.length > 0);
  return {
    names: [...new Set(names.flatMap((name) => [name, camelCase(name)]))],
    aliases,
    ids: rows.filter(([, { type }]) => type === 'id').map(([field]) => field),
    wholeName: ['name', 'invitee_name'].find((field) => Object.hasOwn(fields, field.replace('name', 'first_name'))),
  };
}

export const readings = Object.fromEntries(Object.entries(recordTables).map(([kind, table]) => [kind, readingOf(table)])) as Record<
  RecordKind,
  Reading
>;

const unsafe = ['__proto__', 'constructor', 'prototype'];

/**
 * One record under its canonical names, or `undefined` if the value is not a record. A record has an `id`, a user an `id` or an `email`. An
 * id that is a number is a safe integer (see {@link inexactId}). Unknown fields are kept unchanged, and nothing is invented.
 */
export function readRecord<Kind extends RecordKind>(kind: Kind, value: unknown): RecordOf[Kind] | undefined {
  if (!isObject(value)) return undefined;
  const record = renamed(readings[kind], value);
  for (const field of readings[kind].ids) {
    if (typeof record[field] !== 'number') continue;
    record[field] = idText(record[field]);
    if (record[field] === undefined) return undefined;
  }
  const { id, email } = record;
  const isKnown = idText(id) !== undefined || (kind === 'user' && typeof email === 'string' && email !== '');
  return isKnown ? (record as RecordOf[Kind]) : undefined;
}

/** What the object about the invitee may be called. If it is a list, only one person in it is certainly the invitee. */
const people = ['invitee', 'invitees', 'attendee', 'attendees', 'guest', 'customer'];

/** A name of which only the parts are there. */
const joinedName = (holder: unknown, prefix: string): string =>
  [`${prefix}first_name`, `${prefix}last_name`]
    .flatMap((key) => (isObject(holder) ? asText(holder[key] ?? holder[camelCase(key)]) || [] : []))
    .join(' ');

function renamed({ aliases, wholeName }: Reading, value: ServiceRecord): ServiceRecord {
  // Some services put all fields but the id one level deeper.
  const record: ServiceRecord = { ...(isObject(value['attributes']) ? value['attributes'] : undefined), ...value };
  for (const name of unsafe) if (Object.hasOwn(record, name)) delete record[name];
  const invitee = people.map((name) => onlyOne(record[name])).find(isObject);
  const places = { ...record, invitee };
  for (const [field, paths] of aliases) {
    // Some services write null or "" in every place but one.
    if (hasValue(record[field])) continue;
    const at = (path: Path) => path.reduce<unknown>((holder, key) => (isObject(holder) ? holder[key] : undefined), places);
    const found = paths.map(at).find(hasValue);
    if (found !== undefined) record[field] = found;
  }
  if (wholeName === undefined || hasValue(record[wholeName])) return record;
  const joined = joinedName(record, wholeName.slice(0, -'name'.length)) || joinedName(wholeName === 'name' ? record : invitee, '');
  return joined === '' ? record : { ...record, [wholeName]: joined };
}

/**
 * A record in a list: as {@link readRecord}, but one bad record does not hide the others. If its own id is missing or cannot be used, the
 * id is empty, so that nobody can act on the wrong record; another id that cannot be used is left out. `undefined` if it is not an object.
 */
export function readListed<Kind extends RecordKind>(kind: Kind, value: unknown): RecordOf[Kind] | undefined {
  const whole = readRecord(kind, value);
  if (whole !== undefined || !isObject(value)) return whole;
  const record = renamed(readings[kind], value);
  for (const field of readings[kind].ids) {
    const id = idText(record[field]);
    if (id === undefined) delete record[field];
    else record[field] = id;
  }
  return { ...record, id: idText(record['id']) ?? '' };
}

/**
 * The field of a value in which an id is a number above 2^53. Such numbers lose their last digits when JSON is read, so two bookings would
 * share one id, and cancelling one would cancel the other (G3).
 */
export function inexactId(kind: RecordKind, value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const reading = readings[kind];
  const record = renamed(reading, value);
  return reading.ids.find((field) => isInexact(record[field]));
}

/**
 * The objects in which a body may contain its record: those under the given keys, or the body itself if there are none. An envelope may
 * have an `id` of its own, which must not be taken for the record's.
 */
export function holdersIn(body: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown>[] {
  const inside = keys.map((key) => onlyOne(body[key])).filter(isObject);
  return inside.length > 0 ? inside : [body];
}

/** The record in an answer: under `data`, under its own name, also inside `data`, or at the root (G2); `undefined` if there is none. */
export function recordIn<Kind extends RecordKind>(kind: Kind, body: unknown): RecordOf[Kind] | undefined {
  return firstOf(holdersOf(kind, body).map((holder) => recordAt(kind, holder)));
}

/** The record that an object is, or that it has under its own name if it is not one, or only an envelope with an id. */
export function recordAt<Kind extends RecordKind>(kind: Kind, holder: Record<string, unknown>): RecordOf[Kind] | undefined {
  const inside = readings[kind].names.map((name) => onlyOne(holder[name])).filter(isObject);
  const isEnvelope = inside.some((each) => isClearlyIn(kind, each, holder));
  return firstOf((isEnvelope ? [...inside, holder] : [holder, ...inside]).map((each) => readRecord(kind, each)));
}

const firstOf = <Value>(values: readonly (Value | undefined)[]): Value | undefined => values.find((each) => each !== undefined);

/** Whether an object has so many more of a record's fields than the one around it that this is only its envelope. */
const isClearlyIn = (kind: RecordKind, inside: ServiceRecord, around: ServiceRecord): boolean =>
  fieldsIn(kind, inside) >= fieldsIn(kind, around) + 2;

/** How many of a record's fields an object has, without those that everything has. */
const fieldsIn = (kind: RecordKind, value: ServiceRecord): number =>
  knownFields(kind, { ...value, attributes: undefined }).filter((field) => !ofEverything.includes(field)).length;

const ofEverything: readonly string[] = ['id', 'created_at', 'updated_at'];

/** The canonical fields of this kind that an object has, under any of their names. */
function knownFields(kind: RecordKind, value: ServiceRecord): string[] {
  const record = renamed(readings[kind], value);
  return Object.keys(recordTables[kind].fields).filter((field) => record[field] !== undefined);
}

const otherKinds = (kind: RecordKind): RecordKind[] => (Object.keys(recordTables) as RecordKind[]).filter((each) => each !== kind);

/** How many fields an object has that records of this kind have and nothing else. Jobs and answers have a status as well. */
export const tellingFields = (kind: RecordKind, value: ServiceRecord): number =>
  knownFields(kind, value).filter(
    (field) => field !== 'status' && otherKinds(kind).every((each) => !Object.hasOwn(recordTables[each].fields, field)),
  ).length;

/** Whether an object has nothing that only this kind has, and more fields of another kind than unknown ones. */
export const isMostlyOther = (kind: RecordKind, value: ServiceRecord): boolean =>
  tellingFields(kind, value) === 0 &&
  otherKinds(kind).some((each) => {
    const theirs = fieldsIn(each, value);
    return theirs > 1 && theirs > Object.keys(value).filter((name) => !ofEverything.includes(name)).length - theirs;
  });

/** People in an answer who are not the contact that it is about. */
const otherPeople = /^(?:host|organi[sz]er|owner|user|account|creator|created_by|assigned)/i;

/** What a record was before it changed, beside what it is now. */
const earlier = /^(?:prev|old|before|original|former)/i;

function holdersOf(kind: RecordKind, body: unknown): Record<string, unknown>[] {
  const root = onlyOne(body);
  if (!isObject(root)) return [];
  const [holder = root, ...more] = holdersIn(root, [recordEnvelope.recordKey, ...readings[kind].names]);
  if (holder !== root) return [holder, ...more];
  const names = otherKinds(kind).flatMap((each) => readings[each].names);
  const isOther = (name: string): boolean => earlier.test(name) || names.includes(name) || (kind === 'contact' && otherPeople.test(name));
  const inside = Object.entries(root).map(([name, value]) => (isOther(name) ? undefined : onlyOne(value)));
  const [record, ...others] = inside.filter(isObject).filter((each) => isClearlyIn(kind, each, root));
  return record === undefined || others.length > 0 ? [root] : [record, root];
}

/**
 * The same for callers that need the record.
 *
 * @throws ServiceError `unreadable` that names the request, the expected form and the keys that came
 */
export function readOne<Kind extends RecordKind>(kind: Kind, body: unknown, request: string): RecordOf[Kind] {
  const record = recordIn(kind, body);
  if (record !== undefined) return record;
  const inexact = holdersOf(kind, body).find((holder) => inexactId(kind, holder) !== undefined);
  throw noRecord(kind, inexact ?? body, request, `a ${readings[kind].names[0]} record with an id under "${recordEnvelope.recordKey}"`);
}

/** What to say about a value that should have been a record or contained one. */
export function noRecord(kind: RecordKind, value: unknown, request: string, expected: string): ServiceError {
  const field = inexactId(kind, value);
  if (field === undefined) return unreadable(request, expected, value);
  return new ServiceError('unreadable', {
    message: `${brand.name} answered ${request} with ${inexactWords(field)}.`,
    advice: 'Report this message to the maker of the service: ids of this size must be sent as text.',
  });
}

/** Does not show the number, because it is no longer the one that was sent. */
export const inexactWords = (field: string): string => `a number as "${field}" that is too large to read exactly`;

/** The error for an answer that fits no known form: the request, the expected form, and the keys that came. */
export function unreadable(request: string, expected: string, body: unknown): ServiceError {
  const words = isObject(body) ? tidy(asText(body['message'] ?? body['error'])).replace(/\.$/, '') : '';
  return new ServiceError('unreadable', {
    message: `Unexpected response from ${brand.name} to ${request}: expected ${expected}, but got ${shapeOf(body)}.${words === '' ? '' : ` ${brand.name} says: "${words}".`}`,
    advice: 'Check the base URL of the connection. If it is right, report this message to the maker of this integration.',
  });
}

/** Describes an answer for a sentence, without its values, which may be anyone's data. */
export function shapeOf(body: unknown): string {
  if (isObject(body))
    return `the keys ${
      Object.keys(body)
        .slice(0, 12)
        .map((key) => `"${key.slice(0, 40)}"`)
        .join(', ') || '(none)'
    }`;
  if (Array.isArray(body)) return 'a list';
  if (body === undefined || body === '') return 'an empty body';
  return typeof body === 'string' ? 'text that is not JSON' : `the value ${JSON.stringify(body)}`;
}
