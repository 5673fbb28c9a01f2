import { chmod, readdir, stat } from 'node:fs/promises';
import { makeFolder } from '../../sandbox/ownFile.ts';

/** A file that the service creates at once: a folder with it belongs to a start. */
const mark = 'sandbox.sqlite';

/**
 * Makes the folder in which a start keeps its data, for its user only: it will contain signing secrets, tokens, n8n's key and a login. An
 * existing folder is closed to others if it is empty or belongs to an earlier start. Windows has no such permissions, so nothing is done
 * there.
 *
 * @throws an error if others can read it and it may also be used for something else
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
