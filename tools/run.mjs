/**
 * `node tools/run.mjs <script> [arguments]`: runs every command of package.json.
 * It installs the packages if they are missing or out of date, then runs the script on Node 24 or newer, even if the system's Node is
 * older.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { whenParentIsGone } from './process/parent.mjs';
import { sentenceOf } from './process/sentence.cjs';
import { beginDownload } from './rigs/n8n/download.mjs';
import { setUp } from './setup.mjs';

const NEEDED = 24;
/**
 * n8n's package cannot be declared an ES module, because the published package is not one. Without this, Node would warn about each source
 * of it.
 */
const quietly = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const plainErrors = pathToFileURL(join(root, 'tools', 'process', 'plainErrors.mjs')).href;

try {
  const [script, ...args] = process.argv.slice(2);
  if (script === undefined) throw new Error('Say which script to run: node tools/run.mjs tools/commands/start.ts');
  // n8n is by far the largest download of the first start, and of the first run of all tests.
  const starts = /start(-queue)?\.ts$/.test(script) && !args.some((each) => each === '--help' || each === '-h');
  const needsN8n = starts || (script.endsWith('jest.js') && args.length === 0);
  await setUp(root, needsN8n ? beginDownload : undefined);
  await run(resolve(root, script), args);
} catch (error) {
  console.error(sentenceOf(error));
  process.exitCode = 1;
}

/**
 * @param {string} script
 * @param {string[]} args
 */
async function run(script, args) {
  const isNewEnough = Number(process.versions.node.split('.')[0]) >= NEEDED;
  const node = isNewEnough ? process.execPath : bundledNode();
  // Programs that the script starts (npm, n8n, a build) must find the same Node first.
  process.env.PATH = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  // Programs from npm report mistakes in their own way.
  const before = script.includes('node_modules') ? [] : ['--import', plainErrors];
  const child = spawn(node, [quietly, ...before, script, ...args], { stdio: 'inherit' });
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  whenParentIsGone(() => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const each of signals) process.removeAllListeners(each);
    process.kill(process.pid, signal);
  });
}

/** The Node that the project installs from npm. */
function bundledNode() {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const binary = join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(binary)) return binary;
  throw new Error(
    `This project runs on Node.js ${NEEDED} or newer. This is ${process.versions.node}, and the project provides none for ${process.platform} on ${process.arch}: ` +
      `install Node.js ${NEEDED} from https://nodejs.org and run the same command again.`,
  );
}
