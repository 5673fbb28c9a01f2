import { cp, glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/v4';
import { n8nFolder, n8nTarball } from '../build/products.ts';
import { mustRun, runCommand } from '../process/command.ts';
import { localFolder } from '../process/localFolder.ts';
import { root } from '../root.cjs';

/** One check of the sources. `run` resolves if it passes, and otherwise rejects with what was found. */
export interface Step {
  name: string;
  run: () => Promise<void>;
}

const n8n = join(root, 'n8n');
const tool = (name: string, ...path: string[]): string => join(root, 'node_modules', name, ...path);

// Each step loads what it needs: most calls run a few of them, and --help none.
export const steps: Step[] = [
  { name: 'types', run: () => mustPass([tool('typescript-7', 'bin', 'tsc'), '--pretty', 'false']) },
  {
    name: 'types of what runs in a browser',
    run: () => mustPass([tool('typescript-7', 'bin', 'tsc'), '--pretty', 'false', '--project', 'sandbox/hostPage/assets']),
  },
  // The oldest n8n that the package supports runs on Node 20, without the functions of ES2024. A bundler can replace new syntax, but not
  // missing functions.
  {
    name: 'types of what runs in every supported n8n, and as the MCP server',
    run: () => mustPass([tool('typescript-7', 'bin', 'tsc'), '--pretty', 'false', '--project', 'shared']),
  },
  { name: 'formatting', run: formatted },
  {
    name: 'lint, with the boundaries between the parts',
    run: () => mustPass([tool('eslint', 'bin', 'eslint.js'), '.', '--max-warnings', '0']),
  },
  { name: 'words that people read', run: async () => (await import('./words.ts')).checkWords(root) },
  { name: "n8n's own linter", run: () => lintN8n(n8n) },
  { name: "n8n's package scan, of the source", run: () => scan(n8n) },
  { name: "n8n's own linter and scan, of the computed descriptions as literals", run: lintComputed },
  { name: "n8n's package scan, of the packed tarball", run: scanTarball },
  { name: 'the n8n package depends on nothing and carries no zod', run: inspectN8nBundle },
  { name: "Zapier's schema validation", run: validateZapier },
  { name: 'generated files and documents are up to date', run: () => mustPass([join(root, 'tools', 'commands', 'docs.ts'), '--check']) },
  { name: "pictures of n8n's editor are up to date", run: () => mustPass([tool('jest', 'bin', 'jest.js'), 'test/n8n/pictures']) },
];

async function mustPass(args: string[]): Promise<void> {
  const { code, output } = await runCommand(process.execPath, args, { cwd: root });
  if (code !== 0) throw new Error(output);
}

async function formatted(): Promise<void> {
  const { code, output } = await runCommand(process.execPath, [tool('prettier', 'bin', 'prettier.cjs'), '--list-different', '.'], {
    cwd: root,
  });
  if (code !== 0) throw new Error(`${output.trim()}\nThese are not formatted: run npm run format.`);
}

async function lintComputed(): Promise<void> {
  const built = await n8nFolder();
  await withinProject(async (folder) => {
    const { materialise } = await import('./materialised.ts');
    await materialise(built, folder);
    await lintN8n(folder);
    await scan(folder);
  });
}

/** A temporary folder within the project, for tools that must find its packages. */
async function withinProject(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await localFolder('check-');
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function lintN8n(folder: string): Promise<void> {
  const { code, output } = await runCommand(process.execPath, [tool('@n8n/node-cli', 'bin', 'n8n-node.mjs'), 'lint'], { cwd: folder });
  // The tool also passes with warnings, but a package that n8n is to verify must have none.
  if (code !== 0 || /\d+ problems?/.test(output)) throw new Error(output);
}

/** @param patterns the files that n8n judges there; by default, those of a package's source */
async function scan(folder: string, patterns?: string[]): Promise<void> {
  const { analyzePackage, SOURCE_FILE_PATTERNS } = await import('@n8n/scan-community-package/scanner/scanner.mjs');
  const result = await analyzePackage(folder, patterns ?? SOURCE_FILE_PATTERNS);
  // The scan passes with "No files found to analyze". Here that is a failure.
  if (!result.passed || result.message !== undefined) throw new Error(result.details ?? result.message);
}

async function scanTarball(): Promise<void> {
  await withPackedN8n((folder) => scan(folder, ['**/*.js', 'package.json']));
}

async function inspectN8nBundle(): Promise<void> {
  await withPackedN8n(async (folder) => {
    const manifest = z
      .looseObject({ dependencies: z.record(z.string(), z.string()).optional() })
      .parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
    const dependencies = Object.keys(manifest.dependencies ?? {});
    if (dependencies.length > 0)
      throw new Error(`The package depends on ${dependencies.join(', ')}: n8n verifies packages without dependencies.`);
    for await (const file of glob('dist/**/*.js', { cwd: folder })) {
      const holdsZod = (await readFile(join(folder, file), 'utf8')).includes('$ZodType');
      if (holdsZod) throw new Error(`zod is bundled into ${file}: it must stay outside, as 'zod/v4', which n8n provides.`);
    }
  });
}

/** Unpacks the n8n package as its users get it. */
async function withPackedN8n(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'n8n-package-'));
  try {
    await mustRun('tar', ['-xzf', await n8nTarball(), '-C', folder], { cwd: folder });
    await work(join(folder, 'package'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function validateZapier(): Promise<void> {
  const { bundleZapier, zapierCli } = await import('../build/zapier.ts');
  await withinProject(async (folder) => {
    await cp(join(root, 'zapier', 'package.json'), join(folder, 'package.json'));
    await bundleZapier(folder);
    const { code, output } = await zapierCli(['validate', '--without-style', '--skip-build'], folder);
    if (code !== 0) throw new Error(output);
  });
}
