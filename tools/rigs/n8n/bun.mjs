import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { cp, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failureOf, runNpm } from '../../process/runNpm.mjs';

const manifest = join(dirname(fileURLToPath(import.meta.url)), 'bun');

/**
 * Installs the packages of a folder's `package-lock.json` with Bun, without their scripts. npm unpacks n8n in three minutes of processor
 * time, and Bun in ten seconds. Bun comes from npm, and knows the registry of `.npmrc` and the proxy of the environment.
 *
 * @param {string} folder
 * @param {string} aside a new folder for Bun and its cache, on the same disk: what is in the cache becomes the packages, without a copy
 * @param {Record<string, string>} env
 * @returns {Promise<boolean>} false where it did not work, so that npm has to: there is no Bun for this system, or it reaches no registry
 */
export async function installWithBun(folder, aside, env) {
  await cp(manifest, aside, { recursive: true });
  const missing = await runNpm(aside, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], env);
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
  const failure = await failureOf(child).catch(String);
  return failure === '';
}

/**
 * How many packages Bun has downloaded so far; it puts them into their folder at the end.
 *
 * @param {string} aside
 */
export function countDownloaded(aside) {
  const cache = cacheOf(aside);
  const packagesIn = (/** @type {string} */ folder) => readdirSync(folder).filter((name) => name.lastIndexOf('@') > 0);
  if (!existsSync(cache)) return 0;
  const scopes = readdirSync(cache).filter((name) => name.startsWith('@'));
  return [cache, ...scopes.map((scope) => join(cache, scope))].flatMap(packagesIn).length;
}

/** @param {string} aside */
const cacheOf = (aside) => join(aside, 'cache');

/**
 * Bun's own package has no program until its script has run; the packages for each system have one.
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
