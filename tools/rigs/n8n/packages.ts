import * as z from 'zod/v4';
import type { N8nSession } from './session.ts';

const Installed = z.looseObject({ packageName: z.string(), installedVersion: z.string() });

/**
 * Installs a package as a person does under Settings > Community nodes, or updates an installed one.
 * n8n fetches it through npm. For a package that is not published, see `unpublished` of N8nSettings.
 */
export async function installPackage(session: N8nSession, name: string): Promise<void> {
  const installed = z.array(Installed).parse(await session.get('/rest/community-packages'));
  const isThere = installed.some(({ packageName }) => packageName === name);
  if (isThere) await session.patch('/rest/community-packages', { name });
  else await session.post('/rest/community-packages', { name });
}
