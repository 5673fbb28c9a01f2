import { DateTime } from 'luxon';
import type { ZapierRuntime } from '../../tools/rigs/zapier/runtime.ts';
import { ZapierError } from '../../tools/rigs/zapier/zap.ts';

/** A field that is mapped to a value of an earlier step, which may be empty in this run. */
export class Mapped {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

type ActionPath = `${'creates' | 'searches'}.${string}`;

/** An input field as an app describes it, limited to what tests use. */
interface InputField {
  key: string;
  label?: string;
  type?: string;
  required?: boolean;
  list?: boolean;
  choices?: unknown;
  group?: string;
  helpText?: string;
}

/** The fields of a form, including those that depend on the values filled in so far. */
export const fieldsOf = async (zapier: ZapierRuntime, action: ActionPath, inputData: object = {}): Promise<InputField[]> =>
  (await zapier.invoke(`${action}.operation.inputFields`, { inputData })) as InputField[];

/** The recent records that the editor shows for "Test trigger". */
export async function samplesOf(zapier: ZapierRuntime, trigger: string, inputData: object = {}): Promise<Record<string, unknown>[]> {
  const bundle = { inputData, meta: { isLoadingSample: true } };
  return (await zapier.invoke(`triggers.${trigger}.operation.performList`, bundle)) as Record<string, unknown>[];
}

/**
 * Runs a create or a search as a Zap's step does: gets the form's fields, converts the values, and checks the required ones.
 *
 * @param form what the person typed, or {@link Mapped} from an earlier step
 * @throws {ZapierError} with kind 'MissingFields' if a required field is empty: Zapier does not run such a step
 */
export async function runStep(
  zapier: ZapierRuntime,
  action: ActionPath,
  form: Record<string, unknown>,
  pagingToken?: string,
): Promise<unknown> {
  const entries = Object.entries(form);
  const raw = Object.fromEntries(entries.map(([key, value]) => [key, value instanceof Mapped ? value.value : value]));
  const inputDataRaw = Object.fromEntries(entries.map(([key, value]) => [key, value instanceof Mapped ? `{{1__${key}}}` : value]));
  const fields = await fieldsOf(zapier, action, raw);
  const inputData = resolveInputs(fields, raw, zapier.timeZone);
  const missing = fields.flatMap(({ key, label, required }) => (required === true && isEmpty(inputData[key]) ? [label ?? key] : []));
  if (missing.length > 0) throw new ZapierError('MissingFields', `Required fields are missing: ${missing.join(', ')}`);
  const meta = pagingToken === undefined ? {} : { paging_token: pagingToken };
  return zapier.invoke(`${action}.operation.perform`, { inputData, inputDataRaw, meta });
}

/**
 * Prepares the values in a step's form as Zapier does before the app sees them: converts each value to its field's type, reads a datetime
 * without an offset in the Zap's zone, and removes empty values.
 *
 * @param fields the fields of the form, dynamic ones included
 * @param raw what the person typed or mapped
 */
function resolveInputs(fields: InputField[], raw: Record<string, unknown>, timeZone: string): Record<string, unknown> {
  const typed = Object.entries(raw).map(([key, value]) => {
    const { list = false, type = 'string' } = fields.find((field) => field.key === key) ?? {};
    if (!list) return [key, scalar(value, timeZone, type)] as const;
    const items = [value].flat().filter((each) => !isEmpty(each));
    return [key, items.map((each) => scalar(each, timeZone, type))] as const;
  });
  return Object.fromEntries<unknown>(typed.filter(([, value]) => !isEmpty(value)));
}

function scalar(value: unknown, timeZone: string, type: string): unknown {
  if (typeof value !== 'string' || value === '') return value;
  if (type === 'number') return Number.parseFloat(value);
  if (type === 'boolean') return !/^(n|no|false|f|never|0|none|null)$/i.test(value);
  if (type !== 'datetime') return value;
  const read = DateTime.fromISO(value, { zone: timeZone });
  return read.isValid ? read.toFormat("yyyy-MM-dd'T'HH:mm:ssZZ") : value;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
