import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { withLock } from './lock.ts';

const temporaryNames = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/**
 * Replaces a file atomically: readers get the old content or the new. Only the owner can read it. If it fails, none of the new content
 * remains.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx', flush: true });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Removes the temporary files of processes that were killed while writing. Call it only while nobody is writing the file. */
export async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder).catch(() => []))
    if (name.startsWith(`${basename(path)}.`) && temporaryNames.test(name)) await rm(join(folder, name), { force: true });
}

/** Runs `work` on a file while no other process does. A missing folder is created and closed to other users. */
export async function withFileLock<Result>(path: string, lock: string, work: () => Promise<Result>): Promise<Result> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return withLock(lock, async () => {
    await removeLeftovers(path);
    return work();
  });
}

/** The content of a file, or `undefined` if it is not JSON. Some editors begin a file with a byte order mark, which JSON does not allow. */
export function json(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
