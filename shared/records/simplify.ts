import { hasValue } from '../values.ts';
import { deliveryFields, outputTables, type OutputKind, type RecordTable } from './fields.ts';
import type { ServiceRecord } from './records.ts';

/** Whether a record has so many fields that a short form helps. */
export const isWide = (kind: OutputKind): boolean => (outputTables[kind] as RecordTable).main !== undefined;

/** The fields that the short form of a record may have, with those that a delivery adds, in order; none if the record has no short form. */
export function simpleFields(kind: OutputKind): ReadonlySet<string> {
  const { main }: RecordTable = outputTables[kind];
  return new Set(main === undefined ? [] : [...main, ...deliveryFields.map(({ key }) => key)]);
}

/** The short form of a record: its main fields, without empty ones. A record of another kind stays as it is. */
export function simplify(kind: OutputKind, record: ServiceRecord): ServiceRecord {
  if (!isWide(kind)) return record;
  const fields = [...simpleFields(kind)].flatMap((key) => (hasValue(record[key]) ? [[key, record[key]]] : []));
  return Object.fromEntries(fields) as ServiceRecord;
}
