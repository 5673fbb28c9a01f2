import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../root.cjs';

/** A folder that nothing else reads. It is on the same file system as the places that files are moved to from here. */
const workshops = join(root, '.local', 'placing');

/** Provides a temporary folder and deletes it afterwards. */
async function inWorkshop<Result>(work: (workshop: string) => Promise<Result>): Promise<Result> {
  await mkdir(workshops, { recursive: true });
  const workshop = await mkdtemp(join(workshops, `${process.pid}-`));
  try {
    return await work(workshop);
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

/** Writes a file in one step: a reader sees either all of the old text or all of the new. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await inWorkshop(async (workshop) => {
    const made = join(workshop, 'made');
    await writeFile(made, text);
    await rename(made, file);
  });
}

/**
 * Makes a folder so that no reader sees half of it: it is moved into place by one rename. A folder that is already there is moved
 * aside first, because no file system can rename a folder over one that is not empty. For that moment there is no folder.
 *
 * @param make fills the folder with this path, which does not exist yet
 */
export async function placeFolder(place: string, make: (folder: string) => Promise<unknown>): Promise<void> {
  await inWorkshop(async (workshop) => {
    const made = join(workshop, 'made');
    await make(made);
    await mkdir(dirname(place), { recursive: true });
    for (let tries = 0; ; tries += 1) {
      await rename(place, join(workshop, `old-${tries}`)).catch(only('ENOENT'));
      // Another process may have put a folder there in the meantime.
      if (await rename(made, place).then(() => true, only('ENOTEMPTY', 'EEXIST'))) return;
    }
  });
}

/** Returns false for these errors of the file system and throws all others. */
export function only(...codes: string[]): (error: unknown) => false {
  return (error) => {
    // `instanceof` does not work: inside jest, Node's own errors are not instances of the test's `Error`.
    if (typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code))) return false;
    throw error;
  };
}
