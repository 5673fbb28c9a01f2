import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../root.cjs';

/** On the same file system as everything that is put in its place here, and looked at by nobody. */
const workshops = join(root, '.local', 'placing');

/** Gives a folder to make something in, and takes it away afterwards. */
async function inWorkshop<Result>(work: (workshop: string) => Promise<Result>): Promise<Result> {
  await mkdir(workshops, { recursive: true });
  const workshop = await mkdtemp(join(workshops, `${process.pid}-`));
  try {
    return await work(workshop);
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

/** Writes a file so that whoever reads it meanwhile sees all of the old text or all of the new. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await inWorkshop(async (workshop) => {
    const made = join(workshop, 'made');
    await writeFile(made, text);
    await rename(made, file);
  });
}

/**
 * Makes a folder so that nobody sees half of it: it comes into its place by one rename. Where a folder lies there already, that one is moved
 * aside first, because no file system lets a folder be renamed over a full one; for that moment there is none.
 *
 * @param make fills a folder, given by its path; it does not exist yet
 */
export async function placeFolder(place: string, make: (folder: string) => Promise<unknown>): Promise<void> {
  await inWorkshop(async (workshop) => {
    const made = join(workshop, 'made');
    await make(made);
    await mkdir(dirname(place), { recursive: true });
    for (let tries = 0; ; tries += 1) {
      await rename(place, join(workshop, `old-${tries}`)).catch(only('ENOENT'));
      // Somebody else may have put one there between the two.
      if (await rename(made, place).then(() => true, only('ENOTEMPTY', 'EEXIST'))) return;
    }
  });
}

/** Takes a failure of the file system for "no" when it is one of these, and hands any other on. */
export function only(...codes: string[]): (error: unknown) => false {
  return (error) => {
    // By its shape: inside jest, Node's own errors are no instances of the test's `Error`.
    if (typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code))) return false;
    throw error;
  };
}
