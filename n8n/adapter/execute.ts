import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import type { Client } from '../../shared/api/client.ts';
import { ServiceError } from '../../shared/api/errors.ts';
import { allOf, type Shape } from '../../shared/api/pages.ts';
import type { ServiceRecord } from '../../shared/api/records.ts';
import { parseInput, type Operation, type RunContext } from '../../shared/define.ts';
import { formFields } from '../../shared/form.ts';
import { checkedAnswers, readableQuestions, type Question } from '../../shared/questions.ts';
import { simplify } from '../../shared/simplify.ts';
import { answersSource } from './answers.ts';
import { nodeError, wordsOf } from './errors.ts';
import { RunMemo } from './memo.ts';
import { readAnswers, readForm, readLimit } from './parameters.ts';
import { inParallel, PoolFailure } from './pool.ts';
import { clientFor } from './service.ts';
import { offersSimplify } from './simplification.ts';

/** Enough to reach the service's limit at usual latencies, few enough not to crowd it. */
const width = 12;

/** What runs with "Retry On Fail" carried out already, in this process. */
const memo = new RunMemo<ServiceRecord[]>(20_000);

/**
 * Runs the chosen operation for every item, several at a time, and gives the records in the order of the items, each
 * paired with its item. Where the node is set to continue, a failed item gives its sentence and the others go on.
 *
 * @throws NodeApiError or NodeOperationError of the first failed item, once nothing is under way any more.
 */
export async function execute(host: IExecuteFunctions, operations: readonly Operation[]): Promise<INodeExecutionData[]> {
  const node = host.getNode();
  const items = host.getInputData();
  try {
    const client = await clientFor(host);
    const run = runner(host, node);
    const outcomes = await inParallel(items, width, async (_, itemIndex) => {
      try {
        const operation = chosenOperation(host, operations, itemIndex);
        const records = await run(operation, itemIndex, client);
        return records.map((json) => paired(json, itemIndex));
      } catch (error) {
        const failure = nodeError(node, error, { itemIndex });
        if (!host.continueOnFail()) throw failure;
        return [paired({ error: wordsOf(failure) }, itemIndex)];
      }
    });
    return outcomes.flat();
  } catch (error) {
    if (!(error instanceof PoolFailure)) throw nodeError(node, error);
    throw nodeError(node, error.cause, { itemIndex: error.index, note: doneNote(error.finished, items.length) });
  }
}

const paired = (json: ServiceRecord, item: number): INodeExecutionData => ({ json: json as IDataObject, pairedItem: { item } });

const doneNote = (finished: number, all: number): string | undefined =>
  all > 1 && finished > 0 ? `${finished} of the ${all} items were carried out before the run stopped. To keep their output, let the node continue on error.` : undefined;

function chosenOperation(host: IExecuteFunctions, operations: readonly Operation[], itemIndex: number): Operation {
  const resource = host.getNodeParameter('resource', itemIndex);
  const name = host.getNodeParameter('operation', itemIndex);
  const operation = operations.find((each) => each.resource === resource && each.name === name);
  if (operation === undefined) throw new Error(`This node has no operation "${String(name)}" for "${String(resource)}". Choose one from the list.`);
  return operation;
}

const wantsSimple = (host: IExecuteFunctions, operation: Operation, itemIndex: number): boolean =>
  offersSimplify(operation) && host.getNodeParameter('simplify', itemIndex, true) === true;

type Run = (operation: Operation, itemIndex: number, client: Client) => Promise<ServiceRecord[]>;

/** The run of one item; what changes something is remembered where n8n may repeat the node. */
function runner(host: IExecuteFunctions, node: INode): Run {
  const runIndex = Number(host.getWorkflowDataProxy(0).$runIndex);
  const withAnswers = answering(host);
  return async (operation, itemIndex, client) => {
    const context = { timeZone: host.getTimezone(), ...(operation.yields === 'many' && readLimit(host, itemIndex)) };
    const bare = readForm(host, operation, itemIndex);
    let form;
    try {
      form = await withAnswers(operation, itemIndex, bare, client);
    } catch (error) {
      // "Failed" would be untrue where an earlier try of this run may have done it already.
      const made = error instanceof ServiceError && operation.yields === 'one' ? await operation.resume?.(client, parseInput(operation, bare), context) : undefined;
      if (made === undefined) throw nodeError(node, error, { itemIndex });
      return [made];
    }
    const shape = wantsSimple(host, operation, itemIndex) ? (record: ServiceRecord) => simplify(operation.output, record) : undefined;
    const carryOut = () => recordsOf(operation, client, form, context, shape);
    if (node.retryOnFail !== true || operation.effect === 'read') return carryOut();
    return memo.once(host.getExecutionId(), JSON.stringify([node.id, runIndex, itemIndex, operation.resource, operation.name, form]), carryOut);
  };
}

async function recordsOf(operation: Operation, client: Client, form: Record<string, unknown>, context: RunContext, shape?: Shape): Promise<ServiceRecord[]> {
  const input = parseInput(operation, form);
  if (operation.yields === 'many') return allOf(operation.run(client, input, context), shape);
  const record = await operation.run(client, input, context);
  return [shape === undefined ? record : shape(record)];
}

/** Adds the answers to a form, checked against the questions of its event type, which are read once in a run. */
function answering(host: IExecuteFunctions) {
  const asked = new Map<string, Promise<Question[] | undefined>>();
  return async (operation: Operation, itemIndex: number, form: Record<string, unknown>, client: Client): Promise<Record<string, unknown>> => {
    const field = formFields(operation.input).find(({ control }) => control === 'answers');
    const source = answersSource(operation);
    if (field === undefined || source === undefined) return form;
    const { values, asJson } = readAnswers(host, field, itemIndex);
    const eventType = form[source.key];
    if (Object.keys(values).length === 0 || typeof eventType !== 'string' || eventType === '') return form;
    const questions = asked.get(eventType) ?? readableQuestions(client, eventType);
    asked.set(eventType, questions);
    // That one reading failed says nothing about the items after it: the next one reads again.
    questions.catch(() => asked.delete(eventType));
    return { ...form, [field.key]: checkedAnswers(asJson ? { byKey: values } : { inFields: values }, await questions) };
  };
}
