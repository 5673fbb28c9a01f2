import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { only } from '../../build/place.ts';
import type { N8nInstallation } from './install.ts';

/** n8n itself has about 10,000. The rest belongs to packages in the data folders of tests, which are gone. */
const MOST_SCRIPTS = 32_000;

/**
 * The folder in which Node keeps n8n's compiled scripts from one start to the next, beside the n8n that they belong to. Before Node uses
 * one, it compares its own version, the user and the script's contents. If it cannot write to the folder, it does without.
 */
export async function compileCache(installation: N8nInstallation): Promise<string> {
  const cache = join(installation.folder, 'compile-cache');
  await mkdir(cache, { recursive: true, mode: 0o700 }).catch(only('EACCES', 'EPERM', 'EROFS'));
  const entries = async (folder: string): Promise<string[]> => (await readdir(folder).catch(only('ENOENT', 'EACCES'))) || [];
  // One folder for each version of Node and user.
  for (const name of await entries(cache)) {
    const scripts = await entries(join(cache, name));
    if (scripts.length > MOST_SCRIPTS) await rm(join(cache, name), { recursive: true, force: true, maxRetries: 3 });
  }
  return cache;
}
