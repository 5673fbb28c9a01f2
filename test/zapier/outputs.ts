/** An output field as the definition declares it. */
export interface OutputField {
  key: string;
  label?: string;
  type?: string;
  list?: boolean;
  sample?: unknown;
  children?: OutputField[];
}

/** ISO 8601 with an offset or Z, as integration checks D023 and T003 require. */
const withZone = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Checks that every value has the type that its field promises (integration checks D024, T003, T005, Z001). An empty value fits any type.
 */
export function assertTypes(record: Record<string, unknown>, fields: readonly OutputField[]): void {
  for (const { key, type, list, children } of fields) {
    const value = key
      .split('__')
      .reduce<unknown>((inner, part) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, part) : undefined), record);
    if (value === undefined || value === null) continue;
    if (children !== undefined || list === true) {
      expect([key, Array.isArray(value)]).toEqual([key, true]);
      for (const item of value as Record<string, unknown>[]) assertTypes(item, children ?? []);
    } else if (type === 'datetime') {
      expect([key, value]).toEqual([key, expect.stringMatching(withZone)]);
    } else if (type !== undefined) {
      expect([key, typeof value]).toEqual([key, type]);
    }
  }
}
