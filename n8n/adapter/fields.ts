import type { INodeProperties } from 'n8n-workflow';
import { zoneHelp, type Form, type FormField } from '../../shared/operations/index.ts';
import { parameterName, searchMethod } from './names.ts';

/**
 * For labels that differ. They are plain English: locale-aware collation would slow each start of n8n down more than the rest of this file.
 */
export const byLabel = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

/**
 * One field of a form as an n8n property.
 *
 * @param form the form that contains the field
 */
export function fieldProperty(field: FormField, form: Form, { required = false }: { required?: boolean } = {}): INodeProperties {
  const base = {
    displayName: field.label,
    name: parameterName(field.key),
    ...(required && { required }),
    description: descriptionOf(field.help),
  };
  const placeholder = field.example === undefined ? {} : { placeholder: `e.g. ${field.example}` };
  if (field.lookup !== undefined) return locator(field, base, required);
  switch (field.control) {
    case 'choice':
      return { ...base, type: 'options', options: options(field), default: usual(field) };
    case 'choices':
    case 'events':
      return { ...base, type: 'multiOptions', options: options(field), default: [] };
    case 'boolean':
      return { ...base, type: 'boolean', default: false };
    case 'number':
      return { ...base, type: 'number', default: 0 };
    case 'dateTime':
      return { ...base, type: 'dateTime', default: '', hint: zoneHelp(form, "the workflow's time zone") };
    case 'multiline':
      return { ...base, ...placeholder, type: 'string', typeOptions: { rows: 3 }, default: '' };
    case 'email':
      return { ...base, placeholder: 'e.g. name@email.com', type: 'string', default: '' };
    default:
      return { ...base, ...placeholder, type: 'string', default: '' };
  }
}

/** A text of the core in n8n's style: "ID" in capitals, and a final full stop only if there is more than one sentence. */
export function descriptionOf(help: string): string {
  const text = help.replace(/\bid\b/g, 'ID');
  return text.includes('. ') ? `${text}.` : text;
}

const options = ({ choices = [] }: FormField) => choices.map(({ value, label }) => ({ name: label, value })).sort(byLabel);

/** The default of an added field: the first declared choice. n8n sorts choices by name, so it may not be the first one listed. */
const usual = ({ choices = [] }: FormField) => choices[0]?.value ?? '';

/** A value chosen from a searchable list, or typed: an id from an earlier node or from an agent. */
function locator(field: FormField, base: Omit<INodeProperties, 'type' | 'default'>, required: boolean): INodeProperties {
  const asId = `To pass an id from an earlier node, use the mode "id": ${base.name} as { __rl: true, mode: "id", value: ... }`;
  return {
    ...base,
    builderHint: { propertyHint: required ? `Required. ${asId}` : asId },
    type: 'resourceLocator',
    default: { mode: 'list', value: '' },
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        placeholder: 'Select one …',
        typeOptions: { searchListMethod: searchMethod(field.lookup ?? 'eventTypes'), searchable: true },
      },
      {
        displayName: field.control === 'timeZone' ? 'By Name' : 'By ID',
        name: 'id',
        type: 'string',
        ...(field.example !== undefined && { placeholder: `e.g. ${field.example}` }),
      },
    ],
  };
}
