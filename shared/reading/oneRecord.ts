// G2, an answer with one record.

import { recordEnvelope } from '../assumptions.ts';
import type { RecordKind, RecordOf } from '../records/fields.ts';
import { reader } from './reader.ts';
import { noRecord } from './unreadable.ts';

/** The record in an answer (G2), under its canonical names; `undefined` if there is none. */
export const recordIn = <Kind extends RecordKind>(kind: Kind, body: unknown, id?: string): RecordOf[Kind] | undefined =>
  reader.read(kind, reader.find(kind, body, id));

/**
 * The record in an answer, for callers that need it.
 *
 * @param id of the record that was asked for, as far as it is known
 * @throws ServiceError `unreadable` that names the request, the expected form and the keys that came
 */
export function readOne<Kind extends RecordKind>(kind: Kind, body: unknown, request: string, id?: string): RecordOf[Kind] {
  const record = recordIn(kind, body, id);
  if (record !== undefined) return record;
  const name = kind === 'eventType' ? 'event type' : kind;
  throw noRecord(kind, body, request, `a record of a ${name} with an id under "${recordEnvelope.recordKey}"`);
}
