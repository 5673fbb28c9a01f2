import { randomUUID } from 'node:crypto';
import { runWorkflow, type Execution } from '../../tools/rigs/n8n/executions.ts';
import { chain, createWorkflow, type Part, type WorkflowFile, type WorkflowNode } from '../../tools/rigs/n8n/workflows.ts';
import type { ConnectedN8n } from './connectedN8n.ts';

/** A last node that does nothing, for workflows that only start. */
export const nothing: Part = { name: 'Then', type: 'n8n-nodes-base.noOp', parameters: {} };

/** The trigger of a workflow made by {@link onEvents}. */
export const START = 'On events';

/** A workflow that starts on events with our trigger, and does nothing else. */
export const onEvents = (
  { nodes, credentials }: Pick<ConnectedN8n, 'nodes' | 'credentials'>,
  parameters: Record<string, unknown>,
): WorkflowFile => chain(START, [{ name: START, type: nodes.trigger, parameters, credentials, webhookId: randomUUID() }, nothing]);

const manual = 'By hand';

/** A workflow with one action, run by hand. */
export const oneAction = ({ nodes, credentials }: ConnectedN8n, parameters: Record<string, unknown>): WorkflowFile =>
  chain('One action', [
    { name: manual, type: 'n8n-nodes-base.manualTrigger', parameters: {} },
    { name: 'Action', type: nodes.action, parameters, credentials },
  ]);

/** Creates a workflow that runs one action on many items, which its trigger has as pinned data. */
export async function overItems(
  connected: ConnectedN8n,
  items: Record<string, unknown>[],
  parameters: Record<string, unknown>,
  node: Partial<WorkflowNode> = {},
) {
  const file = oneAction(connected, parameters);
  const nodes = file.nodes.map((each) => (each.name === manual ? each : { ...each, ...node }));
  const pinned = { ...file, nodes, pinData: { [manual]: items.map((json) => ({ json })) } };
  const { id } = await createWorkflow(connected.session, pinned);
  return { id, nodes, from: manual, run: () => runWorkflow(connected.session, id, manual) };
}

/** Runs one action in n8n. @returns the execution */
export async function act(
  connected: ConnectedN8n,
  parameters: Record<string, unknown>,
  settings: WorkflowFile['settings'] = {},
): Promise<Execution> {
  const { id } = await createWorkflow(connected.session, { ...oneAction(connected, parameters), settings });
  return runWorkflow(connected.session, id, manual);
}
