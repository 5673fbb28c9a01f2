import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../root.cjs';
import { sandboxName } from './products.ts';
import { bundleProgram } from './program.ts';
import { declarationsOf } from './sdkDeclarations.ts';

const sources = join(root, 'sandbox');

/** Without this check, older versions of Node.js would only say that a module is missing. */
const needsSqlite = (otherwise: string): string =>
  `if (!process.getBuiltinModule?.('node:sqlite')) { const message = 'The sandbox needs Node.js 22.13 or newer. This is ' + process.version + '.'; ${otherwise} }`;

/**
 * Makes `dist` of the sandbox. It has no dependencies, and is only CommonJS, which every test runner and both kinds of modules can load.
 */
export async function makeSandbox(folder: string): Promise<void> {
  const dist = join(folder, 'dist');
  const program = join(dist, 'main.cjs');
  await bundleProgram(program, root, {
    entryPoints: { index: 'sandbox/index.ts', main: 'tools/commands/sandbox.ts', style: 'sandbox/hostPage/assets/style.css' },
    define: { 'process.env.SANDBOX_COMMAND': JSON.stringify(`npx ${sandboxName}`) },
    outdir: dist,
    outExtension: { '.js': '.cjs' },
    target: 'node22',
    format: 'cjs',
    banner: { js: needsSqlite('throw new Error(message);') },
  });
  const start = `#!/usr/bin/env node\n${needsSqlite('console.error(message); process.exit(1);')}\n`;
  await writeFile(program, start + (await readFile(program, 'utf8')));
  await cp(join(sources, 'hostPage', 'assets', 'icon.svg'), join(dist, 'icon.svg'));
  await declarationsOf(dist, { index: 'index.ts' }, 'sandbox');
}
