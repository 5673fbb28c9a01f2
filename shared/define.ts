import * as z from 'zod/v4';
import { ServiceError } from './api/errors.ts';
import type { Client } from './api/client.ts';
import type { OutputField } from './api/fields.ts';
import type { RecordKind, ServiceRecord } from './api/records.ts';
import { resources } from './api/resources.ts';
import type { Scope } from './scopes.ts';

/** How a field is asked for; each platform has its own widget for it. */
export type Control =
  | 'text' | 'multiline' | 'email' | 'phone' | 'url' | 'number' | 'boolean' | 'date' | 'dateTime'
  | 'choice' | 'choices' | 'timeZone' | 'answers' | 'events';

export type LookupName = 'eventTypes' | 'bookings' | 'contacts' | 'timeZones';

export interface Choice {
  value: string;
  label: string;
}

/** What people read about a field. `help` is plain text without a full stop at its end. */
export interface FieldText {
  label: string;
  help: string;
  control: Control;
  example?: string;
  choices?: readonly Choice[];
  /** A list to choose from; the value may be typed as well. */
  lookup?: LookupName;
}

/** One field of a form: its words, and what it takes. */
export interface Field<Schema extends z.ZodType = z.ZodType> extends FieldText {
  schema: Schema;
}

export const field = <Schema extends z.ZodType>(schema: Schema, text: FieldText): Field<Schema> => ({ ...text, schema });

/** A form: its fields under their documented names, in order. */
export type Form = Readonly<Record<string, Field>>;

/** What came out of a form, checked. */
export type Filled<Input extends Form> = z.output<z.ZodObject<{ [Key in keyof Input]: Input[Key]['schema'] }>>;

export interface RunContext {
  /** The platform's own zone, which reads a wall-clock time when the form names none. */
  timeZone?: string | undefined;
  /** The most records wanted; all where it is absent. */
  limit?: number | undefined;
}

interface Declaration<Input extends Form> {
  resource: RecordKind;
  name: 'create' | 'get' | 'getMany' | 'cancel' | 'search' | 'find' | 'delete' | 'getCurrent';
  /** The verb that people read, in Title Case. */
  action: string;
  /** One sentence about what it does, third person, without a full stop. */
  description: string;
  /** `destructive`: cannot be taken back. */
  effect: 'read' | 'write' | 'destructive';
  scope: Scope | 'any';
  /** The endpoint of section 4 that it rests on. */
  endpoint: string;
  /** The form, under the documented names. */
  input: Input;
  output: RecordKind;
  /** Fields that it adds to the record. */
  adds?: readonly OutputField[];
  /** The field of the output that is a secret and is shown this once; platforms that can hide it do. */
  secret?: string;
  /** A record as the operation gives it, for fields that are mapped before the first run. */
  sample: ServiceRecord;
}

/** An operation that ends in one record. */
export interface OneOperation<Input extends Form = Form> extends Declaration<Input> {
  yields: 'one';
  run(client: Client, input: Filled<Input>, context: RunContext): Promise<ServiceRecord>;
  /**
   * For a step that failed before it could run: the record that an earlier run of the step may have made and could not
   * see the end of. `undefined` where there was none, or it is surely not there.
   *
   * @throws ServiceError `unknownOutcome` where it still cannot be told.
   */
  resume?(client: Client, input: Filled<Input>, context: RunContext): Promise<ServiceRecord | undefined>;
}

/** An operation that gives records one after another, as far as they are asked for. */
export interface ManyOperation<Input extends Form = Form> extends Declaration<Input> {
  yields: 'many';
  run(client: Client, input: Filled<Input>, context: RunContext): AsyncIterable<ServiceRecord>;
}

export type Operation = OneOperation | ManyOperation;

export const defineOne = <const Input extends Form>(operation: Omit<OneOperation<Input>, 'yields'>): OneOperation<Input> => ({ ...operation, yields: 'one' });

export const defineMany = <const Input extends Form>(operation: Omit<ManyOperation<Input>, 'yields'>): ManyOperation<Input> => ({ ...operation, yields: 'many' });

/** The whole name of an operation, such as `Create Booking`. */
export const operationLabel = ({ action, resource, yields }: Pick<Operation, 'action' | 'resource' | 'yields'>): string =>
  `${action} ${yields === 'many' && action !== 'Find' ? resources[resource].plural : resources[resource].label}`;

/**
 * What came out of a form, checked against the operation's declaration. Empty fields are fields that were left out.
 *
 * @throws ServiceError `invalid` that names each field by its label and says what is wrong with it.
 */
export function parseInput<Input extends Form>({ input }: { input: Input }, raw: Readonly<Record<string, unknown>>): Filled<Input> {
  const given = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined && value !== null && value !== ''));
  const result = schemaOf(input).safeParse(given);
  if (result.success) return result.data as Filled<Input>;
  const fields = result.error.issues.map((issue) => {
    const key = String(issue.path[0] ?? '');
    return { field: key, label: input[key]?.label ?? key, message: complaint(issue, given[key]) };
  });
  throw new ServiceError('invalid', {
    message: fields.map(({ label, message }) => `"${label}" ${message}.`).join(' '),
    advice: 'Correct it and run this again.',
    fields,
  });
}

const schemas = new WeakMap<Form, z.ZodObject>();

/** Made when a form first comes in: a start draws every form and checks none. */
function schemaOf(form: Form): z.ZodObject {
  const known = schemas.get(form);
  if (known !== undefined) return known;
  const schema = z.object(Object.fromEntries(Object.entries(form).map(([key, { schema: inner }]) => [key, inner])));
  schemas.set(form, schema);
  return schema;
}

/** What a person calls the documented fields of a form: `Event Type` for `event_type_id`; a question by its key. */
export const labelsOf = (input: Form) => (field: string): string => {
  const [key = '', ...inner] = field.split('.');
  const declared = Object.hasOwn(input, key) ? input[key] : undefined;
  if (declared === undefined) return field;
  return [declared.label, ...inner].map((part) => `"${part}"`).join(' to ');
};

/** What a field says that is left empty; declarations use it for values that only look filled. */
export const required = 'is required';

/** How zod's names of types are called in a sentence. */
const typeNames: Partial<Record<string, string>> = { string: 'a text', number: 'a number', boolean: 'yes or no', array: 'a list', object: 'an object', record: 'an object' };

/** Our own messages are the end of a sentence that begins with the field's name; a missing field and a wrong type are told in words instead of zod's. */
function complaint(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined || issue.message === required) return required;
  // Zod's own begin with a capital.
  const isOurs = /^[a-z]/.test(issue.message);
  const wrong = isOurs ? issue.message : issue.code === 'invalid_type' ? `must be ${typeNames[issue.expected] ?? issue.expected}` : `cannot be used (${issue.message})`;
  return `${wrong}: it is ${shown(value)}`;
}

const shown = (value: unknown) => (typeof value === 'string' ? `"${value.slice(0, 80)}"` : JSON.stringify(value)?.slice(0, 80) ?? typeof value);
