import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../root.cjs';

/** A folder that nothing else reads. It is on the same file system as the places that files are moved to from here. */
const workshops = join(root, '.local', 'placing');

/**
 * Makes a folder so that no reader sees half of it: it is moved into place by one rename. A folder that is already there is moved
 * aside first, because no file system can rename a folder over one that is not empty. For that moment there is no folder.
 *
 * @param make fills the folder with this path, which does not exist yet
 */
export async function placeFolder(place: string, make: (folder: string) => Promise<unknown>): Promise<void> {
  await mkdir(workshops, { recursive: true });
  const workshop = await mkdtemp(join(workshops, `${process.pid}-`));
  try {
    const made = join(workshop, 'made');
    await make(made);
    await mkdir(dirname(place), { recursive: true });
    for (let tries = 0; ; tries += 1) {
      await rename(place, join(workshop, `old-${tries}`)).catch(only('ENOENT'));
      // Another process may have put a folder there in the meantime.
      if (await rename(made, place).then(() => true, only('ENOTEMPTY', 'EEXIST'))) return;
    }
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

/** Returns false for these errors of the file system and throws all others. */
export function only(...codes: string[]): (error: unknown) => false {
  return (error) => {
    // `instanceof` does not work: inside jest, Node's own errors are not instances of the test's `Error`.
    if (typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code))) return false;
    throw error;
  };
}
