import { outputTables, type FieldRow, type OutputKind } from '../../shared/records/fields.ts';
import type { ServiceRecord } from '../../shared/records/records.ts';
import { isObject } from '../../shared/values.ts';

type Row = NonNullable<FieldRow['type']>;

/** Whether a value has the type that the package declares for a field. Null fits every field. */
const fits: Record<Row, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  id: (value) => typeof value === 'string',
  datetime: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
  list: Array.isArray,
  any: () => true,
};

/** Converts a value of another type; `undefined` if that is impossible. */
const made: Record<Row, (value: unknown) => unknown> = {
  string: asText,
  id: asText,
  datetime: asText,
  number: (value) => (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined),
  boolean: (value) => (value === 'true' || value === 1 ? true : value === 'false' || value === 0 ? false : undefined),
  object: () => undefined,
  list: (value) => [value],
  any: (value) => value,
};

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/**
 * A record whose known fields have the declared types. An unexpected value of a text field becomes text. A value that cannot become the
 * declared number, yes or no, or object is left out. Unknown fields are kept unchanged.
 */
export function typed(kind: OutputKind, record: ServiceRecord): ServiceRecord {
  let right: ServiceRecord | undefined;
  for (const [field, { type = 'string' }] of Object.entries<FieldRow>(outputTables[kind].fields)) {
    const value = record[field];
    if (value === undefined || value === null || fits[type](value)) continue;
    right ??= { ...record };
    right[field] = made[type](value);
  }
  return right ?? record;
}
