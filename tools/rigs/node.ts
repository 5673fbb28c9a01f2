import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withLock } from '../process/lock.cjs';
import { mustRun } from '../process/command.ts';
import { root } from '../root.cjs';

const locked = join(root, 'tools', 'rigs', 'node');
const { optionalDependencies } = JSON.parse(readFileSync(join(locked, 'package.json'), 'utf8')) as {
  optionalDependencies: Record<string, string>;
};

const current = Number(process.versions.node.split('.')[0]);
const nameOf = (major: number): string => `node-${major}-${process.platform}-${process.arch}`;

/** The major versions available here, besides the project's own from the oldest that the README names: npm has them only for Linux. */
export const majors: readonly number[] = [...[20, 22].filter((major) => Object.hasOwn(optionalDependencies, nameOf(major))), current];

const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'scheduling-connector');

/**
 * Node.js in one of the {@link majors}: the one that runs this, or one from the lock file in `node/`, installed once for all clones.
 *
 * @returns the program's path
 */
export async function nodeOf(major: number): Promise<string> {
  if (major === current) return process.execPath;
  const lock = readFileSync(join(locked, 'package-lock.json'));
  const folder = join(cache, `node-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`);
  const program = join(folder, 'node_modules', nameOf(major), 'bin', 'node');
  await mkdir(folder, { recursive: true });
  await withLock(join(folder, '.lock'), async () => {
    if (existsSync(program)) return;
    for (const name of ['package.json', 'package-lock.json']) await cp(join(locked, name), join(folder, name));
    await mustRun('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
  });
  return program;
}
