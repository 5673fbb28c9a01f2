import { join } from 'node:path';
import { madeOnce } from '../../../tools/process/lock.ts';
import { cacheFolder, installLocked } from '../../../tools/rigs/n8n/install.ts';

/**
 * The cores of older n8n versions that the package is tested with, by the version of n8n. The oldest belongs to the oldest n8n
 * that the package's README names.
 */
const olderCores = { '1.110.1': '1.109.0', '2.8.4': '2.8.1' } as const;

/**
 * Installs the core of an older n8n (200 to 300 MB, half a minute) once into the user's cache folder: n8n's execution
 * contexts and OAuth helper, without its editor and database.
 *
 * @returns the folder that contains its `node_modules`
 */
export function installCore(n8n: keyof typeof olderCores): Promise<string> {
  const version = olderCores[n8n];
  return madeOnce(join(cacheFolder(), `n8n-core-${version}`), (partial) =>
    installLocked(join(import.meta.dirname, 'cores', version), partial),
  );
}
