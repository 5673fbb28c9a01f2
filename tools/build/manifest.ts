import { readFile } from 'node:fs/promises';
import { writeWhole } from './place.ts';

/**
 * Writes the values that follow from brand.json into a package.json and keeps everything else. A correct manifest is not touched.
 *
 * @param file the manifest's path
 * @param stamped the entries to set
 */
export async function stampManifest(file: string, stamped: Record<string, unknown>): Promise<void> {
  const before = await readFile(file, 'utf8');
  const after = `${JSON.stringify({ ...(JSON.parse(before) as object), ...stamped }, null, before.includes('\n\t"') ? '\t' : 2)}\n`;
  if (after !== before) await writeWhole(file, after);
}
