import type { PlainInputField, PlainOutputField } from 'zapier-platform-core';
import type { OutputField } from '../../shared/api/fields.ts';
import type { Choice, Control } from '../../shared/define.ts';
import type { FormField } from '../../shared/form.ts';
import { dropdown } from './dropdown.ts';

/** Zapier's widget for each kind of field. A date is picked with the time widget; the core takes the day out of it. */
const widgets: Record<Control, Partial<PlainInputField>> = {
  text: { type: 'string' },
  multiline: { type: 'text' },
  email: { type: 'string' },
  phone: { type: 'string' },
  url: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'datetime' },
  dateTime: { type: 'datetime' },
  choice: { type: 'string' },
  choices: { type: 'string', list: true },
  timeZone: { type: 'string' },
  answers: { dict: true },
  events: { type: 'string', list: true },
};

/** Where a field stands in Zapier's form, and which search step may fill it. */
interface Placement {
  group?: string;
  search?: string;
}

/** One field of a form, as Zapier draws it. */
export function formInput(
  { key, label, help, required, control, choices, example, lookup }: FormField,
  placement: Placement = {},
): PlainInputField {
  return {
    key,
    label,
    required,
    ...(help !== '' && { helpText: helpText(help, control) }),
    ...widgets[control],
    ...placement,
    ...(lookup !== undefined
      ? { choices: dropdown(lookup) }
      : choices !== undefined && choices.length > 0 && { choices: staticChoices(choices) }),
    ...(example !== undefined && widgets[control].dict !== true && { placeholder: example }),
  };
}

export const staticChoices = (choices: readonly Choice[]) => choices.map(({ value, label }) => ({ value, label, sample: value }));

/**
 * One labelled field of an output. The fields of an object stand under their path, joined as Zapier flattens it; a list of objects is line
 * items. An object whose keys are not known beforehand has no field of its own: Zapier names them from the record.
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

/** Zapier turns every time into one with an offset before the app sees it: what decides that is the Zap's zone, and nothing else. */
const helpText = (help: string, control: Control): string =>
  control === 'dateTime' ? `${sentence(help)} A time without an offset is read in the time zone of this Zap.` : sentence(help);

/** The texts of the core end without a full stop, because not every platform wants one. Zapier does. */
export const sentence = (text: string): string => `${text}.`;
