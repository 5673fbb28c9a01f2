import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { brand } from '../../shared/brand.ts';
import { lastLines, runCommand } from '../command.ts';
import { whyNpmFailed } from '../npm.cjs';
import { root } from '../root.cjs';
import { stampManifest } from './manifest.ts';

const folder = join(root, 'zapier');

/** Where the official CLI leaves the archive that is uploaded to Zapier. */
export const zapierArchive = join(folder, 'build', 'build.zip');

/** Bundles the app and the core into `zapier/dist/index.js`. Zapier's own core stays outside: its wrapper asks for it by name. */
export async function bundleZapier(): Promise<void> {
  await stampManifest(join(folder, 'package.json'), { name: `${brand.slug}-zapier` });
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  await build({
    absWorkingDir: folder,
    entryPoints: { index: 'app.ts' },
    outdir: 'dist',
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    external: ['zapier-platform-core'],
    // Every cold start of a Zap reads it: half the text is read in half the time.
    minify: true,
    logLevel: 'error',
  });
}

/** Builds `zapier/build/build.zip` with Zapier's own command, which calls `bundleZapier` through the app's `_zapier-build` script. */
export async function buildZapierArchive(): Promise<void> {
  await rm(join(folder, 'build'), { recursive: true, force: true });
  // The schema is validated by `npm run check`; the CLI's own validation asks Zapier's servers.
  const { code, output } = await zapierCli(['build', '--skip-validation']);
  if (code === 0 && existsSync(zapierArchive)) return;
  // The tool indents what it passes on from npm.
  const plain = output.replace(/^ ›\s*/gm, '');
  if (/^npm error code/m.test(plain)) {
    throw new Error(`Zapier's build could not fetch zapier-platform-core (${whyNpmFailed(plain)}). Check the network connection and the npm registry, then run the same command again.`);
  }
  throw new Error(`Zapier's build did not succeed:\n${lastLines(plain, 20)}`);
}

/** Runs Zapier's own command line tool on the app, without a login and without reporting to Zapier that it did. */
export function zapierCli(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const cli = join(root, 'node_modules', 'zapier-platform-cli', 'src', 'bin', 'run');
  return runCommand(process.execPath, [cli, ...args], { cwd: folder, env: { DISABLE_ZAPIER_ANALYTICS: '1' } });
}
