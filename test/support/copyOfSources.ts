import { mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun } from '../../tools/process/command.ts';
import { root } from '../../tools/root.cjs';

/** Files that are moved meanwhile are listed but do not exist. For those, tar only prints a message. */
const copied = 'git ls-files -z --cached --others --exclude-standard | tar -c -f - --null -T - 2>/dev/null | tar -x -f - -C "$1"';

/**
 * Copies the project to a temporary folder that shares its packages, so that changes and builds there affect nobody else. What is built
 * here is left out, because `npm run build` may be running.
 *
 * @returns the folder
 */
export async function copyOfSources(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'copy-of-sources-'));
  await mustRun('sh', ['-c', copied, 'sh', folder], { cwd: root });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  return folder;
}
