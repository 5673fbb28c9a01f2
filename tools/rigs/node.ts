import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withLock } from '../process/lock.cjs';
import { mustRun } from '../process/command.ts';

/** The releases of Node.js on which the package is tried, beside the project's own. */
const releases: Readonly<Record<number, string>> = { 20: '20.20.0', 22: '22.22.0' };

const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'scheduling-connector');

/**
 * Node.js of a major version: this very one, the system's, or one that npm brings, installed once for all clones.
 *
 * @returns the program's path; `undefined` where npm has none for this system
 */
export async function nodeOf(major: number): Promise<string | undefined> {
  if (Number(process.versions.node.split('.')[0]) === major) return process.execPath;
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  if (process.platform !== 'linux') return undefined;
  const folder = join(cache, `node-${major}`);
  const program = join(folder, 'node_modules', name, 'bin', 'node');
  await mkdir(folder, { recursive: true });
  await withLock(join(folder, '.lock'), async () => {
    if (existsSync(program) && isMajor(program, major)) return;
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    await mustRun('npm', ['install', '--no-audit', '--no-fund', '--no-save', '--loglevel=error', `${name}@${releases[major]}`], {
      cwd: folder,
    });
  });
  return program;
}

const isMajor = (program: string, major: number): boolean =>
  execFileSync(program, ['--version'], { encoding: 'utf8' }).startsWith(`v${major}.`);
