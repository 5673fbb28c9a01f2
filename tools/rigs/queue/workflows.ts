import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { triggerVersions } from '../../../n8n/adapter/identity.ts';
import type { ConnectedN8n } from '../n8n/connected.ts';
import { createCredential } from '../n8n/credentials.ts';
import type { WorkflowFile, WorkflowNode } from '../n8n/workflows.ts';
import { root } from '../../root.cjs';

/** What is needed to build a workflow with our nodes. */
export type Connection = Pick<ConnectedN8n, 'session' | 'nodes' | 'credentials'>;

/** The first node of a workflow made by {@link onEvents} or {@link whenCalled}. */
export const START = 'Start';

type Part = Pick<WorkflowNode, 'name' | 'type' | 'typeVersion' | 'parameters'> & Partial<WorkflowNode>;

/** One node after another. */
export function chain(name: string, parts: Part[]): WorkflowFile {
  const nodes = parts.map((part, index): WorkflowNode => ({ id: randomUUID(), position: [220 * index, 0], ...part }));
  const connections: WorkflowFile['connections'] = {};
  for (const [index, { name: node }] of nodes.slice(1).entries())
    connections[parts[index]?.name ?? ''] = { main: [[{ node, type: 'main', index: 0 }]] };
  return { name, nodes, connections };
}

export const nothing: Part = { name: 'Then', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };

/** Starts on events with our trigger, and does nothing else. */
export const onEvents = ({ nodes, credentials }: Connection, events: string[], name = 'On events'): WorkflowFile =>
  chain(name, [
    { name: START, type: nodes.trigger, typeVersion: triggerVersions.newest, parameters: { events }, credentials, webhookId: randomUUID() },
    nothing,
  ]);

/**
 * Runs our action node once for each of `body.items` in a request to its address, on any free worker.
 *
 * @returns the workflow and the path of its address
 */
export function whenCalled(
  { nodes, credentials }: Connection,
  parameters: Record<string, unknown>,
  name = 'When called',
): { file: WorkflowFile; path: string } {
  const path = randomUUID();
  const file = chain(name, [
    { name: START, type: 'n8n-nodes-base.webhook', typeVersion: 2, parameters: { httpMethod: 'POST', path }, webhookId: path },
    { name: 'Each', type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters: { fieldToSplitOut: 'body.items', options: {} } },
    { name: 'Action', type: nodes.action, typeVersion: 1, parameters, credentials },
  ]);
  return { file, path: `/webhook/${path}` };
}

/** The parameters of a booking with the values of an item: `start`, `name`, `email`. */
export const bookEach = (eventTypeId: string): Record<string, unknown> => ({
  resource: 'booking',
  operation: 'create',
  eventTypeId: { __rl: true, mode: 'id', value: eventTypeId },
  startTime: '={{ $json.start }}',
  inviteeName: '={{ $json.name }}',
  inviteeEmail: '={{ $json.email }}',
  questionResponsesMode: 'json',
  questionResponsesJson: '{}',
  additionalFields: {},
});

/** One of the examples that handle everything exactly once, with a database credential added. */
export async function exactExample(
  { session, nodes, credentials }: Connection,
  postgresUrl: string,
  example: 'each-delivery-once' | 'each-change-once',
): Promise<WorkflowFile> {
  const { hostname, port, username, password, pathname } = new URL(postgresUrl);
  const data = {
    host: hostname,
    port: Number(port),
    user: username,
    password,
    database: pathname.slice(1),
    ssl: 'disable',
    sshTunnel: false,
  };
  const { id, name } = await createCredential(session, { name: 'PostgreSQL', type: 'postgres', data });
  const file = JSON.parse(await readFile(join(root, 'n8n', 'examples', `${example}.json`), 'utf8')) as WorkflowFile;
  const given = (type: string): object =>
    [nodes.trigger, nodes.polling].includes(type)
      ? { credentials }
      : type === 'n8n-nodes-base.postgres'
        ? { credentials: { postgres: { id, name } } }
        : {};
  return { ...file, nodes: file.nodes.map((node) => ({ ...node, ...given(node.type) })) };
}
