import { cp, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../tools/root.cjs';

/** All that commands and builds read. */
const parts = [
  'shared',
  'zapier',
  'n8n',
  'mcp',
  'sdk',
  'tools',
  'brand.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'eslint.config.mjs',
  '.prettierrc.json',
  '.prettierignore',
];

/**
 * A copy of the sources in a temporary folder, with the packages of this project: what is changed and built there is nobody else's.
 * It lacks what is built here, because `npm run build` may be at it.
 *
 * @param more what else is copied: what tests and documents read
 * @returns the folder
 */
export async function copyOfSources(more: readonly string[] = []): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'copy-of-sources-'));
  for (const part of [...parts, ...more])
    await cp(join(root, part), join(folder, part), {
      recursive: true,
      filter: (file) => !/[\\/](dist|zapier[\\/]build|node_modules)$/.test(file),
    });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  return folder;
}
