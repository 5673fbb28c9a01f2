import { existsSync, globSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { type CommandResult, lastLines, mustRun, runCommand } from '../process/command.ts';
import { root } from '../root.cjs';
import { unzip, zipOf } from './zip.ts';

const sources = join(root, 'zapier');

/** What other tools create in the folder, and the file in which Zapier's tool keeps a developer's own connection. */
const noSources = ['dist', 'build', 'node_modules', '.env'];

/** Bundles the app and the core into `dist/index.js` of a folder. Zapier's own core stays outside, because its wrapper loads it by name. */
export async function bundleZapier(folder: string): Promise<void> {
  await build({
    absWorkingDir: sources,
    entryPoints: { index: 'app.ts' },
    outdir: join(folder, 'dist'),
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    external: ['zapier-platform-core'],
    // Every cold start of a Zap reads the file, and half the text takes half the time.
    minify: true,
    logLevel: 'error',
  });
}

/**
 * Makes the archives with Zapier's own command, in a copy of the app. The command calls `bundleZapier` through the app's `_zapier-build`
 * script.
 *
 * @param folder receives the copy, with `dist`, `build/build.zip` and `build/source.zip` in it
 */
export async function makeZapier(folder: string): Promise<void> {
  // Outside the project: Zapier's tool would otherwise take packages that the app lacks from the project.
  const workshop = await mkdtemp(join(tmpdir(), 'zapier-build-'));
  try {
    const app = join(workshop, 'zapier');
    await cp(sources, app, { recursive: true, filter: (file) => dirname(file) !== sources || !noSources.includes(basename(file)) });
    // The app's script expects the tools there.
    await symlink(join(root, 'tools'), join(workshop, 'tools'), 'junction');
    await installLocked(app);
    await buildArchives(app);
    await cp(app, folder, { recursive: true, filter: (file) => file !== join(app, 'node_modules') });
  } finally {
    await rm(workshop, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function buildArchives(app: string): Promise<void> {
  // `npm run check` validates the schema. The CLI's own validation would send it to Zapier's servers.
  const { code, output } = await zapierCli(['build', '--skip-validation', '--skip-dep-install'], app);
  const archive = join(app, 'build', 'build.zip');
  // The last step starts the app with a limit of five seconds, too short on a busy machine. Repacking starts it without a limit.
  if (!existsSync(archive) || (code !== 0 && !output.includes('- Testing build')))
    // The CLI indents npm's output.
    throw new Error(`Zapier's build did not succeed:\n${lastLines(output.replace(/^ ›\s*/gm, ''), 20)}`);
  await repack(archive);
  await writeFile(join(app, 'build', 'source.zip'), await sourceArchive());
}

/**
 * Starts the app of an archive, as Zapier's tool does. Then rewrites the archive without file times and in the order of names, so that two
 * builds of the same sources are identical.
 */
async function repack(archive: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'zapier-repacked-'));
  try {
    const files = await unzip(archive, folder);
    for (const file of ['zapierwrapper.js', 'index.js']) if (files.includes(file)) await mustRun(process.execPath, [file], { cwd: folder });
    await writeFile(archive, await zipOf(folder, files.sort()));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Installs exactly the packages of zapier/package-lock.json. Zapier's tool would install the newest ones. */
async function installLocked(folder: string): Promise<void> {
  const args = ['ci', '--omit=dev', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund'];
  await mustRun('npm', args, { cwd: folder });
}

/** The sources for Zapier's reviewers: the app and the core that it imports, in their folders. */
function sourceArchive(): Promise<Buffer> {
  const patterns = [
    'zapier/{*.ts,*.json,adapter/**/*.ts}',
    'shared/{**/*.ts,time/*.json}',
    'brand.json',
    'package.json',
    'tsconfig.json',
    'LICENSE',
  ];
  const files = globSync(patterns, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  return zipOf(root, files.sort());
}

/** Runs Zapier's own command line tool on the app in a folder, without a login and without usage reports to Zapier. */
export function zapierCli(args: readonly string[], folder: string): Promise<CommandResult> {
  const cli = join(root, 'node_modules', 'zapier-platform-cli', 'src', 'bin', 'run');
  return runCommand(process.execPath, [cli, ...args], { cwd: folder, env: { DISABLE_ZAPIER_ANALYTICS: '1' } });
}
