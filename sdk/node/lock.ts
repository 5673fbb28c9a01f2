import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { mkdir, readdir, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { sleep } from '../time.ts';

/** How often an owner signals that it is still working. Milliseconds. */
const signMs = 5_000;
/** How often waiting processes check: quickly in the first second, because most work is short. Milliseconds. */
const lookMs = (looks: number): number => (looks < 40 ? 25 : 250);
/** After this many checks without a signal from the owner (about half a minute), others stop waiting for it. */
const maxLooks = 160;

/**
 * Runs `work` while no other process on this machine does.
 *
 * The lock is a folder. Each process that wants it puts its own file into the folder and then looks: if there is another file, it removes
 * its own and waits. Of two processes that come at once, the later one always sees the other, and no process ever takes over another's
 * file. So two processes cannot both take a lock that was left behind. The file of a process that has ended is removed. An owner renews its
 * file every few seconds for as long as its work takes.
 *
 * @param path of the folder to create; its parent folder must exist
 * @throws the error of `work`, or that of the file system if the lock cannot be taken
 */
export async function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const mine = join(path, `${randomUUID()} ${process.pid} ${thisMachine()}`);
  await take(path, mine);
  const working = setInterval(() => {
    const now = new Date();
    // The file is missing only if this machine slept for so long that others stopped waiting.
    utimes(mine, now, now).catch(() => undefined);
  }, signMs).unref();
  try {
    return await work();
  } finally {
    clearInterval(working);
    await leave(path, mine);
  }
}

async function take(path: string, mine: string): Promise<void> {
  const looks = new Map<string, { sign: number; count: number }>();
  for (let count = 0; ; count += 1) {
    if (!(await isTaken(path, mine, looks)) && (await enter(path, mine))) {
      if (!(await isTaken(path, mine, looks))) return;
      await leave(path, mine);
    }
    // The random delay lets processes that collided come back at different times.
    await sleep(lookMs(count) * (0.5 + Math.random()));
  }
}

/** @returns false if the last owner has just removed the folder */
async function enter(path: string, mine: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 }).catch(unless('EEXIST'));
    await writeFile(mine, '', { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && (await stat(join(path, '..')).catch(() => undefined)) !== undefined) return false;
    throw error;
  }
}

async function leave(path: string, mine: string): Promise<void> {
  await rm(mine, { force: true });
  // This fails if others are waiting in the folder.
  await rmdir(path).catch(() => undefined);
}

/** @param looks what was seen of the others' files before. Checks are counted, not timed, because clocks go on while a machine sleeps */
async function isTaken(path: string, mine: string, looks: Map<string, { sign: number; count: number }>): Promise<boolean> {
  let is = false;
  for (const name of await readdir(path).catch(unless('ENOENT', []))) {
    const file = join(path, name);
    if (file === mine) continue;
    const sign = await stat(file).then(({ mtimeMs }) => mtimeMs, unless('ENOENT'));
    if (sign === undefined) continue;
    const before = looks.get(name);
    const count = before?.sign === sign ? before.count + 1 : 0;
    looks.set(name, { sign, count });
    if (hasEnded(name) || count > maxLooks) await rm(file, { force: true });
    else is = true;
  }
  return is;
}

/** Whether a file names a process of this machine that has ended. */
function hasEnded(name: string): boolean {
  const [, pid, machine] = name.split(' ');
  if (machine !== thisMachine()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

/** Containers that share a folder and a host name can have different processes with the same id, so their process namespace is included. */
function thisMachine(): string {
  let processes = '';
  try {
    processes = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has this file.
  }
  return encodeURIComponent(`${hostname()} ${processes}`);
}

/** Returns `instead` for an error with this code, and throws any other. */
export const unless =
  <Instead = undefined>(code: string, instead?: Instead) =>
  (error: unknown): Instead => {
    if (codeOf(error) === code) return instead as Instead;
    throw error;
  };

/** Checked by shape, because in jest the errors of Node.js are not instances of the test's `Error`. */
export const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
