import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { withLock } from './lock.cjs';

/**
 * Makes a folder once for all processes. It is made beside its place and moved there when it is complete, so that what an interrupted
 * process left is never used.
 *
 * @param {string} folder
 * @param {(partial: string) => Promise<unknown>} make
 * @param {() => void} [onWait] called once if another process is making it
 * @returns {Promise<string>} the folder
 */
export async function madeOnce(folder, make, onWait) {
  if (existsSync(folder)) return folder;
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true });
  const work = async () => {
    if (existsSync(folder)) return;
    for (const name of await readdir(parent))
      if (name.startsWith(`${basename(folder)}.partial`)) await rm(join(parent, name), { recursive: true, force: true, maxRetries: 5 });
    const partial = `${folder}.partial-${process.pid}`;
    await make(partial);
    await rename(partial, folder);
  };
  await withLock(`${folder}.lock`, work, onWait);
  return folder;
}
