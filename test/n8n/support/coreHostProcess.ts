/**
 * A process that runs the built action node inside n8n's own execution context, so that parameters, OAuth and errors are n8n's and not
 * imitations. Its parent decides which version of n8n's core it loads, and talks to it over IPC.
 */
import type { IDataObject } from 'n8n-workflow';
import { loadCore, type StoredCredential } from '../../../tools/rigs/n8n/core.ts';
import type { Run } from './coreHost.ts';

const [coreFolder = '', packageFolder = ''] = process.argv.slice(2);

/** The stored credentials, which n8n keeps in its database. */
const stored = new Map<string, StoredCredential>();
const core = loadCore(coreFolder, packageFolder, (id) => {
  const found = stored.get(id);
  if (found === undefined) throw new Error(`There is no credential ${id}.`);
  return found;
});

async function execute(account: string, { parameters, items, ...run }: Run): Promise<object> {
  const context = core.executing(core.action, parameters as IDataObject, items as IDataObject[], { account, ...run });
  try {
    return { output: await core.action.execute?.call(context) };
  } catch (error) {
    const { message, description } = error as Error & { description?: string };
    return { error: { message, description: description ?? null } };
  }
}

interface Asked {
  id: number;
  credentialId: string;
  credential?: StoredCredential;
  runs?: Run[];
}

process.on('message', ({ id, credentialId, credential, runs = [] }: Asked) => {
  if (credential !== undefined) stored.set(credentialId, credential);
  void Promise.all(runs.map((run) => execute(credentialId, run))).then((result) => process.send?.({ id, result }));
});
process.send?.({ ready: true });
