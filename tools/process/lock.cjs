// CommonJS, because it runs in three places: before any package is there, on Node 24 and inside jest.
const crypto = require('node:crypto');
const fs = require('node:fs/promises');
const timers = require('node:timers/promises');

const HEARTBEAT_MS = 2_000;
const SILENT_MS = 60_000;

/**
 * Runs `work` while no other process does the same: two starts at once install once.
 *
 * The lock is a folder, because making a folder either succeeds or fails for everybody at once. Its holder writes its
 * process id into it and touches it every two seconds; a lock whose holder is gone, or has been silent for a minute, is taken over.
 *
 * @template T
 * @param {string} folder where the lock lies; the folder around it must exist
 * @param {() => Promise<T>} work
 * @param {() => void} [onWait] called once when somebody else holds the lock
 * @returns {Promise<T>} what `work` gives
 */
async function withLock(folder, work, onWait = () => undefined) {
  for (let waited = false; !(await take(folder)); waited = true) {
    if (!waited) onWait();
    const owner = await abandonedBy(folder);
    if (owner === undefined) await timers.setTimeout(500);
    else await breakLock(folder, owner);
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    // A lock that somebody removed by hand cannot be touched; the work itself goes on unharmed.
    fs.utimes(folder, now, now).catch(() => clearInterval(heartbeat));
  }, HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    // One that was taken over meanwhile, because this process was halted for a minute, is somebody else's.
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
 * The owner's entry of a lock that nobody holds any more, undefined while somebody does.
 *
 * @param {string} folder
 */
async function abandonedBy(folder) {
  try {
    const silentFor = Date.now() - (await fs.stat(folder)).mtimeMs;
    const owner = await readOwner(folder);
    // Between the folder and the entry in it lies a moment: an empty lock is judged by its age alone.
    if (silentFor > SILENT_MS || (owner !== '' && !isAlive(Number(owner)))) return owner;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  return undefined;
}

/**
 * Moves the lock aside before it is deleted, so that of two that found it abandoned only one deletes it, and looks once more
 * whether it is still the one that was judged.
 *
 * @param {string} folder
 * @param {string} owner
 */
async function breakLock(folder, owner) {
  const aside = `${folder}.${crypto.randomUUID()}`;
  try {
    await fs.rename(folder, aside);
    if ((await readOwner(aside)) === owner) await fs.rm(aside, { recursive: true, force: true });
    else await fs.rename(aside, folder);
  } catch (error) {
    // It went meanwhile; or, as it was put back, somebody held the next one already.
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
 * Whether a process with this id runs, also when it belongs to somebody else.
 *
 * @param {number} pid
 */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/**
 * Judged by its shape: inside jest, Node's own errors are no instances of the test's `Error`.
 *
 * @param {unknown} error
 */
function codeOf(error) {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

module.exports = { withLock, isAlive };
