import { DateTime } from 'luxon';
import type { IExecuteFunctions } from 'n8n-workflow';
import { ServiceError } from '../../shared/api/errors.ts';
import { isObject } from '../../shared/api/transport.ts';
import type { Operation } from '../../shared/define.ts';
import { formFields, type FormField } from '../../shared/form.ts';
import { answersJson, answersMode } from './answers.ts';
import { parameterName } from './names.ts';
import { collectionName } from './properties.ts';

/**
 * A parameter as the core takes it: what was chosen in a resource locator, and a luxon time from an expression as its ISO
 * text. Everything else stays as it is.
 */
export function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue);
  if (!isObject(value)) return value;
  if (DateTime.isDateTime(value)) return value.toISO() ?? '';
  return '__rl' in value ? value['value'] : value;
}

/** The form of one item under the documented names, as the panel or an agent filled it; answers excepted. */
export function readForm(host: IExecuteFunctions, operation: Operation, itemIndex: number): Record<string, unknown> {
  const fields = formFields(operation.input).filter(({ control }) => control !== 'answers');
  const optional = fields.some(({ required }) => !required)
    ? (host.getNodeParameter(collectionName(operation), itemIndex, {}) as Record<string, unknown>)
    : {};
  return Object.fromEntries(
    fields.map(({ key, required }) => {
      const name = parameterName(key);
      return [key, plainValue(required ? host.getNodeParameter(name, itemIndex, '') : optional[name])];
    }),
  );
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
  const filled = Object.entries(isObject(given) ? given : {}).map(([key, value]) => [key, plainValue(value)] as const);
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
