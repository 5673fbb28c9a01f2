import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { only } from '../../build/place.ts';
import type { Packed } from '../../build/products.ts';
import { withLock } from '../../process/lock.cjs';
import { root } from '../../root.cjs';
import { installN8n, n8nVersion } from './install.ts';
import { startN8n } from './instance.ts';
import { installPackage } from './packages.ts';
import { N8nSession, type Owner } from './session.ts';

const DAY_MS = 24 * 60 * 60_000;

/** n8n writes this folder again at each start: its editor, with the address at which it is reached. */
const writtenAtStart = '.cache';

/**
 * The folder of a stopped n8n whose database exists, whose owner is set up, and in which the package was installed as a person does. It is
 * made once for each package, owner and version of n8n. An n8n that begins with a copy of it starts sooner.
 *
 * @returns the folder, which is never changed afterwards
 */
export async function preparedFolder(unpublished: Packed, owner: Owner): Promise<string> {
  const installation = await installN8n();
  const kept = join(root, '.local', 'n8n-prepared');
  const key = createHash('sha256').update(await readFile(unpublished.tarball));
  key.update(JSON.stringify([n8nVersion, process.versions.modules, owner]));
  const folder = join(kept, key.digest('hex').slice(0, 16));
  await mkdir(kept, { recursive: true });
  await withLock(`${folder}.lock`, async () => {
    await removeUnused(kept, folder);
    if (existsSync(folder)) return;
    const partial = `${folder}.partial`;
    // An interrupted attempt is not continued.
    await rm(partial, { recursive: true, force: true, maxRetries: 3 });
    const n8n = await startN8n({ folder: partial, unpublished, installation });
    try {
      await installPackage(await N8nSession.open(n8n.origin, owner), unpublished.name);
    } finally {
      await n8n.stop();
    }
    await rm(join(partial, writtenAtStart), { recursive: true, force: true });
    await rename(partial, folder);
  });
  return folder;
}

/** Deletes folders that were not used for a day, and marks this one as used. */
async function removeUnused(kept: string, folder: string): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now).catch(only('ENOENT', 'EPERM', 'EACCES', 'EROFS'));
  for (const entry of await readdir(kept)) {
    const { mtimeMs } = await stat(join(kept, entry)).catch(() => ({ mtimeMs: now.getTime() }));
    if (now.getTime() - mtimeMs > DAY_MS) await rm(join(kept, entry), { recursive: true, force: true, maxRetries: 3 });
  }
}
