import { existsSync } from 'node:fs';
import { cp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCommand } from '../../process/command.ts';
import { withLock } from '../../process/lock.cjs';
import { whyNpmFailed } from '../../process/npm.cjs';
import { root } from '../../root.cjs';
import compiled from './compiled/package.json' with { type: 'json' };
import { cacheFolder, checkPlace, download, endsWithUs, n8nVersion, notDownloaded, removeInterrupted } from './download.mjs';
import { npmOptions } from './installLocked.mjs';

export { cacheFolder, cacheVariable, n8nVersion } from './download.mjs';

export interface N8nInstallation {
  folder: string;
  /** The script that Node runs. */
  bin: string;
}

/** The folder for n8n, shared by all clones. Its name has n8n's version and the version of Node that its compiled parts are for. */
export function n8nFolder(): string {
  return join(cacheFolder(), `n8n-${n8nVersion}-abi${process.versions.modules}`);
}

/** The installed n8n, or undefined if there is none yet. */
export function installedN8n(): N8nInstallation | undefined {
  const folder = n8nFolder();
  return existsSync(join(folder, 'complete')) ? { folder, bin: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') } : undefined;
}

/**
 * Installs n8n once into the user's cache folder (2.2 GB, some minutes). Later calls find it there.
 * It is put together in a folder beside its place and moved there when it is complete, so that an interrupted installation is never used.
 *
 * @param say receives progress, one short text at a time
 * @throws a readable error that says what is missing: space, the network, a compiler
 */
export async function installN8n(say: (progress: string) => void = () => undefined): Promise<N8nInstallation> {
  const there = installedN8n();
  if (there) return there;
  const folder = n8nFolder();
  await checkPlace();
  return withLock(
    `${folder}.lock`,
    async () => {
      const meanwhile = installedN8n();
      if (meanwhile) return meanwhile;
      await removeInterrupted(folder);
      const partial = await downloadAndCompile(folder, say);
      await writeFile(join(partial, 'complete'), `${n8nVersion}\n`);
      await rm(folder, { recursive: true, force: true });
      await rename(partial, folder);
      return { folder, bin: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
    },
    () => say('another command is installing it; waiting for that one'),
  );
}

/** The compiler needs one processor for about a minute, and npm hardly more than one, so they run at the same time. */
async function downloadAndCompile(folder: string, say: (progress: string) => void): Promise<string> {
  const partial = `${folder}.partial-${process.pid}`;
  const aside = `${partial}-compiled`;
  const compiling = compile(aside);
  // Its failure is reported when the download has ended. Until then, it must not count as an unhandled rejection.
  compiling.catch(() => undefined);
  await rename(await download(say), partial);
  say('compiling its database driver');
  await compiling;
  for (const name of compiledPackages) {
    const built = join(aside, 'node_modules', name, 'build');
    if (existsSync(built)) await rename(built, join(partial, 'node_modules', name, 'build'));
  }
  await rm(aside, { recursive: true, maxRetries: 5 });
  return partial;
}

const compiledPackages = Object.keys(compiled.dependencies);

/** Compiles the packages and leaves the results in their `build` folders. A package that includes a binary for this system has none. */
async function compile(folder: string): Promise<void> {
  await cp(join(root, 'tools', 'rigs', 'n8n', 'compiled'), folder, { recursive: true });
  const fetched = await runCommand('npm', ['ci', '--omit=optional', ...npmOptions], { cwd: folder, env: endsWithUs });
  if (fetched.code !== 0) throw notDownloaded(fetched.output);
  const prefix = dirname(dirname(process.execPath));
  // The compiler fails on a space in a path, and the clone that contains Node and its headers may have one in its path.
  const withoutSpace = join(folder, '.node');
  await symlink(prefix, withoutSpace, 'junction');
  const headers = existsSync(join(prefix, 'include', 'node', 'node.h')) ? { npm_config_nodedir: withoutSpace } : {};
  const { code, output } = await runCommand('npm', ['rebuild', ...compiledPackages, '--foreground-scripts'], {
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
