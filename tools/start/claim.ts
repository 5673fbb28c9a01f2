import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod/v4';
import { ownFile } from '../../sandbox/ownFile.ts';

const Running = z.object({
  pid: z.number(),
  /** What it printed for the person once everything was up; absent before. */
  shown: z.string().optional(),
});

/** The start that a data folder belongs to. */
export type Running = z.infer<typeof Running>;

/** A data folder that belongs to this start until it ends. */
export interface Claim {
  /** Keeps what a second start in the same folder is to print again. */
  show(text: string): void;
  release(): void;
}

/**
 * Takes a data folder for one start. The lock is SQLite's, so that the system gives it back however this process ends, and of two that
 * ask at the same moment one gets it.
 *
 * @param folder it must be there
 * @returns who has the folder, where another one has it
 */
export function claim(folder: string): Claim | Running {
  const lock = join(folder, 'running.lock');
  const file = join(folder, 'running.json');
  ownFile(lock);
  const database = new DatabaseSync(lock);
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (String(error).includes('locked')) return runningIn(file);
    throw error;
  }
  const write = (running: Running): void => writeFileSync(file, JSON.stringify(running), { mode: 0o600 });
  write({ pid: process.pid });
  return {
    show: (shown) => write({ pid: process.pid, shown }),
    release() {
      rmSync(file, { force: true });
      database.close();
    },
  };
}

/** Whoever has the folder may be just about to say so: then nothing is known of them yet. */
function runningIn(file: string): Running {
  try {
    return Running.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return { pid: 0 };
  }
}
