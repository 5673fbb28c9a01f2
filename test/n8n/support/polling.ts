import { randomUUID } from 'node:crypto';
import type { ConnectedN8n } from '../../../tools/rigs/n8n/connected.ts';
import { getExecution, listExecutions } from '../../../tools/rigs/n8n/executions.ts';
import type { WorkflowFile } from '../../../tools/rigs/n8n/workflows.ts';
import { until } from '../../support/until.ts';

export const pollingTrigger = 'On changes';

const seldom = { mode: 'everyX', unit: 'hours', value: 23 };

/** A workflow that starts on changes. n8n polls when it publishes it, and after that too rarely to affect a test, unless told otherwise. */
export function onChanges(
  { nodes, credentials }: Pick<ConnectedN8n, 'nodes' | 'credentials'>,
  parameters: Record<string, unknown>,
  pollTimes: object = seldom,
): WorkflowFile {
  return {
    name: 'On changes',
    nodes: [
      {
        id: randomUUID(),
        name: pollingTrigger,
        type: nodes.polling,
        typeVersion: 1,
        position: [0, 0],
        parameters: { pollTimes: { item: [pollTimes] }, ...parameters },
        credentials,
      },
      { id: randomUUID(), name: 'Then', type: 'n8n-nodes-base.noOp', typeVersion: 1, position: [220, 0], parameters: {} },
    ],
    connections: { [pollingTrigger]: { main: [[{ node: 'Then', type: 'main', index: 0 }]] } },
  };
}

/** Everything that a workflow was given so far, by execution, the oldest first. Waits until none of its executions is running. */
export async function givenTo({ session }: Pick<ConnectedN8n, 'session'>, id: string): Promise<Record<string, unknown>[][]> {
  const ended = await until(async () => {
    const all = await listExecutions(session, id);
    return all.every(({ status }) => !['new', 'running', 'waiting'].includes(status)) && all;
  });
  const runs = await Promise.all(ended.map((each) => getExecution(session, each.id)));
  return runs.sort((a, b) => Number(a.id) - Number(b.id)).map((run) => run.items(pollingTrigger));
}

/** Each change as `EVENT id`, sorted. */
export const namesOf = (items: readonly Record<string, unknown>[]): string[] =>
  items.map(({ event, id }) => `${String(event)} ${String(id)}`).sort();
