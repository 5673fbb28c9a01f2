import { parse as parseFlatted } from 'flatted';
import * as z from 'zod/v4';
import { awaited, type N8nSession } from './session.ts';

const Summary = z.looseObject({
  id: z.string(),
  status: z.string(),
  mode: z.string(),
  startedAt: z.string().nullish(),
  stoppedAt: z.string().nullish(),
});
type ExecutionSummary = z.infer<typeof Summary>;

const unfinished = new Set(['new', 'running', 'waiting']);

/** Message and description, as n8n shows them. */
const Failure = z.looseObject({ message: z.string(), description: z.string().nullish() });
const NodeRun = z.looseObject({
  startTime: z.number(),
  executionTime: z.number(),
  // A model or a tool of an agent has an output of its own kind.
  data: z
    .looseObject({ main: z.array(z.array(z.looseObject({ json: z.record(z.string(), z.unknown()) })).nullish()).optional() })
    .optional(),
});
const Data = z.looseObject({
  resultData: z.looseObject({ runData: z.record(z.string(), z.array(NodeRun)).optional(), error: Failure.optional() }),
});

/** One run of a workflow. */
export interface Execution extends ExecutionSummary {
  /** The items that a node returned, from all its outputs and runs; none if it did not run. */
  items(node: string): Record<string, unknown>[];
  /** The error of a failed run. */
  error: z.infer<typeof Failure> | undefined;
  /** When a node began and how long it took, in milliseconds. */
  timing(node: string): { startedAt: number; ms: number } | undefined;
}

export async function listExecutions(session: N8nSession, workflowId: string): Promise<ExecutionSummary[]> {
  const filter = encodeURIComponent(JSON.stringify({ workflowId }));
  return z.looseObject({ results: z.array(Summary) }).parse(await session.get(`/rest/executions?filter=${filter}&limit=100`)).results;
}

/** A finished execution, with the items that its nodes received and returned. */
export async function getExecution(session: N8nSession, id: string): Promise<Execution> {
  return readStored(await session.get(`/rest/executions/${id}`));
}

/** An execution from the form in which n8n stores it: a summary, and `data` as text. */
function readStored(record: unknown): Execution {
  const stored = Summary.extend({ data: z.string() }).parse(record);
  // n8n stores each repeated value only once.
  const { runData = {}, error } = Data.parse(parseFlatted(stored.data)).resultData;
  const runs = (node: string) => runData[node] ?? [];
  return {
    ...stored,
    error,
    items: (node) => runs(node).flatMap(({ data }) => (data?.main ?? []).flatMap((output) => (output ?? []).map(({ json }) => json))),
    timing: (node) => {
      const [first] = runs(node);
      return first && { startedAt: first.startTime, ms: first.executionTime };
    },
  };
}

/** Waits until an execution has ended, whether or not it succeeded. */
export const finishedExecution = (session: N8nSession, id: string): Promise<Execution> =>
  awaited(`the end of execution ${id}`, async () => {
    const record = await session.get(`/rest/executions/${id}`);
    return unfinished.has(Summary.parse(record).status) ? undefined : readStored(record);
  });

/** Waits for a finished execution of a workflow that satisfies a condition. */
export function awaitExecution(
  session: N8nSession,
  workflowId: string,
  wanted: (execution: Execution) => boolean = () => true,
): Promise<Execution> {
  const seen = new Set<string>();
  return awaited('the expected execution of the workflow', async () => {
    for (const { id, status } of await listExecutions(session, workflowId)) {
      if (seen.has(id) || unfinished.has(status)) continue;
      seen.add(id);
      const execution = await getExecution(session, id);
      if (wanted(execution)) return execution;
    }
    return undefined;
  });
}

/**
 * Runs a workflow by hand from one of its triggers, as the editor's button does, and waits until it has ended.
 *
 * @param from the name of a trigger that needs nothing from outside, such as the manual trigger
 */
export const runWorkflow = async (session: N8nSession, workflowId: string, from: string): Promise<Execution> =>
  finishedExecution(session, await beginWorkflow(session, workflowId, from));

const Started = z.looseObject({ executionId: z.string() });

/** The same, without waiting for the end. Returns the execution's id. */
export const beginWorkflow = async (session: N8nSession, workflowId: string, from: string): Promise<string> =>
  Started.parse(await session.post(`/rest/workflows/${workflowId}/run`, { triggerToStartFrom: { name: from } })).executionId;
