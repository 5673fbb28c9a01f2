import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withLock } from './process/lock.cjs';
import { whyNpmFailed } from './process/npm.cjs';

/**
 * Makes sure that the packages of the lock file are installed, with nothing but Node itself: it is what runs first in a fresh clone.
 * A stamp in `node_modules` says what was installed, so that every later call costs a few milliseconds.
 *
 * @param {string} root the project's folder
 * @returns {Promise<void>} fails with a sentence when the packages cannot be installed
 */
export async function setUp(root) {
  if (isInstalled(root)) return;
  checkWritable(root);
  await withLock(
    join(root, '.setup.lock'),
    async () => {
      if (isInstalled(root)) return;
      console.error('Installing the packages this project needs (about a minute) ...');
      const started = Date.now();
      // `npm ci` begins from nothing and refuses where a registry lacks a platform's optional package; `npm install` fetches what differs.
      const isUpdate = existsSync(stampFile(root));
      const failure = (await npm(root, isUpdate ? 'install' : 'ci')) && (await npm(root, isUpdate ? 'ci' : 'install'));
      if (failure)
        throw new Error(
          `The packages could not be installed (${whyNpmFailed(failure)}). Check the network connection and the npm registry, then run the same command again.`,
        );
      writeFileSync(stampFile(root), fingerprint(root));
      console.error(`Packages installed in ${Math.round((Date.now() - started) / 1000)} s.`);
    },
    () => console.error('Another command is installing the packages; waiting for it ...'),
  );
}

/** @param {string} root */
function checkWritable(root) {
  try {
    accessSync(root, constants.W_OK);
  } catch (error) {
    throw new Error(
      `The packages cannot be installed: you may not write into ${root}. Change its rights, or clone the project to a folder of your own.`,
      { cause: error },
    );
  }
}

/** @param {string} root */
function isInstalled(root) {
  return existsSync(stampFile(root)) && readFileSync(stampFile(root), 'utf8') === fingerprint(root);
}

/** @param {string} root */
function stampFile(root) {
  return join(root, 'node_modules', '.installed');
}

/**
 * What the installed packages depend on: the two manifests, and the platform that binaries are made for.
 *
 * @param {string} root
 */
export function fingerprint(root) {
  const hash = createHash('sha256');
  for (const file of ['package.json', 'package-lock.json']) hash.update(readFileSync(join(root, file))).update('\0');
  return hash.update(`${process.platform}-${process.arch}`).digest('hex');
}

/**
 * @param {string} root
 * @param {'ci' | 'install'} command
 * @returns {Promise<string>} empty when it succeeded, else what it printed
 */
function npm(root, command) {
  // Without saving: what is installed follows the lock file, and never the other way round.
  const args = [command, '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const cli = process.env.npm_execpath;
  const isNpm = cli !== undefined && basename(cli).startsWith('npm');
  const child = isNpm
    ? spawn(process.execPath, [cli, ...args], { cwd: root })
    : spawn('npm', args, { cwd: root, shell: process.platform === 'win32' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (/** @type {Buffer} */ chunk) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', (error) =>
      reject(
        new Error('npm was not found: it comes with Node.js, see https://nodejs.org. Install it and run the same command again.', {
          cause: error,
        }),
      ),
    );
    child.on('close', (code) => resolve(code === 0 ? '' : output || `npm ended with ${code}`));
  });
}
