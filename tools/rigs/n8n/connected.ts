import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { credentialType } from '../../../n8n/adapter/names.ts';
import type { Sandbox } from '../../../sandbox/service.ts';
import { brand } from '../../../shared/brand.ts';
import { markUsed, packedN8n, type Packed } from '../../build/products.ts';
import { madeOnce } from '../../process/lock.ts';
import { root } from '../../root.cjs';
import {
  connectCredential,
  createCredential,
  type Credential,
  installPackage,
  N8nSession,
  type Owner,
  redirectUri,
  updateCredential,
} from './session.ts';
import { type N8n, nodeTypes, startN8n, type StartOptions } from './instance.ts';
import { installN8n, n8nVersion } from './install.ts';

export { nodeTypes };

/** A real n8n with our package installed and its credential connected to a sandbox. */
export interface ConnectedN8n {
  n8n: N8n;
  session: N8nSession;
  credential: Credential;
  /** The types of our nodes, as workflows name them. */
  nodes: { action: string; trigger: string; polling: string };
  /** What a workflow's node contains to use the credential. */
  credentials: Record<string, { id: string; name: string }>;
  stop(): Promise<void>;
}

/** The packed package, which n8n installs. */
export const ourPackage = packedN8n;

/** The owner of a test's n8n. */
export const testOwner: Owner = { email: 'owner@example.com', password: 'Local-only-1', firstName: 'Olive', lastName: 'Owner' };

/** A real n8n with our package installed, before any account is connected. */
export type OpenedN8n = Pick<ConnectedN8n, 'n8n' | 'session' | 'nodes' | 'stop'>;

/**
 * Builds and packs the package, installs it as a community package, and starts n8n. The first call ever also installs n8n: allow twenty
 * minutes.
 *
 * @param options a folder, if given, must be new: it starts with the same contents as all others
 */
export async function openN8n(options: Omit<StartOptions, 'like' | 'unpublished'> = {}): Promise<OpenedN8n> {
  const unpublished = await ourPackage();
  const like = await preparedFolder(unpublished, testOwner);
  const n8n = await startN8n({ ...options, unpublished, like });
  try {
    const session = await N8nSession.signIn(n8n.origin, testOwner);
    return { n8n, session, nodes: nodeTypes(unpublished.name), stop: () => n8n.stop() };
  } catch (error) {
    await n8n.stop();
    throw error;
  }
}

/** Connects one more account through the real consent page. */
export async function connectAccount(opened: OpenedN8n, sandbox: Sandbox): Promise<ConnectedN8n> {
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

/** Makes a credential for the sandbox's client and connects it by OAuth. @param existing a credential to point at this sandbox instead */
export async function connectToSandbox(session: N8nSession, sandbox: Sandbox, existing?: Credential): Promise<Credential> {
  sandbox.allowRedirect(redirectUri(session.origin));
  const form = {
    name: `${brand.name} account`,
    type: credentialType,
    data: { clientId: sandbox.client.id, clientSecret: sandbox.client.secret, baseUrl: sandbox.baseUrl },
  };
  const credential = existing ? await updateCredential(session, existing.id, form) : await createCredential(session, form);
  await connectCredential(session, credential.id);
  return credential;
}

/** n8n writes this folder again at each start: its editor, with the address at which it is reached. */
const writtenAtStart = '.cache';

/**
 * The folder of a stopped n8n whose database exists, whose owner is set up, and in which the package was installed as a person does. It is
 * made once for each package, owner and version of n8n. An n8n that begins with a copy of it starts sooner.
 *
 * @returns the folder, which is never changed afterwards
 */
async function preparedFolder(unpublished: Packed, owner: Owner): Promise<string> {
  const installation = await installN8n();
  const kept = join(root, '.local', 'n8n-prepared');
  const key = createHash('sha256').update(await readFile(unpublished.tarball));
  key.update(JSON.stringify([n8nVersion, process.versions.modules, owner]));
  const folder = join(kept, key.digest('hex').slice(0, 16));
  await madeOnce(folder, async (partial) => {
    const n8n = await startN8n({ folder: partial, unpublished, installation });
    try {
      await installPackage(await N8nSession.open(n8n.origin, owner), unpublished.name);
    } finally {
      await n8n.stop();
    }
    await rm(join(partial, writtenAtStart), { recursive: true, force: true });
  });
  await markUsed(folder);
  return folder;
}
