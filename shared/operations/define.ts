import type * as z from 'zod/v4';
import type { Form } from '../field.ts';
import type { OutputField, OutputKind, RecordKind, ServiceRecord } from '../records/fields.ts';
import type { Client } from '../client/client.ts';
import type { Listing } from '../call.ts';
import type { Question } from '../reading/index.ts';
import { paginate } from '../client/pages.ts';
import { outputNames } from '../records/resources.ts';
import type { Scope } from '../scopes.ts';
import { runWrite, type Write } from '../writes/index.ts';

export { type Choice, type Control, field, type FieldText, type Form, type LookupName, required } from '../field.ts';

/** The checked values of a form. */
export type ParsedInput<Input extends Form> = z.output<z.ZodObject<{ [Key in keyof Input]: Input[Key]['schema'] }>>;

export interface RunContext {
  /** The maximum number of records. Default: all. */
  limit?: number | undefined;
  /** The platform's own time zone, for times if the form specifies none. */
  timeZone?: string | undefined;
  /** Identifies the item: the same for each attempt of a run that the host may repeat. */
  item?: string | undefined;
  /** Whether the caller creates something if nothing is found. */
  createsOtherwise?: boolean | undefined;
  /** Returns the label of a documented field in this form. */
  labelOf?: ((field: string) => string) | undefined;
  /** Called with what a person should know about the result, such as that a search read only a part of the records. */
  note?: ((sentence: string) => void) | undefined;
  /**
   * Called with what only a reader without the form needs, such as how many records were read, or what the operation says about itself.
   * Default: `note`.
   */
  aside?: ((sentence: string) => void) | undefined;
  /** Called with the sentence that must come before an incomplete result. Default: `note`. */
  partNote?: ((sentence: string) => void) | undefined;
  /**
   * Set if a person or a step is waiting: a search of all bookings then ends in time, and says if it is incomplete. Default: it reads to
   * the end.
   */
  bound?: Bound | undefined;
}

export interface Bound {
  /** How to get the complete result on this platform. */
  advice?: string | undefined;
  /** Whether a call may continue with what the last identical one read: only if that was unfinished, or always. */
  resume?: Resume | undefined;
}

export type Resume = 'unfinished' | 'any';

interface Declaration<Input extends Form> {
  resource: RecordKind;
  /** Its name within its resource. Platforms derive the names of tools, steps and methods from it, so it must not change once published. */
  name: string;
  /** The verb that people see, in Title Case. */
  action: string;
  /** One sentence about what it does, in the third person and without a full stop. */
  description: string;
  /** `destructive`: cannot be undone. */
  effect: 'read' | 'write' | 'destructive';
  /** For operations that change something: whether repeating it has the same result as doing it once. */
  isIdempotent?: boolean;
  scope: Scope | 'any';
  /** Its endpoint in section 4. */
  endpoint: string;
  /** The fields of the form, under their documented names. */
  input: Input;
  output: OutputKind;
  /** Fields that the operation adds to the record. */
  adds?: readonly OutputField[];
  /** The output field that is a secret and is shown only once. Platforms hide it if they can. */
  secret?: string;
  /** A record as the operation returns it, so that people can map fields before the first run. */
  sample: ServiceRecord;
}

/** A form as a platform read it. */
export interface OperationInput {
  /**
   * The fields that someone filled in, even if their values turned out empty, under the documented names and unchanged. Answers in it are
   * written by key.
   */
  fields: Readonly<Record<string, unknown>>;
  /**
   * Fields that the caller leaves empty to leave them out, as programs and models do. If such a filter is empty, it is left out, and the
   * first note says so; any other empty filter is refused.
   */
  mayBeEmpty?: readonly string[];
  /** Answers from separate fields for an event type's questions, each under its question's key. */
  answers?: Readonly<Record<string, unknown>>;
}

/** Answers from a form, each under its question's key. */
export interface AnswerInput {
  /** From the fields of the questions, which may still be those of a previously chosen event type. */
  inFields?: Readonly<Record<string, unknown>>;
  /** Under keys, or questions' texts, that a person or an agent wrote. */
  byKey?: Readonly<Record<string, unknown>>;
}

/** Reads the answers in a form and checks them against the event type's questions. */
export interface Answering {
  /** @throws ServiceError `invalid` if the answers by key are not an object */
  split(form: Form, given: OperationInput): { fields: OperationInput['fields']; answers: AnswerInput };
  /** The input with its checked answers. If there are none, nothing is requested. */
  checked(
    client: Client,
    form: Form,
    input: ParsedInput<Form>,
    answers: AnswerInput,
    platformZone: string | undefined,
  ): Promise<{ whole: ParsedInput<Form>; questions?: readonly Question[] | undefined }>;
  /** If the service rejected an unanswered question, returns an error with the question's own text. */
  explained(client: Client, form: Form, input: ParsedInput<Form>, answers: AnswerInput, error: unknown): Promise<unknown>;
}

/** An operation that returns one record, as the service sends it. */
export interface OneOperation<Input extends Form = Form> extends Declaration<Input> {
  yields: 'one';
  /** Set if the form asks the questions of an event type. */
  answering?: Answering;
  run(client: Client, input: ParsedInput<Input>, context: RunContext): Promise<ServiceRecord>;
}

/** An operation that returns several records, which are read only as far as needed. */
export interface ManyOperation<Input extends Form = Form> extends Declaration<Input> {
  yields: 'many';
  run(client: Client, input: ParsedInput<Input>, context: RunContext): AsyncIterable<ServiceRecord>;
  /** The service's own lists, if their records are returned in that order, one list after another. */
  lists?(input: ParsedInput<Input>, note?: RunContext['note']): readonly Listing[];
  /** Called if those lists are empty. @throws ServiceError if a value in the form names something that does not exist */
  ifNone?(client: Client, input: ParsedInput<Input>): Promise<unknown>;
}

export type Operation = OneOperation | ManyOperation;

export const defineOne = <const Input extends Form>(operation: Omit<OneOperation<Input>, 'yields'>): OneOperation<Input> => ({
  ...operation,
  yields: 'one',
});

/** How an operation's request is sent, how its response is read, and how its effect is found. */
export type WriteOf<Content> = Omit<Write<ServiceRecord, Content>, 'isIdempotent'>;

interface WriteOperation<Input extends Form, Content> extends Omit<OneOperation<Input>, 'yields' | 'run'> {
  isIdempotent: boolean;
  write: (client: Client, input: ParsedInput<Input>, context: RunContext) => WriteOf<Content>;
}

/** An operation that changes something. {@link runWrite} sends all of them in the same way. */
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

/** An operation that returns the records of the service's lists in their order. */
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
