import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/v4';
import { triggerVersions } from '../../../n8n/adapter/identity.ts';
import { root } from '../../root.cjs';
import type { ConnectedN8n } from '../n8n/connected.ts';
import { createCredential } from '../n8n/credentials.ts';
import { type Execution, readStored } from '../n8n/executions.ts';
import type { WorkflowFile, WorkflowNode } from '../n8n/workflows.ts';
import type { Cluster, Member } from './cluster.ts';

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

const Count = z.object({ unfinished: z.number(), finished: z.number() });
const Stored = z.looseObject({ id: z.coerce.string() });

/** How many executions of a workflow have ended and how many have not, according to the database. */
export async function countExecutions({ postgres }: Cluster, workflowId: string): Promise<z.infer<typeof Count>> {
  const sql = `SELECT count(*) FILTER (WHERE status IN ('new', 'running', 'waiting'))::int AS unfinished, count(*) FILTER (WHERE status NOT IN ('new', 'running', 'waiting'))::int AS finished FROM execution_entity WHERE "workflowId" = $1`;
  const [row] = await postgres.query(sql, [workflowId]);
  return Count.parse(row);
}

/** How long a worker may take to begin what is in the queue. */
const BEGUN_WITHIN_MS = 60_000;
const STUCK_MS = 90_000;

/**
 * Waits until this many executions of a workflow have ended and none is running, or until none is running and no more begin.
 *
 * @throws an error if some are running and none has ended for a minute and a half
 */
export async function executionsEnded(cluster: Cluster, workflowId: string, expected: number): Promise<void> {
  let last = { unfinished: -1, finished: -1 };
  for (let moved = Date.now(); Date.now() - moved < STUCK_MS; await sleep(200)) {
    const now = await countExecutions(cluster, workflowId);
    if (now.finished !== last.finished || now.unfinished !== last.unfinished) moved = Date.now();
    if (now.unfinished === 0 && (now.finished >= expected || Date.now() - moved > BEGUN_WITHIN_MS)) return;
    last = now;
  }
  throw new Error(
    `${last.unfinished} executions are under way, ${last.finished} have ended, and nothing has moved for a minute and a half.`,
  );
}

/** Every execution of a workflow, directly from the database, oldest first. The REST interface returns only a hundred at a time. */
export async function* allExecutions({ postgres }: Cluster, workflowId: string): AsyncGenerator<Execution> {
  const sql = `SELECT e.id, e.status, e.mode, to_json(e."startedAt") #>> '{}' AS "startedAt", to_json(e."stoppedAt") #>> '{}' AS "stoppedAt", d.data FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id WHERE e."workflowId" = $1 AND e.id > $2 ORDER BY e.id LIMIT 500`;
  for (let after = 0; ; ) {
    const rows = z.array(Stored).parse(await postgres.query(sql, [workflowId, after]));
    for (const row of rows) yield readStored(row);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = Number(last.id);
  }
}

/** The ids of the executions that a worker has begun, from its log. */
export function executionsOn(worker: Member): string[] {
  return [...worker.log().matchAll(/Worker started execution (\d+) /g)].map(([, id = '']) => id);
}
