import { recordEnvelope, userRecord, bookingRecord, eventTypeRecord, contactRecord, subscriptionRecord, type Aliases } from '../assumptions.ts';
import { brand } from '../brand.ts';
import { ServiceError } from './errors.ts';
import { isObject } from '../values.ts';

/** A record as it is handed out: its own `id`, the canonical names of G4 to G9, and every unknown field as it came. */
export type ServiceRecord = { [field: string]: unknown };

export type RecordKind = 'user' | 'booking' | 'eventType' | 'contact' | 'subscription';

/** What a delivery adds to the record it carries (section 6). */
export const deliveryKeys = ['event', 'delivery_id', 'delivered_at', 'delivery_key'] as const;

interface Reading {
  /** Singular and plural, as they may name an envelope (G1, G2). */
  names: readonly string[];
  aliases: Aliases;
  /** Fields that hold ids: numbers there become strings (G3). */
  ids: readonly string[];
  /** Whether neither of the two above has anything to change. */
  isCanonical: (record: ServiceRecord) => boolean;
}

export const readings: Record<RecordKind, Reading> = { user: userRecord, booking: bookingRecord, eventType: eventTypeRecord, contact: contactRecord, subscription: subscriptionRecord };

/** Names that would reach a prototype instead of a field. */
const unsafe = ['__proto__', 'constructor', 'prototype'];

/** Whether none of these names is a field: what every object inherits stands there then, and is faster to see than that nothing does. */
const isSafe = (value: ServiceRecord): boolean => value['__proto__'] === Object.prototype && value['constructor'] === Object && value['prototype'] === undefined;

/** What bytes that are no UTF-8 are read as. In a text it may stand by right; an id with it names nothing. */
const notUtf8 = '\uFFFD';

/**
 * One record under its canonical names, or `undefined` where the value is no record: a record has an `id`, a user an
 * `id` or an `email` (rule 3 of the assumptions). Unknown fields stay as they came; nothing is invented. A value in which
 * nothing has to change is itself the record.
 */
export function readRecord(kind: RecordKind, value: unknown): ServiceRecord | undefined {
  if (!isObject(value)) return undefined;
  const reading = readings[kind];
  const record = reading.isCanonical(value) && isSafe(value) ? value : canonical(reading, value);
  const { id, email } = record;
  const known = (typeof id === 'string' && id !== '' && !id.includes(notUtf8)) || (kind === 'user' && typeof email === 'string' && email !== '');
  return known ? record : undefined;
}

function canonical({ aliases, ids }: Reading, value: ServiceRecord): ServiceRecord {
  const record: ServiceRecord = { ...value };
  for (const name of unsafe) if (Object.hasOwn(record, name)) delete record[name];
  for (const field in aliases) {
    if (record[field] !== undefined) continue;
    for (const path of aliases[field] ?? []) {
      const found = path.reduce<unknown>((holder, key) => (isObject(holder) ? holder[key] : undefined), value);
      if (found !== undefined) record[field] = found;
    }
  }
  for (const field of ids) if (typeof record[field] === 'number') record[field] = String(record[field]);
  return record;
}

/**
 * The objects in which a body may hold its record: those under the given keys, or the body itself where there are none. An
 * envelope may have an `id` of its own, which must not pass for the record's.
 */
export function holdersIn(body: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown>[] {
  const inside = keys.map((key) => body[key]).filter(isObject);
  return inside.length > 0 ? inside : [body];
}

/**
 * The record in an answer: under `data`, under its own name, or at the root (G2).
 *
 * @throws ServiceError `unreadable` that names the request, the expected form and the keys that came.
 */
export function readOne(kind: RecordKind, body: unknown, request: string): ServiceRecord {
  for (const holder of isObject(body) ? holdersIn(body, [recordEnvelope.recordKey, ...readings[kind].names]) : []) {
    const record = readRecord(kind, holder);
    if (record !== undefined) return record;
  }
  throw unreadable(request, `a ${readings[kind].names[0]} record with an id under "${recordEnvelope.recordKey}"`, body);
}

/** An answer that fits no known form: what was asked, what was expected, and the keys that came (rule 3). */
export function unreadable(request: string, expected: string, body: unknown): ServiceError {
  const got = isObject(body)
    ? `the keys ${Object.keys(body).slice(0, 12).map((key) => `"${key.slice(0, 40)}"`).join(', ') || '(none)'}`
    : Array.isArray(body) ? 'a list' : body === undefined || body === '' ? 'an empty body' : typeof body === 'string' ? 'a text that is not JSON' : `the value ${JSON.stringify(body)}`;
  return new ServiceError('unreadable', {
    message: `${brand.name} answered ${request} in a form that is not known: expected ${expected}, but got ${got}.`,
    advice: 'Check the base address of the connection. If it is right, the service has changed: report this sentence to the maker of this integration.',
  });
}
