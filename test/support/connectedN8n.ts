import type { Sandbox } from '../../sandbox/service.ts';
import { builtPackage } from '../../tools/build/products.ts';
import { nodeTypes, startN8n, type N8n, type StartOptions } from '../../tools/rigs/n8n/instance.ts';
import { connectToSandbox, installPackage, N8nSession, type Credential, type Owner } from '../../tools/rigs/n8n/session.ts';

/** A real n8n with our package installed and its credential connected to a sandbox. */
export interface ConnectedN8n {
  n8n: N8n;
  session: N8nSession;
  credential: Credential;
  /** The types of our nodes, as workflows name them. */
  nodes: { action: string; trigger: string; polling: string };
  /** The reference to the credential in a workflow's node. */
  credentials: Record<string, { id: string; name: string }>;
  stop(): Promise<void>;
}

/** The same before an account is connected. */
export type OpenedN8n = Omit<ConnectedN8n, 'credential' | 'credentials'>;

/** The owner of a test's n8n. */
export const testOwner: Owner = { email: 'owner@example.com', password: 'Local-only-1', firstName: 'Olive', lastName: 'Owner' };

/**
 * Builds and packs the package, starts n8n, and installs the package as a community package. The first call on a machine also installs n8n:
 * allow twenty minutes.
 */
export async function openN8n(options: Omit<StartOptions, 'unpublished'> = {}): Promise<OpenedN8n> {
  const unpublished = await builtPackage('n8n');
  const n8n = await startN8n({ ...options, unpublished });
  try {
    const session = await N8nSession.open(n8n.origin, testOwner);
    await installPackage(session, unpublished.name);
    return { n8n, session, nodes: nodeTypes(unpublished.name), stop: () => n8n.stop() };
  } catch (error) {
    await n8n.stop();
    throw error;
  }
}

/** Connects another account through the real consent page. */
export async function connectAccount<Opened extends { session: N8nSession }>(
  opened: Opened,
  sandbox: Sandbox,
): Promise<Opened & Pick<ConnectedN8n, 'credential' | 'credentials'>> {
  const credential = await connectToSandbox(opened.session, sandbox);
  return { ...opened, credential, credentials: { [credential.type]: { id: credential.id, name: credential.name } } };
}

/** The start of every test of the real n8n: {@link openN8n}, with a connected account. */
export async function openConnectedN8n(sandbox: Sandbox, options: Parameters<typeof openN8n>[0] = {}): Promise<ConnectedN8n> {
  const opened = await openN8n(options);
  try {
    return await connectAccount(opened, sandbox);
  } catch (error) {
    await opened.stop();
    throw error;
  }
}
