// G2, where an answer has its record. Seen: `data` (Cal.com), the resource's name (Rails), the root (Stripe).

import { recordEnvelope } from '../assumptions.ts';
import type { RecordKind, RecordOf } from '../records/fields.ts';
import { isObject, onlyOne } from '../values.ts';
import { inexactId, isClearlyIn, otherKinds, readings, readRecord } from './records.ts';
import { noRecord } from './unreadable.ts';

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
 * The record in an answer, for callers that need it.
 *
 * @throws ServiceError `unreadable` that names the request, the expected form and the keys that came
 */
export function readOne<Kind extends RecordKind>(kind: Kind, body: unknown, request: string): RecordOf[Kind] {
  const record = recordIn(kind, body);
  if (record !== undefined) return record;
  const inexact = holdersOf(kind, body).find((holder) => inexactId(kind, holder) !== undefined);
  throw noRecord(kind, inexact ?? body, request, `a ${readings[kind].names[0]} record with an id under "${recordEnvelope.recordKey}"`);
}
