import type { ServiceRecord } from '../records/fields.ts';
import type { Client } from '../client/client.ts';
import { allOf, type Records } from '../client/pages.ts';
import type { Form, ManyOperation, OneOperation, Operation, OperationInput, RunContext } from './define.ts';
import { filledIn, parseInput } from './parseInput.ts';
import { labelsOf } from './form.ts';
import { show, type OutputShape } from '../records/outputs.ts';
import type { RepeatableRun } from '../writes/finishedItems.ts';
import { hasDay } from './times.ts';
import { hostZone } from './user.ts';

export interface OperationOptions
  extends Pick<RunContext, 'limit' | 'note' | 'aside' | 'partNote' | 'bound' | 'timeZone' | 'createsOtherwise'> {
  /** The shape of the returned records: all fields plus those added for people, or only the main fields. */
  shape: OutputShape;
  /** Called if the list continues, or may continue, after `limit` records. */
  onCut?: (() => void) | undefined;
  /** The item and its run, if the host may repeat the same run. */
  item?: { run: RepeatableRun; name: string } | undefined;
}

/** What an operation returns: one record, or all records of a list. */
type ResultOf<Each extends Operation> = Each extends { yields: 'one' } ? ServiceRecord : ServiceRecord[];

/**
 * Runs an operation, from the submitted form to the displayed record or records. Every platform uses it.
 *
 * The form is parsed completely before anything is sent, and answers are checked against the questions of their event type. If an earlier
 * attempt of the same item succeeded, its result is returned.
 *
 * @throws ServiceError from the table of errors, or from the operation
 */
export async function runOperation<Each extends Operation>(
  client: Client,
  operation: Each,
  form: OperationInput,
  { shape, onCut, item, ...context }: OperationOptions,
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

/**
 * Returns the record of {@link runOperation} as the service sends it. Separate, so that a package whose size matters does not include the
 * code for other shapes.
 */
export async function runOne(client: Client, operation: OneOperation, form: OperationInput, context: RunContext): Promise<ServiceRecord> {
  const { input: declared, answering } = operation;
  const { fields, answers } = answering?.split(declared, form) ?? { fields: form.fields, answers: {} };
  const input = parseInput(operation, fields, { timeZone: context.timeZone });
  const { whole, questions } = (await answering?.checked(client, declared, input, answers, context.timeZone)) ?? { whole: input };
  const inFields = questions?.filter(({ key }) => Object.hasOwn(answers.inFields ?? {}, key));
  try {
    return await operation.run(client, whole, { ...context, labelOf: labelsOf(declared, inFields) });
  } catch (error) {
    throw (await answering?.explained(client, declared, input, answers, error)) ?? error;
  }
}

/**
 * Runs an operation that returns a list, from the submitted form. The records are read only as far as needed, and returned as the service
 * sends them.
 */
export async function listRecords(
  client: Client,
  operation: ManyOperation,
  form: OperationInput,
  context: RunContext,
): Promise<AsyncIterable<ServiceRecord> | Records> {
  const { timeZone, note } = context;
  const { fields, mayBeEmpty } = form;
  const dayZone = await dayZoneOf(client, operation, fields, timeZone);
  const input = parseInput(operation, fields, { timeZone, dayZone, mayBeEmpty, note });
  return operation.run(client, input, context);
}

/** The zone in which a day of the form begins: the platform's, or else the host's. If the form contains no day, nothing is requested. */
export const dayZoneOf = async (
  client: Client,
  { input }: { input: Form },
  fields: Readonly<Record<string, unknown>>,
  timeZone?: string,
): Promise<string | undefined> => timeZone ?? (hasDay(input, filledIn(input, fields)) ? hostZone(client) : undefined);
