import * as z from 'zod/v4';
import { createCredential, type Credential } from './credentials.ts';
import type { N8nSession } from './session.ts';

const Made = z.looseObject({ rawApiKey: z.string() });

/** A key for n8n's own API, and a credential with it that workflows of this n8n can use. */
export async function createApiCredential(session: N8nSession, name: string, scopes: readonly string[]): Promise<Credential> {
  const { rawApiKey } = Made.parse(await session.post('/rest/api-keys', { label: name, scopes, expiresAt: null }));
  return createCredential(session, { name, type: 'n8nApi', data: { apiKey: rawApiKey, baseUrl: `${session.origin}/api/v1` } });
}
