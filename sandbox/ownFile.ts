import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** The suffixes of a database and of the files that SQLite adds. A new file gets the permissions of the database. */
const beside = ['', '-wal', '-shm', '-journal'];

/**
 * Restricts a data file, its folder and SQLite's files to their user, because they contain tokens and signing secrets. Access of others to
 * the file is removed. An existing folder may serve other purposes too, so its permissions are kept.
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
