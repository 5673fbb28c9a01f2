import { DateTime } from 'luxon';

/** An input field as an app describes it, limited to what its values depend on. */
export interface InputField {
  key: string;
  label?: string;
  type?: string;
  required?: boolean;
  list?: boolean;
  dict?: boolean;
  default?: string;
  choices?: unknown;
  group?: string;
  helpText?: string;
  altersDynamicFields?: boolean;
}

/**
 * Prepares the values in a step's form as Zapier does before the app sees them. It fills in defaults, converts each value to its field's
 * type, reads a datetime without an offset in the Zap's zone, and (unless the app declines) removes empty values.
 *
 * @param fields the fields of the form, dynamic ones included
 * @param raw what the person typed or mapped
 * @param timeZone the Zap's zone
 */
export function resolveInputs(
  fields: InputField[],
  raw: Record<string, unknown>,
  options: { timeZone: string; clean: boolean },
): Record<string, unknown> {
  const defaults = fields
    .filter((field) => field.default !== undefined && isEmpty(raw[field.key]))
    .map((field) => [field.key, field.default] as const);
  const values: Record<string, unknown> = { ...raw, ...Object.fromEntries<unknown>(defaults) };
  const types = new Map(fields.map((field) => [field.key, field]));
  const typed = Object.entries(values).map(([key, value]) => [key, typedValue(types.get(key), value, options.timeZone)] as const);
  return Object.fromEntries<unknown>(options.clean ? typed.filter(([, value]) => !isEmpty(value)) : typed);
}

/** The names of required fields that are empty. Zapier does not run a step with an empty required field. */
export function missingFields(fields: InputField[], values: Record<string, unknown>): string[] {
  return fields.filter((field) => field.required === true && isEmpty(values[field.key])).map((field) => field.label ?? field.key);
}

function typedValue(field: InputField | undefined, value: unknown, timeZone: string): unknown {
  if (field?.list === true)
    return (Array.isArray(value) ? value : [value]).filter((each) => !isEmpty(each)).map((each) => scalar(each, timeZone, field.type));
  return scalar(value, timeZone, field?.type);
}

function scalar(value: unknown, timeZone: string, type = 'string'): unknown {
  if (typeof value !== 'string' || value === '') return value;
  switch (type) {
    case 'integer':
      return Math.floor(Number.parseFloat(value));
    case 'number':
      return Number.parseFloat(value);
    case 'boolean':
      return !/^(n|no|false|f|never|0|none|null)$/i.test(value);
    case 'datetime':
      return datetime(value, timeZone);
    default:
      return value;
  }
}

function datetime(text: string, timeZone: string): string {
  const read = DateTime.fromISO(text, { zone: timeZone });
  return read.isValid ? read.toFormat("yyyy-MM-dd'T'HH:mm:ssZZ") : text;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
