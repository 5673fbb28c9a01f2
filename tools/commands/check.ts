/** `npm run check`: every check of the sources that does not run them. */
import { cp, glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { n8nFolder, n8nTarball } from '../build/products.ts';
import { Refused, runProgram } from '../commandLine/command.ts';
import { localFolder, mustRun, runCommand } from '../process/command.ts';
import { sentenceOf } from '../process/sentence.cjs';
import { root } from '../root.cjs';

/** One check of the sources. `run` resolves if it passes, and otherwise rejects with what was found. */
interface Step {
  name: string;
  run: () => Promise<void>;
}

const n8n = join(root, 'n8n');
const tool = (name: string, ...path: string[]): string => join(root, 'node_modules', name, ...path);

// Each step loads what it needs: most calls run a few of them, and --help none.
const steps: Step[] = [
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
  {
    name: 'formatting: npm run format corrects it',
    run: () => mustPass([tool('prettier', 'bin', 'prettier.cjs'), '--list-different', '.']),
  },
  {
    name: 'lint, with the boundaries between the parts',
    run: () => mustPass([tool('eslint', 'bin', 'eslint.js'), '.', '--max-warnings', '0']),
  },
  { name: 'words that people read', run: async () => (await import('../check/words.ts')).checkWords(root) },
  { name: "n8n's own linter", run: () => lintN8n(n8n) },
  { name: "n8n's package scan, of the source", run: () => scan(n8n) },
  { name: "n8n's own linter and scan, of the computed descriptions as literals", run: lintComputed },
  { name: "n8n's package scan, of the packed tarball, which carries no zod", run: scanTarball },
  { name: "Zapier's schema validation", run: validateZapier },
  { name: 'generated files and documents are up to date', run: () => mustPass([join(root, 'tools', 'commands', 'docs.ts'), '--check']) },
  {
    name: "pictures of n8n's editor are up to date",
    run: () => mustPass([tool('jest', 'bin', 'jest.js'), 'test/n8n/golden', '-t', 'pictures']),
  },
];

async function mustPass(args: string[]): Promise<void> {
  const { code, output } = await runCommand(process.execPath, args, { cwd: root });
  if (code !== 0) throw new Error(output);
}

async function lintComputed(): Promise<void> {
  const built = await n8nFolder();
  await withinProject(async (folder) => {
    const { materialise } = await import('../check/materialised.ts');
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

/** n8n's package scan, which is published without types. A literal would be looked up by the compiler. */
const scanner: string = '@n8n/scan-community-package/scanner/scanner.mjs';
interface Scanner {
  SOURCE_FILE_PATTERNS: string[];
  analyzePackage: (folder: string, patterns: string[]) => Promise<{ passed: boolean; message?: string; details?: string }>;
}

/** @param patterns the files that n8n judges there; by default, those of a package's source */
async function scan(folder: string, patterns?: string[]): Promise<void> {
  const { analyzePackage, SOURCE_FILE_PATTERNS } = (await import(scanner)) as Scanner;
  const result = await analyzePackage(folder, patterns ?? SOURCE_FILE_PATTERNS);
  // The scan passes with "No files found to analyze". Here that is a failure.
  if (!result.passed || result.message !== undefined) throw new Error(result.details ?? result.message);
}

/** The n8n package as its users get it. */
async function scanTarball(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'n8n-package-'));
  try {
    await mustRun('tar', ['-xzf', await n8nTarball(), '-C', folder], { cwd: folder });
    await scan(join(folder, 'package'), ['**/*.js', 'package.json']);
    for await (const file of glob('package/dist/**/*.js', { cwd: folder }))
      if ((await readFile(join(folder, file), 'utf8')).includes('$ZodType'))
        throw new Error(`zod is bundled into ${file}: it must stay outside, as 'zod/v4', which n8n provides.`);
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

const names = steps.map(({ name }) => `  ${name}`).join('\n');

const command = {
  name: 'npm run check',
  does: 'checks the sources without running them.',
  options: {},
  words: { value: '<part>', says: 'Only the steps whose names contain one of these words.' },
  examples: [
    ['npm run check', 'Every step.'],
    ['npm run check -- types lint', 'The steps about types or lint.'],
  ],
  more: [`Steps:\n${names}`],
} as const;

// If NODE_ENV is "test", as inside jest, n8n's rules treat every file as a fixture of their own tests.
delete process.env.NODE_ENV;

await runProgram(command, async ({ words }) => {
  const chosen = steps.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  if (chosen.length === 0) throw new Refused(`There is no such step. The steps are:\n${names}`);

  const failed: string[] = [];
  for (const { name, run } of chosen) {
    const started = performance.now();
    const complaint = await run().then(
      () => undefined,
      (error: unknown) => sentenceOf(error),
    );
    if (complaint !== undefined) failed.push(name);
    console.log(
      `${complaint === undefined ? 'ok    ' : 'FAILED'} ${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${name}`,
    );
    if (complaint !== undefined) console.log(complaint.replace(/^/gm, '         '));
  }
  if (failed.length > 0) throw new Error(`check: ${failed.length} of ${chosen.length} failed: ${failed.join('; ')}`);
});
