import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { madeOnce } from '../../process/lock.mjs';
import { outcomeOf, runNpm, whyNpmFailed } from '../../process/npm.mjs';

/**
 * Downloads n8n's packages. It needs only Node, so that the download can begin while the project's own packages are still
 * being installed. Run as a program, this file downloads n8n and prints nothing.
 */

/** The environment variable that moves the cache to another folder. */
export const cacheVariable = 'SCHEDULING_CONNECTOR_CACHE';

const here = dirname(fileURLToPath(import.meta.url));
const pinned = join(here, 'pinned');

/** @type {unknown} */
const manifest = JSON.parse(readFileSync(join(pinned, 'package.json'), 'utf8'));
export const n8nVersion = /** @type {{ dependencies: { n8n: string } }} */ (manifest).dependencies.n8n;

const NEEDED_BYTES = 4 * 1024 ** 3;

const endWithParent = pathToFileURL(join(here, '..', '..', 'process', 'endWithParent.mjs')).href;

/** npm may work for minutes. It must not continue after the process that started it has ended. */
export const endsWithUs = { NODE_OPTIONS: `--import=${endWithParent}` };

/** Leaves out the packages' own scripts: one of n8n's downloads something from elsewhere, and fails if it cannot. */
export const npmOptions = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

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
  const { bavail, bsize } = await statfs(folder);
  const left = bavail * bsize;
  if (left < NEEDED_BYTES)
    throw new Error(
      `n8n needs 4 GB of disk, and ${folder} has ${(left / 1024 ** 3).toFixed(1)} GB left: make room, or set ${cacheVariable} to a folder on another disk.`,
    );
}

/**
 * Downloads n8n's packages before anything is compiled, or waits if another process is downloading them.
 *
 * @returns {Promise<string>} the folder that contains them; fails with a readable error if npm cannot download them
 */
export const download = () =>
  madeOnce(join(cacheFolder(), `n8n-${n8nVersion}.downloaded`), async (partial) => {
    await cp(pinned, partial, { recursive: true });
    const failure = await installLocked(partial);
    if (failure)
      throw new Error(
        `n8n ${n8nVersion} could not be downloaded (${whyNpmFailed(failure)}). Check the network connection and the npm registry, then run the same command again.`,
      );
  });

/**
 * Installs the packages of a folder's `package-lock.json`, without their scripts: with Bun, or with npm if Bun fails. npm unpacks
 * n8n in three minutes of processor time, and Bun in twenty seconds.
 *
 * @param {string} folder
 * @returns {Promise<string>} empty if it succeeded, otherwise what npm printed
 */
export async function installLocked(folder) {
  // Beside the folder, on the same disk, so that files in Bun's cache become the packages without being copied.
  const aside = `${folder}-bun`;
  try {
    if (await installWithBun(folder, aside)) return '';
    await rm(join(folder, 'node_modules'), { recursive: true, force: true, maxRetries: 5 });
    return await runNpm(folder, ['install', ...npmOptions], endsWithUs);
  } finally {
    await rm(aside, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Bun comes from npm, and uses the registry in `.npmrc` and the proxy in the environment.
 *
 * @param {string} folder
 * @param {string} aside
 * @returns {Promise<boolean>} false if it did not work: there is no Bun for this system, it reaches no registry, or it cannot read the
 *   lock file
 */
async function installWithBun(folder, aside) {
  await cp(join(here, 'bun'), aside, { recursive: true });
  if (await runNpm(aside, ['ci', ...npmOptions], endsWithUs)) return false;
  // Bun's own package contains no program until its script has run, but the packages for each system do.
  const systems = join(aside, 'node_modules', '@oven');
  const [system = ''] = existsSync(systems) ? await readdir(systems) : [];
  const bun = join(systems, system, 'bin', process.platform === 'win32' ? 'bun.exe' : 'bun');
  const exactly = ['--no-save', '--frozen-lockfile', '--ignore-scripts', '--linker=hoisted', '--cache-dir', join(aside, 'cache')];
  const child = spawn(bun, ['--no-orphans', 'install', ...exactly], { cwd: folder, env: { ...process.env, DO_NOT_TRACK: '1' } });
  return outcomeOf(child).then(
    ({ code }) => code === 0,
    () => false,
  );
}

/** Starts the download in a separate process, which ends with this one. If it fails, the code that needs n8n reports it. */
export function beginDownload() {
  const isThere = existsSync(cacheFolder()) && readdirSync(cacheFolder()).some((name) => name.startsWith(`n8n-${n8nVersion}-`));
  if (isThere) return;
  spawn(process.execPath, [`--import=${endWithParent}`, fileURLToPath(import.meta.url)], { stdio: 'ignore' }).on('error', () => undefined);
}

// Without a top-level await, because tests load this file as CommonJS.
if (process.argv[1] === fileURLToPath(import.meta.url)) void checkPlace().then(() => download());
