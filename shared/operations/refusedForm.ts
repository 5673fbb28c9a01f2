import type * as z from 'zod/v4';
import { ServiceError } from '../serviceError.ts';
import { generalAdvice } from '../generalAdvice.ts';
import { type Form, required } from '../field.ts';
import type { Operation } from './define.ts';
import { isInexact, quoteValue, visible } from '../values.ts';
import { formFields, type FormField } from './form.ts';

/** What is wrong with one field of a form. */
export interface Complaint {
  field: string;
  label: string;
  message: string;
}

const typeNames: Partial<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'yes or no',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/**
 * The rest of a sentence that begins with the field's name. For a missing field or a wrong type, it replaces zod's own message.
 *
 * @param typed the value as someone entered it
 */
export function complaint(issue: z.core.$ZodIssue, value: unknown, typed: unknown): string {
  if (value === undefined || issue.message === required) return required;
  if (isInexact(value) || Number.isNaN(value)) return 'is a number that cannot be kept exactly: enter it as text';
  // Zod's own messages begin with a capital letter, ours do not.
  const isOurs = /^[a-z]/.test(issue.message);
  const wrong = isOurs
    ? issue.message
    : issue.code === 'invalid_type'
      ? `must be ${typeNames[issue.expected] ?? issue.expected}`
      : `cannot be used (${issue.message})`;
  return `${wrong}: it is ${quoteValue(typeof typed === 'string' ? visible(typed) : typed)}`;
}

/** What programs write instead of a value that they could not write, and what to do about it. */
const leftovers: readonly [form: RegExp, what: string, isAnywhere?: true][] = [
  [/^(?:\[object [A-Z]\w*\][\s,]*)+$/, 'which programs write in place of an object: use one of its fields', true],
  [/(?:^| )undefined(?: |$)/, 'which programs write in place of a missing value'],
  [/\{\{[^{}]+\}\}/, 'whose braces were not replaced: map the field again, or make it an expression'],
];

/**
 * Complaints about a text that no person wrote. In an optional field such as a note, only `[object Object]` is reported: the others do no
 * harm there.
 */
export function leftover({ label, key, required }: FormField, value: unknown): Complaint[] {
  const text = typeof value === 'string' ? visible(value) : '';
  const [, what] = leftovers.find(([form, , isAnywhere]) => (required || isAnywhere) && form.test(text)) ?? [];
  return what === undefined ? [] : [{ field: key, label, message: `is ${quoteValue(text)}, ${what}` }];
}

/** The error for all complaints about a form. */
export const refusedForm = (
  complaints: readonly Complaint[],
  advice: string = complaints.length > 1 ? generalAdvice.correctThem : generalAdvice.correctIt,
): ServiceError =>
  new ServiceError('invalid', {
    message: complaints.map(({ label, message }) => `"${label}" ${message}.`).join(' '),
    advice,
    fields: complaints,
  });

/**
 * The fields that narrow the result: the optional ones of a list. Without them, everything is found. So a filter that someone filled in
 * must never count as absent because its value turned out empty.
 */
export const filtersOf = ({ input, yields }: { input: Form; yields?: Operation['yields'] }): FormField[] =>
  yields === 'many' ? formFields(input).filter(({ required }) => !required) : [];

/** The complaint about a filter that someone filled in but whose value turned out empty. */
export const emptyFilter = 'is set, but it is empty, so it would filter nothing';

/**
 * The error for filters that someone filled in but whose values turned out empty.
 *
 * @param others other complaints about the form
 */
export function refusedFilters(empty: readonly { key: string; label: string }[], others: readonly Complaint[] = []): ServiceError {
  const complaints = [...empty.map(({ key, label }) => ({ field: key, label, message: emptyFilter })), ...others];
  const advice =
    empty.length > 1 ? 'Fill them in, or remove the fields to get everything.' : 'Fill it in, or remove the field to get everything.';
  return refusedForm(complaints, advice);
}

/** The note about filters that were ignored because they are empty. */
export const ignoredFiltersNote = (empty: readonly { label: string }[]): string => {
  const labels = empty.map(({ label }) => `"${label}"`).join(' and ');
  return `Nothing was filtered by ${labels}, because ${empty.length > 1 ? 'they are' : 'it is'} empty.`;
};
