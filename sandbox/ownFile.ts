import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** What SQLite keeps beside a database; it gives a new one the rights of the database. */
const beside = ['', '-wal', '-shm', '-journal'];

/**
 * Makes a data file, its folder and what SQLite keeps beside it for their user alone: tokens and signing secrets stand in it. A
 * file with wider rights is closed to others; a folder that is there already may be meant for other things too, and stays as it is.
 *
 * @throws a sentence where it cannot be made
 */
export function ownFile(file: string): void {
  makeFolder(dirname(file));
  try {
    closeSync(openSync(file, 'a', 0o600));
    for (const each of beside.map((end) => file + end)) if (existsSync(each)) chmodSync(each, 0o600);
  } catch (error) {
    throw new Error(`The data cannot be kept in ${file} (${codeOf(error)}). Name another place with --data.`, { cause: error });
  }
}

/**
 * Makes a folder and those above it, for their user alone. One after the other: Node's own way to make them all at once never ends below a
 * folder in which the system makes none, such as /proc.
 *
 * @returns whether it was not there before
 * @throws a sentence where it cannot be made
 */
export function makeFolder(folder: string): boolean {
  if (existsSync(folder)) {
    if (statSync(folder).isDirectory()) return false;
    throw new Error(`${folder} is a file, and a folder is needed there. Name another place with --data.`);
  }
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    // Somebody else made it meanwhile.
    if (codeOf(error) === 'EEXIST') return false;
    throw new Error(`The folder ${folder} cannot be made (${codeOf(error)}). Name another place with --data.`, { cause: error });
  }
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
