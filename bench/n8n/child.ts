/** A process that runs one task with n8n's core loaded and sends the result to its parent. */
import { pathToFileURL } from 'node:url';
import { loadCore, type N8nCore, type StoredCredential } from '../../tools/rigs/n8n/core.ts';

/** A file that exports a task: what is measured inside n8n's core. */
export type Task<Argument, Result> = (core: N8nCore, argument: Argument) => Promise<Result>;

const [task = '', installation = '', ours = '', given = '{}'] = process.argv.slice(2);
const { credential, argument } = JSON.parse(given) as { credential: StoredCredential; argument: unknown };
const { run } = (await import(pathToFileURL(task).href)) as { run: Task<unknown, unknown> };
const result = await run(
  loadCore(installation, ours, () => credential),
  argument,
);
process.send?.(result, undefined, undefined, () => process.exit());
