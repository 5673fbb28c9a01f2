import { html } from 'hono/html';
import type { Request } from '../context.ts';
import type { Detail } from '../errors.ts';
import type { Html } from './layout.ts';

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
  | { kind: 'text' | 'email' | 'tel' | 'number' | 'date' | 'datetime-local'; autocomplete?: string }
  | { kind: 'textarea'; maxlength: number }
  | { kind: 'select' | 'checkboxes'; choices: Choice[] }
);

/** The values of a form's fields, and what is wrong with them. */
export interface Filled {
  values: URLSearchParams;
  errors: Detail[];
}

/** What a form shows that nobody has sent yet. */
export const filledWith = (values: Record<string, string> = {}): Filled => ({ values: new URLSearchParams(values), errors: [] });

/** Says that a form was refused, and what is wrong beside its fields, where each error stands. Nothing if there are none. */
export function errorSummary(fields: Field[], { errors }: Filled): Html | false {
  if (errors.length === 0) return false;
  const others = errors.filter(({ field }) => !fields.some(({ name }) => name === field));
  return html`<p class="flash bad" role="alert">
    Nothing was changed. ${others.length < errors.length && 'Correct the marked fields.'}
    ${others.map(({ field, message }) => `${field} ${message}.`).join(' ')}
  </p>`;
}

/**
 * A field with its label, its hint, its error and the value that was entered.
 *
 * @param form the name of its form, of which a page may have several with the same fields
 */
export function renderField(form: string, field: Field, filled: Filled): Html {
  const { name, hint, required = false } = field;
  const error = filled.errors.find((each) => each.field === name);
  // A name may contain characters that an HTML id may not: it can be the whole text of a question.
  const id = `${form}-${name.replaceAll(/[^A-Za-z0-9]+/g, '-')}`;
  const about = [hint !== undefined && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const described = about !== '' && html`aria-describedby="${about}"`;
  const label = html`${field.label}${!required && html` <small>optional</small>`}`;
  const notes = html`${hint !== undefined && html`<p class="muted" id="${id}-hint">${hint}</p>`}
  ${error && html`<p class="error" id="${id}-error">${field.subject ?? field.label} ${error.message}.</p>`}`;
  if (field.kind === 'checkboxes') {
    const chosen = filled.values.getAll(name);
    return html`<fieldset id="${id}" ${described}>
      <legend>${label}</legend>
      ${notes}
      ${field.choices.map(
        ({ value, label: text }) =>
          html`<label><input type="checkbox" name="${name}" value="${value}" ${chosen.includes(value) && 'checked'} /> ${text}</label>`,
      )}
    </fieldset>`;
  }
  const attributes = html`id="${id}" name="${name}" ${required && 'required'} ${described} ${error && html`aria-invalid="true"`}`;
  return html`<div><label for="${id}">${label}</label>${notes}${control(field, filled, attributes)}</div>`;
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
        ${field.choices.map((each) => html`<option value="${each.value}" ${each.value === value && 'selected'}>${each.label}</option>`)}
      </select>`;
    default:
      return html`<input
        type="${field.kind}"
        ${attributes}
        value="${value}"
        ${field.kind === 'number' && html`step="any"`}
        ${field.autocomplete !== undefined && html`autocomplete="${field.autocomplete}"`}
      />`;
  }
}

export function choicesOf(values: readonly string[]): Choice[] {
  return values.map((value) => ({ value, label: value }));
}

/** The fields of the submitted form. */
export function sentFields(c: Request): URLSearchParams {
  return new URLSearchParams(new TextDecoder().decode(c.get('body')));
}

/** Text as it was typed: browsers send each line break as two characters. */
export function textOf(values: URLSearchParams, name: string): string {
  return (values.get(name) ?? '').replaceAll('\r\n', '\n').trim();
}

const LOOKS = { main: '', quiet: 'outline secondary', danger: 'outline danger' };

/** A form with one button, below its fields if it has any. The service says what is wrong with them, not the browser. */
export function renderForm(
  action: string,
  label: string,
  { kind = 'main', name, fields }: { kind?: keyof typeof LOOKS; name?: string; fields?: Html | Html[] } = {},
): Html {
  return html`<form method="post" action="${action}" novalidate>
    ${fields}<button class="${LOOKS[kind]}" ${name !== undefined && html`aria-label="${name}"`}>${label}</button>
  </form>`;
}
