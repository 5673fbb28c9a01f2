import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/v4';
import { root } from '../root.cjs';
import { head, protocolsZodOnce } from './mcp.ts';
import { bundleProgram } from './program.ts';

const sources = join(root, 'hosted');

const Manifest = z.looseObject({ dependencies: z.record(z.string(), z.string()) });

/** Makes `dist` of the MCP server for many users. Its manifest's packages are installed beside it, and everything else is bundled. */
export async function makeHosted(folder: string): Promise<void> {
  const file = join(folder, 'package.json');
  const { devDependencies: _types, overrides: _ofTypes, ...manifest } = Manifest.parse(JSON.parse(await readFile(file, 'utf8')));
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
  const main = join(folder, 'dist', 'main.js');
  await bundleProgram(main, sources, {
    entryPoints: ['main.ts'],
    outfile: main,
    target: 'node22',
    format: 'esm',
    external: Object.keys(manifest.dependencies),
    banner: { js: head },
    plugins: [protocolsZodOnce],
  });
}
