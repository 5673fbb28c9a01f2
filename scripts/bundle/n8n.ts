import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import * as z from 'zod/v4';
import { outputSchemas } from '../../n8n/adapter/outputSchemas.ts';
import { mustRun } from '../command.ts';
import { root } from '../root.cjs';
import { stampN8n } from './n8nStamps.ts';

const Manifest = z.object({ name: z.string(), version: z.string() });

const folder = join(root, 'n8n');

/** What n8n itself provides: bundled, zod would fail n8n's package scan, and a second n8n-workflow would not be n8n's. */
const providedByN8n = ['n8n-workflow', 'zod/v4', 'luxon'];

/** n8n loads a class by its file's base name, and finds codex and icons beside it. */
const assets = ['nodes/**/*.node.json', 'icons/*', 'nodes/**/*.{svg,png}', 'credentials/*.{svg,png}'];

/** Builds `n8n/dist`, so that `npm pack` in `n8n/` gives the package as its users install it. */
export async function buildN8n(): Promise<void> {
  await stampN8n();
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  await build({
    absWorkingDir: folder,
    entryPoints: ['credentials/*.credentials.ts', 'nodes/**/*.node.ts'],
    outbase: '.',
    outdir: 'dist',
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: providedByN8n,
    // A person, and n8n's scan, read what is published.
    minify: false,
    keepNames: false,
    logLevel: 'error',
  });
  for await (const asset of glob(assets, { cwd: folder })) {
    const target = join(folder, 'dist', asset);
    await mkdir(dirname(target), { recursive: true });
    await cp(join(folder, asset), target);
  }
  for (const [file, schema] of Object.entries(outputSchemas())) {
    const target = join(folder, 'dist', 'nodes', file);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, JSON.stringify(schema));
  }
}

/**
 * Packs what `buildN8n` made.
 *
 * @param into the folder that receives the tarball
 * @returns the tarball's path
 */
export async function packN8n(into: string): Promise<string> {
  await mkdir(into, { recursive: true });
  await mustRun('npm', ['pack', '--pack-destination', into], { cwd: folder });
  const manifest = Manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  return join(into, `${manifest.name}-${manifest.version}.tgz`);
}
