import { type FieldRow, type OutputKind, outputTables, type ServiceRecord } from '../../shared/records/fields.ts';
import { isNo, isObject, isYes } from '../../shared/values.ts';

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/**
 * Converts a value to the type that the package declares for a field: unchanged if it has that type, `undefined` if it cannot be converted.
 */
const as: Record<NonNullable<FieldRow['type']>, (value: unknown) => unknown> = {
  string: asText,
  id: asText,
  datetime: asText,
  number(value) {
    if (typeof value === 'number') return value;
    return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined;
  },
  boolean: (value) => (isYes(value) ? true : isNo(value) ? false : undefined),
  object: (value) => (isObject(value) ? value : undefined),
  list: (value) => (Array.isArray(value) ? (value as unknown) : [value]),
  any: (value) => value,
};

/**
 * Gives the known fields of a record their declared types. An unexpected value of a text field becomes text. A value that cannot become the
 * declared number, yes or no, or object is left out. Unknown fields are kept unchanged.
 */
export function typed(kind: OutputKind, record: ServiceRecord): ServiceRecord {
  let right: ServiceRecord | undefined;
  for (const [field, { type = 'string' }] of Object.entries<FieldRow>(outputTables[kind].fields)) {
    const value = record[field];
    // Null is allowed in every field.
    if (value === undefined || value === null || as[type](value) === value) continue;
    right ??= { ...record };
    right[field] = as[type](value);
  }
  return right ?? record;
}
