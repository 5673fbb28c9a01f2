import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './process/lock.mjs';
import { runNpm, whyNpmFailed } from './process/npm.mjs';

const EVERY_MS = 5_000;

/**
 * Makes sure that the packages of the lock file are installed. It needs only Node, because it runs first in a fresh clone.
 * A stamp in `node_modules` records what was installed, so that later calls take only a few milliseconds.
 *
 * @param {string} root the project's folder
 * @param {() => void} [meanwhile] starts work that can be done during an installation
 * @returns {Promise<void>} fails with a readable error if the packages cannot be installed
 */
export async function setUp(root, meanwhile = () => undefined) {
  if (isInstalled(root)) return;
  checkWritable(root);
  checkOwn(root);
  meanwhile();
  await withLock(
    join(root, '.setup.lock'),
    async () => {
      if (isInstalled(root)) return;
      console.error('Installing the packages this project needs (about a minute) ...');
      const started = Date.now();
      const stop = tellProgress(started);
      // Exactly the lock file, on every machine: `npm install` would take what it finds where the lock file cannot be followed.
      const failure = await runNpm(root, ['ci', '--no-audit', '--no-fund', '--loglevel=error']).finally(stop);
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
      `The packages cannot be installed: you do not have permission to write to ${root}. Change its permissions, or clone the project to a folder of your own.`,
      { cause: error },
    );
  }
}

/**
 * `npm ci` deletes what is in node_modules, also through a link, where it belongs to another copy.
 *
 * @param {string} root
 */
function checkOwn(root) {
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new Error(
    'node_modules is a link to the packages of another copy, and they are not those of this lock file. Delete the link, then run the same command again.',
  );
}

/**
 * Prints every few seconds that the installation is still running, because npm prints nothing until it ends.
 *
 * @param {number} started
 */
function tellProgress(started) {
  const out = process.stderr;
  const ticker = setInterval(() => {
    const text = `  ... ${Math.round((Date.now() - started) / 1000)} s`;
    out.write(out.isTTY ? `\r${text}` : `${text}\n`);
  }, EVERY_MS);
  return () => {
    clearInterval(ticker);
    if (out.isTTY) out.write('\r\u001B[K');
  };
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
 * What the installed packages depend on: the lock file, and the platform that binaries are made for.
 *
 * @param {string} root
 */
export function fingerprint(root) {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return createHash('sha256').update(lock).update(`${process.platform}-${process.arch}`).digest('hex');
}
