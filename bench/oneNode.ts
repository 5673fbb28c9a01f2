import type { ConnectedN8n } from '../tools/rigs/n8n/connected.ts';
import { runWorkflow, type Execution } from '../tools/rigs/n8n/executions.ts';
import { chain, createWorkflow } from '../tools/rigs/n8n/workflows.ts';

/** The name of the node that is run. */
export const NODE = 'Node';

/** Runs one node by hand in a real n8n, and nothing else. */
export async function runNode(
  { session, credentials }: ConnectedN8n,
  { type, typeVersion = 1, parameters }: { type: string; typeVersion?: number; parameters: Record<string, unknown> },
): Promise<Execution> {
  const begin = { name: 'Begin', type: 'n8n-nodes-base.manualTrigger', parameters: {} };
  const { id } = await createWorkflow(session, chain(type, [begin, { name: NODE, type, typeVersion, parameters, credentials }]));
  return runWorkflow(session, id, begin.name);
}

/** The parameters with which our node creates a booking. */
export const creates = (eventTypeId: string, start: string): Record<string, unknown> => ({
  resource: 'booking',
  operation: 'create',
  eventTypeId: { __rl: true, mode: 'id', value: eventTypeId },
  startTime: start,
  inviteeName: 'Ada Lovelace',
  inviteeEmail: 'ada@example.com',
});
