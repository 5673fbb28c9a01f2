import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../sandbox/service.ts';
import { newId } from '../sandbox/ids.ts';
import { seed } from '../sandbox/seed.ts';
import { openStore } from '../sandbox/store.ts';

/** Runs a sandbox whose account holds exactly this many bookings while the work is done. */
export async function withBookings<Result>(count: number, work: (sandbox: Sandbox) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-sandbox-'));
  try {
    const file = join(folder, 'sandbox.sqlite');
    fill(file, count);
    const sandbox = await startSandbox({ file });
    try {
      return await work(sandbox);
    } finally {
      await sandbox.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Creates the data file of a sandbox whose account holds exactly this many bookings. */
export function fill(file: string, count: number): void {
  const store = openStore(file);
  seed(store, Date.now());
  const patterns = store.bookings.all();
  store.transaction(() => {
    for (let index = patterns.length; index < count; index += 1) {
      const pattern = patterns[index % patterns.length];
      if (pattern !== undefined) store.bookings.insert({ ...pattern, id: newId('bkg') });
    }
    for (const { id } of patterns.slice(count)) store.bookings.delete(id);
  });
  store.close();
}

/** An event type that can be booked without answering questions. */
export function plainEventType(sandbox: Sandbox): string {
  const plain = sandbox
    .eventTypes()
    .find(({ active, requires_approval: waits, questions }) => active && !waits && questions.every(({ required }) => !required));
  if (plain === undefined) throw new Error('The sandbox has no event type that can be booked without an answer.');
  return plain.id;
}

/** Starts that never overlap: three hours apart, after all bookings that the sandbox starts with. */
export const freeStart = (index: number): string =>
  new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + (index + 320) * 10_800_000).toISOString();
