import { existsSync, readFileSync } from 'node:fs';
import { cp, glob, readdir, rm, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { mustRun } from '../../process/command.ts';
import { madeOnce } from '../../process/lock.ts';
import { impatient, NO_CONNECTION, npmSays } from '../../process/npm.mjs';
import { root } from '../../root.cjs';

export type N8nInstallation = Awaited<ReturnType<typeof installN8n>>;

/** The folder of the manifests. Each folder in it has a lock file. */
const manifests = join(root, 'tools', 'rigs', 'n8n');
const { dependencies } = JSON.parse(readFileSync(join(manifests, 'pinned', 'package.json'), 'utf8')) as { dependencies: { n8n: string } };
export const n8nVersion = dependencies.n8n;

/** Skips the packages' own scripts: one of n8n's downloads something from elsewhere, and fails if it cannot. */
export const npmOptions = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** The folder for downloads, shared by all clones. */
export function cacheFolder(): string {
  const { SCHEDULING_CONNECTOR_CACHE: chosen, XDG_CACHE_HOME: xdg, LOCALAPPDATA: windows } = process.env;
  if (chosen) return chosen;
  const own = { darwin: join(homedir(), 'Library', 'Caches'), win32: windows }[process.platform as string];
  return join(xdg || own || join(homedir(), '.cache'), 'scheduling-connector');
}

/**
 * Installs n8n once into the user's cache folder (2.2 GB, some minutes). Later calls find it there. The folder's name contains n8n's
 * version and the Node version of its compiled parts.
 *
 * @throws a readable error that names what is missing: the network, a compiler
 */
export async function installN8n() {
  const folder = join(cacheFolder(), `n8n-${n8nVersion}-abi${process.versions.modules}`);
  // The compiler of n8n's database driver fails on a path with a space, but only after minutes.
  if (/\s/.test(folder))
    throw new Error(
      `n8n cannot be installed into '${folder}', because the path contains a space: set SCHEDULING_CONNECTOR_CACHE to a folder without one.`,
    );
  await madeOnce(folder, async (partial) => {
    await installLocked(join(manifests, 'pinned'), partial);
    await compile(partial);
  });
  /** The script that Node runs. */
  return { folder, bin: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
}

/** Installs the packages of a lock file: with Bun, in twenty seconds for n8n, or with npm, in three minutes, if Bun fails. */
export async function installLocked(locked: string, folder: string): Promise<void> {
  await cp(locked, folder, { recursive: true });
  // A sibling folder, on the same disk, so that packages are linked from Bun's cache rather than copied.
  const aside = `${folder}-bun`;
  try {
    await cp(join(manifests, 'bun'), aside, { recursive: true });
    await mustRun('npm', ['ci', ...npmOptions, ...impatient], { cwd: aside });
    // Bun's own package contains no program until its script has run, but the packages for each system do.
    const systems = join(aside, 'node_modules', '@oven');
    const [system = ''] = await readdir(systems);
    const bun = join(systems, system, 'bin', process.platform === 'win32' ? 'bun.exe' : 'bun');
    const exactly = ['--no-save', '--frozen-lockfile', '--ignore-scripts', '--linker=hoisted', '--cache-dir', join(aside, 'cache')];
    await mustRun(bun, ['install', ...exactly], { cwd: folder, env: { DO_NOT_TRACK: '1' } });
  } catch (error) {
    // npm would take minutes to report the same.
    if (error instanceof Error && error.message.includes(NO_CONNECTION)) notDownloaded(error);
    // Bun does not support this system, reaches no registry, or cannot read the lock file.
    await rm(join(folder, 'node_modules'), { recursive: true, force: true, maxRetries: 5 });
    await mustRun('npm', ['install', ...npmOptions], { cwd: folder }).catch(notDownloaded);
  } finally {
    await rm(aside, { recursive: true, force: true, maxRetries: 5 });
  }
}

function notDownloaded(cause: Error): never {
  const sentence = 'n8n could not be downloaded. Check the network connection and the npm registry, then run the same command again.';
  throw new Error(`${sentence} npm says:\n${npmSays(cause.message)}`, { cause });
}

/** Compiles the packages that have no binary for this system. */
async function compile(folder: string): Promise<void> {
  const prefix = dirname(dirname(process.execPath));
  // The compiler fails on a path with a space, which the path to Node and its headers may contain.
  const withoutSpace = join(folder, '.node');
  await symlink(prefix, withoutSpace, 'junction');
  const headers = existsSync(join(prefix, 'include', 'node', 'node.h')) ? { npm_config_nodedir: withoutSpace } : {};
  // The version in n8n's packages is from 2021 and fails with Python 3.12. Without it, npm's own is used.
  const programs = join(folder, 'node_modules', '.bin');
  for await (const name of glob('node-gyp{,.*}', { cwd: programs })) await rm(join(programs, name));
  // Full optimization takes twice as long to compile, and a sandbox does not need that last bit of speed.
  const env = { ...headers, CFLAGS: '-O1' };
  await mustRun('npm', ['rebuild', 'isolated-vm', 'sqlite3', '--foreground-scripts'], { cwd: folder, env }).catch((cause: Error) => {
    const sentence =
      "n8n's database driver could not be compiled: install a C++ compiler, make and Python 3 (on Debian: apt-get install build-essential python3), then run the same command again.";
    throw new Error(`${sentence}\n${cause.message}`, { cause });
  });
  await rm(withoutSpace);
}
