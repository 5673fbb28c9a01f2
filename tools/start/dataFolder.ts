import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownFile } from '../../sandbox/ownFile.ts';
import { askPerson } from '../../sdk/node/person.ts';
import { tryLock } from '../process/lock.ts';

/** A file that the service creates at once, so it identifies the folder of a start. */
const mark = 'sandbox.sqlite';

/**
 * Makes the data folder of a start, readable only by its user: it will contain signing secrets, tokens, n8n's key and a login. An existing
 * folder is closed to others if it is empty or belongs to an earlier start. On Windows, which has no such permissions, nothing is done.
 *
 * @throws an error if others can read it and it may also be used for something else
 */
export async function ownFolder(folder: string): Promise<void> {
  const isNew = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined;
  if (isNew || process.platform === 'win32' || ((await stat(folder)).mode & 0o077) === 0) return;
  const held = await readdir(folder);
  if (held.length > 0 && !held.includes(mark))
    throw new Error(
      `Other users of this machine can look into ${folder}, and it contains other files. Name a folder that is used only for this: --data <folder>`,
    );
  await chmod(folder, 0o700);
}

/**
 * Reserves a data folder for one start until it ends: only one of two simultaneous starts gets it.
 *
 * @param folder must exist
 * @returns if another start has the folder, the text that it has shown; empty while it is still starting
 */
export function claim(folder: string) {
  const lock = join(folder, 'running.lock');
  const file = join(folder, 'running.txt');
  ownFile(lock);
  const held = tryLock(lock);
  if (held === undefined) return existsSync(file) ? readFileSync(file, 'utf8') : '';
  const forget = (): void => rmSync(file, { force: true });
  forget();
  return {
    /** Saves the text that a second start in the same folder prints again. */
    show: (text: string): void => writeFileSync(file, text, { mode: 0o600 }),
    release(): void {
      forget();
      held.close();
    },
  };
}

/** What a start remembers of the previous one. */
interface Memory {
  /** The login of this folder's n8n. It is random, because anyone who can sign in can run code there. */
  password: string;
  /** The installed package's fingerprint, and the addresses by which n8n and the service know each other; empty before the first start. */
  packageHash: string;
  n8nOrigin: string;
  baseUrl: string;
  /** Whether the bookings were made, because a later start adds none to the person's data. */
  hasBooked?: boolean;
}

const fileIn = (folder: string): string => join(folder, 'memory.json');

export async function recall(folder: string): Promise<Memory> {
  const file = fileIn(folder);
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as Memory;
  const fresh: Memory = { password: `N8n-${randomBytes(6).toString('hex')}`, packageHash: '', n8nOrigin: '', baseUrl: '' };
  await remember(folder, fresh);
  return fresh;
}

export const remember = (folder: string, memory: Memory): Promise<void> =>
  writeFile(fileIn(folder), JSON.stringify(memory, null, 2), { mode: 0o600 });

/** The files of a start in its folder. Anything else there is not ours. */
const kept = [mark, `${mark}-wal`, `${mark}-shm`, `${mark}-journal`, 'memory.json', 'n8n', 'mcp'];

/**
 * Deletes the data of earlier starts, and nothing else: bookings, and n8n with its workflows and login. In a terminal, it asks first.
 *
 * @throws a readable error if the person says no
 */
export async function reset(folder: string): Promise<void> {
  const found = (await readdir(folder)).filter((name) => kept.includes(name));
  if (!found.includes(mark)) return console.log(`There is no data of earlier starts in ${folder}.\n`);
  console.log(
    `This will be deleted from ${folder}, including all bookings, and n8n with its workflows and login:\n  ${found.join('\n  ')}\n`,
  );
  if (process.stdin.isTTY && !/^y(es)?$/i.test(await askPerson('Delete it? Type y for yes'))) throw new Error('Nothing was deleted.');
  for (const name of found) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
}
