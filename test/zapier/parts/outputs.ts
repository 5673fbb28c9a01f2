import assert from 'node:assert/strict';

/** An output field as the definition declares it. */
export interface OutputShape {
  key: string;
  label?: string;
  type?: string;
  list?: boolean;
  children?: OutputShape[];
}

/** ISO 8601 with an offset or Z, as integration checks D023 and T003 require. */
const withZone = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Checks that every value has the type that its field promises (integration checks D024, T003, T005, Z001). An empty value fits any type.
 */
export function assertTypes(record: Record<string, unknown>, fields: readonly OutputShape[]): void {
  for (const field of fields) {
    const value = field.key
      .split('__')
      .reduce<unknown>((inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined), record);
    if (value === undefined || value === null) continue;
    if (field.children !== undefined || field.list === true) {
      assert.ok(Array.isArray(value), `${field.key} is to be a list, but is ${JSON.stringify(value)}`);
      for (const item of value as Record<string, unknown>[]) if (field.children !== undefined) assertTypes(item, field.children);
    } else if (field.type === 'datetime') {
      assert.ok(typeof value === 'string' && withZone.test(value), `${field.key} is ${JSON.stringify(value)}`);
    } else if (field.type !== undefined) {
      assert.equal(typeof value, field.type, `${field.key} is ${JSON.stringify(value)}`);
    }
  }
}

/** Checks that a sample shows nothing that a live record lacks (integration checks T004, T006). */
export function assertKeysWithin(sample: Record<string, unknown>, live: Record<string, unknown>): void {
  const missing = Object.keys(sample).filter((key) => !Object.hasOwn(live, key));
  assert.deepEqual(missing, [], 'keys of the sample that the live record lacks');
}
