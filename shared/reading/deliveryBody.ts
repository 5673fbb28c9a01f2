// G13, what a delivery contains.

import { deliveryBody } from '../assumptions.ts';
import type { RecordKind, RecordOf } from '../records/fields.ts';
import { keysAt } from './shapes.ts';
import { reader } from './reader.ts';
import { inexactIn, inexactWords, shapeOf } from './unreadable.ts';

type DeliveredKind = Extract<RecordKind, 'booking' | 'contact'>;

/** What a delivery's body contains. */
interface Delivered<Kind extends DeliveredKind> {
  /** `undefined` if it has none with an id that can be used. */
  record: RecordOf[Kind] | undefined;
  /** Whether it has a time or an id of its own, so that the same bytes are the same event. */
  isTold: boolean;
  /** When it happened, in the service's own notation. */
  at: string | null;
}

/** Finds the record of a delivery, and what stands beside it (G13). */
export function readDelivered<Kind extends DeliveredKind>(kind: Kind, body: Record<string, unknown>): Delivered<Kind> {
  const found = reader.find(kind, body);
  const atRoot = found?.raw === body;
  const valuesAt = (names: string): unknown[] => keysAt(body, names).map((key) => body[key]);
  const at = valuesAt(timeNames).find((value) => typeof value === 'string');
  // Of a record that is the body itself, `created_at` and `id` say nothing about the event.
  const own = valuesAt(atRoot ? ownNamesAtRoot : `${ownNamesAtRoot}|${timeNames}|created|id`);
  return {
    record: reader.read(kind, found),
    isTold: own.some((value) => typeof value === 'string' || typeof value === 'number'),
    at: atRoot || at === undefined ? null : String(at),
  };
}

const timeNames = `${deliveryBody.timeKey}|occurred_at|timestamp`;
const ownNamesAtRoot = 'occurred_at|timestamp|event_id';

/** What is wrong with a body that holds no record. */
export function recordless(kind: DeliveredKind, body: Readonly<Record<string, unknown>>): string {
  const inexact = inexactIn(kind, body);
  if (inexact !== undefined) return `The body's ${kind} has ${inexactWords(inexact)}.`;
  return `The body holds no ${kind} with an id under "${deliveryBody.recordKey}", but ${shapeOf(body)}.`;
}
