import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outcomeOf, runNpm } from '../../process/runNpm.mjs';

const manifest = join(dirname(fileURLToPath(import.meta.url)), 'bun');

/** Leaves out the packages' own scripts: one of n8n's downloads something from elsewhere, and fails if it cannot. */
export const npmOptions = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Installs the packages of a folder's `package-lock.json`, without their scripts: with Bun, or with npm if Bun fails. npm unpacks
 * n8n in three minutes of processor time, and Bun in twenty seconds. Bun comes from npm, and uses the registry in `.npmrc` and the proxy
 * in the environment.
 *
 * @param {string} folder
 * @param {Record<string, string>} [env]
 * @returns {Promise<string>} empty if it succeeded, otherwise what npm printed
 */
export async function installLocked(folder, env = {}) {
  const aside = asideOf(folder);
  try {
    if (await installWithBun(folder, aside, env)) return '';
    await rm(join(folder, 'node_modules'), { recursive: true, force: true, maxRetries: 5 });
    return await runNpm(folder, ['install', ...npmOptions], env);
  } finally {
    await rm(aside, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Bun and its cache are beside the folder, on the same disk, so that files in the cache become the packages without being copied.
 *
 * @param {string} folder
 */
const asideOf = (folder) => `${folder}-bun`;

/**
 * @param {string} folder
 * @param {string} aside
 * @param {Record<string, string>} env
 * @returns {Promise<boolean>} false if it did not work: there is no Bun for this system, it reaches no registry, or it cannot read the
 *   lock file
 */
async function installWithBun(folder, aside, env) {
  await cp(manifest, aside, { recursive: true });
  const missing = await runNpm(aside, ['ci', ...npmOptions], env);
  const bun = missing ? undefined : await binaryOf(aside);
  if (bun === undefined) return false;
  const child = spawn(
    bun,
    ['--no-orphans', 'install', '--no-save', '--ignore-scripts', '--linker=hoisted', '--cache-dir', cacheOf(aside)],
    {
      cwd: folder,
      env: { ...process.env, DO_NOT_TRACK: '1' },
    },
  );
  const { code } = await outcomeOf(child).catch(() => ({ code: null }));
  return code === 0 && (await isAsLocked(folder));
}

/**
 * Whether all packages in a folder have versions that its lock file names. If Bun cannot read a lock file, it installs the newest versions
 * instead, and succeeds. Where a package is in the folder does not matter: Bun has its own order.
 *
 * @param {string} folder
 */
async function isAsLocked(folder) {
  const { packages } = /** @type {{ packages: Record<string, { version?: string }> }} */ (await json(join(folder, 'package-lock.json')));
  const known = new Set(Object.entries(packages).map(([place, { version }]) => `${place.split('node_modules/').at(-1)} ${version}`));
  return containsOnly(known, join(folder, 'node_modules'));
}

/**
 * @param {Set<string>} known names with their versions
 * @param {string} modules a `node_modules` folder
 * @returns {Promise<boolean>}
 */
async function containsOnly(known, modules) {
  if (!existsSync(modules)) return true;
  const scoped = (/** @type {string} */ scope) => readdirSync(join(modules, scope)).map((name) => `${scope}/${name}`);
  for (const name of readdirSync(modules).flatMap((each) => (each.startsWith('@') ? scoped(each) : [each]))) {
    const own = join(modules, name, 'package.json');
    const { version } = /** @type {{ version?: string }} */ (existsSync(own) ? await json(own) : {});
    if (version !== undefined && !known.has(`${name} ${version}`)) return false;
    if (!(await containsOnly(known, join(modules, name, 'node_modules')))) return false;
  }
  return true;
}

/**
 * @param {string} file
 * @returns {Promise<unknown>}
 */
async function json(file) {
  /** @type {unknown} */
  const content = JSON.parse(await readFile(file, 'utf8'));
  return content;
}

/**
 * How many packages Bun has downloaded so far. It only puts them into the folder at the end.
 *
 * @param {string} folder
 */
export function countDownloaded(folder) {
  const cache = cacheOf(asideOf(folder));
  const packagesIn = (/** @type {string} */ folder) => readdirSync(folder).filter((name) => name.lastIndexOf('@') > 0);
  if (!existsSync(cache)) return 0;
  const scopes = readdirSync(cache).filter((name) => name.startsWith('@'));
  return [cache, ...scopes.map((scope) => join(cache, scope))].flatMap(packagesIn).length;
}

/** @param {string} aside */
const cacheOf = (aside) => join(aside, 'cache');

/**
 * Bun's own package contains no program until its script has run, but the packages for each system do.
 *
 * @param {string} aside
 */
async function binaryOf(aside) {
  const systems = join(aside, 'node_modules', '@oven');
  if (!existsSync(systems)) return undefined;
  const [system] = await readdir(systems);
  const binary = join(systems, system ?? '', 'bin', process.platform === 'win32' ? 'bun.exe' : 'bun');
  return existsSync(binary) ? binary : undefined;
}
