import { randomUUID } from 'node:crypto';
import { triggerVersions } from '../../n8n/adapter/identity.ts';
import type { ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { runWorkflow, type Execution } from '../../tools/rigs/n8n/executions.ts';
import { createWorkflow, deleteWorkflow, type WorkflowFile, type WorkflowNode } from '../../tools/rigs/n8n/workflows.ts';

const manual = 'By hand';

function node(name: string, type: string, parameters: Record<string, unknown>, more: Partial<WorkflowNode> = {}): WorkflowNode {
  return { id: randomUUID(), name, type, typeVersion: 1, position: [0, 0], parameters, ...more };
}

/** A workflow that does one thing when it is run by hand. */
export function oneAction({ nodes, credentials }: ConnectedN8n, parameters: Record<string, unknown>): WorkflowFile {
  return {
    name: 'One action',
    nodes: [node(manual, 'n8n-nodes-base.manualTrigger', {}), node('Action', nodes.action, parameters, { credentials })],
    connections: { [manual]: { main: [[{ node: 'Action', type: 'main', index: 0 }]] } },
  };
}

/** A workflow that starts on events; the trigger is called `On events`. */
export function onEvents(
  { nodes, credentials }: Pick<ConnectedN8n, 'nodes' | 'credentials'>,
  parameters: Record<string, unknown>,
): WorkflowFile {
  return {
    name: 'On events',
    nodes: [
      node('On events', nodes.trigger, parameters, { typeVersion: triggerVersions.newest, credentials, webhookId: randomUUID() }),
      node('Then', 'n8n-nodes-base.noOp', {}),
    ],
    connections: { 'On events': { main: [[{ node: 'Then', type: 'main', index: 0 }]] } },
  };
}

/** Does one thing in n8n and hands back how it went; the workflow is gone afterwards. */
export async function act(connected: ConnectedN8n, parameters: Record<string, unknown>): Promise<Execution> {
  const { id } = await createWorkflow(connected.session, oneAction(connected, parameters));
  try {
    return await runWorkflow(connected.session, id, manual);
  } finally {
    await deleteWorkflow(connected.session, id);
  }
}
