import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { type Operation, runOperation, operations } from '../../shared/operations/index.ts';
import type { Client } from '../../shared/client/index.ts';
import { Runs, type RepeatableRun } from '../../shared/writes/index.ts';
import { cutHint, Hints, type HintKind } from './hints.ts';
import { itemError, nodeError, wordsOf } from './errors.ts';
import { readForm, readLimit } from './parameters.ts';
import { hashOfItems, itemContent } from './items.ts';
import { inParallel } from './pool.ts';
import { clientFor } from './connection.ts';
import { outputOf } from './simplification.ts';

/** How many items run at once: enough to reach the service's limit at usual latencies without flooding it. */
const width = 12;

/** The runs of this process that n8n may repeat. */
const runs = new Runs();

/**
 * Runs the chosen operation for every item, several at a time, and returns the records in the order of the items, each paired with its
 * item. If the node is set to continue on errors, or an agent runs it, a failed item contains its error and the others continue. For an
 * agent, nothing is thrown, because versions of n8n's agent differ in which part of a thrown error reaches the model; in one of them,
 * nothing does.
 *
 * @throws NodeApiError or NodeOperationError of the first failed item, after all running items have ended
 */
export async function execute(host: IExecuteFunctions): Promise<INodeExecutionData[]> {
  const node = host.getNode();
  const items = host.getInputData();
  try {
    const client = await clientFor(host);
    const run = tryOf(host, node, items, client);
    const hints = new Hints();
    let isDone = true;
    const { results, finished, failure } = await inParallel(items, width, async (_, itemIndex) => {
      try {
        const records = await runItem(host, itemIndex, { client, run, hints });
        return records.map((json) => paired(json, itemIndex));
      } catch (error) {
        isDone = false;
        const failed = nodeError(node, error);
        if (!isTool(host) && !host.continueOnFail()) throw failed;
        return [failedItem(failed, itemIndex)];
      }
    });
    run?.end(isDone);
    if (failure !== undefined)
      throw itemError(node, failure.error, failure.index, doneNote(finished, items.length, run?.isBegun() === true));
    const output = results.flat();
    const hint = isTool(host) ? undefined : hints.asOne(output.length === node.parameters['limit']);
    if (hint !== undefined) host.addExecutionHints(hint);
    return output;
  } catch (error) {
    const failed = nodeError(node, error);
    if (isTool(host)) return [failedItem(failed, 0)];
    throw failed;
  }
}

/** One try of a run, which begins when the first item changes something. */
type Try = ReturnType<typeof tryOf>;

let unrepeated = 0;

/**
 * A run that n8n may repeat for all its items: with Retry On Fail, in the same execution; or, if a person retries a failed execution, in a
 * new one with the mode `retry`. In a loop, each pass has another run index, so each pass books. Calls of the node as a tool of n8n's MCP
 * Server Trigger have no execution id. Nothing tells their callers' runs apart, so none is remembered.
 */
function tryOf(host: IExecuteFunctions, node: INode, items: INodeExecutionData[], { clock }: Client) {
  const execution = host.getExecutionId();
  if (!execution) return undefined;
  let run: RepeatableRun | undefined;
  // By the node's name, because workflows that were not made in an editor can contain a node id twice. The name cannot change before the
  // execution is retried.
  const place = (): string => [host.getWorkflow().id, node.name, Number(host.getWorkflowDataProxy(0).$runIndex)].join(' ');
  const equal = (): string => `${place()} ${hashOfItems(items)}`;
  return {
    /** Whether something was changed, so that a repeat would do it twice. */
    isBegun: (): boolean => run?.isBegun === true,
    begin(): RepeatableRun {
      // n8n can give two calls of a tool the same run index.
      const name = (): string => `${execution} ${isTool(host) ? equal() : place()}`;
      const own = node.retryOnFail === true ? name() : `${execution} alone ${(unrepeated += 1)}`;
      run ??= runs.begin(own, clock, host.getMode() === 'retry' ? equal() : undefined);
      return run;
    },
    end(isDone: boolean): void {
      if (run !== undefined) runs.end(run, clock, isDone ? undefined : equal());
    },
  };
}

const readAllAdvice = 'Turn on Return All to read all of them.';

interface Carrier {
  client: Client;
  run: Try;
  hints: Hints;
}

async function runItem(host: IExecuteFunctions, itemIndex: number, { client, run, hints }: Carrier): Promise<IDataObject[]> {
  const operation = chosenOperation(host, itemIndex);
  const { shape, kept } = outputOf(host, operation, itemIndex);
  const told = new Hints();
  const hint = (message: string, kind?: HintKind): void => {
    told.add(message, kind);
    hints.add(message, kind);
  };
  const limited = operation.yields === 'many' ? readLimit(host, itemIndex) : {};
  const result = await runOperation(client, operation, readForm(host, operation, itemIndex), {
    shape,
    timeZone: host.getTimezone(),
    onCut: () => hint(cutHint, 'cut'),
    note: (message) => hint(message),
    // A panel already says this, but a model does not see the panel.
    aside: (message) => told.add(message),
    partNote: (message) => hint(message, 'part'),
    bound: limited.limit === undefined ? undefined : { advice: readAllAdvice },
    ...limited,
    ...(run !== undefined &&
      operation.effect !== 'read' && { item: { run: run.begin(), name: [itemIndex, operation.resource, operation.name].join(' ') } }),
  });
  if (operation.secret !== undefined) hint(`Save ${operation.secret} now. It is shown only once.`, 'warning');
  // A model sees only items, not hints.
  const note = isTool(host) ? told.asOne(false)?.message : undefined;
  return [...(note === undefined ? [] : [{ note }]), ...[result].flat().map((record) => itemContent(kept(record)))];
}

/** Whether an agent calls the node. n8n then appends "Tool" to the node's type. */
const isTool = (host: IExecuteFunctions): boolean =>
  host.getNode().type.endsWith('Tool') || ('isToolExecution' in host && host.isToolExecution());

const failedItem = (failed: NodeApiError | NodeOperationError, itemIndex: number): INodeExecutionData =>
  paired({ error: wordsOf(failed) }, itemIndex);

const paired = (json: IDataObject, item: number): INodeExecutionData => ({ json, pairedItem: { item } });

const doneNote = (finished: number, all: number, isBegun: boolean): string =>
  finished > 0
    ? `${finished} of ${all} items finished before the error. To keep their output, set On Error to Continue.${isBegun ? ' For ten minutes, Retry does not repeat them; later, after a restart of n8n, or in another n8n process, it does.' : ''}`
    : '';

function chosenOperation(host: IExecuteFunctions, itemIndex: number): Operation {
  const resource = host.getNodeParameter('resource', itemIndex);
  // For an unknown resource, n8n has no operation.
  const name = host.getNodeParameter('operation', itemIndex, '');
  const operation = operations.find((each) => each.resource === resource && each.name === name);
  if (operation === undefined)
    throw new Error(`This node has no operation "${String(name)}" for "${String(resource)}". Choose one from the list.`);
  return operation;
}
