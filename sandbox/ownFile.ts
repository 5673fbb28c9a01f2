import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
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
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, 'a', 0o600));
    for (const each of beside.map((end) => file + end)) if (existsSync(each)) chmodSync(each, 0o600);
  } catch (error) {
    throw new Error(`The data cannot be kept in ${file} (${(error as NodeJS.ErrnoException).code}). Name another place with --data.`, {
      cause: error,
    });
  }
}
