import { chmod, cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../root.cjs';
import { licencesOf } from './licences.ts';
import { sandboxName } from './products.ts';
import { declarationsOf } from './sdkDeclarations.ts';

const sources = join(root, 'sandbox');

/** Older versions of Node.js would only say that there is no such module. */
const needsSqlite = (otherwise: string): string =>
  `if (!process.getBuiltinModule?.('node:sqlite')) { const message = 'The sandbox needs Node.js 22.13 or newer. This is ' + process.version + '.'; ${otherwise} }`;

/** What the pages of the host load, from the folder of the program. */
const assets = ['style.css', 'icon.svg', 'live.mjs'];

/**
 * Makes `dist` of the sandbox. It needs nothing else to be installed, and is CommonJS alone, which every test runner and both kinds of
 * modules can load.
 */
export async function makeSandbox(folder: string): Promise<void> {
  const dist = join(folder, 'dist');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { index: 'sandbox/index.ts', main: 'tools/commands/sandbox.ts' },
    define: { 'process.env.SANDBOX_COMMAND': JSON.stringify(`npx ${sandboxName}`) },
    outdir: dist,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    minify: true,
    charset: 'utf8',
    banner: { js: needsSqlite('throw new Error(message);') },
    metafile: true,
    logLevel: 'error',
  });
  const program = join(dist, 'main.cjs');
  await writeFile(
    program,
    `#!/usr/bin/env node\n${needsSqlite('console.error(message); process.exit(1);')}\n${await readFile(program, 'utf8')}`,
  );
  await chmod(program, 0o755);
  for (const asset of assets) await cp(join(sources, 'hostPage', 'assets', asset), join(dist, asset));
  await writeFile(join(dist, 'LICENSES.txt'), await licencesOf(root, Object.keys(metafile.inputs)));
  await declarationsOf(dist, { index: 'index.ts' }, 'sandbox');
}
