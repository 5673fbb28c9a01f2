import type { Bundle, PlainInputField, PlainOutputField, ZObject } from 'zapier-platform-core';
import type { OutputField } from '../../shared/records/index.ts';
import { lookups, type Choice, type Control, type FormField, type LookupName } from '../../shared/operations/index.ts';
import { isBlank } from '../../shared/values.ts';
import { clientFor } from './connection.ts';
import { guarded } from './errors.ts';

/**
 * Zapier's widget for each kind of field. Zapier silently converts the value that is mapped into a typed field: `05/06/2026` becomes
 * another day, a day at midnight UTC the day before, a long number loses digits, and anything that is not a "no" becomes "yes". So only
 * times are typed, because Zapier knows the Zap's zone. The core reads everything else.
 */
const widgets: Record<Control, Partial<PlainInputField>> = {
  text: { type: 'string' },
  multiline: { type: 'text' },
  email: { type: 'string' },
  phone: { type: 'string' },
  url: { type: 'string' },
  number: { type: 'string', placeholder: '25' },
  boolean: { type: 'string', choices: { yes: 'Yes', no: 'No' } },
  date: { type: 'string', placeholder: '2030-01-31' },
  dateTime: { type: 'datetime' },
  choice: { type: 'string' },
  choices: { type: 'string', list: true },
  timeZone: { type: 'string' },
  answers: { dict: true },
  events: { type: 'string', list: true },
};

/** The heading group of a field in Zapier's form, and the search step that may fill it. */
interface Placement {
  group?: string;
  search?: string;
}

/**
 * The fields of a step that somebody filled in, with their values. Zapier passes no value, or an empty text, both for an untouched field
 * and for one mapped to something that is empty in this run. Only the raw form (`inputDataRaw`) tells them apart.
 */
export function filledInputs({
  inputData,
  inputDataRaw,
}: Pick<Bundle, 'inputData'> & Partial<Pick<Bundle, 'inputDataRaw'>>): Record<string, unknown> {
  const mapped = Object.entries(inputDataRaw ?? {}).filter(([, written]) => !isBlank(written));
  const values = Object.entries(inputData).filter(([, value]) => value !== '');
  return { ...Object.fromEntries(mapped.map(([key]) => [key, undefined])), ...Object.fromEntries(values) };
}

/** A heading of a form, in Zapier's format. */
export const groupOf = (label: string): { key: string; label: string } => ({ key: label.toLowerCase(), label });

/** One field of a form, in Zapier's format. */
export function formInput(
  { key, label, help, required, control, choices, example, lookup, group }: FormField,
  placement: Placement = {},
): PlainInputField {
  return {
    key,
    label,
    required,
    ...(help !== '' && { helpText: helpText(help, control) }),
    ...widgets[control],
    ...(group !== undefined && { group: groupOf(group).key }),
    ...placement,
    ...(lookup !== undefined
      ? { choices: dropdown(lookup) }
      : choices !== undefined && choices.length > 0 && { choices: staticChoices(choices) }),
    ...(example !== undefined && widgets[control].dict !== true && { placeholder: example }),
  };
}

const staticChoices = (choices: readonly Choice[]) => choices.map(({ value, label }) => ({ value, label, sample: value }));

/** A dropdown, loaded page by page. The field itself loads it, so no hidden trigger is needed. */
export const dropdown = (name: LookupName) => ({
  perform: guarded(async (z: ZObject, { meta }: Bundle) => {
    // Despite its type, Zapier's command line tool passes null for the first page.
    const { choices, cursor, note } = await lookups[name](clientFor(z), { cursor: meta.paging_token ?? undefined });
    const results = choices.map(({ value, label }) => ({ id: value, label }));
    // The note is an entry without a value: if someone chooses it by mistake, the field stays empty.
    const noted = note === undefined ? [] : [{ id: '', label: note }];
    const isFirst = typeof meta.paging_token !== 'string';
    return { results: isFirst ? [...noted, ...results] : [...results, ...noted], paging_token: cursor ?? null };
  }),
});

/**
 * The labelled output fields for one field. The fields of an object have their path as the key, joined as Zapier flattens it; a list of
 * objects becomes line items. An object with unknown keys has no fields: Zapier names its values from the record.
 */
export function outputField({ key, label, type, children }: OutputField, path: readonly string[] = []): PlainOutputField[] {
  const whole = [...path, key];
  const name = whole.join('__');
  if (type === 'object') return (children ?? []).flatMap((child) => outputField(child, whole));
  if (type === 'list')
    return [
      { key: name, label, ...(children === undefined ? { list: true } : { children: children.flatMap((child) => outputField(child)) }) },
    ];
  return [{ key: name, label, ...(type !== 'any' && { type }) }];
}

/** Zapier adds an offset to every time before the app sees it. It always uses the Zap's time zone, so the help text says so. */
const helpText = (help: string, control: Control): string =>
  control === 'dateTime' ? `${sentence(help)} If you enter a time without a time zone, this Zap's time zone is used.` : sentence(help);

/** Adds a full stop. The core's texts have none, because not every platform wants one; Zapier does. */
export const sentence = (text: string): string => `${text}.`;
