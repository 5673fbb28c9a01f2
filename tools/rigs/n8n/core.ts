import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withLock } from '../../process/lock.cjs';
import { whyNpmFailed } from '../../process/npm.cjs';
import { root } from '../../root.cjs';
import { removeInterrupted } from './download.mjs';
import { cacheFolder } from './install.ts';
import { installLocked } from './installLocked.mjs';

/**
 * The cores of older n8n versions that the package is tested with, by the version of n8n. The oldest belongs to the oldest n8n
 * that the package's README names.
 */
export const olderCores = { '1.110.1': '1.109.0', '2.8.4': '2.8.1' } as const;

/**
 * Installs the core of an older n8n (200 to 300 MB, half a minute) once into the user's cache folder: n8n's execution
 * contexts and OAuth helper, without its editor and database.
 *
 * @returns the folder that contains its `node_modules`
 */
export async function installCore(n8n: keyof typeof olderCores): Promise<string> {
  const version = olderCores[n8n];
  const folder = join(cacheFolder(), `n8n-core-${version}`);
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  return withLock(`${folder}.lock`, async () => {
    if (existsSync(complete)) return folder;
    const partial = `${folder}.partial-${process.pid}`;
    await removeInterrupted(folder);
    await cp(join(root, 'tools', 'rigs', 'n8n', 'cores', version), partial, { recursive: true });
    const failure = await installLocked(partial);
    if (failure) throw new Error(`The core of n8n ${n8n} could not be downloaded (${whyNpmFailed(failure)}).`);
    await writeFile(join(partial, 'complete'), `${version}\n`);
    await rm(folder, { recursive: true, force: true });
    await rename(partial, folder);
    return folder;
  });
}
