import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The files that SQLite keeps beside a database. A new one gets the permissions of the database. */
const beside = ['', '-wal', '-shm', '-journal'];

/**
 * Makes a data file, its folder and SQLite's files beside it readable by their user only, because they contain tokens and signing
 * secrets. If others may read the file, their access is removed. A folder that already exists may serve other purposes too, so its
 * permissions stay as they are.
 *
 * @throws a readable error if the file cannot be created
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
 * Creates a folder and those above it, for their user only. It creates them one at a time, because Node's own recursive call never
 * returns inside a folder where the system allows no new ones, such as /proc.
 *
 * @returns whether the folder is new
 * @throws a readable error if it cannot be created
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
    // Another process has created it in the meantime.
    if (codeOf(error) === 'EEXIST') return false;
    throw new Error(`The folder ${folder} cannot be made (${codeOf(error)}). Name another place with --data.`, { cause: error });
  }
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
