import { existsSync } from 'node:fs';
import { cp, glob, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCommand } from '../../process/command.ts';
import { madeOnce } from '../../process/lock.mjs';
import { whyNpmFailed } from '../../process/npm.mjs';
import { root } from '../../root.cjs';
import { cacheFolder, checkPlace, download, endsWithUs, installLocked, n8nVersion } from './download.mjs';

export { cacheFolder, n8nVersion } from './download.mjs';

export interface N8nInstallation {
  folder: string;
  /** The script that Node runs. */
  bin: string;
}

const manifests = join(root, 'tools', 'rigs', 'n8n');

/**
 * Installs n8n once into the user's cache folder (2.2 GB, some minutes). Later calls find it there. The folder's name has n8n's version and
 * the version of Node that its compiled parts are for.
 *
 * @param say receives progress, one short text at a time
 * @throws a readable error that says what is missing: space, the network, a compiler
 */
export async function installN8n(say: (progress: string) => void = () => undefined): Promise<N8nInstallation> {
  const folder = join(cacheFolder(), `n8n-${n8nVersion}-abi${process.versions.modules}`);
  if (!existsSync(folder)) await checkPlace();
  await madeOnce(
    folder,
    (partial) => downloadAndCompile(partial, say),
    () => say('another command is installing it; waiting for that one'),
  );
  return { folder, bin: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
}

async function downloadAndCompile(partial: string, say: (progress: string) => void): Promise<void> {
  say('downloading 2.2 GB');
  await rename(await download(), partial);
  say('compiling its database driver');
  await compile(partial);
}

/** Compiles the packages for which npm brings no binary for this system. */
async function compile(folder: string): Promise<void> {
  const prefix = dirname(dirname(process.execPath));
  // The compiler fails on a space in a path, and the clone that contains Node and its headers may have one in its path.
  const withoutSpace = join(folder, '.node');
  await symlink(prefix, withoutSpace, 'junction');
  const headers = existsSync(join(prefix, 'include', 'node', 'node.h')) ? { npm_config_nodedir: withoutSpace } : {};
  // That of n8n's packages is from 2021 and fails with Python 3.12. Without it, npm's own compiles.
  const programs = join(folder, 'node_modules', '.bin');
  for await (const name of glob('node-gyp{,.*}', { cwd: programs })) await rm(join(programs, name));
  const { code, output } = await runCommand('npm', ['rebuild', 'isolated-vm', 'sqlite3', '--foreground-scripts'], {
    cwd: folder,
    // Half of the compiler's time goes into the last bit of speed, which a sandbox does not need.
    env: { ...endsWithUs, ...headers, CFLAGS: '-O1' },
  });
  if (code !== 0) {
    throw new Error(
      `n8n's database driver could not be compiled (${whyNpmFailed(output)}): install a C++ compiler, make and Python 3 (on Debian: apt-get install build-essential python3), then run the same command again.`,
    );
  }
  await rm(withoutSpace);
}

/**
 * The cores of older n8n versions that the package is tested with, by the version of n8n. The oldest belongs to the oldest n8n
 * that the package's README names.
 */
export const olderCores = { '1.110.1': '1.109.0', '2.8.4': '2.8.1' } as const;

/**
 * Installs the core of an older n8n (200 to 300 MB, half a minute) once into the user's cache folder: n8n's execution
 * contexts and OAuth helper, without its editor and database.
 *
 * @returns the folder that contains its `node_modules`
 */
export function installCore(n8n: keyof typeof olderCores): Promise<string> {
  const version = olderCores[n8n];
  return madeOnce(join(cacheFolder(), `n8n-core-${version}`), async (partial) => {
    await cp(join(manifests, 'cores', version), partial, { recursive: true });
    const failure = await installLocked(partial);
    if (failure) throw new Error(`The core of n8n ${n8n} could not be downloaded (${whyNpmFailed(failure)}).`);
  });
}
