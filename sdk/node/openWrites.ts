import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InProcess, pendingForMs, type PendingStore, type WriteCoordination } from '../../shared/writes/index.ts';
import { writeAtomically } from './atomicWrite.ts';
import { withLock } from './lock.ts';

/** The folder that records which write created which record. */
const madeIn = (folder: string): string => `${folder}-made`;

const hashOf = (...parts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/**
 * The open writes of one connection, each in a file that only its owner can read. An impatient client may end this program and start it
 * again; the next call must then look before it sends. Other processes of the same user find them too.
 *
 * @param owner distinguishes the writes of several accounts in one folder. File names contain only a hash of it
 */
export function openWritesIn(folder: string, owner = ''): PendingStore {
  const fileOf = (key: string): string => join(folder, `${hashOf(owner, key)}.json`);
  return {
    writesAhead: true,
    coordination: coordinationIn(folder, owner),
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
      // If the file remains, the next call looks for the record once more, which does no harm.
      await rm(fileOf(key), { force: true }).catch(() => undefined);
    },
  };
}

/** How the processes of one machine coordinate the writes of one connection. */
function coordinationIn(folder: string, owner: string): WriteCoordination {
  const own = new InProcess();
  const fileOf = (id: string): string => join(madeIn(folder), hashOf(owner, id));
  return {
    get isBusy() {
      return own.isBusy;
    },
    run: (key, clock, work) =>
      own.run(key, clock, async () => {
        let isBegun = false;
        try {
          await mkdir(folder, { recursive: true, mode: 0o700 });
          return await withLock(join(folder, hashOf(owner, key)), async () => {
            isBegun = true;
            // The caller may have given the write up while it was waiting.
            await clock?.sleep(0);
            return work();
          });
        } catch (error) {
          if (isBegun) throw error;
          // If nothing can be written here, other processes cannot coordinate either.
          return work();
        }
      }),
    async assign(id, by) {
      await mkdir(madeIn(folder), { recursive: true, mode: 0o700 });
      await writeFile(fileOf(id), hashOf(by), { mode: 0o600 });
    },
    isAssigned: (id, by = '') =>
      readFile(fileOf(id), 'utf8').then(
        (kept) => kept !== hashOf(by),
        () => false,
      ),
  };
}

/** Removes the files of writes that are so old that nobody asks for them any more. */
export async function clearUp(folder: string): Promise<void> {
  for (const each of [folder, madeIn(folder)])
    for (const name of await readdir(each).catch(() => [])) {
      const file = join(each, name);
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity }));
      if (Date.now() - mtimeMs > pendingForMs) await rm(file, { recursive: true, force: true }).catch(() => undefined);
    }
}
