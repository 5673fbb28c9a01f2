import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { outputSchemas } from '../../n8n/adapter/outputSchemas.ts';
import * as panels from '../../n8n/adapter/panels.ts';
import { mustRun } from '../process/command.ts';
import { root } from '../root.cjs';
import { buildPackage } from './n8nPackage.ts';

const sources = join(root, 'n8n');

/**
 * Makes the n8n package as its users install it, and packs it.
 *
 * @param folder receives `dist`, the other files that npm packs, and the tarball
 */
export async function makeN8n(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const file of ['package.json', 'README.md']) await cp(join(sources, file), join(folder, file));
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  await buildPackage(sources, { panels, schemas: outputSchemas() }, join(folder, 'dist'));
  await mustRun('npm', ['pack', '--pack-destination', folder], { cwd: folder });
}
