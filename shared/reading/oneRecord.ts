// G2 and G13: reads a response with one record, and a delivery.

import { deliveryBody, recordEnvelope } from '../assumptions.ts';
import type { RecordKind, RecordOf } from '../records/fields.ts';
import { idText, isObject } from '../values.ts';
import { keysAt } from './shapes.ts';
import { deepest, type Held, isAbout, reader } from './reader.ts';
import { inexactIn, inexactWords, noRecord, shapeOf } from './unreadable.ts';

/** The record in a response (G2), under its canonical names; `undefined` if there is none. */
export const recordIn = <Kind extends RecordKind>(kind: Kind, body: unknown, id?: string): RecordOf[Kind] | undefined =>
  reader.read(kind, reader.find(kind, body, id));

/**
 * The record in a response (G2), for callers that need one.
 *
 * @param id of the requested record, if known
 * @throws ServiceError `unreadable` that names the request, the expected form and the keys that came
 */
export function readOne<Kind extends RecordKind>(kind: Kind, body: unknown, request: string, id?: string): RecordOf[Kind] {
  const record = recordIn(kind, body, id);
  if (record !== undefined) return record;
  const name = kind === 'eventType' ? 'event type' : kind;
  throw noRecord(kind, body, request, `a record of a ${name} with an id under "${recordEnvelope.recordKey}"`);
}

type DeliveredKind = Extract<RecordKind, 'booking' | 'contact'>;

/** The content of a delivery's body. */
interface DeliveredBody<Kind extends DeliveredKind> {
  /** `undefined` if the body has none with a usable id. */
  record: RecordOf[Kind] | undefined;
  /** Whether the event has a time or id of its own, so that equal bytes mean the same event. */
  isTold: boolean;
  /** When the event happened, in the service's notation. */
  at: string | null;
}

/** Reads the record of a delivery, and what the body says about the event (G13). */
export function readDelivered<Kind extends DeliveredKind>(kind: Kind, body: Record<string, unknown>): DeliveredBody<Kind> {
  const found = reader.find(kind, body) ?? noticed(kind, body);
  const atRoot = found?.raw === body;
  const valuesAt = (names: string): unknown[] => keysAt(body, names).map((key) => body[key]);
  const at = valuesAt(timeNames).find((value) => typeof value === 'string');
  // If the body itself is the record, its `created_at` and `id` say nothing about the event.
  const own = valuesAt(atRoot ? ownNamesAtRoot : `${ownNamesAtRoot}|${timeNames}|created|id`);
  return {
    record: reader.read(kind, found),
    isTold: own.some((value) => typeof value === 'string' || typeof value === 'number'),
    at: atRoot || at === undefined ? null : String(at),
  };
}

/** The booking that a delivery only names by its id: `{ topic: "VISIT_CREATE", itemId: "7" }`, also inside other objects. */
function noticed(kind: DeliveredKind, body: unknown, depth = 0): Held | undefined {
  if (kind !== 'booking' || !isObject(body) || depth > deepest) return undefined;
  // A `resource` may be a room, unless its type says that it is a booking.
  const at = [
    '{booking}_?id',
    isAbout(kind, body) ? '(?:entity|object|item)_id' : '-',
    isAbout(kind, body, 'resource(?:_id)?_type') ? 'resource_id' : '-',
  ].join('|');
  const [id] = 'id' in body ? [] : keysAt(body, at).flatMap((key) => idText(body[key]) ?? []);
  if (id !== undefined) return { raw: { ...body, id }, isNamed: false, isEnclosed: false };
  const [only, ...more] = Object.values(body).filter(isObject);
  return more.length > 0 ? undefined : noticed(kind, only, depth + 1);
}

const timeNames = `${deliveryBody.timeKey}|occurred_at|timestamp`;
const ownNamesAtRoot = 'occurred_at|timestamp|event_id';

/** Why a body has no usable record, as sentences. */
export function recordless(kind: DeliveredKind, body: Readonly<Record<string, unknown>>): string {
  const inexact = inexactIn(kind, body);
  if (inexact !== undefined) return `The body's ${kind} has ${inexactWords(inexact)}.`;
  return `The body has no ${kind} with an id under "${deliveryBody.recordKey}", only ${shapeOf(body)}.`;
}
