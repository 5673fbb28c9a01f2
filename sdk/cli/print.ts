import { recordTables, type FieldRow } from '../../shared/records/fields.ts';
import { hasValue } from '../../shared/values.ts';
import type { ServiceRecord } from '../../shared/records/records.ts';
import type { Operation } from '../../shared/operations/define.ts';

/** A stranger may have written the text: a control character must not move the cursor, colour a line or turn its direction. */
export const harmless = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');

function shown(value: unknown): string {
  if (typeof value === 'string') return harmless(value);
  return harmless(JSON.stringify(value) ?? '');
}

/** An empty list is no line either. */
const isShown = (value: unknown): boolean => hasValue(value) && !(Array.isArray(value) && value.length === 0);

/** The fields that most people use, and those that the operation adds; all fields if the table names none. */
function fieldsOf({ output, adds = [], secret }: Operation, record: ServiceRecord): string[] {
  const { main, fields }: { main?: readonly string[]; fields: Readonly<Record<string, FieldRow>> } = recordTables[output];
  const own = [...(main ?? Object.keys(fields)), ...adds.map(({ key }) => key), ...(secret === undefined ? [] : [secret])];
  return own.filter((key) => isShown(record[key]));
}

/** A record for people: one field on each line. */
export const asText = (operation: Operation, record: ServiceRecord): string => {
  const fields = fieldsOf(operation, record);
  const width = Math.max(0, ...fields.map((key) => key.length));
  return fields.map((key) => `${key.padEnd(width)}  ${shown(record[key])}`).join('\n');
};

/** A list for people: an empty line between two records. */
export const listText = (operation: Operation, records: readonly ServiceRecord[]): string =>
  records.length === 0 ? 'Nothing was found.' : records.map((record) => asText(operation, record)).join('\n\n');

export const asJson = (value: unknown): string => JSON.stringify(value, null, 2);
