import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const DAY_MS = 24 * 60 * 60_000;

/**
 * Marks a folder as used, and deletes what is beside it and was not used for a day. Until then, somebody who was given a path may still
 * read there.
 */
export async function markUsed(folder: string): Promise<void> {
  const now = new Date();
  // What another user made, such as root, can still be read.
  await utimes(folder, now, now).catch(only('ENOENT', 'EPERM', 'EACCES', 'EROFS'));
  for (const entry of await readdir(dirname(folder))) {
    const path = join(dirname(folder), entry);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now.getTime() }));
    if (now.getTime() - mtimeMs > DAY_MS) await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Returns false for these errors of the file system and throws all others. */
export function only(...codes: string[]): (error: unknown) => false {
  return (error) => {
    // `instanceof` does not work: inside jest, Node's own errors are not instances of the test's `Error`.
    if (typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code))) return false;
    throw error;
  };
}
