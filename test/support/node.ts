import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { mustRun } from '../../tools/process/command.ts';
import { madeOnce } from '../../tools/process/lock.ts';
import { root } from '../../tools/root.cjs';
import { cacheFolder, npmOptions } from '../../tools/rigs/n8n/install.ts';

const locked = join(root, 'test', 'support', 'node');
const { optionalDependencies } = JSON.parse(readFileSync(join(locked, 'package.json'), 'utf8')) as {
  optionalDependencies: Record<string, string>;
};

const current = Number(process.versions.node.split('.')[0]);
const nameOf = (major: number): string => `node-${major}-${process.platform}-${process.arch}`;

/**
 * The major versions available here: those that npm offers, from the oldest that the README names, and the project's own. npm has them only
 * for Linux. NODE_MAJOR limits them to one, for CI jobs with one version each.
 */
export const majors: readonly number[] = [
  ...[20, 22].filter((major) => Object.hasOwn(optionalDependencies, nameOf(major))),
  current,
].filter((major) => String(major) === (process.env['NODE_MAJOR'] ?? String(major)));

/** The oldest version. What works with it and with the project's own, which all other tests use, works with those between. */
export const oldest = majors[0] ?? current;

/**
 * Node.js in one of the {@link majors}: the one that runs this, or one from the lock file in `node/`, installed once for all clones.
 *
 * @returns the program's path
 */
export async function nodeOf(major: number): Promise<string> {
  if (major === current) return process.execPath;
  const lock = readFileSync(join(locked, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const folder = await madeOnce(join(cacheFolder(), `node-${hash}`), async (partial) => {
    await cp(locked, partial, { recursive: true });
    await mustRun('npm', ['ci', ...npmOptions], { cwd: partial });
  });
  return join(folder, 'node_modules', nameOf(major), 'bin', 'node');
}
