import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';

/** What a start keeps in its folder. Anything else there is not ours. */
const kept = ['sandbox.sqlite', 'sandbox.sqlite-wal', 'sandbox.sqlite-shm', 'sandbox.sqlite-journal', 'memory.json', 'n8n'];

/** n8n's folder is ours if it contains the key that a start puts there. */
const isOurs = (folder: string, name: string): boolean => name !== 'n8n' || existsSync(join(folder, name, 'encryption-key'));

/**
 * Deletes what earlier starts kept in their folder, and nothing else: bookings, n8n with its workflows and its login. In a terminal it
 * asks first.
 *
 * @throws a readable error if the person says no
 */
export async function reset(folder: string): Promise<void> {
  const found = (await readdir(folder)).filter((name) => kept.includes(name) && isOurs(folder, name));
  if (!found.includes('sandbox.sqlite') && !found.includes('memory.json')) {
    console.log(`There is no data of earlier starts in ${folder}.\n`);
    return;
  }
  console.log(
    `This will be deleted from ${folder}, including all bookings, and n8n with its workflows and login:\n  ${found.join('\n  ')}\n`,
  );
  if (process.stdin.isTTY && !(await agrees())) throw new Error('Nothing was deleted.');
  for (const name of found) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
}

async function agrees(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question('Delete it? Type y for yes: ')).trim());
  } finally {
    terminal.close();
  }
}
