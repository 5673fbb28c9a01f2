import type { Client } from './api/client.ts';
import { ServiceError } from './api/errors.ts';
import { allOf, type Records } from './api/pages.ts';
import type { ServiceRecord } from './api/records.ts';
import { settleEarlier } from './api/reconcile.ts';
import { parseInput, type Filled, type Form, type ManyOperation, type OneOperation, type Operation, type RunContext } from './define.ts';
import { show, type Shape } from './outputs.ts';
import { answersByKey, askingFields, checkedAnswers, hasAnswers, questionsRead, type GivenAnswers } from './questions.ts';
import type { Run } from './runs.ts';

/** A form as a platform read it. */
export interface GivenForm {
  /** The values under their documented names, as they came; what is empty counts as left out. Answers there were written by key. */
  fields: Readonly<Record<string, unknown>>;
  /** Answers to an event type's questions that stand in fields of their own, each under its question's key. */
  answers?: Readonly<Record<string, unknown>>;
}

export interface Circumstances {
  /** What the records are given as: with all that they have and what is added for people, or only their main fields. */
  shape: Shape;
  /** The platform's own zone, which reads a time without an offset when the form names none. */
  timeZone?: string | undefined;
  /** The most records wanted; all where it is absent. */
  limit?: number | undefined;
  /** Called where that many were given and the list goes on, or may go on. */
  onCut?: (() => void) | undefined;
  /** Which item of which run this is, where the host may carry out the same run again. */
  item?: { run: Run; name: string } | undefined;
}

/**
 * Carries out an operation: the one way for every platform, from the form as it was filled in to the records as they are shown.
 *
 * The form is parsed to its end before anything is sent; answers are checked against the questions of their event type; what an
 * earlier try of the same item did is given again, and what it left open is settled before anything is sent.
 *
 * @returns one record, or as many as the list gives
 * @throws ServiceError in the words of the table of errors, or of the operation
 */
export async function carryOut(
  client: Client,
  operation: Operation,
  form: GivenForm,
  { shape, timeZone, limit, onCut, item }: Circumstances,
): Promise<ServiceRecord[]> {
  const done = item?.run.outcomeOf(item.name);
  if (done !== undefined) return done;
  const context: RunContext = { limit, item: item && { run: item.run.name, name: item.name } };
  const shown = (record: ServiceRecord): ServiceRecord => show(operation.output, record, shape);
  if (operation.yields === 'many') {
    const list = await beginList(client, operation, form, context, timeZone);
    const records = await allOf(list, shown);
    if ('isCut' in list && list.isCut === true) onCut?.();
    return records;
  }
  const records = [shown(await carryOutOne(client, operation, form, context, timeZone))];
  item?.run.keep(item.name, records);
  return records;
}

/**
 * The same for one record, given as the service has it.
 *
 * @param timeZone the platform's own zone
 */
export async function carryOutOne(
  client: Client,
  operation: OneOperation,
  form: GivenForm,
  context: RunContext,
  timeZone?: string,
): Promise<ServiceRecord> {
  const { fields, given } = apart(operation.input, form);
  return one(client, operation, parseInput(operation, fields, { timeZone }), given, { ...context, timeZone });
}

/**
 * The same for a list, whose records are read as far as they are asked for, and given as the service has them.
 *
 * @param timeZone the platform's own zone
 */
export async function beginList(
  client: Client,
  operation: ManyOperation,
  form: GivenForm,
  context: RunContext,
  timeZone?: string,
): Promise<AsyncIterable<ServiceRecord> | Records> {
  const { fields, given } = apart(operation.input, form);
  const input = parseInput(operation, fields, { timeZone });
  return operation.run(client, await answered(client, operation, input, given), context);
}

async function one(
  client: Client,
  operation: OneOperation,
  input: Filled<Form>,
  given: GivenAnswers,
  context: RunContext,
): Promise<ServiceRecord> {
  let whole: Filled<Form>;
  try {
    whole = await answered(client, operation, input, given);
  } catch (error) {
    // "Failed" would be untrue where an earlier try may have done it already.
    const made =
      error instanceof ServiceError && operation.write !== undefined
        ? await settleEarlier(client, operation.write(client, input, context))
        : undefined;
    if (made !== undefined) return made;
    throw error;
  }
  try {
    return await operation.run(client, whole, context);
  } catch (error) {
    throw await inQuestionsWords(client, operation, input, given, error);
  }
}

/** The form without its answers, and these. */
function apart(input: Form, { fields, answers: inFields }: GivenForm): { fields: Readonly<Record<string, unknown>>; given: GivenAnswers } {
  const asking = askingFields(input);
  if (asking === undefined) return { fields, given: {} };
  const { [asking.answers]: written, ...others } = fields;
  const byKey = answersByKey(written, input[asking.answers]?.label ?? asking.answers);
  return { fields: others, given: { ...(inFields && { inFields }), ...(byKey && { byKey }) } };
}

/** The input with its answers, checked against the questions of the event type. Without answers nothing is asked. */
async function answered(
  client: Client,
  { input: form }: ManyOperation | OneOperation,
  input: Filled<Form>,
  given: GivenAnswers,
): Promise<Filled<Form>> {
  const asking = askingFields(form);
  if (asking === undefined || !hasAnswers(given)) return input;
  const answers = checkedAnswers(given, await questionsRead(client, String(input[asking.eventType])));
  return answers === undefined ? input : { ...input, [asking.answers]: answers };
}

/** What the service rejected may be a question that was not answered: then that is said, with the question's own words. */
async function inQuestionsWords(
  client: Client,
  { input: form }: OneOperation,
  input: Filled<Form>,
  given: GivenAnswers,
  error: unknown,
): Promise<unknown> {
  const asking = askingFields(form);
  if (asking === undefined || !(error instanceof ServiceError) || error.kind !== 'invalid') return error;
  if (!error.fields.some(({ field }) => field.split('.')[0] === asking.answers)) return error;
  try {
    checkedAnswers(given, await questionsRead(client, String(input[asking.eventType])));
  } catch (complaint) {
    if (complaint instanceof ServiceError && complaint.kind === 'invalid') return complaint;
    if (!(complaint instanceof ServiceError)) throw complaint;
  }
  return error;
}
