import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { build } from 'esbuild';
import { brand } from '../../shared/brand.ts';
import { lastLines, mustRun, runCommand } from '../process/command.ts';
import { whyNpmFailed } from '../process/npm.cjs';
import { unzip } from '../rigs/zapier/unzip.ts';
import { root } from '../root.cjs';
import { stampManifest } from './manifest.ts';
import { placeFolder } from './place.ts';

const sources = join(root, 'zapier');

/** What others make there, and the file in which Zapier's tool keeps a developer's own connection. */
const noSources = ['dist', 'build', 'node_modules', '.env'];

/** Brings the brand into the app's manifest. */
export const stampZapier = (): Promise<void> => stampManifest(join(sources, 'package.json'), { name: `${brand.slug}-zapier` });

/** Bundles the app and the core into `dist/index.js` of a folder. Zapier's own core stays outside: its wrapper asks for it by name. */
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
      // Every cold start of a Zap reads it: half the text is read in half the time.
      minify: true,
      logLevel: 'error',
    }),
  );
}

/** Whether the tool's last step, a start of the app, was cut off: then it names no error. */
export const hasOnlyFailedToStart = (output: string): boolean => {
  const [, after] = stripVTControlCharacters(output).split('- Testing build\n');
  return after !== undefined && /^[\s›]*(Error:)?[\s›]*(re-run this command with `--debug` for more info)?\s*$/.test(after);
};

/**
 * Makes the archive with Zapier's own command, which calls `bundleZapier` through the app's `_zapier-build` script, in a copy of the app.
 *
 * @param folder receives the copy, and in it `dist` and `build/build.zip`
 */
export async function makeZapier(folder: string): Promise<void> {
  await stampZapier();
  await cp(sources, folder, { recursive: true, filter: (file) => dirname(file) !== sources || !noSources.includes(basename(file)) });
  // The app's script asks for it there.
  await symlink(join(root, 'tools'), join(dirname(folder), 'tools'), 'junction');
  // The schema is validated by `npm run check`; the CLI's own validation asks Zapier's servers.
  const { code, output } = await zapierCli(['build', '--skip-validation'], folder);
  const archive = join(folder, 'build', 'build.zip');
  const isThere = existsSync(archive);
  if (code === 0 && isThere) return;
  if (isThere && hasOnlyFailedToStart(output)) return startAll(archive);
  // The tool indents what it passes on from npm.
  const plain = output.replace(/^ ›\s*/gm, '');
  if (/^npm error code/m.test(plain)) {
    throw new Error(
      `Zapier's build could not fetch zapier-platform-core (${whyNpmFailed(plain)}). Check the network connection and the npm registry, then run the same command again.`,
    );
  }
  throw new Error(`Zapier's build did not succeed:\n${lastLines(plain, 20)}`);
}

/**
 * Starts what an archive holds, as Zapier's tool does in the end. The tool gives it five seconds, which on a busy machine may not be enough;
 * this takes as long as it takes.
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

/** Runs Zapier's own command line tool on the app in a folder, without a login and without reporting to Zapier that it did. */
export function zapierCli(args: readonly string[], folder: string): Promise<{ code: number | null; output: string }> {
  const cli = join(root, 'node_modules', 'zapier-platform-cli', 'src', 'bin', 'run');
  return runCommand(process.execPath, [cli, ...args], { cwd: folder, env: { DISABLE_ZAPIER_ANALYTICS: '1' } });
}
