import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { withLock } from '../../process/lock.cjs';
import { whyNpmFailed } from '../../process/npm.cjs';
import { countDownloaded, installLocked } from './installLocked.mjs';

/**
 * Downloads n8n's packages. It needs only Node, so that the download can begin while the project's own packages are still
 * being installed. Run as a program, this file downloads n8n and prints nothing.
 */

/** The environment variable that moves the cache to another folder. */
export const cacheVariable = 'SCHEDULING_CONNECTOR_CACHE';

const here = dirname(fileURLToPath(import.meta.url));
const tools = dirname(dirname(here));
const pinned = join(here, 'pinned');

/** @type {unknown} */
const manifest = JSON.parse(readFileSync(join(pinned, 'package.json'), 'utf8'));
export const n8nVersion = /** @type {{ dependencies: { n8n: string } }} */ (manifest).dependencies.n8n;

const NEEDED_BYTES = 4 * 1024 ** 3;

const endWithParent = pathToFileURL(join(tools, 'process', 'endWithParent.mjs')).href;

/** npm may work for minutes. It must not continue after the process that started it has ended. */
export const endsWithUs = { NODE_OPTIONS: `--import=${endWithParent}` };

/** The folder for downloads, shared by all clones. */
export function cacheFolder() {
  const chosen = process.env[cacheVariable];
  if (chosen) return chosen;
  const name = 'scheduling-connector';
  if (process.env.XDG_CACHE_HOME) return join(process.env.XDG_CACHE_HOME, name);
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', name);
  if (process.platform === 'win32' && process.env.LOCALAPPDATA) return join(process.env.LOCALAPPDATA, name);
  return join(homedir(), '.cache', name);
}

/**
 * Makes the cache folder and checks that n8n fits into it.
 *
 * @throws a readable error that says why it does not fit
 */
export async function checkPlace() {
  const folder = cacheFolder();
  // The compiler of n8n's database driver fails on a space in a path, but only after minutes, and npm then removes everything.
  if (/\s/.test(folder))
    throw new Error(
      `n8n cannot be installed into '${folder}', because the path contains a space: set ${cacheVariable} to a folder without one.`,
    );
  await mkdir(folder, { recursive: true });
  const left = await room(folder);
  if (left < NEEDED_BYTES) {
    throw new Error(
      `n8n needs 4 GB of disk, and ${folder} has ${(left / 1024 ** 3).toFixed(1)} GB left: make room, or set ${cacheVariable} to a folder on another disk.`,
    );
  }
}

/** The folder with n8n's packages before anything is compiled. The installation of n8n moves it away. */
const place = () => join(cacheFolder(), `n8n-${n8nVersion}.downloaded`);

/**
 * Downloads n8n's packages, or waits if another process is downloading them.
 *
 * @param {(progress: string) => void} [say] receives progress, one short text at a time
 * @returns {Promise<string>} the folder that contains them; fails with a readable error if npm cannot download them
 */
export async function download(say = () => undefined) {
  const folder = place();
  const stop = tellProgress(`${folder}.began`, say);
  try {
    await withLock(`${folder}.lock`, async () => {
      if (existsSync(folder)) return;
      await removeInterrupted(folder);
      const partial = `${folder}.partial-${process.pid}`;
      await cp(pinned, partial, { recursive: true });
      await writeFile(`${folder}.began`, JSON.stringify({ folder: partial }));
      const failure = await installLocked(partial, endsWithUs);
      if (failure) throw notDownloaded(failure);
      await rename(partial, folder);
    });
  } finally {
    stop();
    await rm(`${folder}.began`, { force: true });
  }
  return folder;
}

/** @param {string} output what npm printed */
export const notDownloaded = (output) =>
  new Error(
    `n8n ${n8nVersion} could not be downloaded (${whyNpmFailed(output)}). Check the network connection and the npm registry, then run the same command again.`,
  );

/**
 * Deletes what interrupted installations left beside a folder.
 *
 * @param {string} folder
 */
export async function removeInterrupted(folder) {
  const names = await readdir(dirname(folder));
  for (const name of names.filter((each) => each.startsWith(`${basename(folder)}.partial`)))
    await rm(join(dirname(folder), name), { recursive: true, force: true, maxRetries: 5 });
}

/**
 * Starts the download in a separate process, which ends with this one. If it fails, the code that needs n8n reports it.
 */
export function beginDownload() {
  const isThere = existsSync(cacheFolder()) && readdirSync(cacheFolder()).some((name) => name.startsWith(`n8n-${n8nVersion}-`));
  if (isThere) return;
  spawn(process.execPath, [`--import=${endWithParent}`, fileURLToPath(import.meta.url)], { stdio: 'ignore' }).on('error', () => undefined);
}

/**
 * @param {string} file names the folder of the download while it runs
 * @param {(progress: string) => void} say
 */
function tellProgress(file, say) {
  const packages = packagesOf(join(pinned, 'package-lock.json'));
  const tell = async () => {
    /** @type {unknown} */
    const kept = JSON.parse(await readFile(file, 'utf8'));
    const began = /** @type {{ folder: string }} */ (kept);
    const there = packages.filter((each) => existsSync(join(began.folder, each, 'package.json'))).length;
    const share = Math.min(99, Math.floor((100 * Math.max(there, countDownloaded(began.folder))) / packages.length));
    say(`downloading, ${share} % of 2.2 GB`);
  };
  // If there is no such file, the download has not begun, or has just ended.
  const ticker = setInterval(() => void tell().catch(() => undefined), 3_000);
  return () => clearInterval(ticker);
}

/**
 * The folders of the packages that are installed on every system.
 *
 * @param {string} lockFile
 */
function packagesOf(lockFile) {
  /** @type {unknown} */
  const lock = JSON.parse(readFileSync(lockFile, 'utf8'));
  const { packages } = /** @type {{ packages: Record<string, { optional?: boolean; extraneous?: boolean }> }} */ (lock);
  return Object.keys(packages).filter((folder) => {
    const { optional, extraneous } = packages[folder] ?? {};
    return folder !== '' && optional !== true && extraneous !== true;
  });
}

/**
 * The number of free bytes on the disk of a folder.
 *
 * @param {string} folder
 */
async function room(folder) {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

// Without a top-level await, because tests load this file as CommonJS.
if (process.argv[1] === fileURLToPath(import.meta.url)) void checkPlace().then(() => download());
