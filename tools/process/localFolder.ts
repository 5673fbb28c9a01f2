import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../root.cjs';

/** A new folder for the caller alone, within the project, so that files in it find the project's packages. The caller deletes it. */
export async function localFolder(prefix: string): Promise<string> {
  const local = join(root, '.local');
  await mkdir(local, { recursive: true });
  return mkdtemp(join(local, prefix));
}
