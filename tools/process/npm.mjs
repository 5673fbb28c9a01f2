import { spawn } from 'node:child_process';
import { basename } from 'node:path';

/**
 * Runs npm to its end: the npm that started this process, if there is one. It needs only Node, because it runs before any package is
 * installed.
 *
 * @param {string} folder where npm runs
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<string>} empty if npm succeeded, otherwise what it printed; fails with a readable error if there is no npm
 */
export async function runNpm(folder, args, env = {}) {
  const options = { cwd: folder, env: { ...process.env, ...env } };
  const cli = process.env.npm_execpath;
  const isNpm = cli !== undefined && basename(cli).startsWith('npm');
  const child = isNpm
    ? spawn(process.execPath, [cli, ...args], options)
    : spawn('npm', args, { ...options, shell: process.platform === 'win32' });
  try {
    const { code, output } = await outcomeOf(child);
    return code === 0 ? '' : output || `npm ended with ${code ?? 'a signal'}`;
  } catch (error) {
    throw new Error('npm was not found: it comes with Node.js, see https://nodejs.org. Install it and run the same command again.', {
      cause: error,
    });
  }
}

/**
 * The reason for npm's failure in a few words, to be put in brackets: the error code, and the file with the details.
 *
 * @param {string} output
 * @returns {string}
 */
export function whyNpmFailed(output) {
  const code = /^npm (?:error|ERR!) code (\S+)/m.exec(output)?.[1];
  const log = /A complete log of this run can be found in:?\s+(\S+)/.exec(output)?.[1];
  const last = output.trim().split('\n').at(-1) ?? '';
  // A number is the exit code of a command that npm ran, such as a compiler.
  const reason = code !== undefined && /^\d+$/.test(code) ? `a command ended with ${code}` : code;
  return [reason ?? (log === undefined ? last : undefined), log && `npm's log is ${log}`].filter((part) => part !== undefined).join('; ');
}

/**
 * Waits for the end of a program. If this process ends first, the program ends as well.
 *
 * @param {import('node:child_process').ChildProcessByStdio<import('node:stream').Writable | null, import('node:stream').Readable, import('node:stream').Readable>} child
 * @returns {Promise<{ code: number | null, output: string }>} how it ended and what it printed; fails if it cannot be started
 */
export function outcomeOf(child) {
  const endIt = () => void child.kill();
  process.once('exit', endIt);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (/** @type {Buffer} */ chunk) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      process.removeListener('exit', endIt);
      resolve({ code, output });
    });
  });
}
