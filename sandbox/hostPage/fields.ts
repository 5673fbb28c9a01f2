import { html } from 'hono/html';
import type { Detail } from '../errors.ts';
import type { Html } from '../page.ts';

export interface Choice {
  value: string;
  label: string;
}

/** One field of a form. It has the service's own name, so that an error from the service can be shown beside it. */
export type Field = {
  name: string;
  label: string;
  hint?: string | undefined;
  required?: boolean | undefined;
  /** How a sentence about an error begins; the label by default. */
  subject?: string | undefined;
} & (
  | { kind: 'text' | 'email' | 'tel' | 'number' | 'date' | 'datetime-local' | 'url'; autocomplete?: string }
  | { kind: 'textarea'; maxlength: number }
  | { kind: 'select' | 'checkboxes'; choices: Choice[] }
);

/** The values of a form's fields, and what is wrong with them. */
export interface Filled {
  values: URLSearchParams;
  errors: Detail[];
}

/** The errors at the top of a form, with links to the fields; nothing if there are none. */
export function errorSummary(fields: Field[], { errors }: Filled): Html | '' {
  if (errors.length === 0) return '';
  return html`<div class="summary" role="alert">
    <h2>${errors.length === 1 ? 'There is a problem' : `There are ${errors.length} problems`}</h2>
    <ul>
      ${errors.map((error) => {
        const field = fields.find(({ name }) => name === error.field);
        return field === undefined
          ? html`<li>${error.field} ${error.message}</li>`
          : html`<li><a href="#${idOf(field)}">${sentence(field, error)}</a></li>`;
      })}
    </ul>
  </div>`;
}

/** A field with its label, its hint, its error and the value that was entered. */
export function renderField(field: Field, filled: Filled): Html {
  const error = filled.errors.find(({ field: name }) => name === field.name);
  const id = idOf(field);
  const about = [field.hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
    .filter((each) => each !== '')
    .join(' ');
  const label = html`${field.label}${field.required === true ? '' : html` <span class="optional">optional</span>`}`;
  const notes = html`${field.hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${field.hint}</p>`}
  ${error === undefined ? '' : html`<p class="error" id="${id}-error">${sentence(field, error)}</p>`}`;
  if (field.kind === 'checkboxes') {
    const chosen = filled.values.getAll(field.name);
    return html`<fieldset class="field" id="${id}" ${described(about)}>
      <legend>${label}</legend>
      ${notes}
      ${field.choices.map(
        ({ value, label: text }) =>
          html`<label class="check"
            ><input type="checkbox" name="${field.name}" value="${value}" ${chosen.includes(value) ? 'checked' : ''} /> ${text}</label
          >`,
      )}
    </fieldset>`;
  }
  return html`<div class="field">
    <label for="${id}">${label}</label>${notes}${control(
      field,
      filled,
      html`id="${id}" name="${field.name}" ${field.required === true ? 'required' : ''} ${described(about)}
      ${error === undefined ? '' : html`aria-invalid="true"`}`,
    )}
  </div>`;
}

function control(field: Field, { values }: Filled, attributes: Html): Html {
  const value = values.get(field.name) ?? '';
  switch (field.kind) {
    case 'textarea':
      // HTML ignores a line break right after the tag.
      return html`<textarea ${attributes} rows="3" maxlength="${field.maxlength}">${value}</textarea>`;
    case 'select':
    case 'checkboxes':
      return html`<select ${attributes}>
        ${field.choices.map((each) => html`<option value="${each.value}" ${each.value === value ? 'selected' : ''}>${each.label}</option>`)}
      </select>`;
    default:
      return html`<input
        type="${field.kind}"
        ${attributes}
        value="${value}"
        ${field.kind === 'number' ? html`step="any"` : ''}
        ${field.autocomplete === undefined ? '' : html`autocomplete="${field.autocomplete}"`}
      />`;
  }
}

function described(ids: string): Html | '' {
  return ids === '' ? '' : html`aria-describedby="${ids}"`;
}

function sentence(field: Field, { message }: Detail): string {
  return `${field.subject ?? field.label} ${message}.`;
}

/** A name may contain characters that an HTML id may not: it can be the whole text of a question. */
function idOf({ name }: Field): string {
  return `field-${name.replaceAll(/[^A-Za-z0-9]+/g, '-')}`;
}

export function choicesOf(values: readonly string[]): Choice[] {
  return values.map((value) => ({ value, label: value }));
}

/** Text as it was typed: browsers send each line break as two characters. */
export function textOf(values: URLSearchParams, name: string): string {
  return (values.get(name) ?? '').replaceAll('\r\n', '\n').trim();
}
