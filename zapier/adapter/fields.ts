import type { Bundle, PlainInputField, PlainOutputField, ZObject } from 'zapier-platform-core';
import type { OutputField } from '../../shared/records/index.ts';
import { lookups, type Choice, type Control, type FormField, type LookupName } from '../../shared/operations/index.ts';
import { isBlank } from '../../shared/values.ts';
import { clientFor } from './connection.ts';
import { guarded } from './errors.ts';

/**
 * Zapier's widget for each kind of field. Zapier converts what is mapped into a typed field, and says nothing: `05/06/2026` becomes another
 * day, a day at midnight UTC the one before, a long number loses digits, and what is no "no" becomes "yes". So only times are typed, because
 * Zapier knows the Zap's zone, and the core reads everything else.
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

/** The place of a field in Zapier's form, and the search step that may fill it. */
interface Placement {
  group?: string;
  search?: string;
}

/**
 * The fields of a step that somebody filled in, with their values. Zapier hands on no value, or an empty text, both for a field that nobody
 * touched and for one that is mapped to something that is empty in this run. Only what is written in the form tells them apart.
 */
export function filledInputs({
  inputData,
  inputDataRaw,
}: Pick<Bundle, 'inputData'> & Partial<Pick<Bundle, 'inputDataRaw'>>): Record<string, unknown> {
  const mapped = Object.entries(inputDataRaw ?? {}).filter(([, written]) => !isBlank(written));
  const values = Object.entries(inputData).filter(([, value]) => value !== '');
  return { ...Object.fromEntries(mapped.map(([key]) => [key, undefined])), ...Object.fromEntries(values) };
}

/** A heading of a form, as Zapier shows it. */
export const groupOf = (label: string): { key: string; label: string } => ({ key: label.toLowerCase(), label });

/** One field of a form, as Zapier shows it. */
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

/** A list to choose from, page by page. The field itself loads it, so no hidden trigger is needed. */
export const dropdown = (name: LookupName) => ({
  perform: guarded(async (z: ZObject, { meta }: Bundle) => {
    // On a terminal, Zapier's own tool passes null for the first page, although the type says otherwise.
    const { choices, cursor, note } = await lookups[name](clientFor(z), { cursor: meta.paging_token ?? undefined });
    const results = choices.map(({ value, label }) => ({ id: value, label }));
    // The note is an entry without a value: if someone chooses it by mistake, the field stays empty.
    const noted = note === undefined ? [] : [{ id: '', label: note }];
    const isFirst = typeof meta.paging_token !== 'string';
    return { results: isFirst ? [...noted, ...results] : [...results, ...noted], paging_token: cursor ?? null };
  }),
});

/**
 * One labelled output field. The fields of an object have their path as the key, joined as Zapier flattens it; a list of objects becomes
 * line items. An object with unknown keys has no field: Zapier names its values from the record.
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

/** Zapier adds an offset to every time before the app sees it. Only the Zap's time zone decides which. */
const helpText = (help: string, control: Control): string =>
  control === 'dateTime' ? `${sentence(help)} If you enter a time without a time zone, this Zap's time zone is used.` : sentence(help);

/** The core's texts have no full stop, because not every platform wants one. Zapier does. */
export const sentence = (text: string): string => `${text}.`;
