import { parse as parseFlatted } from 'flatted';
import type { ExecutionSummary, IRunExecutionData } from 'n8n-workflow';
import { until } from '../../process/until.ts';
import type { N8nSession } from './session.ts';

/** Times are text in n8n's responses. */
type Summary = Pick<ExecutionSummary, 'id' | 'status' | 'mode'> & { startedAt?: string | null; stoppedAt?: string | null };

const unfinished = new Set(['new', 'running', 'waiting']);

export interface Execution extends Summary {
  /** The items that a node returned, from all its outputs and runs; none if it did not run. */
  items(node: string): Record<string, unknown>[];
  /** The error of a failed run, as n8n shows it. */
  error: { message: string; description?: string | null | undefined } | undefined;
  /** When a node started and how long it took, in milliseconds. */
  timing(node: string): { startedAt: number; ms: number } | undefined;
}

export async function listExecutions(session: N8nSession, workflowId: string): Promise<Summary[]> {
  const filter = encodeURIComponent(JSON.stringify({ workflowId }));
  return (await session.get<{ results: Summary[] }>(`/rest/executions?filter=${filter}&limit=100`)).results;
}

/** Waits until an execution has ended, whether or not it succeeded. */
export const finishedExecution = (session: N8nSession, id: string): Promise<Execution> =>
  until(async () => {
    const { data, ...summary } = await session.get<Summary & { data: string }>(`/rest/executions/${id}`);
    if (unfinished.has(summary.status)) return undefined;
    // n8n stores each repeated value only once.
    const { runData, error } = (parseFlatted(data) as IRunExecutionData).resultData;
    const runs = (node: string) => runData?.[node] ?? [];
    return {
      ...summary,
      error,
      // Only the main output: models and tools of an agent have another kind.
      items: (node) => runs(node).flatMap(({ data }) => (data?.['main'] ?? []).flatMap((output) => (output ?? []).map(({ json }) => json))),
      timing: (node) => {
        const [first] = runs(node);
        return first && { startedAt: first.startTime, ms: first.executionTime };
      },
    };
  }, `n8n is slow: the end of execution ${id}`);

/** Waits for a finished execution of a workflow that satisfies a condition. */
export function awaitExecution(
  session: N8nSession,
  workflowId: string,
  wanted: (execution: Execution) => boolean = () => true,
): Promise<Execution> {
  const seen = new Set<string>();
  return until(async () => {
    for (const { id, status } of await listExecutions(session, workflowId)) {
      if (seen.has(id) || unfinished.has(status)) continue;
      seen.add(id);
      const execution = await finishedExecution(session, id);
      if (wanted(execution)) return execution;
    }
    return undefined;
  }, 'n8n is slow: the expected execution of the workflow');
}

/**
 * Runs a workflow by hand from one of its triggers, as the editor's button does, and waits until it has ended.
 *
 * @param from the name of a trigger that needs no outside input, such as the manual trigger
 */
export const runWorkflow = async (session: N8nSession, workflowId: string, from: string): Promise<Execution> =>
  finishedExecution(session, await beginWorkflow(session, workflowId, from));

/** The same, without waiting for the end. Returns the execution's id. */
export const beginWorkflow = async (session: N8nSession, workflowId: string, from: string): Promise<string> =>
  (await session.post<{ executionId: string }>(`/rest/workflows/${workflowId}/run`, { triggerToStartFrom: { name: from } })).executionId;
