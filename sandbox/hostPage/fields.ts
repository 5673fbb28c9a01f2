import { html } from 'hono/html';
import type { Request } from '../context.ts';
import type { Html } from './layout.ts';

/** One field of a form. It has the service's own name, so that an error from the service can be told under its label. */
export interface Field {
  name: string;
  label: string;
  /** A kind of `input`, or `textarea`. Without it, the value is one of the choices. */
  kind?: string;
  choices?: { value: string; label: string }[];
  /** Several of the choices can be taken. */
  isMany?: boolean;
  required?: boolean;
  /** What it holds at first. */
  value?: string;
}

export const choicesOf = (values: readonly string[]): { value: string; label: string }[] =>
  values.map((value) => ({ value, label: value }));

/**
 * A field with its label.
 *
 * @param id unique on the page
 * @param tried what was entered before, if the form was refused
 */
export function renderField(
  id: string,
  { name, label, kind, choices = [], isMany, required, value = '' }: Field,
  tried?: URLSearchParams,
): Html {
  const values = tried?.getAll(name) ?? [value];
  const [first = ''] = values;
  const attributes = html`id="${id}" name="${name}" ${required === true && 'required'}`;
  const select = html`<select ${attributes} ${isMany === true && 'multiple'}>
    ${choices.map((each) => html`<option value="${each.value}" ${values.includes(each.value) && 'selected'}>${each.label}</option>`)}
  </select>`;
  const control =
    kind === undefined
      ? select
      : kind === 'textarea'
        ? // HTML ignores a line break right after the tag.
          html`<textarea ${attributes} rows="3">${first}</textarea>`
        : html`<input type="${kind}" ${attributes} value="${first}" ${kind === 'number' && html`step="any"`} />`;
  return html`<div><label for="${id}">${label}${required !== true && html` <small>optional</small>`}</label>${control}</div>`;
}

/** The fields of the submitted form. */
export const sentFields = (c: Request): URLSearchParams => new URLSearchParams(new TextDecoder().decode(c.get('body')));

/** Text as it was typed: browsers send each line break as two characters. */
export const textOf = (values: URLSearchParams, name: string): string => (values.get(name) ?? '').replaceAll('\r\n', '\n').trim();

/** A form with one button, below its fields if it has any. @param about what the button is about, if the page has several of its kind */
export const renderForm = (action: string, label: string, look: string, about?: string, fields: Html[] = []): Html =>
  html`<form method="post" action="${action}">
    ${fields}<button class="${look}" ${about !== undefined && html`aria-label="${label} ${about}"`}>${label}</button>
  </form>`;
