import { chmod, readdir, stat } from 'node:fs/promises';
import { makeFolder } from '../../sandbox/ownFile.ts';

/** What the service keeps there from the first moment on: a folder that has it is one of ours. */
const mark = 'sandbox.sqlite';

/**
 * Makes the folder in which a start keeps its data, for its user alone: it will hold signing secrets, tokens, n8n's key and a login.
 * One that is there already is closed to others when it is empty or an earlier start's. Windows has no such rights; there, nothing
 * is done about them.
 *
 * @throws a sentence when others can read it and it may be meant for more than this
 */
export async function ownFolder(folder: string): Promise<void> {
  const isNew = makeFolder(folder);
  if (isNew || process.platform === 'win32') return;
  const { mode } = await stat(folder);
  if ((mode & 0o077) === 0) return;
  const readable = `Other users of this machine can look into ${folder}`;
  const held = await readdir(folder);
  if (held.length > 0 && !held.includes(mark)) {
    throw new Error(`${readable}, and it contains other files. Name a folder that is used only for this: --data <folder>`);
  }
  await chmod(folder, 0o700).catch((cause: unknown) => {
    throw new Error(`${readable}, and it belongs to another user. Name a folder of your own: --data <folder>`, { cause });
  });
}
