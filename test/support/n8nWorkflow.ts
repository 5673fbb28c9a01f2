import type { ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { runWorkflow, type Execution } from '../../tools/rigs/n8n/executions.ts';
import { chain, createWorkflow, type WorkflowFile } from '../../tools/rigs/n8n/workflows.ts';

export { onEvents } from '../../tools/rigs/n8n/workflows.ts';

const manual = 'By hand';

/** A workflow that does one thing when it is run by hand. */
export const oneAction = ({ nodes, credentials }: ConnectedN8n, parameters: Record<string, unknown>): WorkflowFile =>
  chain('One action', [
    { name: manual, type: 'n8n-nodes-base.manualTrigger', parameters: {} },
    { name: 'Action', type: nodes.action, parameters, credentials },
  ]);

/** Does one thing in n8n and hands back how it went. */
export async function act(
  connected: ConnectedN8n,
  parameters: Record<string, unknown>,
  settings: WorkflowFile['settings'] = {},
): Promise<Execution> {
  const { id } = await createWorkflow(connected.session, { ...oneAction(connected, parameters), settings });
  return runWorkflow(connected.session, id, manual);
}
