import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod/v4';
import { ownFile } from '../../sandbox/ownFile.ts';

const Running = z.object({
  pid: z.number(),
  /** What it printed for the person when everything was running; absent before that. */
  shown: z.string().optional(),
});

/** The start that uses a data folder. */
export type Running = z.infer<typeof Running>;

/** A data folder that belongs to this start until it ends. */
export interface Claim {
  /** Saves what a second start in the same folder prints again. */
  show(text: string): void;
  release(): void;
}

/**
 * Reserves a data folder for one start. The lock is SQLite's, so the system releases it however this process ends, and only one of two
 * simultaneous starts gets it.
 *
 * @param folder it must exist
 * @returns the other start if it has the folder
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

/** The other start may not have written its data yet; then nothing is known about it. */
function runningIn(file: string): Running {
  try {
    return Running.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return { pid: 0 };
  }
}
