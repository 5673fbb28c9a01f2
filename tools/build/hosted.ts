import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../root.cjs';
import own from '../../hosted/package.json' with { type: 'json' };
import { bundleServer } from './mcp.ts';

/** Makes `dist` of the MCP server for many users. The packages in its manifest are installed separately, and everything else is bundled. */
export async function makeHosted(folder: string): Promise<void> {
  const { devDependencies: _types, overrides: _ofTypes, ...manifest } = own;
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await bundleServer(folder, join(root, 'hosted'), { target: 'node22', external: Object.keys(manifest.dependencies) });
}
