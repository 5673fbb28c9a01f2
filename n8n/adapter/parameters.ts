import { DateTime } from 'luxon';
import type { IExecuteFunctions } from 'n8n-workflow';
import { ServiceError } from '../../shared/api/errors.ts';
import { isObject } from '../../shared/values.ts';
import type { Operation } from '../../shared/define.ts';
import { formFields, type FormField } from '../../shared/form.ts';
import { answersJson, answersMode } from './answers.ts';
import { parameterName } from './names.ts';
import { collectionName } from './properties.ts';

/**
 * A parameter as the core takes it: what was chosen in a resource locator, and a time from an expression as its ISO text.
 * Everything else stays as it is.
 *
 * @param zone whose day and clock a bare JavaScript date is written in: it has none of its own
 */
export function plainValue(value: unknown, zone = 'utc'): unknown {
  if (Array.isArray(value)) return value.map((each) => plainValue(each, zone));
  // An invalid time says so in its text, and is refused by it.
  if (value instanceof Date) return plainValue(DateTime.fromJSDate(value, { zone }));
  if (DateTime.isDateTime(value)) return value.toISO() ?? String(value);
  return isObject(value) && '__rl' in value ? value['value'] : value;
}

/** The form of one item under the documented names, as the panel or an agent filled it; answers excepted. */
export function readForm(host: IExecuteFunctions, operation: Operation, itemIndex: number): Record<string, unknown> {
  const fields = formFields(operation.input).filter(({ control }) => control !== 'answers');
  const optional = fields.some(({ required }) => !required)
    ? (host.getNodeParameter(collectionName(operation), itemIndex, {}) as Record<string, unknown>)
    : {};
  return Object.fromEntries(
    fields.map(({ key, required, control }) => {
      const name = parameterName(key);
      const value = plainValue(required ? host.getNodeParameter(name, itemIndex, '') : optional[name], host.getTimezone());
      // Ids and notes that an expression gives are often numbers.
      return [key, typeof value === 'number' && control !== 'number' ? String(value) : value];
    }),
  );
}

/**
 * The most records wanted; nothing where all are.
 *
 * @throws ServiceError `invalid` where an expression gives what is no count.
 */
export function readLimit(host: IExecuteFunctions, itemIndex: number): { limit?: number } {
  if (host.getNodeParameter('returnAll', itemIndex, false) === true) return {};
  const given: unknown = host.getNodeParameter('limit', itemIndex, 50);
  const limit = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  if (typeof limit === 'number' && Number.isInteger(limit) && limit > 0) return { limit };
  throw new ServiceError('invalid', { message: `"Limit" must be a whole number above zero: it is ${JSON.stringify(given) ?? 'empty'}.`, advice: 'Correct it, or switch on "Return All", and run this again.' });
}

/** Answers as they were given, under their questions' keys, and whether a person or an agent wrote them as JSON. */
export interface GivenAnswers {
  values: Record<string, unknown>;
  asJson: boolean;
}

/**
 * The answers of one item, without the empty ones.
 *
 * @throws ServiceError `invalid` where JSON was to be given and is none.
 */
export function readAnswers(host: IExecuteFunctions, field: FormField, itemIndex: number): GivenAnswers {
  const asJson = host.getNodeParameter(answersMode(field), itemIndex, 'fields') === 'json';
  const given: unknown = asJson
    ? fromJson(host.getNodeParameter(answersJson(field), itemIndex, '{}'), field)
    : host.getNodeParameter(`${parameterName(field.key)}.value`, itemIndex, null);
  const filled = Object.entries(isObject(given) ? given : {}).map(([key, value]) => [key, plainValue(value, host.getTimezone())] as const);
  return { asJson, values: Object.fromEntries(filled.filter(([, value]) => value !== null && value !== undefined && value !== '')) };
}

function fromJson(given: unknown, { label }: FormField): unknown {
  if (isObject(given)) return given;
  const text = typeof given === 'string' ? given.trim() : '';
  if (text === '') return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (isObject(parsed)) return parsed;
  } catch {
    throw noObject(label);
  }
  throw noObject(label);
}

const noObject = (label: string) =>
  new ServiceError('invalid', { message: `"${label}" is not a JSON object.`, advice: 'Enter an object keyed by question, such as {"company": "Analytical Engines"}.' });
