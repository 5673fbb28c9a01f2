import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** What SQLite keeps beside a database; it gives a new one the rights of the database. */
const beside = ['', '-wal', '-shm', '-journal'];

/**
 * Makes a data file, its folder and what SQLite keeps beside it for their user alone: tokens and signing secrets stand in it. A
 * file with wider rights is closed to others; a folder that is there already may be meant for other things too, and stays as it is.
 */
export function ownFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  for (const each of beside.map((end) => file + end)) if (existsSync(each)) chmodSync(each, 0o600);
}
