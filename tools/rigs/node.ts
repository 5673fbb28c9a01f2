import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withLock } from '../process/lock.cjs';
import { mustRun } from '../process/command.ts';

/** The releases of Node.js besides the project's own, from the oldest that the README names. */
const older: Readonly<Record<number, string>> = { 20: '20.20.0', 22: '22.22.0' };

const current = Number(process.versions.node.split('.')[0]);

/** The major versions available here: npm has older releases only for Linux. */
export const majors: readonly number[] = [...(process.platform === 'linux' ? Object.keys(older).map(Number) : []), current];

const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'scheduling-connector');

/**
 * Node.js in one of the {@link majors}: the one that runs this, or one from npm, installed once for all clones.
 *
 * @returns the program's path
 */
export async function nodeOf(major: number): Promise<string> {
  if (major === current) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(cache, `node-${major}`);
  const program = join(folder, 'node_modules', name, 'bin', 'node');
  await mkdir(folder, { recursive: true });
  await withLock(join(folder, '.lock'), async () => {
    if (existsSync(program) && isMajor(program, major)) return;
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    await mustRun('npm', ['install', '--no-audit', '--no-fund', '--no-save', '--loglevel=error', `${name}@${older[major]}`], {
      cwd: folder,
    });
  });
  return program;
}

const isMajor = (program: string, major: number): boolean =>
  execFileSync(program, ['--version'], { encoding: 'utf8' }).startsWith(`v${major}.`);
