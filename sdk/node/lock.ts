import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than any work under a lock takes. An older lock was left behind. Milliseconds. */
const longest = 60_000;
const again = 40;

/**
 * Does `work` while no other process of this user does. The lock is a file that names its owner. It is put in place as a link, which
 * succeeds for exactly one process, so that no process sees a lock without its owner. A lock whose owner has ended is removed.
 */
export async function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const mine = `${hostname()} ${process.pid} ${randomUUID()}`;
  while (!(await taken(path, mine))) {
    if (await isLeftBehind(path)) await takeAway(path);
    else await sleep(again);
  }
  try {
    return await work();
  } finally {
    // If this machine slept, the lock may have been removed and may now belong to another process.
    if ((await ownerOf(path)) === mine) await rm(path, { force: true });
  }
}

async function taken(path: string, mine: string): Promise<boolean> {
  const made = `${path}.${randomUUID()}`;
  await writeFile(made, mine, { mode: 0o600, flag: 'wx' });
  try {
    await link(made, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(made, { force: true });
  }
}

async function isLeftBehind(path: string): Promise<boolean> {
  try {
    const [host, pid] = ((await ownerOf(path)) ?? '').split(' ');
    const age = Date.now() - (await stat(path)).mtimeMs;
    return age > longest || (host === hostname() && !isAlive(Number(pid)));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Moves the file aside first: if two processes find it left behind, only one gets it. Then checks it again. */
async function takeAway(path: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
    if (!(await isLeftBehind(aside))) await link(aside, path).catch(() => undefined);
    await rm(aside, { force: true });
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

async function ownerOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Checked by shape: inside jest, Node.js's own errors are not instances of the test's `Error`. */
export const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
