import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** Takes a lock of SQLite, which the system releases however this process ends. @returns nothing if another process has it */
export function tryLock(file: string): DatabaseSync | undefined {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (String(error).includes('locked')) return undefined;
    throw error;
  }
}

/** Does work that only one process may do at a time. */
export async function locked<T>(file: string, work: () => Promise<T>): Promise<T> {
  let lock = tryLock(file);
  for (; lock === undefined; lock = tryLock(file)) await sleep(500);
  try {
    return await work();
  } finally {
    lock.close();
  }
}

/**
 * Makes a folder once for all processes. It is made under another name and renamed when it is complete, so that the leftovers of an
 * interrupted process are never used.
 */
export async function madeOnce(folder: string, make: (partial: string) => Promise<unknown>): Promise<string> {
  if (existsSync(folder)) return folder;
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true });
  return locked(`${folder}.lock`, async () => {
    if (existsSync(folder)) return folder;
    for (const name of await readdir(parent))
      if (name.startsWith(`${basename(folder)}.partial`)) await rm(join(parent, name), { recursive: true, force: true, maxRetries: 5 });
    const partial = `${folder}.partial-${process.pid}`;
    await make(partial);
    await rename(partial, folder);
    return folder;
  });
}
