import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { markUsed } from '../../build/place.ts';
import type { Packed } from '../../build/products.ts';
import { madeOnce } from '../../process/madeOnce.mjs';
import { root } from '../../root.cjs';
import { installN8n, n8nVersion } from './install.ts';
import { startN8n } from './instance.ts';
import { installPackage } from './packages.ts';
import { N8nSession, type Owner } from './session.ts';

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
  await madeOnce(folder, async (partial) => {
    const n8n = await startN8n({ folder: partial, unpublished, installation });
    try {
      await installPackage(await N8nSession.open(n8n.origin, owner), unpublished.name);
    } finally {
      await n8n.stop();
    }
    await rm(join(partial, writtenAtStart), { recursive: true, force: true });
  });
  await markUsed(folder);
  return folder;
}
