import type { Sandbox } from '../../../sandbox/service.ts';
import { connectToSandbox, nodeTypes, ourPackage, type ConnectedN8n } from '../n8n/connected.ts';
import { installPackage } from '../n8n/packages.ts';
import { N8nSession, type Owner } from '../n8n/session.ts';
import { Opened } from '../../start/opened.ts';
import { startCluster, type Cluster, type ClusterOptions } from './cluster.ts';

const owner: Owner = { email: 'owner@example.com', password: 'Local-only-1', firstName: 'Olive', lastName: 'Owner' };

/** n8n in queue mode with our package in every process and its credential connected to a sandbox. */
export interface ConnectedCluster extends Omit<ConnectedN8n, 'n8n'> {
  cluster: Cluster;
}

/** The start of every test of queue mode. The first call ever also installs n8n: allow twenty minutes. */
export async function openConnectedCluster(sandbox: Sandbox, options: ClusterOptions = {}): Promise<ConnectedCluster> {
  const unpublished = await ourPackage();
  const opened = new Opened();
  const stop = async (): Promise<void> => {
    const complaints = await opened.closeAll();
    if (complaints.length > 0) throw new Error(complaints.join('\n'));
  };
  try {
    const cluster = await startCluster({ unpublished, lean: true, ...options }, opened);
    const session = await N8nSession.setUp(cluster.origin, owner);
    await installPackage(session, unpublished.name);
    await cluster.scaleOut();
    const credential = await connectToSandbox(session, sandbox);
    const credentials = { [credential.type]: { id: credential.id, name: credential.name } };
    return { cluster, session, credential, credentials, nodes: nodeTypes(unpublished.name), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
