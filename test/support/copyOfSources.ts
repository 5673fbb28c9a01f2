import { cp, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun } from '../../tools/process/command.ts';
import { root } from '../../tools/root.cjs';

/**
 * A copy of the project in a temporary folder, with the packages of this one: what is changed and built there is nobody else's. It lacks what
 * is built here, because `npm run build` may be at it.
 *
 * @returns the folder
 */
export async function copyOfSources(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'copy-of-sources-'));
  const files = await mustRun('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root });
  // Files that are moved while this runs are listed but may not exist.
  for (const file of files.trim().split('\n'))
    await cp(join(root, file), join(folder, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  return folder;
}
