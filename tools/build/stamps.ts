import { readFile } from 'node:fs/promises';
import { writeWhole } from './place.ts';

/** A committed file that follows from `brand.json` or the declarations: its text now, and as it should be. */
export interface Stamped {
  file: string;
  before: string;
  after: string;
}

/** A manifest with some entries set and everything else kept. */
export async function manifestStamped(file: string, entries: Record<string, unknown>): Promise<Stamped> {
  const before = await readFile(file, 'utf8');
  const manifest = { ...(JSON.parse(before) as object), ...entries };
  return { file, before, after: `${JSON.stringify(manifest, null, before.includes('\n\t"') ? '\t' : 2)}\n` };
}

/** Writes what is not as it should be. @returns the files that were written */
export async function writeStamped(files: readonly Stamped[]): Promise<string[]> {
  const stale = files.filter(({ before, after }) => after !== before);
  for (const { file, after } of stale) await writeWhole(file, after);
  return stale.map(({ file }) => file);
}
