import { randomUUID } from 'node:crypto';
import type { IConnections, INode } from 'n8n-workflow';
import { until } from '../../process/until.ts';
import type { N8nSession } from './session.ts';

/** A node as in an exported workflow. */
export interface WorkflowNode extends Omit<INode, 'parameters' | 'credentials'> {
  parameters: Record<string, unknown>;
  credentials?: Record<string, { id: string; name: string }>;
}

/** A workflow as n8n exports it. */
export interface WorkflowFile {
  name: string;
  nodes: WorkflowNode[];
  connections: IConnections;
  settings?: Record<string, unknown>;
}

export type Part = Pick<WorkflowNode, 'name' | 'type' | 'parameters'> & Partial<WorkflowNode>;

/** A workflow in which each node follows the previous one. */
export function chain(name: string, parts: Part[]): WorkflowFile {
  const nodes = parts.map((part, index): WorkflowNode => ({ id: randomUUID(), typeVersion: 1, position: [220 * index, 0], ...part }));
  const links = parts.slice(1).map(({ name: node }, index) => [parts[index]?.name, { main: [[{ node, type: 'main', index: 0 }]] }]);
  return { name, nodes, connections: Object.fromEntries(links) as WorkflowFile['connections'] };
}

/** A workflow as n8n stores it. */
export type StoredWorkflow = WorkflowFile & { id: string; versionId: string; active: boolean };

interface PublicationStatus {
  status: 'not_published' | 'in_progress' | 'published' | 'partial' | 'failed';
  triggers: { nodeId: string; status: string; errorMessage?: string | null }[];
}

export const listWorkflows = (session: N8nSession): Promise<StoredWorkflow[]> => session.get('/rest/workflows');

/** Imports a workflow. It is a draft until `publish` makes it run. */
export const createWorkflow = (session: N8nSession, file: WorkflowFile): Promise<StoredWorkflow> =>
  session.post('/rest/workflows', { settings: {}, ...file, active: false });

/** Saves a draft over an existing workflow. A published version keeps running until `publish` is called again. */
export async function saveWorkflow(session: N8nSession, id: string, file: Partial<WorkflowFile>): Promise<StoredWorkflow> {
  const { versionId } = await getWorkflow(session, id);
  return session.patch(`/rest/workflows/${id}`, { ...file, versionId });
}

export const getWorkflow = (session: N8nSession, id: string): Promise<StoredWorkflow> => session.get(`/rest/workflows/${id}`);

export const publicationStatus = (session: N8nSession, id: string): Promise<PublicationStatus> =>
  session.get(`/rest/workflows/${id}/publication-status`);

/**
 * Publishes a workflow and waits until its triggers are set up, because n8n does that after it has responded.
 *
 * @throws the trigger's own message if one could not be set up
 */
export async function publish(session: N8nSession, id: string): Promise<void> {
  const { versionId } = await getWorkflow(session, id);
  await session.post(`/rest/workflows/${id}/activate`, { versionId });
  // A busy n8n responds before it has begun, so "not published yet" is not a final status.
  const { status, triggers } = await settled(session, id, ['in_progress', 'not_published']);
  const words = triggers.flatMap(({ errorMessage }) => (errorMessage ? [errorMessage] : [])).join('; ');
  if (status !== 'published') throw new Error(`The workflow could not be published (${status}): ${words || 'n8n gives no reason.'}`);
}

/** Unpublishes a workflow and waits until its triggers are removed. */
export async function unpublish(session: N8nSession, id: string): Promise<void> {
  await session.post(`/rest/workflows/${id}/deactivate`);
  await settled(session, id, ['in_progress']);
}

const settled = (session: N8nSession, id: string, underWay: PublicationStatus['status'][]): Promise<PublicationStatus> =>
  until(async () => {
    const status = await publicationStatus(session, id);
    return underWay.includes(status.status) ? undefined : status;
  }, "n8n is slow: the end of its work on the workflow's triggers");
