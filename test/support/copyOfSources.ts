import { mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun } from '../../tools/process/command.ts';
import { root } from '../../tools/root.cjs';

/** Of files that are moved while this runs, which are listed but do not exist, tar only says so. */
const copied = 'git ls-files -z --cached --others --exclude-standard | tar -c -f - --null -T - 2>/dev/null | tar -x -f - -C "$1"';

/**
 * A copy of the project in a temporary folder, with the packages of this one: what is changed and built there is nobody else's. It lacks what
 * is built here, because `npm run build` may be at it.
 *
 * @returns the folder
 */
export async function copyOfSources(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'copy-of-sources-'));
  await mustRun('sh', ['-c', copied, 'sh', folder], { cwd: root });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  return folder;
}
