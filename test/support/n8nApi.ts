import { randomUUID } from 'node:crypto';
import * as z from 'zod/v4';
import { createCredential, type Credential, type N8nSession } from '../../tools/rigs/n8n/session.ts';
import type { ConnectedN8n } from './connectedN8n.ts';

interface N8nApi {
  /** A workflow as n8n's public API returns it, with its static data. */
  get(id: string): Promise<Record<string, unknown>>;
  /** Restores a workflow that was read before. */
  put(id: string, workflow: Readonly<Record<string, unknown>>): Promise<void>;
}

/** n8n's public API, as scripts or version control use it. */
export async function openApi({ n8n, session }: Pick<ConnectedN8n, 'n8n' | 'session'>): Promise<N8nApi> {
  const key = await createApiKey(session, randomUUID(), ['workflow:read', 'workflow:update']);
  const ask = async (method: string, id: string, body?: object): Promise<Record<string, unknown>> => {
    const headers = { 'x-n8n-api-key': key, 'content-type': 'application/json', connection: 'close' };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${n8n.origin}/api/v1/workflows/${id}`, init);
    if (!response.ok) throw new Error(`n8n's API answered ${response.status} to ${method}: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  return {
    get: (id) => ask('GET', id),
    put: async (id, { name, nodes, connections, staticData }) =>
      void (await ask('PUT', id, { name, nodes, connections, staticData, settings: {} })),
  };
}

/** Creates a key for n8n's own API. */
async function createApiKey(session: N8nSession, label: string, scopes: readonly string[]): Promise<string> {
  const made = await session.post('/rest/api-keys', { label, scopes, expiresAt: null });
  return z.looseObject({ rawApiKey: z.string() }).parse(made).rawApiKey;
}

/** Creates a key for n8n's own API, and a credential with it for workflows of this n8n. */
export async function createApiCredential(session: N8nSession, name: string, scopes: readonly string[]): Promise<Credential> {
  const apiKey = await createApiKey(session, name, scopes);
  return createCredential(session, { name, type: 'n8nApi', data: { apiKey, baseUrl: `${session.origin}/api/v1` } });
}
