/**
 * `node tools/build/make.ts <n8n, zapier, mcp, hosted, sdk or sandbox> <folder>`: makes a product in an empty folder. It runs in its own
 * process, so that the result depends only on the current sources, and not on anything that the caller has loaded or set.
 */
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { outputSchemas } from '../../n8n/adapter/outputSchemas.ts';
import { mustRun } from '../process/command.ts';
import { root } from '../root.cjs';
import { makeHosted } from './hosted.ts';
import { makeMcp } from './mcp.ts';
import { buildPackage } from './n8nPackage.ts';
import { makeSandbox } from './sandbox.ts';
import { makeSdk } from './sdk.ts';
import { makeZapier } from './zapier.ts';

const makeN8n = (folder: string): Promise<void> => buildPackage(join(root, 'n8n'), outputSchemas(), join(folder, 'dist'));

/** Makes and packs a package as its users install it. @param make adds `dist` and the package's other files */
const packed = (part: string, make: (folder: string) => Promise<void>) => async (folder: string) => {
  await mkdir(folder, { recursive: true });
  for (const file of ['package.json', 'README.md']) await cp(join(root, part, file), join(folder, file));
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  await make(folder);
  await mustRun('npm', ['pack', '--pack-destination', folder], { cwd: folder });
};

const makers: Partial<Record<string, (folder: string) => Promise<void>>> = {
  n8n: packed('n8n', makeN8n),
  zapier: makeZapier,
  mcp: packed('mcp', makeMcp),
  hosted: packed('hosted', makeHosted),
  sdk: packed('sdk', makeSdk),
  sandbox: packed('sandbox', makeSandbox),
};

process.umask(0o022);
const [name = '', folder = ''] = process.argv.slice(2);
try {
  await makers[name]?.(folder);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
