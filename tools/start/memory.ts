import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/v4';

const Memory = z.object({
  /** The login of this folder's n8n. It is random, because anyone who can sign in can run code there. */
  password: z.string(),
  /** The installed package's fingerprint, and the addresses by which n8n and the service know each other; empty before the first start. */
  packageHash: z.string(),
  n8nOrigin: z.string(),
  baseUrl: z.string(),
  /** A fingerprint of the products and addresses of the last successful main job. */
  proved: z.string().default(''),
});

/** What a start remembers of the one before it. */
export type Memory = z.infer<typeof Memory>;

const fileIn = (folder: string): string => join(folder, 'memory.json');

export async function recall(folder: string): Promise<Memory> {
  const file = fileIn(folder);
  if (existsSync(file)) return readMemory(file);
  const fresh: Memory = { password: `N8n-${randomBytes(6).toString('hex')}`, packageHash: '', n8nOrigin: '', baseUrl: '', proved: '' };
  await remember(folder, fresh);
  return fresh;
}

/** @throws a readable error if it is damaged */
async function readMemory(file: string): Promise<Memory> {
  try {
    return Memory.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file} is damaged and cannot be read. Start over with --reset, or name another folder with --data.`, {
      cause: error,
    });
  }
}

export async function remember(folder: string, memory: Memory): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(fileIn(folder), JSON.stringify(memory, null, 2), { mode: 0o600 });
}
