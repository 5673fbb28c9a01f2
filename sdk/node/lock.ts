import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { mkdir, readdir, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { sleep } from '../time.ts';

/** How often an owner shows that it still works. Milliseconds. */
const signMs = 5_000;
/** How often others look: quickly in the first second, because most work is short. Milliseconds. */
const lookMs = (looks: number): number => (looks < 40 ? 25 : 250);
/** After so many looks without a sign from the owner, about half a minute, others stop waiting for it. */
const maxLooks = 160;

/**
 * Does `work` while no other process on this machine does.
 *
 * The lock is a folder. Anyone who wants it puts a file of its own into it and then looks: if there is another file, it takes its own away
 * and waits. Of two who come at once, the later one always sees the other, and nobody ever takes over a file of somebody else. So a lock
 * that was left behind cannot be taken by two. The file of a process that has ended is removed. An owner that still works says so every
 * few seconds, for as long as it takes.
 *
 * @param path of the folder to make; the folder above it must exist
 */
export async function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const mine = join(path, `${randomUUID()} ${process.pid} ${thisMachine()}`);
  await take(path, mine);
  const working = setInterval(() => {
    const now = new Date();
    // The file is only missing if this machine slept for so long that others stopped waiting.
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
    // Those who met at the door come back at different times.
    await sleep(lookMs(count) * (0.5 + Math.random()));
  }
}

/** @returns false if the last owner removed the folder meanwhile */
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
  // Others may be waiting in it.
  await rmdir(path).catch(() => undefined);
}

/** @param looks what was seen of the others' files before. Counted and not timed: clocks go on while a machine sleeps */
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

/** Containers that share a folder and a host name have different processes under the same ids. */
function thisMachine(): string {
  let processes = '';
  try {
    processes = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has it.
  }
  return encodeURIComponent(`${hostname()} ${processes}`);
}

/** Answers an error that has this code, and throws any other. */
export const unless =
  <Instead = undefined>(code: string, instead?: Instead) =>
  (error: unknown): Instead => {
    if (codeOf(error) === code) return instead as Instead;
    throw error;
  };

/** Checked by shape: inside jest, Node.js's own errors are not instances of the test's `Error`. */
export const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
