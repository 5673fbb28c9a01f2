import * as z from 'zod/v4';
import { type OutputField, outputFields, isWide, mainFields, type ServiceRecord, localTimeFields } from '../../shared/records/index.ts';
import type { Operation } from '../../shared/operations/index.ts';
import { asText, hasValue, isNo, isObject, isYes } from '../../shared/values.ts';

/** The output schema that a tool announces, for hosts that write code against it. */
export interface Output {
  schema: { type: 'object'; [keyword: string]: unknown };
  /**
   * Converts a result to what the schema announces, because clients refuse a result that differs. A value in another form, such as a number
   * sent as text, is converted; if it cannot be, it is left out. The text of the result still shows what the service sent.
   */
  fit(answer: ServiceRecord): ServiceRecord;
}

export function outputOf({ output, adds, sample, yields }: Operation): Output {
  const known = new Map([...outputFields(output, { adds }), ...localTimeFields(output)].map((field) => [field.key, field]));
  const main = new Set(mainFields(output));
  const shown = Object.keys(sample).filter((key) => !isWide(output) || main.has(key) || adds?.some((each) => each.key === key));
  const keys = new Set([...shown, ...localTimeFields(output).map(({ key }) => key)]);
  const fields = [...keys].map(
    (key): OutputField => known.get(key) ?? { key, label: key, type: typeof sample[key] === 'boolean' ? 'boolean' : 'string' },
  );
  const record = objectOf(fields);
  const rest = yields === 'one' ? record.shape : { incomplete: fitted('string'), records: z.array(record), next_cursor: fitted('string') };
  const answer = z.looseObject({ about_this_answer: fitted('string'), ...rest });
  const { $schema: _dialect, ...schema } = z.toJSONSchema(answer, { io: 'output' });
  return { schema: { ...schema, type: 'object' }, fit: (value) => answer.parse(value) };
}

const objectOf = (fields: readonly OutputField[]) =>
  z.looseObject(Object.fromEntries(fields.map((field) => [field.key, schemaOf(field).meta({ description: field.label })])));

function schemaOf({ key, type, children }: OutputField): z.ZodType {
  switch (type) {
    case 'list':
      return z.preprocess(
        (value) => (hasValue(value) ? [value].flat().filter((each) => children === undefined || isObject(each)) : undefined),
        z.array(children === undefined ? z.unknown() : objectOf(children)).optional(),
      );
    // Services send answers to questions as an object or as a list.
    case 'object':
    case 'any':
      return z.unknown().optional();
    default:
      if (key === 'id') return z.preprocess(asText, z.string());
      return fitted(type === 'datetime' ? 'string' : type);
  }
}

/** A single value; `undefined` if it cannot be converted. */
const fitted = (type: 'string' | 'number' | 'boolean'): z.ZodType => z.preprocess(forms[type], plain[type].optional());

const plain = { string: z.string(), number: z.number(), boolean: z.boolean() };

const forms: Record<keyof typeof plain, (value: unknown) => unknown> = {
  string: (value) => (value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value)),
  number: (value) => (asText(value).trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined),
  boolean: (value) => (isYes(value) ? true : isNo(value) ? false : undefined),
};
