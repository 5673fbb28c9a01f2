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
 * n8n's packages, downloaded. It needs Node alone, so that the download can begin while the project's own packages are still
 * being installed: run as a program, this file downloads n8n and says nothing.
 */

/** The environment variable that moves the cache elsewhere. */
export const cacheVariable = 'SCHEDULING_CONNECTOR_CACHE';

const here = dirname(fileURLToPath(import.meta.url));
const tools = dirname(dirname(here));
const pinned = join(here, 'pinned');

/** @type {unknown} */
const manifest = JSON.parse(readFileSync(join(pinned, 'package.json'), 'utf8'));
export const n8nVersion = /** @type {{ dependencies: { n8n: string } }} */ (manifest).dependencies.n8n;

const NEEDED_BYTES = 4 * 1024 ** 3;

const endWithParent = pathToFileURL(join(tools, 'process', 'endWithParent.mjs')).href;

/** Minutes of npm's work must not go on when whoever asked for it is gone. */
export const endsWithUs = { NODE_OPTIONS: `--import=${endWithParent}` };

/** Where what is downloaded once is kept for all clones. */
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
 * Looks whether n8n fits into the cache folder, and makes that folder.
 *
 * @throws a sentence that says why it does not
 */
export async function checkPlace() {
  const folder = cacheFolder();
  // The compiler of n8n's database driver breaks on a space, after minutes, and npm then takes everything back.
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

/** n8n's packages without anything compiled. Whoever installs n8n moves them away. */
const place = () => join(cacheFolder(), `n8n-${n8nVersion}.downloaded`);

/**
 * Downloads n8n's packages, or waits for the process that does.
 *
 * @param {(progress: string) => void} [say] receives progress, one short text at a time
 * @returns {Promise<string>} the folder that holds them; fails with a sentence where npm cannot download them
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
      await writeFile(`${folder}.began`, JSON.stringify({ at: Date.now(), folder: partial }));
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
 * Takes away what installations that were broken off have left beside a folder.
 *
 * @param {string} folder
 */
export async function removeInterrupted(folder) {
  const names = await readdir(dirname(folder));
  for (const name of names.filter((each) => each.startsWith(`${basename(folder)}.partial`)))
    await rm(join(dirname(folder), name), { recursive: true, force: true, maxRetries: 5 });
}

/**
 * Begins the download in a process of its own, which ends with this one. Whether it works out is told by whoever needs n8n.
 */
export function beginDownload() {
  const isThere = existsSync(cacheFolder()) && readdirSync(cacheFolder()).some((name) => name.startsWith(`n8n-${n8nVersion}-`));
  if (isThere) return;
  spawn(process.execPath, [`--import=${endWithParent}`, fileURLToPath(import.meta.url)], { stdio: 'ignore' }).on('error', () => undefined);
}

/**
 * @param {string} file says when the download began, and where
 * @param {(progress: string) => void} say
 */
function tellProgress(file, say) {
  const packages = packagesOf(join(pinned, 'package-lock.json'));
  const tell = async () => {
    /** @type {unknown} */
    const kept = JSON.parse(await readFile(file, 'utf8'));
    const began = /** @type {{ at: number; folder: string }} */ (kept);
    const there = packages.filter((each) => existsSync(join(began.folder, each, 'package.json'))).length;
    const share = Math.min(99, Math.floor((100 * Math.max(there, countDownloaded(began.folder))) / packages.length));
    say(`downloading, ${share} % of 2.6 GB (${Math.round((Date.now() - began.at) / 1000)} s)`);
  };
  // Without the file it has not begun, or has just ended.
  const ticker = setInterval(() => void tell().catch(() => undefined), 3_000);
  return () => clearInterval(ticker);
}

/**
 * The folders of the packages that every system gets.
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
 * How many bytes may still be written where a folder lies.
 *
 * @param {string} folder
 */
async function room(folder) {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

// Without a wait of the module itself: tests load it as CommonJS.
if (process.argv[1] === fileURLToPath(import.meta.url)) void checkPlace().then(() => download());
