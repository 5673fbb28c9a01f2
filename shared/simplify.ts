import { deliveryFields, recordTables, type RecordKind, type RecordTable } from './api/fields.ts';
import type { ServiceRecord } from './api/records.ts';

/** The names in a short form, in order, with those that a delivery adds; none where a record has too few fields to need one. */
const namesOf = ({ main }: RecordTable): readonly string[] => (main === undefined ? [] : [...main, ...deliveryFields.map(({ key }) => key)]);

const shortForms: Readonly<Record<RecordKind, readonly string[]>> = {
  user: namesOf(recordTables.user),
  booking: namesOf(recordTables.booking),
  eventType: namesOf(recordTables.eventType),
  contact: namesOf(recordTables.contact),
  subscription: namesOf(recordTables.subscription),
};

/** The short form of a record: its main fields, as far as they say something. A record of another kind stays as it is. */
export function simplify(kind: RecordKind, record: ServiceRecord): ServiceRecord {
  if (!isWide(kind)) return record;
  const short: ServiceRecord = {};
  for (const name of shortForms[kind]) {
    const value = record[name];
    if (value !== null && value !== undefined && value !== '') short[name] = value;
  }
  return short;
}

/** Whether a record has so many fields that a shorter form of it helps. */
export const isWide = (kind: RecordKind): boolean => shortForms[kind].length > 0;

/** The fields that the short form of a record may have, with those that a delivery adds; none where there is no short form. */
export const simpleFields = (kind: RecordKind): ReadonlySet<string> => new Set(shortForms[kind]);
