import * as z from 'zod/v4';
import { tidy } from '../values.ts';
import type { FieldText, Form } from '../field.ts';

/** One field of a form, as every platform shows it. */
export interface FormField extends FieldText {
  /** The documented name, which is also its name in the request. */
  key: string;
  required: boolean;
}

/** The fields of an operation's input, in the declared order. */
export const formFields = (form: Form): FormField[] =>
  Object.entries(form).map(([key, { schema, ...text }]) => ({ ...text, key, required: !(schema instanceof z.ZodOptional) }));

/**
 * Says which time zone applies to a time in a form, as a sentence without a full stop.
 *
 * @param own what people call the platform's own time zone
 */
export const zoneHelp = (form: Form, own: string): string => {
  const asks = Object.values(form).some(({ control }) => control === 'timeZone');
  return `Uses ${asks ? `the invitee's time zone if given, otherwise ${own}` : own}, unless the time has its own`;
};

type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };

/** A JSON Schema of an object, such as the arguments of a tool. A type instead of an interface, so that it can be passed as plain data. */
export type ObjectSchema = {
  type: 'object';
  properties: Record<string, Record<string, Plain>>;
  required?: string[];
  additionalProperties: false;
};

/**
 * A form as a JSON Schema, under its documented names, for callers that fill it in without seeing it. It says what a field accepts.
 * Patterns and formats are left out, because the form's own messages explain a wrong value better, and the services of some models refuse
 * every tool because of one unknown format.
 *
 * @param more returns a sentence to add to the description of a field
 */
export function formSchema(form: Form, more: (field: FormField) => string | undefined = () => undefined): ObjectSchema {
  const fields = formFields(form);
  const required = fields.filter((field) => field.required).map(({ key }) => key);
  const properties = fields.map(
    (field) => [field.key, { ...typeOf(form, field), description: descriptionOf(field, more(field)) }] as const,
  );
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function typeOf(form: Form, { key, control }: FormField): Record<string, Plain> {
  const schema = form[key]?.schema;
  // The keys of the answers depend on the event type's questions.
  if (schema === undefined || control === 'answers') return { type: 'object' };
  const {
    $schema: _dialect,
    pattern: _pattern,
    format: _format,
    minLength: _least,
    ...plain
  } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return JSON.parse(JSON.stringify(plain)) as Record<string, Plain>;
}

const descriptionOf = ({ label, help, example }: FormField, more: string | undefined): string =>
  [`${help === '' ? label : help}.`, more, example !== undefined && `Example: ${example}`]
    .filter((part) => typeof part === 'string')
    .join(' ');

/**
 * Returns the label of a documented field: `Event Type` for `event_type_id`. A question is called by its key.
 *
 * @param questions those that have their own fields, which are called by their labels
 */
export const labelsOf =
  (input: Form, questions: readonly { key: string; label: string }[] = []) =>
  (field: string): string => {
    const [key = '', ...inner] = field.split('.');
    const declared = Object.hasOwn(input, key) ? input[key] : undefined;
    if (declared === undefined) return field;
    const question = declared.control === 'answers' ? questions.find((each) => each.key === inner.join('.')) : undefined;
    if (question !== undefined) return `"${tidy(question.label)}"`;
    return [declared.label, ...inner]
      .map((part) => `"${part}"`)
      .reverse()
      .join(' in ');
  };
