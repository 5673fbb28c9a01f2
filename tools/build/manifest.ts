import { readFile } from 'node:fs/promises';
import { writeWhole } from './place.ts';

/**
 * Writes what follows from brand.json into a package.json, keeping everything else in it. A manifest that is right already stays untouched.
 *
 * @param file the manifest's path
 * @param stamped the entries to set
 */
export async function stampManifest(file: string, stamped: Record<string, string>): Promise<void> {
  const before = await readFile(file, 'utf8');
  const after = `${JSON.stringify({ ...(JSON.parse(before) as object), ...stamped }, null, before.includes('\n\t"') ? '\t' : 2)}\n`;
  if (after !== before) await writeWhole(file, after);
}
