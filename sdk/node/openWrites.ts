import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pendingForMs, type PendingStore } from '../../shared/writes/index.ts';
import { writeAtomically } from './atomicWrite.ts';

/**
 * The open writes of one connection, each in a file that only its owner can read. An impatient client may end this program and start it
 * again, and the next call must then look before it sends. Other processes of the same user find them too.
 *
 * @param owner tells writes of several accounts in one folder apart. The names of files contain a hash of it and nothing else
 */
export function openWritesIn(folder: string, owner = ''): PendingStore {
  const fileOf = (key: string): string => join(folder, `${createHash('sha256').update(owner).update(key).digest('hex')}.json`);
  return {
    writesAhead: true,
    advice: 'Call it again with the same arguments: it is looked for first, and sent if it is not there.',
    async get(key) {
      try {
        return JSON.parse(await readFile(fileOf(key), 'utf8')) as unknown;
      } catch {
        // Missing or unreadable: the store treats both as absent.
        return undefined;
      }
    },
    async set(key, value) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeAtomically(fileOf(key), JSON.stringify(value));
        return true;
      } catch {
        return false;
      }
    },
    async delete(key) {
      // A file that stays is looked for once more, which does no harm.
      await rm(fileOf(key), { force: true }).catch(() => undefined);
    },
  };
}

/** Removes files of writes so old that nobody asks for them any more. */
export async function clearUp(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name);
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > pendingForMs) await rm(file, { force: true }).catch(() => undefined);
  }
}
