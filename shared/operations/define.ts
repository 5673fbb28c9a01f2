import * as z from 'zod/v4';
import type { OutputField, OutputKind, RecordKind, ServiceRecord } from '../records/fields.ts';
import type { Client } from '../client/client.ts';
import { paginate, type Listing } from '../client/pages.ts';
import { outputNames } from '../records/resources.ts';
import type { Scope } from '../oauth/scopes.ts';
import { isBlank, isInexact, visible } from '../values.ts';
import { runWrite, type Write } from '../writes/index.ts';
import { listed } from './choices.ts';
import { complaint, filtersOf, leftOut, refusedFilters, refusedForm, type Complaint } from './refusedForm.ts';
import { startsOf } from './times.ts';

export { required } from './refusedForm.ts';

/** The kind of a field. Each platform has its own widget for it. */
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

/** A field's texts. `help` is plain text without a full stop. */
export interface FieldText {
  label: string;
  help: string;
  control: Control;
  /** The heading under which a form shows it, on platforms that have headings. */
  group?: string;
  example?: string;
  /** For a time: a date alone is accepted, and means its beginning in the host's zone if the platform has none. */
  mayBeDay?: true;
  /** For a time: the key of another one that must be before it. */
  laterThan?: string;
  choices?: readonly Choice[];
  /** A list to choose from. The value may also be typed. */
  lookup?: LookupName;
}

/** One field of a form: its texts and what it accepts. */
export interface Field<Schema extends z.ZodType = z.ZodType> extends FieldText {
  schema: Schema;
}

export const field = <Schema extends z.ZodType>(schema: Schema, text: FieldText): Field<Schema> => ({ ...text, schema });

/** A form: its fields under their documented names, in order. */
export type Form = Readonly<Record<string, Field>>;

/** The checked values of a form. */
export type ParsedInput<Input extends Form> = z.output<z.ZodObject<{ [Key in keyof Input]: Input[Key]['schema'] }>>;

export interface RunContext {
  /** The maximum number of records. Default: all. */
  limit?: number | undefined;
  /** The platform's own time zone, for times if the form names no zone. */
  timeZone?: string | undefined;
  /** The name of the item, the same for each try of a run that the host may repeat. */
  item?: string | undefined;
  /** Whether something is created if nothing is found. */
  createsOtherwise?: boolean | undefined;
  /** The label of a documented field in this form. */
  labelOf?: ((field: string) => string) | undefined;
  /** Takes what a person should know about the result, such as that a search read only a part of the records. */
  note?: ((sentence: string) => void) | undefined;
  /**
   * Takes what only a reader without the form needs, such as how many records were read, or what the operation says of itself. Default: it
   * is a note.
   */
  aside?: ((sentence: string) => void) | undefined;
  /** Takes the sentence that must come before the result, because that is not whole. Default: it is a note. */
  partNote?: ((sentence: string) => void) | undefined;
  /** Given where a person or a step waits: a search of all bookings then ends in time, and says if it is not whole. Default: it reads to the end. */
  bound?: Bound | undefined;
}

export interface Bound {
  /** How to get the whole answer on this platform. */
  advice?: string | undefined;
  /** Whether a call may go on with what the last one read, if it asked for the same: only if that was not finished, or always. */
  resume?: Resume | undefined;
}

export type Resume = 'unfinished' | 'any';

interface Declaration<Input extends Form> {
  resource: RecordKind;
  /**
   * Its name within its resource. Platforms make the names of tools, steps and methods from it, so it does not change once it is published.
   */
  name: string;
  /** The verb that people read, in Title Case. */
  action: string;
  /** One sentence about what it does, in the third person and without a full stop. */
  description: string;
  /** `destructive`: cannot be undone. */
  effect: 'read' | 'write' | 'destructive';
  /** For operations that change something: whether doing it twice has the same result as doing it once. */
  isIdempotent?: boolean;
  scope: Scope | 'any';
  /** Its endpoint in section 4. */
  endpoint: string;
  /** The form, under the documented names. */
  input: Input;
  output: OutputKind;
  /** Fields that the operation adds to the record. */
  adds?: readonly OutputField[];
  /** The field of the output that is a secret and is shown only once. Platforms hide it if they can. */
  secret?: string;
  /** A record as the operation returns it, for mapping fields before the first run. */
  sample: ServiceRecord;
}

/** An operation that returns one record, as the service sends it. */
export interface OneOperation<Input extends Form = Form> extends Declaration<Input> {
  yields: 'one';
  run(client: Client, input: ParsedInput<Input>, context: RunContext): Promise<ServiceRecord>;
}

/** An operation that returns several records, read only as far as they are needed. */
export interface ManyOperation<Input extends Form = Form> extends Declaration<Input> {
  yields: 'many';
  run(client: Client, input: ParsedInput<Input>, context: RunContext): AsyncIterable<ServiceRecord>;
  /** The service's own lists, if their records are returned as they come, one list after another. */
  lists?(input: ParsedInput<Input>): readonly Listing[];
}

export type Operation = OneOperation | ManyOperation;

export const defineOne = <const Input extends Form>(operation: Omit<OneOperation<Input>, 'yields'>): OneOperation<Input> => ({
  ...operation,
  yields: 'one',
});

/** How the request of an operation is sent, what its answer says, and how its effect is found. */
export type WriteOf<Content> = Omit<Write<ServiceRecord, Content>, 'isIdempotent'>;

interface WriteOperation<Input extends Form, Content> extends Omit<OneOperation<Input>, 'yields' | 'run'> {
  isIdempotent: boolean;
  write: (client: Client, input: ParsedInput<Input>, context: RunContext) => WriteOf<Content>;
}

/** An operation that changes something. {@link runWrite} does it, in the same way for all of them. */
export const defineWrite = <const Input extends Form, Content>({
  write,
  ...operation
}: WriteOperation<Input, Content>): OneOperation<Input> => ({
  ...operation,
  yields: 'one',
  run: (client, input, context) => runWrite(client, { ...write(client, input, context), isIdempotent: operation.isIdempotent }),
});

export const defineMany = <const Input extends Form>(operation: Omit<ManyOperation<Input>, 'yields'>): ManyOperation<Input> => ({
  ...operation,
  yields: 'many',
});

/** An operation that returns the records of the service's lists, in its order. */
export const defineList = <const Input extends Form>(
  operation: Omit<ManyOperation<Input>, 'yields' | 'run'> & Required<Pick<ManyOperation<Input>, 'lists'>>,
): ManyOperation<Input> => ({
  ...operation,
  yields: 'many',
  run: (client, input, { limit }) => paginate(client, operation.lists(input), limit),
});

/** The full name of an operation, such as `Create Booking`. */
export const operationLabel = ({ action, output, yields }: Pick<Operation, 'action' | 'output' | 'yields'>): string =>
  `${action} ${yields === 'many' && action !== 'Find' ? outputNames[output].plural : outputNames[output].label}`;

/** How a form was filled in. */
interface Filling extends Pick<RunContext, 'note'> {
  /** The platform's own time zone, for a time without an offset if the form names no zone. */
  timeZone?: string | undefined;
  /** The zone in which a day begins, if neither the form nor the platform names one. */
  dayZone?: string | undefined;
  /** Filters that are left out if they came out empty, and the note says so. */
  mayBeEmpty?: readonly string[] | undefined;
}

/**
 * The values of a form, completely checked and parsed. Empty fields count as left out, but a filter that somebody filled in and that came
 * out empty, see {@link filtersOf}, is refused, because without it everything would be found. A time without an offset is read in the
 * form's own time zone, otherwise in the platform's, and becomes an instant.
 *
 * @param raw the fields that somebody filled in, and no others
 * @throws ServiceError `invalid` that names each wrong field by its label and says what is wrong
 */
export function parseInput<Input extends Form>(
  operation: { input: Input; yields?: Operation['yields'] },
  raw: Readonly<Record<string, unknown>>,
  { timeZone, dayZone, mayBeEmpty = [], note }: Filling = {},
): ParsedInput<Input> {
  const { input } = operation;
  const empty = filtersOf(operation).filter(({ key }) => Object.hasOwn(raw, key) && isBlank(raw[key]));
  const values = filledIn(input, raw);
  const result = schemaOf(input).safeParse(values);
  const complaints = (result.error?.issues ?? []).map((issue): Complaint => {
    const key = String(issue.path[0] ?? '');
    return { field: key, label: input[key]?.label ?? key, message: complaint(issue, values[key], raw[key]) };
  });
  const times = startsOf(input, result.data ?? values, timeZone, dayZone);
  complaints.push(...times.complaints.filter(({ field }) => !complaints.some((each) => each.field === field)));
  const refused = empty.filter(({ key }) => !mayBeEmpty.includes(key));
  if (refused.length > 0) throw refusedFilters(refused, complaints);
  if (complaints.length > 0) throw refusedForm(complaints);
  if (empty.length > 0) note?.(leftOut(empty));
  return { ...result.data, ...times.instants } as ParsedInput<Input>;
}

/**
 * A declared choice is meant in any letter case, by its label as well, and in either spelling: `canceled` is `CANCELLED`. Expressions and
 * command lines write yes and no as text.
 */
function asDeclared(field: Partial<FieldText>, value: unknown): unknown {
  const isSeveral = field.control === 'choices' || field.control === 'events';
  const several = isSeveral && typeof value === 'string' ? listed(value, field.choices ?? []) : value;
  if (Array.isArray(several)) return several.map((each) => asDeclared({ ...field, control: 'choice' }, each));
  if (typeof value !== 'string') return value;
  const said = value.trim().toLowerCase();
  if (field.control === 'boolean') return /^(?:true|yes)$/.test(said) ? true : /^(?:false|no)$/.test(said) ? false : value;
  // Of `en-US`, only the language is declared.
  const meant = [said.replace(/^canceled/, 'cancelled'), said.split(/[-_]/, 1)[0]];
  return field.choices?.find((choice) => [choice.value, choice.label].some((each) => meant.includes(each.toLowerCase())))?.value ?? value;
}

/** Ids, addresses, times and zones as they were meant: lists show zones with spaces. Names and notes stay as they are. */
function asMeant({ control = 'text', lookup }: Partial<FieldText>, value: unknown): unknown {
  if (typeof value !== 'string' || (lookup === undefined && !['email', 'dateTime', 'choice', 'url'].includes(control))) return value;
  const text = visible(value);
  return control === 'timeZone' ? text.replaceAll(' ', '_') : text;
}

/** The fields that are not empty. Numbers become text where an expression returned them for an id or a note. */
function filledIn(input: Form, raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(raw)
    .filter(([, value]) => !isBlank(value))
    .map(([key, value]) => [key, asMeant(input[key] ?? {}, value)] as const);
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      Number.isFinite(value) && !isInexact(value) && input[key]?.control !== 'number' ? String(value) : asDeclared(input[key] ?? {}, value),
    ]),
  );
}

const schemas = new WeakMap<Form, z.ZodObject>();

/** Made on first use: when a platform starts, it shows every form but checks none. */
function schemaOf(form: Form): z.ZodObject {
  const known = schemas.get(form);
  if (known !== undefined) return known;
  const schema = z.object(Object.fromEntries(Object.entries(form).map(([key, { schema: inner }]) => [key, inner])));
  schemas.set(form, schema);
  return schema;
}
