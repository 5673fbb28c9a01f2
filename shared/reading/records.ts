// G3 to G7, records under other names. Seen: `uid` (Cal.com), `_id` (MongoDB), `attributes` (JSON:API), camel case (most of JavaScript).

import { recordTables, type FieldRow, type RecordKind, type RecordOf, type ServiceRecord } from '../records/fields.ts';
import { asText, hasValue, idText, isInexact, isObject, onlyOne } from '../values.ts';
import { otherPlaces, type Path } from './fieldNames.ts';

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

function readingOf(kind: RecordKind): Reading {
  const { names, fields }: { names: readonly string[]; fields: Readonly<Record<string, FieldRow>> } = recordTables[kind];
  const places: Readonly<Record<string, readonly Path[]>> = otherPlaces[kind];
  const rows = Object.entries(fields);
  const aliases = rows
    .map(([field, { isMade }]) => {
      const { [field]: alsoAt = [] } = places;
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

export const readings = Object.fromEntries((Object.keys(recordTables) as RecordKind[]).map((kind) => [kind, readingOf(kind)])) as Record<
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

/** Whether an object has so many more of a record's fields than the one around it that this is only its envelope. */
export const isClearlyIn = (kind: RecordKind, inside: ServiceRecord, around: ServiceRecord): boolean =>
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

export const otherKinds = (kind: RecordKind): RecordKind[] => (Object.keys(recordTables) as RecordKind[]).filter((each) => each !== kind);

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
