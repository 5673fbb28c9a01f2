import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.cjs';

const DAY_MS = 24 * 60 * 60_000;

/**
 * The folder in which Node keeps what it has compiled for the programs that the tests start: hundreds, which load the same sources and
 * tools. It is begun anew after a day, because what tests copy to folders of their own is never used again.
 */
export function compiledFolder() {
  const folder = join(root, '.local', 'compiled');
  try {
    if (Date.now() - statSync(folder).birthtimeMs > DAY_MS) rmSync(folder, { recursive: true, force: true });
  } catch {
    // It is not there yet, or another user's. Node goes on without it where it cannot write.
  }
  return folder;
}
