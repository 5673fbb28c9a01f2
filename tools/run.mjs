/**
 * `node tools/run.mjs <script> [arguments]`: runs every command of package.json. It installs the packages if they are missing or out of
 * date, then runs the script on Node 24 or newer, even if the system's Node is older.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { impatient, NO_CONNECTION, npmSays } from './process/npm.mjs';
import { whenParentIsGone } from './process/parent.mjs';

const NEEDED = 24;
/**
 * n8n's package cannot be declared an ES module, because the published package is not one. Without this option, Node would warn about each
 * of its sources.
 */
const quietly = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const plainErrors = pathToFileURL(join(root, 'tools', 'process', 'plainErrors.mjs')).href;

const [script = '', ...args] = process.argv.slice(2);
try {
  await install();
  run(resolve(root, script), nodeToUse());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Installs the packages of the lock file, unless a stamp in `node_modules` says that they are installed for this platform. */
async function install() {
  const stamp = join(root, 'node_modules', '.installed');
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const wanted = createHash('sha256').update(lock).update(`${process.platform}-${process.arch}`).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  // `npm ci` would delete the folder to which the link leads.
  if (lstatSync(dirname(stamp), { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new Error(
      'node_modules is a link to the packages of another copy, and they are not those of this lock file. Delete the link, then run the same command again.',
    );
  console.error('Installing the packages this project needs into node_modules (1.2 GB, one to three minutes) ...');
  const started = Date.now();
  const ticks = setInterval(() => console.error(`  still installing, ${Math.round((Date.now() - started) / 1000)} s`), 10_000);
  try {
    // Without a registry, an installation would retry each package for minutes.
    const unreachable = await npm('view', 'zod', 'version', ...impatient);
    // Exactly the lock file, on every machine: `npm install` would deviate where the lock file cannot be followed.
    const failure = unreachable?.includes(NO_CONNECTION) ? unreachable : await npm('ci', '--no-audit', '--no-fund');
    if (failure !== undefined)
      throw new Error(
        `The packages could not be installed. Check the network connection and the npm registry, then run the same command again. npm says:\n${failure}`,
      );
  } finally {
    clearInterval(ticks);
  }
  writeFileSync(stamp, wanted);
}

/**
 * Runs npm.
 *
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<string | undefined>} npm's message, if it failed
 */
async function npm(command, ...args) {
  const child = spawn('npm', [command, ...args, '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', command === 'ci' ? 'inherit' : 'ignore', 'pipe'],
    shell: process.platform === 'win32',
  });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => (printed += text));
  try {
    await once(child, 'close');
    return child.exitCode === 0 ? undefined : npmSays(printed);
  } catch {
    throw new Error('npm was not found: it comes with Node.js, see https://nodejs.org. Install it and run the same command again.');
  }
}

/** The running Node if it is new enough, otherwise the one that the project installs from npm. */
function nodeToUse() {
  if (Number(process.versions.node.split('.')[0]) >= NEEDED) return process.execPath;
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const binary = join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(binary)) return binary;
  throw new Error(
    `This project runs on Node.js ${NEEDED} or newer. This is ${process.versions.node}, and the project provides none for ${process.platform} on ${process.arch}: ` +
      `install Node.js ${NEEDED} from https://nodejs.org and run the same command again.`,
  );
}

/**
 * @param {string} file
 * @param {string} node
 */
function run(file, node) {
  // Programs that the script starts (npm, n8n, a build) must find the same Node first.
  process.env.PATH = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  // Programs from npm report their own errors.
  const before = file.includes('node_modules') ? [] : ['--import', plainErrors];
  const child = spawn(node, [quietly, ...before, file, ...args], { stdio: 'inherit' });
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  whenParentIsGone(() => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const each of signals) process.removeAllListeners(each);
    process.kill(process.pid, signal);
  });
}
