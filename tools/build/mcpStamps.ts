import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brand } from '../../shared/brand.ts';
import { root } from '../root.cjs';
import { mcpReadme } from './mcpReadme.ts';
import { writeWhole } from './place.ts';

const folder = join(root, 'mcp');

export const mcpName = `${brand.slug}-mcp`;

interface Json {
  [key: string]: unknown;
}

const manifest = (file: Json): Json => ({
  ...file,
  name: mcpName,
  homepage: brand.docsUrl,
  author: { ...(file['author'] as Json), name: brand.name },
  bin: { [mcpName]: 'dist/main.js' },
});

/** What follows from brand.json and the core's declarations, and what lies there now, for every file of the package that carries it. */
export async function mcpStamped(): Promise<{ file: string; before: string; after: string }[]> {
  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8').catch(() => '');
  const before = await read('package.json');
  return [
    { file: join(folder, 'package.json'), before, after: `${JSON.stringify(manifest(JSON.parse(before) as Json), null, 2)}\n` },
    { file: join(folder, 'README.md'), before: await read('README.md'), after: mcpReadme() },
  ];
}

/** Writes the brand into the package; files that are right already stay untouched. */
export async function stampMcp(): Promise<void> {
  for (const { file, before, after } of await mcpStamped()) if (after !== before) await writeWhole(file, after);
}
