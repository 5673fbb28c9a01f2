import { existsSync } from 'node:fs';
import { cp, glob, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { build } from 'esbuild';
import { lastLines, mustRun, runCommand } from '../process/command.ts';
import { whyNpmFailed } from '../process/npm.cjs';
import { unzip } from '../rigs/zapier/unzip.ts';
import { root } from '../root.cjs';
import { placeFolder } from './place.ts';
import { zipOf, type Entry } from './zip.ts';

const sources = join(root, 'zapier');

/** What other tools create there, and the file in which Zapier's tool keeps a developer's own connection. */
const noSources = ['dist', 'build', 'node_modules', '.env'];

/**
 * Bundles the app and the core into `dist/index.js` of a folder. Zapier's own core is not bundled, because its wrapper loads it by name.
 */
export async function bundleZapier(folder: string): Promise<void> {
  await placeFolder(join(folder, 'dist'), (dist) =>
    build({
      absWorkingDir: sources,
      entryPoints: { index: 'app.ts' },
      outdir: dist,
      bundle: true,
      platform: 'node',
      target: 'node22',
      format: 'esm',
      external: ['zapier-platform-core'],
      // Every cold start of a Zap reads it, and half the text is read in half the time.
      minify: true,
      logLevel: 'error',
    }),
  );
}

/** Whether the tool's last step, a test start of the app, was cut off. Then the tool names no error. */
export const hasOnlyFailedToStart = (output: string): boolean => {
  const [, after] = stripVTControlCharacters(output).split('- Testing build\n');
  return after !== undefined && /^[\s›]*(Error:)?[\s›]*(re-run this command with `--debug` for more info)?\s*$/.test(after);
};

/**
 * Makes the archives with Zapier's own command, in a copy of the app. The command calls `bundleZapier` through the app's `_zapier-build`
 * script.
 *
 * @param folder receives the copy, with `dist`, `build/build.zip` and `build/source.zip` in it
 */
export async function makeZapier(folder: string): Promise<void> {
  // Not within the project: Zapier's tool would take from the project's packages what the app's own do not contain.
  const workshop = await mkdtemp(join(tmpdir(), 'zapier-build-'));
  try {
    const app = join(workshop, 'zapier');
    await cp(sources, app, { recursive: true, filter: (file) => dirname(file) !== sources || !noSources.includes(basename(file)) });
    // The app's script expects it there.
    await symlink(join(root, 'tools'), join(workshop, 'tools'), 'junction');
    await installLocked(app);
    await buildArchives(app);
    await cp(app, folder, { recursive: true, filter: (file) => file !== join(app, 'node_modules') });
  } finally {
    await rm(workshop, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function buildArchives(app: string): Promise<void> {
  // `npm run check` validates the schema. The CLI's own validation would ask Zapier's servers.
  const { code, output } = await zapierCli(['build', '--skip-validation', '--skip-dep-install'], app);
  const archive = join(app, 'build', 'build.zip');
  const isThere = existsSync(archive);
  if (isThere && hasOnlyFailedToStart(output)) await startAll(archive);
  else if (code !== 0 || !isThere)
    // The tool indents npm's output.
    throw new Error(`Zapier's build did not succeed:\n${lastLines(output.replace(/^ ›\s*/gm, ''), 20)}`);
  await repack(archive);
  await writeFile(join(app, 'build', 'source.zip'), await sourceArchive());
}

/** Writes an archive again without the times of its files, and in the order of their names: two builds of the same sources are the same. */
async function repack(archive: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'zapier-repacked-'));
  try {
    await writeFile(archive, zipOf(await entriesOf(folder, await unzip(archive, folder))));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Installs exactly the packages of zapier/package-lock.json. Zapier's tool would install what is newest. */
async function installLocked(folder: string): Promise<void> {
  const args = ['ci', '--omit=dev', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { code, output } = await runCommand('npm', args, { cwd: folder });
  if (code !== 0)
    throw new Error(
      `Zapier's build could not fetch zapier-platform-core (${whyNpmFailed(output)}). Check the network connection and the npm registry, then run the same command again.`,
    );
}

/** What Zapier's reviewers read: the app and the core that it imports, in their folders. */
async function sourceArchive(): Promise<Buffer> {
  const files: string[] = [];
  const patterns = ['zapier/{*.ts,*.json,adapter/**/*.ts}', 'shared/**/*.ts', 'brand.json', 'package.json', 'tsconfig.json', 'LICENSE'];
  for await (const file of glob(patterns, { cwd: root })) files.push(file.replaceAll('\\', '/'));
  return zipOf(await entriesOf(root, files));
}

const entriesOf = (folder: string, files: readonly string[]): Promise<Entry[]> =>
  Promise.all([...files].sort().map(async (name) => ({ name, content: await readFile(join(folder, name)) })));

/**
 * Starts the app of an archive, as Zapier's tool does in its last step. The tool allows five seconds, which may be too short on a busy
 * machine. This function has no time limit.
 */
async function startAll(archive: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'zapier-built-'));
  try {
    const files = await unzip(archive, folder);
    for (const file of ['zapierwrapper.js', 'index.js']) if (files.includes(file)) await mustRun(process.execPath, [file], { cwd: folder });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Runs Zapier's own command line tool on the app in a folder, without a login and without sending usage reports to Zapier. */
export function zapierCli(args: readonly string[], folder: string): Promise<{ code: number | null; output: string }> {
  const cli = join(root, 'node_modules', 'zapier-platform-cli', 'src', 'bin', 'run');
  return runCommand(process.execPath, [cli, ...args], { cwd: folder, env: { DISABLE_ZAPIER_ANALYTICS: '1' } });
}
