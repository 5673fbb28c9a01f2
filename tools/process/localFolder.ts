import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../root.cjs';

/** A new folder that is nobody else's, within the project: what lies there finds its packages. Whoever asks for it deletes it. */
export async function localFolder(prefix: string): Promise<string> {
  const local = join(root, '.local');
  await mkdir(local, { recursive: true });
  return mkdtemp(join(local, prefix));
}
