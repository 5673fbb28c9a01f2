import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/v4';
import { outputSchemas } from '../../n8n/adapter/outputSchemas.ts';
import * as panels from '../../n8n/adapter/panels.ts';
import { mustRun } from '../command.ts';
import { root } from '../root.cjs';
import { buildPackage } from './n8nPackage.ts';
import { stampN8n } from './n8nStamps.ts';

const Manifest = z.object({ name: z.string(), version: z.string() });

const folder = join(root, 'n8n');

/** Builds `n8n/dist`, so that `npm pack` in `n8n/` gives the package as its users install it. */
export async function buildN8n(): Promise<void> {
  await stampN8n();
  await buildPackage(folder, { panels, schemas: outputSchemas() });
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
