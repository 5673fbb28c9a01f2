import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const HEARTBEAT_MS = 2_000;
const SILENT_MS = 60_000;

/**
 * Runs `work` while no other process does: if two commands start at the same time, only one installs.
 *
 * The lock is a folder, because only one process can succeed in making it. The process that holds it writes its id into it and touches
 * it every two seconds. A lock is taken over if its process is gone or has been silent for a minute.
 *
 * @template T
 * @param {string} folder the lock's path; its parent folder must exist
 * @param {() => Promise<T>} work
 * @param {() => void} [onWait] called once if another process holds the lock
 * @returns {Promise<T>} the result of `work`
 */
export async function withLock(folder, work, onWait = () => undefined) {
  for (let waited = false; !(await take(folder)); waited = true) {
    if (!waited) onWait();
    const owner = await abandonedBy(folder);
    if (owner === undefined) await sleep(500);
    else await breakLock(folder, owner);
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    // If someone deleted the lock by hand, it cannot be touched. The work continues.
    fs.utimes(folder, now, now).catch(() => clearInterval(heartbeat));
  }, HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    // If this process was halted for a minute, another may have taken the lock over. That one must not be deleted.
    if ((await readOwner(folder)) === String(process.pid)) await fs.rm(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder */
async function take(folder) {
  try {
    await fs.mkdir(folder);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  await fs.writeFile(`${folder}/owner`, String(process.pid));
  return true;
}

/**
 * The owner entry of a lock that nobody holds any more; undefined if a process holds it.
 *
 * @param {string} folder
 */
async function abandonedBy(folder) {
  try {
    const silentFor = Date.now() - (await fs.stat(folder)).mtimeMs;
    const owner = await readOwner(folder);
    // A new lock is empty for a moment, before its entry is written. So an empty lock is judged by its age alone.
    if (silentFor > SILENT_MS || (owner !== '' && !isAlive(Number(owner)))) return owner;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  return undefined;
}

/**
 * Moves an abandoned lock aside before it is deleted, so that only one of two processes that found it deletes it. Checks again
 * that it is still the same lock.
 *
 * @param {string} folder
 * @param {string} owner
 */
async function breakLock(folder, owner) {
  const aside = `${folder}.${randomUUID()}`;
  try {
    await fs.rename(folder, aside);
    if ((await readOwner(aside)) === owner) await fs.rm(aside, { recursive: true, force: true });
    else await fs.rename(aside, folder);
  } catch (error) {
    // The lock is gone, or another process already holds a new one, so this one could not be moved back.
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(String(codeOf(error)))) throw error;
    await fs.rm(aside, { recursive: true, force: true });
  }
}

/** @param {string} folder */
async function readOwner(folder) {
  try {
    return await fs.readFile(`${folder}/owner`, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

/**
 * Whether a process with this id is running, even if it belongs to another user.
 *
 * @param {number} pid
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/**
 * `instanceof` does not work: inside jest, Node's own errors are not instances of the test's `Error`.
 *
 * @param {unknown} error
 */
function codeOf(error) {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/**
 * Makes a folder once for all processes. It is made beside its place and moved there when it is complete, so that what an interrupted
 * process left is never used.
 *
 * @param {string} folder
 * @param {(partial: string) => Promise<unknown>} make
 * @param {() => void} [onWait] called once if another process is making it
 * @returns {Promise<string>} the folder
 */
export async function madeOnce(folder, make, onWait) {
  if (existsSync(folder)) return folder;
  const parent = dirname(folder);
  await fs.mkdir(parent, { recursive: true });
  const work = async () => {
    if (existsSync(folder)) return;
    for (const name of await fs.readdir(parent))
      if (name.startsWith(`${basename(folder)}.partial`)) await fs.rm(join(parent, name), { recursive: true, force: true, maxRetries: 5 });
    const partial = `${folder}.partial-${process.pid}`;
    await make(partial);
    await fs.rename(partial, folder);
  };
  await withLock(`${folder}.lock`, work, onWait);
  return folder;
}
