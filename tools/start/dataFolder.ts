import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod/v4';
import { makeFolder, ownFile } from '../../sandbox/ownFile.ts';

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

const Running = z.object({
  pid: z.number(),
  /** What it printed for the person when everything was running; absent before that. */
  shown: z.string().optional(),
});

/** The start that uses a data folder. */
export type Running = z.infer<typeof Running>;

/** A data folder that belongs to this start until it ends. */
export interface Claim {
  /** Saves what a second start in the same folder prints again. */
  show(text: string): void;
  release(): void;
}

/**
 * Reserves a data folder for one start. The lock is SQLite's, so the system releases it however this process ends, and only one of two
 * simultaneous starts gets it.
 *
 * @param folder it must exist
 * @returns the other start if it has the folder
 */
export function claim(folder: string): Claim | Running {
  const lock = join(folder, 'running.lock');
  const file = join(folder, 'running.json');
  ownFile(lock);
  const database = new DatabaseSync(lock);
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (String(error).includes('locked')) return runningIn(file);
    throw error;
  }
  const write = (running: Running): void => writeFileSync(file, JSON.stringify(running), { mode: 0o600 });
  write({ pid: process.pid });
  return {
    show: (shown) => write({ pid: process.pid, shown }),
    release() {
      rmSync(file, { force: true });
      database.close();
    },
  };
}

/** The other start may not have written its data yet; then nothing is known about it. */
function runningIn(file: string): Running {
  try {
    return Running.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return { pid: 0 };
  }
}

const Memory = z.object({
  /** The login of this folder's n8n. It is random, because anyone who can sign in can run code there. */
  password: z.string(),
  /** The installed package's fingerprint, and the addresses by which n8n and the service know each other; empty before the first start. */
  packageHash: z.string(),
  n8nOrigin: z.string(),
  baseUrl: z.string(),
  /** A fingerprint of the products and addresses of the last successful main job. */
  proved: z.string().default(''),
});

/** What a start remembers of the one before it. */
export type Memory = z.infer<typeof Memory>;

const fileIn = (folder: string): string => join(folder, 'memory.json');

export async function recall(folder: string): Promise<Memory> {
  const file = fileIn(folder);
  if (existsSync(file)) return readMemory(file);
  const fresh: Memory = { password: `N8n-${randomBytes(6).toString('hex')}`, packageHash: '', n8nOrigin: '', baseUrl: '', proved: '' };
  await remember(folder, fresh);
  return fresh;
}

/** @throws a readable error if it is damaged */
async function readMemory(file: string): Promise<Memory> {
  try {
    return Memory.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file} is damaged and cannot be read. Start over with --reset, or name another folder with --data.`, {
      cause: error,
    });
  }
}

export async function remember(folder: string, memory: Memory): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(fileIn(folder), JSON.stringify(memory, null, 2), { mode: 0o600 });
}

/** What a start keeps in its folder. Anything else there is not ours. */
const kept = ['sandbox.sqlite', 'sandbox.sqlite-wal', 'sandbox.sqlite-shm', 'sandbox.sqlite-journal', 'memory.json', 'n8n'];

/** n8n's folder is ours if it contains the key that a start puts there. */
const isOurs = (folder: string, name: string): boolean => name !== 'n8n' || existsSync(join(folder, name, 'encryption-key'));

/**
 * Deletes what earlier starts kept in their folder, and nothing else: bookings, n8n with its workflows and its login. In a terminal it
 * asks first.
 *
 * @throws a readable error if the person says no
 */
export async function reset(folder: string): Promise<void> {
  const found = (await readdir(folder)).filter((name) => kept.includes(name) && isOurs(folder, name));
  if (!found.includes('sandbox.sqlite') && !found.includes('memory.json')) {
    console.log(`There is no data of earlier starts in ${folder}.\n`);
    return;
  }
  console.log(
    `This will be deleted from ${folder}, including all bookings, and n8n with its workflows and login:\n  ${found.join('\n  ')}\n`,
  );
  if (process.stdin.isTTY && !(await agrees())) throw new Error('Nothing was deleted.');
  for (const name of found) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
}

async function agrees(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question('Delete it? Type y for yes: ')).trim());
  } finally {
    terminal.close();
  }
}
