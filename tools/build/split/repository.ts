import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import own from '../../../n8n/package.json' with { type: 'json' };
import project from '../../../package.json' with { type: 'json' };
import compiler from '../../../tsconfig.json' with { type: 'json' };
import { mustRun } from '../../process/command.ts';
import { root } from '../../root.cjs';

/** The tools that the package needs to build, lint and scan on its own, in the versions with which this project tests. */
const tools = [
  '@n8n/node-cli',
  '@n8n/scan-community-package',
  '@types/luxon',
  '@types/node',
  'esbuild',
  'eslint',
  'luxon',
  'n8n-workflow',
  'typescript',
  'zod',
] as const;

/**
 * Writes the n8n package as a separate repository: its sources, the core that they use, and the scripts that build, lint, scan and publish
 * it.
 *
 * @param folder where to write; files of an earlier split are replaced, and all others (its .git, its own files) are kept
 */
export async function splitN8n(folder: string): Promise<void> {
  for (const part of ['nodes', 'credentials', 'adapter', 'icons', 'examples', 'shared', 'scripts'])
    await rm(join(folder, part), { recursive: true, force: true });
  for await (const file of glob(['{nodes,credentials,adapter,icons,examples}/**/*.*', 'README.md', 'eslint.config.mjs'], {
    cwd: join(root, 'n8n'),
  }))
    await copy(join('n8n', file), folder, file);
  // The core's files become .mts, so that n8n's rules for nodes do not apply to them. As part of the build, they are scanned anyway.
  for await (const file of glob('shared/{**/*.ts,time/*.json}', { cwd: root })) await copy(file, folder, file.replace(/ts$/, 'mts'));
  for (const file of ['brand.json', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md']) await copy(file, folder, file);
  const here = import.meta.dirname;
  await cp(join(here, 'scripts'), join(folder, 'scripts'), { recursive: true });
  await cp(join(here, 'CONTRIBUTING.md'), join(folder, 'CONTRIBUTING.md'));
  await cp(join(here, 'publish.yml'), join(folder, '.github', 'workflows', 'publish.yml'));
  await copy(join('tools', 'build', 'n8nPackage.ts'), folder, 'scripts/package.mts');

  await write(folder, 'package.json', manifest());
  await write(folder, 'tsconfig.json', tsconfig());
  await write(folder, 'scripts/overrides.json', printed(project.overrides));
  await cp(join(root, 'tools', 'stubs', 'ai-node-sdk'), join(folder, 'scripts', 'ai-node-sdk'), { recursive: true });
  // No tool needs compiling for these tasks.
  await write(folder, '.npmrc', 'ignore-scripts=true\n');
  // Reduces the project's own lock file to what these tools need.
  await cp(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
  await mustRun(
    process.execPath,
    ['scripts/install.mjs', 'install', '--package-lock-only', '--prefer-offline', '--no-audit', '--no-fund'],
    { cwd: folder },
  );
  await write(folder, '.gitignore', 'node_modules/\ndist/\ndist.partial/\n*.tgz\nrelease/\n');
}

/** Copies a file. In a text, the paths to the core become one folder shorter, and links that would lead nowhere become plain text. */
async function copy(from: string, folder: string, to: string): Promise<void> {
  const source = join(root, from);
  if (/\.md$|ts$/.test(to)) await write(folder, to, changes[extname(to)]?.(await readFile(source, 'utf8')) ?? '');
  else await cp(source, join(folder, to), { recursive: true });
}

const changes: Record<string, (text: string) => string> = {
  '.ts': (text) => text.replaceAll(/'\.\.\/((?:\.\.\/)+shared\/[^']+)\.ts'/g, "'$1.mts'"),
  // In .mts files, a type parameter of an arrow function needs a comma.
  '.mts': (text) => text.replaceAll(/(?<=from '\.[^']+\.)ts(?=')/g, 'mts').replaceAll(/(?<== )<(\w+)>\(/g, '<$1,>('),
  '.md': (text) => text.replaceAll(/\[([^\]]+)\]\((?!https?:|#|examples\/)[^)]*\)/g, '$1'),
};

const printed = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

function manifest(): string {
  const pinned = Object.fromEntries(tools.map((name) => [name, project.devDependencies[name]]));
  const scripts = { build: 'node scripts/build.mjs', types: 'tsc', lint: 'n8n-node lint', scan: 'node scripts/scan.mjs' };
  return printed({ ...own, engines: { node: '>=24' }, scripts, devDependencies: pinned });
}

const tsconfig = (): string =>
  printed({
    compilerOptions: { ...compiler.compilerOptions, types: ['node'], paths: undefined },
    include: ['nodes', 'credentials', 'adapter'],
  });

async function write(folder: string, file: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
}
