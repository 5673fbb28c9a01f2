import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, statfs, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCommand } from '../../process/command.ts';
import { withLock } from '../../process/lock.cjs';
import { whyNpmFailed } from '../../process/npm.cjs';
import { root } from '../../root.cjs';
import compiled from './compiled/package.json' with { type: 'json' };
import pinned from './pinned/package.json' with { type: 'json' };

export const n8nVersion = pinned.dependencies.n8n;

/** The environment variable that moves the cache elsewhere. */
export const cacheVariable = 'SCHEDULING_CONNECTOR_CACHE';

const NEEDED_BYTES = 4 * 1024 ** 3;
/** About what the finished installation takes: progress is measured by how much less room there is. */
const TOTAL_BYTES = 2.6 * 1024 ** 3;

/** Minutes of npm's work must not go on when whoever asked for it is gone. */
const endsWithUs = { NODE_OPTIONS: `--import=${pathToFileURL(join(root, 'tools', 'process', 'endWithParent.mjs')).href}` };

export interface N8nInstallation {
  folder: string;
  /** The script that Node runs. */
  bin: string;
}

/** Where n8n is, or would be, installed: one folder for all clones, by n8n's version and by the Node that its compiled parts are for. */
export function n8nFolder(): string {
  return join(cacheFolder(), `n8n-${n8nVersion}-abi${process.versions.modules}`);
}

/** The installed n8n, or undefined where there is none yet. */
export function installedN8n(): N8nInstallation | undefined {
  const folder = n8nFolder();
  return existsSync(join(folder, 'complete')) ? { folder, bin: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') } : undefined;
}

/**
 * Installs n8n once into the user's cache folder (2.6 GB, some minutes), and finds it there ever after.
 * It is put together in a folder beside its place and moved there when it is complete, so that an interrupted installation is never taken for one.
 *
 * @param say receives progress, one short text at a time
 * @throws a sentence that says what is missing: room, the network, a compiler
 */
export async function installN8n(say: (progress: string) => void = () => undefined): Promise<N8nInstallation> {
  const there = installedN8n();
  if (there) return there;
  const folder = n8nFolder();
  await checkPlace(dirname(folder));
  return withLock(
    `${folder}.lock`,
    async () => {
      const meanwhile = installedN8n();
      if (meanwhile) return meanwhile;
      await removeInterrupted(folder);
      const partial = `${folder}.partial-${process.pid}`;
      await mkdir(partial);
      await downloadAndCompile(partial, say);
      await writeFile(join(partial, 'complete'), `${n8nVersion}\n`);
      await rm(folder, { recursive: true, force: true });
      await rename(partial, folder);
      return { folder, bin: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
    },
    () => say('another command is installing it; waiting for that one'),
  );
}

/** Where what is downloaded once is kept for all clones. */
export function cacheFolder(): string {
  const chosen = process.env[cacheVariable];
  if (chosen) return chosen;
  const name = 'scheduling-connector';
  if (process.env.XDG_CACHE_HOME) return join(process.env.XDG_CACHE_HOME, name);
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', name);
  if (process.platform === 'win32' && process.env.LOCALAPPDATA) return join(process.env.LOCALAPPDATA, name);
  return join(homedir(), '.cache', name);
}

async function checkPlace(folder: string): Promise<void> {
  // The compiler of n8n's database driver breaks on a space, after minutes, and npm then takes everything back.
  if (/\s/.test(folder))
    throw new Error(
      `n8n cannot be installed into '${folder}', because the path holds a space: set ${cacheVariable} to a folder without one.`,
    );
  await mkdir(folder, { recursive: true });
  const left = await room(folder);
  if (left < NEEDED_BYTES) {
    throw new Error(
      `n8n needs 4 GB of disk, and ${folder} has ${(left / 1024 ** 3).toFixed(1)} GB left: make room, or set ${cacheVariable} to a folder on another disk.`,
    );
  }
}

/** Takes away what installations that were broken off have left. */
async function removeInterrupted(folder: string): Promise<void> {
  const names = await readdir(dirname(folder));
  for (const name of names.filter((each) => each.startsWith(`${basename(folder)}.partial`)))
    await rm(join(dirname(folder), name), { recursive: true, force: true, maxRetries: 5 });
}

/** The compiler needs one processor for about a minute, and npm little more than another: they work side by side. */
async function downloadAndCompile(folder: string, say: (progress: string) => void): Promise<void> {
  const aside = join(folder, '.compiled');
  const compiling = compile(aside);
  // Its failure is told once the download has ended, and is no surprise until then.
  compiling.catch(() => undefined);
  await download(folder, say);
  say('compiling its database driver');
  await compiling;
  for (const name of compiledPackages) {
    const built = join(aside, 'node_modules', name, 'build');
    if (existsSync(built)) await rename(built, join(folder, 'node_modules', name, 'build'));
  }
  await rm(aside, { recursive: true, maxRetries: 5 });
}

const compiledPackages = Object.keys(compiled.dependencies);

/** Without the packages' own scripts: one of n8n's downloads from elsewhere, and fails where it cannot. */
const npmInstall = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

async function download(folder: string, say: (progress: string) => void): Promise<void> {
  await cp(join(root, 'tools', 'rigs', 'n8n', 'pinned'), folder, { recursive: true });
  const started = Date.now();
  const before = await room(folder);
  const ticker = setInterval(() => {
    void room(folder).then((now) => {
      const share = Math.max(0, Math.min(99, Math.round((100 * (before - now)) / TOTAL_BYTES)));
      say(`downloading, ${share} % of 2.6 GB (${Math.round((Date.now() - started) / 1000)} s)`);
    });
  }, 3_000);
  try {
    const { code, output } = await runCommand('npm', ['install', ...npmInstall], { cwd: folder, env: endsWithUs });
    if (code !== 0) throw notDownloaded(output);
  } finally {
    clearInterval(ticker);
  }
}

const notDownloaded = (output: string): Error =>
  new Error(
    `n8n ${n8nVersion} could not be downloaded (${whyNpmFailed(output)}). Check the network connection and the npm registry, then run the same command again.`,
  );

/** Leaves what is compiled in the `build` folders of its packages; where a package brings it along for this system, there is none. */
async function compile(folder: string): Promise<void> {
  await cp(join(root, 'tools', 'rigs', 'n8n', 'compiled'), folder, { recursive: true });
  const fetched = await runCommand('npm', ['ci', '--omit=optional', ...npmInstall], { cwd: folder, env: endsWithUs });
  if (fetched.code !== 0) throw notDownloaded(fetched.output);
  const prefix = dirname(dirname(process.execPath));
  // The compiler breaks on a space, and the clone that brings Node and its headers along may lie in a path with one.
  const withoutSpace = join(folder, '.node');
  await symlink(prefix, withoutSpace, 'junction');
  const headers = existsSync(join(prefix, 'include', 'node', 'node.h')) ? { npm_config_nodedir: withoutSpace } : {};
  const { code, output } = await runCommand('npm', ['rebuild', ...compiledPackages, '--foreground-scripts'], {
    cwd: folder,
    env: { ...endsWithUs, ...headers },
  });
  if (code !== 0) {
    throw new Error(
      `n8n's database driver could not be compiled (${whyNpmFailed(output)}): install a C++ compiler, make and Python 3 (on Debian: apt-get install build-essential python3), then run the same command again.`,
    );
  }
  await rm(withoutSpace);
}

/** How many bytes may still be written where a folder lies. */
async function room(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
