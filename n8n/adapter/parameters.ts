import { DateTime } from 'luxon';
import type { IExecuteFunctions } from 'n8n-workflow';
import { ServiceError } from '../../shared/client/index.ts';
import { isObject, isYes } from '../../shared/values.ts';
import { type OperationInput, type Operation, formFields, type FormField } from '../../shared/operations/index.ts';
import { answersJson, answersMode, answersOf } from './answers.ts';
import { parameterName } from './names.ts';
import { collectionName } from './properties.ts';

/**
 * A parameter in the form that the core reads: the chosen value of a resource locator, and a time from an expression as ISO text.
 * Everything else stays as it is.
 *
 * @param zone the time zone for a JavaScript date, which has none of its own
 */
export function plainValue(value: unknown, zone = 'utc'): unknown {
  if (Array.isArray(value)) return value.map((each) => plainValue(each, zone));
  // The text of an invalid time says so, and is refused. JavaScript makes a date without a time midnight in UTC, which further west is the
  // day before, so it stays in UTC.
  if (value instanceof Date) return plainValue(DateTime.fromJSDate(value, { zone: value.getTime() % 86_400_000 === 0 ? 'utc' : zone }));
  if (DateTime.isDateTime(value)) return value.toISO() ?? String(value);
  return isObject(value) && '__rl' in value ? plainValue(value['value'], zone) : value;
}

/**
 * The form of one item as the panel or an agent filled it in, under the documented names. It includes only those optional fields that were
 * added.
 */
export function readForm(host: IExecuteFunctions, operation: Operation, itemIndex: number): OperationInput {
  const place = collectionName(operation);
  const collection: unknown = host.getNodeParameter(place, itemIndex, {});
  const optional = isObject(collection) ? collection : {};
  const plain = (value: unknown): unknown => plainValue(value, host.getTimezone());
  const fields = formFields(operation.input);
  const values = fields.flatMap(({ key, required }): [string, unknown][] => {
    const name = parameterName(key);
    if (required) return [[key, plain(host.getNodeParameter(name, itemIndex, ''))]];
    return Object.hasOwn(optional, name) ? [[key, plain(optional[name])]] : [];
  });
  const written: unknown = host.getNode().parameters[place];
  const mayBeEmpty = fields.map(({ key }) => key).filter((key) => isObject(written) && isFilledByModel(written[parameterName(key)]));
  const answers = fields.find(({ control }) => control === 'answers');
  return {
    fields: Object.fromEntries(values),
    mayBeEmpty,
    ...(answers !== undefined && readAnswers(host, answers, itemIndex, plain, values)),
  };
}

/** Whether a parameter, as written, leaves its value to a model. The pattern is n8n's own. */
const isFilledByModel = (written: unknown): boolean => /\$fromAI\s*\(/i.test(JSON.stringify(written) ?? '');

/** The answers for one item: from the question fields, or as JSON under the key of the field for answers. */
function readAnswers(
  host: IExecuteFunctions,
  field: FormField,
  itemIndex: number,
  plain: (value: unknown) => unknown,
  values: readonly (readonly [string, unknown])[],
): Partial<OperationInput> {
  const asJson = host.getNodeParameter(answersMode(field), itemIndex, 'fields') === 'json';
  if (asJson) return { fields: { ...Object.fromEntries(values), [field.key]: host.getNodeParameter(answersJson(field), itemIndex, '{}') } };
  const name = parameterName(field.key);
  // Without this, n8n would convert each answer to its field's type: an empty number to 0, and "Table 5" to a date in 2001.
  const raw: unknown = host.getNodeParameter(`${name}.value`, itemIndex, null, { skipValidation: true });
  if (!isObject(raw)) return {};
  const given = Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, plain(value)]));
  return { answers: answersOf(given, host.getNode().parameters[name]) };
}

/**
 * The maximum number of records; `undefined` for all.
 *
 * @throws ServiceError `invalid` if an expression yields anything but a whole number above zero
 */
export function readLimit(host: IExecuteFunctions, itemIndex: number): { limit?: number } {
  if (isYes(host.getNodeParameter('returnAll', itemIndex, false))) return {};
  const raw: unknown = host.getNodeParameter('limit', itemIndex, 50);
  const limit = (typeof raw === 'string' ? Number(raw) : raw) as number;
  if (Number.isInteger(limit) && limit > 0) return { limit };
  throw new ServiceError('invalid', {
    message: `"Limit" must be a whole number above zero: it is ${JSON.stringify(raw) ?? 'empty'}.`,
    advice: 'Correct it, or turn on "Return All", and run this again.',
  });
}
