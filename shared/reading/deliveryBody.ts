// G13, what a delivery contains. Seen: `payload` (Calendly, Cal.com), the record at the root (Zapier's own hooks).

import { deliveryBody } from '../assumptions.ts';
import type { RecordKind, RecordOf } from '../records/fields.ts';
import { holdersIn, recordAt, recordIn } from './recordEnvelope.ts';
import { inexactId, readRecord } from './records.ts';
import { inexactWords } from './unreadable.ts';

type DeliveredKind = Extract<RecordKind, 'booking' | 'contact'>;

/** What a delivery's body contains. */
interface Delivered<Kind extends DeliveredKind> {
  /** `undefined` if it has none with an id that can be used. */
  record: RecordOf[Kind] | undefined;
  /** Whether the body itself is the record. */
  atRoot: boolean;
  /** Whether it has a time or an id of its own, so that the same bytes are the same event. */
  isTold: boolean;
  /** When it happened, in the service's own notation. */
  at: string | null;
}

/** Finds the record of a delivery: under the usual names, under its own, or at the root, and what stands beside it (G13). */
export function readDelivered<Kind extends DeliveredKind>(kind: Kind, body: Record<string, unknown>): Delivered<Kind> {
  const holders = holdersOf(kind, body);
  const isUnnamed = holders[0] === body;
  const read = isUnnamed ? [recordIn(kind, body)] : holders.map((holder) => recordAt(kind, holder) ?? recordIn(kind, holder));
  const record = read.find((each) => each !== undefined);
  const atRoot = isUnnamed && record !== undefined && readRecord(kind, body)?.id === record.id;
  return { record, atRoot, isTold: hasOwnIdentity(body, atRoot), at: atRoot ? null : timeIn(body) };
}

const holdersOf = (kind: DeliveredKind, body: Readonly<Record<string, unknown>>) =>
  holdersIn(body, [deliveryBody.recordKey, 'payload', kind]);

const timeNames = [deliveryBody.timeKey, 'createdAt', 'occurred_at', 'occurredAt', 'timestamp'];

/** What is beside the record and makes the bytes of one event different from those of any other ... */
const ownNames = [...timeNames, 'created', 'event_id', 'eventId', 'id'];

/** ... and the same if the record itself is the body: its own `created_at` and `id` say nothing about the event. */
const ownNamesAtRoot = ['occurred_at', 'occurredAt', 'timestamp', 'event_id', 'eventId'];

const timeIn = (body: Readonly<Record<string, unknown>>): string | null =>
  timeNames.map((key) => body[key]).find((value) => typeof value === 'string') ?? null;

/**
 * Whether a body contains a time or an id of its own, so that the same bytes must be the same event: with another (unsigned) delivery id,
 * they are a replay. A body without either may be a new event, so it is accepted.
 */
const hasOwnIdentity = (body: Record<string, unknown>, atRoot: boolean): boolean =>
  (atRoot ? ownNamesAtRoot : ownNames).some((key) => typeof body[key] === 'string' || typeof body[key] === 'number');

/** What is wrong with a body that holds no record. */
export function recordless(kind: DeliveredKind, body: Readonly<Record<string, unknown>>): string {
  const inexact = holdersOf(kind, body)
    .map((holder) => inexactId(kind, holder))
    .find((field) => field !== undefined);
  if (inexact !== undefined) return `The body's ${kind} has ${inexactWords(inexact)}.`;
  const keys = Object.keys(body)
    .slice(0, 12)
    .map((key) => `"${key.slice(0, 40)}"`);
  return `The body holds no ${kind} with an id under "${deliveryBody.recordKey}"; its keys are ${keys.join(', ')}.`;
}
