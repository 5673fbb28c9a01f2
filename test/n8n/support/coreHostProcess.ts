/**
 * A process that runs the built action node inside n8n's own execution context, so that parameters, OAuth and errors are n8n's and not
 * imitations. Its parent decides which version of n8n's core it loads, and talks to it over IPC.
 */
import type { IDataObject } from 'n8n-workflow';
import { loadCore, type StoredCredential } from '../../../tools/rigs/n8n/core.ts';
import type { Run, ShownError } from './coreHost.ts';

const [coreFolder = '', packageFolder = ''] = process.argv.slice(2);

/** The stored credentials, which n8n keeps in its database. */
const stored = new Map<string, StoredCredential>();
const core = loadCore(coreFolder, packageFolder, (id) => {
  const found = stored.get(id);
  if (found === undefined) throw new Error(`There is no credential ${id}.`);
  return found;
});

const execute = (account: string, { parameters, items, ...run }: Run): Promise<unknown> =>
  Promise.resolve(
    core.action.execute?.call(core.executing(core.action, parameters as IDataObject, items as IDataObject[], { account, ...run })),
  );

function shownError(error: unknown): ShownError {
  const { name, message, description, httpCode, context } = error as Error & {
    description?: string;
    httpCode?: string;
    context?: { itemIndex?: number };
  };
  return { name, message, description: description ?? null, httpCode: httpCode ?? null, itemIndex: context?.itemIndex ?? null };
}

const ends = (work: Promise<unknown>) =>
  work.then(
    (output) => ({ output }),
    (error: unknown) => ({ error: shownError(error) }),
  );

interface Asked {
  credentialId: string;
  credential?: StoredCredential;
  runs?: Run[];
}

const answer = async ({ credentialId, credential, runs = [] }: Asked): Promise<unknown> => {
  if (credential !== undefined) stored.set(credentialId, credential);
  return Promise.all(runs.map((run) => ends(execute(credentialId, run))));
};

process.on('message', ({ id, ...asked }: Asked & { id: number }) => {
  void answer(asked).then((result) => process.send?.({ id, result }));
});
process.send?.({ ready: true });
