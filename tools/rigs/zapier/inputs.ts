import { DateTime } from 'luxon';

/** An input field as an app describes it, limited to what its values depend on. */
export interface InputField {
  key: string;
  label?: string;
  type?: string;
  required?: boolean;
  list?: boolean;
  choices?: unknown;
  group?: string;
  helpText?: string;
}

/**
 * Prepares the values in a step's form as Zapier does before the app sees them: converts each value to its field's type, reads a datetime
 * without an offset in the Zap's zone, and removes empty values.
 *
 * @param fields the fields of the form, dynamic ones included
 * @param raw what the person typed or mapped
 * @param timeZone the Zap's zone
 */
export function resolveInputs(fields: InputField[], raw: Record<string, unknown>, timeZone: string): Record<string, unknown> {
  const types = new Map(fields.map((field) => [field.key, field]));
  const typed = Object.entries(raw).map(([key, value]) => [key, typedValue(types.get(key), value, timeZone)] as const);
  return Object.fromEntries<unknown>(typed.filter(([, value]) => !isEmpty(value)));
}

/** The names of required fields that are empty. Zapier does not run a step with an empty required field. */
export function missingFields(fields: InputField[], values: Record<string, unknown>): string[] {
  return fields.filter((field) => field.required === true && isEmpty(values[field.key])).map((field) => field.label ?? field.key);
}

function typedValue(field: InputField | undefined, value: unknown, timeZone: string): unknown {
  if (field?.list !== true) return scalar(value, timeZone, field?.type);
  return [value]
    .flat()
    .filter((each) => !isEmpty(each))
    .map((each) => scalar(each, timeZone, field.type));
}

function scalar(value: unknown, timeZone: string, type = 'string'): unknown {
  if (typeof value !== 'string' || value === '') return value;
  if (type === 'number') return Number.parseFloat(value);
  if (type === 'boolean') return !/^(n|no|false|f|never|0|none|null)$/i.test(value);
  if (type !== 'datetime') return value;
  const read = DateTime.fromISO(value, { zone: timeZone });
  return read.isValid ? read.toFormat("yyyy-MM-dd'T'HH:mm:ssZZ") : value;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
