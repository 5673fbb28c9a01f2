import * as z from 'zod/v4';
import { ServiceError } from './api/errors.ts';
import type { Client } from './api/client.ts';
import type { OutputField } from './api/fields.ts';
import { reconcile, type Write } from './api/reconcile.ts';
import type { RecordKind, ServiceRecord } from './api/records.ts';
import { resources } from './api/resources.ts';
import type { Scope } from './scopes.ts';
import { readStart } from './time.ts';
import { isInexact } from './values.ts';

/** How a field is asked for; each platform has its own widget for it. */
export type Control =
  | 'text'
  | 'multiline'
  | 'email'
  | 'phone'
  | 'url'
  | 'number'
  | 'boolean'
  | 'date'
  | 'dateTime'
  | 'choice'
  | 'choices'
  | 'timeZone'
  | 'answers'
  | 'events';

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
  /** What becomes of a time without an offset, where a platform has such times. */
  offsetHelp?: string;
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
  /** The most records wanted; all where it is absent. */
  limit?: number | undefined;
  /** The platform's own zone, in which a time is told where the form names none. */
  timeZone?: string | undefined;
  /** What is carried out again where the host repeats a run: the run, and the item of it. */
  item?: { run: string; name: string } | undefined;
}

interface Declaration<Input extends Form> {
  resource: RecordKind;
  /** What it is called within its resource. Platforms make the names of tools, steps and methods of it: once published it does not change. */
  name: string;
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

/** An operation that ends in one record, as the service has it. */
export interface OneOperation<Input extends Form = Form> extends Declaration<Input> {
  yields: 'one';
  run(client: Client, input: Filled<Input>, context: RunContext): Promise<ServiceRecord>;
  /** Of an operation that changes something: how it is sent, and how its effect is looked for. */
  write?(client: Client, input: Filled<Input>, context: RunContext): Write<ServiceRecord>;
}

/** An operation that gives records one after another, as far as they are asked for. */
export interface ManyOperation<Input extends Form = Form> extends Declaration<Input> {
  yields: 'many';
  run(client: Client, input: Filled<Input>, context: RunContext): AsyncIterable<ServiceRecord>;
}

export type Operation = OneOperation | ManyOperation;

export const defineOne = <const Input extends Form>(operation: Omit<OneOperation<Input>, 'yields'>): OneOperation<Input> => ({
  ...operation,
  yields: 'one',
});

/** An operation that changes something: what became of it is found out in one place, see {@link reconcile}. */
export const defineWrite = <const Input extends Form>(
  operation: Omit<OneOperation<Input>, 'yields' | 'run'> & Required<Pick<OneOperation<Input>, 'write'>>,
): OneOperation<Input> => ({
  ...operation,
  yields: 'one',
  run: (client, input, context) => reconcile(client, operation.write(client, input, context)),
});

export const defineMany = <const Input extends Form>(operation: Omit<ManyOperation<Input>, 'yields'>): ManyOperation<Input> => ({
  ...operation,
  yields: 'many',
});

/** The whole name of an operation, such as `Create Booking`. */
export const operationLabel = ({ action, resource, yields }: Pick<Operation, 'action' | 'resource' | 'yields'>): string =>
  `${action} ${yields === 'many' && action !== 'Find' ? resources[resource].plural : resources[resource].label}`;

interface Complaint {
  field: string;
  label: string;
  message: string;
}

/**
 * What came out of a form, checked against the operation's declaration and read to its end: nothing has to be parsed or judged
 * again. Empty fields are fields that were left out. A time without an offset is read in the form's own time zone, else in the
 * platform's, and becomes an instant.
 *
 * @param platform the platform's own zone, which reads a wall-clock time when the form names none
 * @throws ServiceError `invalid` that names each field by its label and says what is wrong with it.
 */
export function parseInput<Input extends Form>(
  { input }: { input: Input },
  raw: Readonly<Record<string, unknown>>,
  platform: { timeZone?: string | undefined } = {},
): Filled<Input> {
  const given = filledIn(input, raw);
  const result = schemaOf(input).safeParse(given);
  const complaints = (result.error?.issues ?? []).map((issue): Complaint => {
    const key = String(issue.path[0] ?? '');
    return { field: key, label: input[key]?.label ?? key, message: complaint(issue, given[key]) };
  });
  const times = startsOf(input, result.data ?? given, platform.timeZone);
  complaints.push(...times.complaints.filter(({ field }) => !complaints.some((each) => each.field === field)));
  if (complaints.length > 0) throw refusedForm(complaints);
  return { ...result.data, ...times.instants } as Filled<Input>;
}

/** Ends a form with what is wrong in it. */
export const refusedForm = (complaints: readonly Complaint[]): ServiceError =>
  new ServiceError('invalid', {
    message: complaints.map(({ label, message }) => `"${label}" ${message}.`).join(' '),
    advice: complaints.length > 1 ? 'Correct them and run this again.' : 'Correct it and run this again.',
    fields: complaints,
  });

/** The fields that hold something. Numbers that an expression gives for a text – an id, a note – are texts. */
function filledIn(input: Form, raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(raw).filter(
    ([key, value]) => Object.hasOwn(input, key) && value !== undefined && value !== null && value !== '',
  );
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      Number.isFinite(value) && !isInexact(value) && input[key]?.control !== 'number' ? String(value) : value,
    ]),
  );
}

/** Each time in a form as the instant that it means. */
function startsOf(
  input: Form,
  values: Readonly<Record<string, unknown>>,
  platformZone: string | undefined,
): { instants: Record<string, string>; complaints: Complaint[] } {
  const zoneField = Object.keys(input).find((key) => input[key]?.control === 'timeZone');
  const zone = (zoneField === undefined ? undefined : values[zoneField]) ?? platformZone;
  const instants: Record<string, string> = {};
  const complaints: Complaint[] = [];
  for (const [field, { control, label }] of Object.entries(input)) {
    const text = values[field];
    if (control !== 'dateTime' || typeof text !== 'string') continue;
    const start = readStart(text, typeof zone === 'string' ? zone : undefined);
    if ('instant' in start) instants[field] = start.instant;
    else complaints.push({ field, label, message: `${start.complaint}: it is ${shown(text)}` });
  }
  return { instants, complaints };
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
export const labelsOf =
  (input: Form) =>
  (field: string): string => {
    const [key = '', ...inner] = field.split('.');
    const declared = Object.hasOwn(input, key) ? input[key] : undefined;
    if (declared === undefined) return field;
    return [declared.label, ...inner].map((part) => `"${part}"`).join(' to ');
  };

/** What a field says that is left empty; declarations use it for values that only look filled. */
export const required = 'is required';

/** How zod's names of types are called in a sentence. */
const typeNames: Partial<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'yes or no',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** Our own messages are the end of a sentence that begins with the field's name; a missing field and a wrong type are told in words instead of zod's. */
function complaint(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined || issue.message === required) return required;
  if (isInexact(value) || Number.isNaN(value)) return 'is a number that cannot be kept exactly: enter it as text';
  // Zod's own begin with a capital.
  const isOurs = /^[a-z]/.test(issue.message);
  const wrong = isOurs
    ? issue.message
    : issue.code === 'invalid_type'
      ? `must be ${typeNames[issue.expected] ?? issue.expected}`
      : `cannot be used (${issue.message})`;
  return `${wrong}: it is ${shown(value)}`;
}

const shown = (value: unknown): string =>
  typeof value === 'string' ? `"${value.slice(0, 80)}"` : (JSON.stringify(value)?.slice(0, 80) ?? typeof value);
