import { ServiceError } from '../serviceError.ts';
import type { ServiceRecord } from '../records/fields.ts';
import { type AnswerInput, answersByKey, askingFields, checkedAnswers, hasAnswers, questionsRead } from './questions.ts';
import type { Question } from '../reading/index.ts';
import type { Client } from '../client/client.ts';
import { allOf, type Records } from '../client/pages.ts';
import { type ParsedInput, type Form, type ManyOperation, type OneOperation, type Operation, type RunContext } from './define.ts';
import { parseInput } from './parseInput.ts';
import { labelsOf } from './form.ts';
import { show, type Shape } from '../records/outputs.ts';
import type { Run } from '../writes/finishedItems.ts';
import { hasDay } from './times.ts';
import { hostZone } from './user.ts';

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

export interface RunOptions extends Pick<RunContext, 'limit' | 'note' | 'aside' | 'partNote' | 'bound' | 'timeZone' | 'createsOtherwise'> {
  /** The shape of the returned records: complete with what is added for people, or only the main fields. */
  shape: Shape;
  /** Called if the list continues, or may continue, after that many records. */
  onCut?: (() => void) | undefined;
  /** The item and its run, if the host may repeat the same run. */
  item?: { run: Run; name: string } | undefined;
}

/** What an operation returns: one record, or all records of a list. */
type ResultOf<Each extends Operation> = Each extends { yields: 'one' } ? ServiceRecord : ServiceRecord[];

/**
 * Runs an operation, from the submitted form to the displayed record or records. Every platform uses it.
 *
 * The form is parsed completely before anything is sent, and answers are checked against the questions of their event type. If an earlier
 * try of the same item succeeded, its result is returned.
 *
 * @throws ServiceError from the table of errors, or from the operation
 */
export async function runOperation<Each extends Operation>(
  client: Client,
  operation: Each,
  form: OperationInput,
  { shape, onCut, item, ...context }: RunOptions,
): Promise<ResultOf<Each>> {
  const displayed = (record: ServiceRecord): ServiceRecord => show(operation.output, record, shape);
  if (operation.yields === 'many') {
    const list = await listRecords(client, operation, form, context);
    const records = (await allOf(list)).map(displayed);
    if ('isTruncated' in list && list.isTruncated === true) onCut?.();
    return records as ResultOf<Each>;
  }
  const whole = { ...context, item: item && `${item.run.name} ${item.name}` };
  const work = async () => displayed(await runOne(client, operation, form, whole));
  return (await (item === undefined ? work() : item.run.once(item.name, work))) as ResultOf<Each>;
}

/** The record of {@link runOperation} as the service sends it: for a package whose size counts, so that it has nothing of other shapes. */
export async function runOne(client: Client, operation: OneOperation, form: OperationInput, context: RunContext): Promise<ServiceRecord> {
  const { fields, answers } = splitAnswers(operation.input, form);
  const input = parseInput(operation, fields, { timeZone: context.timeZone });
  const { whole, questions } = await withValidatedAnswers(client, operation, input, answers);
  const inFields = questions?.filter(({ key }) => Object.hasOwn(answers.inFields ?? {}, key));
  try {
    return await operation.run(client, whole, { ...context, labelOf: labelsOf(operation.input, inFields) });
  } catch (error) {
    throw await explainAnswerError(client, operation, input, answers, error);
  }
}

/** Runs an operation that returns a list, from the submitted form. Its records are read only as far as they are needed, and returned as the service sends them. */
export async function listRecords(
  client: Client,
  operation: ManyOperation,
  form: OperationInput,
  context: RunContext,
): Promise<AsyncIterable<ServiceRecord> | Records> {
  const { timeZone, note } = context;
  const { fields, answers } = splitAnswers(operation.input, form);
  const dayZone = await dayZoneOf(client, operation, fields, timeZone);
  const input = parseInput(operation, fields, { timeZone, dayZone, mayBeEmpty: form.mayBeEmpty, note });
  return operation.run(client, (await withValidatedAnswers(client, operation, input, answers)).whole, context);
}

/** The zone in which a day of the form begins: the platform's, or else the host's. Without a day, nothing is requested. */
export const dayZoneOf = async (
  client: Client,
  { input }: { input: Form },
  fields: Readonly<Record<string, unknown>>,
  timeZone?: string,
): Promise<string | undefined> => timeZone ?? (hasDay(input, fields) ? hostZone(client) : undefined);

function splitAnswers(
  input: Form,
  { fields, answers: inFields }: OperationInput,
): { fields: Readonly<Record<string, unknown>>; answers: AnswerInput } {
  const asking = askingFields(input);
  if (asking === undefined) return { fields, answers: {} };
  const { [asking.answers]: written, ...others } = fields;
  const byKey = answersByKey(written, asking.label);
  return { fields: others, answers: { ...(inFields && { inFields }), ...(byKey && { byKey }) } };
}

/** The input with its answers, checked against the event type's questions. Without answers, nothing is requested. */
async function withValidatedAnswers(
  client: Client,
  { input: form }: ManyOperation | OneOperation,
  input: ParsedInput<Form>,
  answers: AnswerInput,
): Promise<{ whole: ParsedInput<Form>; questions?: readonly Question[] | undefined }> {
  const asking = hasAnswers(answers) ? askingFields(form) : undefined;
  if (asking === undefined) return { whole: input };
  const questions = await questionsRead(client, String(input[asking.eventType]));
  return { whole: { ...input, [asking.answers]: checkedAnswers(answers, questions) }, questions };
}

/** The service may have rejected an unanswered question: the error then uses the question's own text. */
async function explainAnswerError(
  client: Client,
  { input: form }: OneOperation,
  input: ParsedInput<Form>,
  answers: AnswerInput,
  error: unknown,
): Promise<unknown> {
  const asking = askingFields(form);
  if (asking === undefined || !(error instanceof ServiceError) || error.kind !== 'invalid') return error;
  if (!error.fields.some(({ field }) => field.split('.')[0] === asking.answers)) return error;
  try {
    checkedAnswers(answers, await questionsRead(client, String(input[asking.eventType])));
  } catch (complaint) {
    if (complaint instanceof ServiceError && complaint.kind === 'invalid') return complaint;
    if (!(complaint instanceof ServiceError)) throw complaint;
  }
  return error;
}
