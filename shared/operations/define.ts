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

/** A form as a platform read it. */
export interface OperationInput {
  /** What somebody filled in, whatever came of it, under the documented names and unchanged. Answers in it were written by key. */
  fields: Readonly<Record<string, unknown>>;
  /**
   * Fields that whoever fills in the form leaves empty if they do not want them, as programs and models do. If such a filter is empty, it
   * is left out, and the first note says so; any other is refused.
   */
  mayBeEmpty?: readonly string[];
  /** Answers to an event type's questions from fields of their own, each under its question's key. */
  answers?: Readonly<Record<string, unknown>>;
}

/** Answers from a form, each under its question's key. */
export interface AnswerInput {
  /** From the fields of the questions. They may belong to an event type that was chosen before. */
  inFields?: Readonly<Record<string, unknown>>;
  /** Under a key, or a question's words, that a person or an agent wrote. */
  byKey?: Readonly<Record<string, unknown>>;
}

/** How the answers in a form are read and checked against the questions of the event type. */
export interface Answering {
  /** @throws ServiceError `invalid` if what was written by key is not an object */
  split(form: Form, given: OperationInput): { fields: OperationInput['fields']; answers: AnswerInput };
  /** The input with its checked answers. Without answers, nothing is requested. */
  checked(
    client: Client,
    form: Form,
    input: ParsedInput<Form>,
    answers: AnswerInput,
    platformZone: string | undefined,
  ): Promise<{ whole: ParsedInput<Form>; questions?: readonly Question[] | undefined }>;
  /** The service may have rejected an unanswered question: the error then uses the question's own text. */
  explained(client: Client, form: Form, input: ParsedInput<Form>, answers: AnswerInput, error: unknown): Promise<unknown>;
}

/** An operation that returns one record, as the service sends it. */
export interface OneOperation<Input extends Form = Form> extends Declaration<Input> {
  yields: 'one';
  /** Set if the form asks the questions of an event type. */
  answering?: Answering;
  run(client: Client, input: ParsedInput<Input>, context: RunContext): Promise<ServiceRecord>;
}

/** An operation that returns several records, read only as far as they are needed. */
export interface ManyOperation<Input extends Form = Form> extends Declaration<Input> {
  yields: 'many';
  run(client: Client, input: ParsedInput<Input>, context: RunContext): AsyncIterable<ServiceRecord>;
  /** The service's own lists, if their records are returned as they come, one list after another. */
  lists?(input: ParsedInput<Input>, note?: RunContext['note']): readonly Listing[];
  /** For those lists, if they have no record. @throws ServiceError if a value of the form says something that does not exist */
  ifNone?(client: Client, input: ParsedInput<Input>): Promise<unknown>;
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
