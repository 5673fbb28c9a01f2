/** `npm run check`: every check of the sources that does not run them. */
import { glob, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { builtFolder } from '../build/products.ts';
import { Misuse, runProgram } from '../commandLine/command.ts';
import { localFolder, runCommand } from '../process/command.ts';
import { sentenceOf } from '../process/sentence.cjs';
import { root } from '../root.cjs';
import { Progress } from '../start/progress.ts';

const n8n = join(root, 'n8n');
const tool = (name: string, ...path: string[]): string => join(root, 'node_modules', name, ...path);

/** The MCP server for many users has its own packages, which only these checks and its tests need. */
const withHosted = (check: () => Promise<void>) => async (): Promise<void> => {
  await (await import('../rigs/mcp/hosted.ts')).installHosted();
  await check();
};

/** The file in which a tool caches its findings about unchanged files. */
const kept = (name: string): string => join(root, '.local', 'check', `${name}.json`);

/** The compiler itself knows which files must be checked again. */
const types = (project: string) =>
  passes([
    ...[tool('typescript-7', 'bin', 'tsc'), '--pretty', 'false', '--project', project],
    ...['--incremental', '--tsBuildInfoFile', kept(`types-${basename(join(root, project))}`)],
  ]);

/**
 * Options with which a tool checks only changed files. Not in CI, because a rule that reads types can find something in a file after
 * another one has changed.
 */
const onlyChanged = (name: string): string[] =>
  process.env['CI'] === undefined ? ['--cache', '--cache-strategy', 'content', '--cache-location', kept(name)] : [];

/**
 * The checks by name. Each resolves if it passes, and otherwise rejects with its findings. Each loads what it needs: --help needs nothing.
 */
const steps: Record<string, () => Promise<void>> = {
  types: withHosted(types('.')),
  // The oldest supported n8n runs on Node 20, which lacks the functions of ES2024. A bundler can replace new syntax, but not missing
  // functions.
  'types of what runs in every supported n8n, and as the MCP server': types('shared'),
  'formatting: npm run format corrects it': passes([
    tool('prettier', 'bin', 'prettier.cjs'),
    '--list-different',
    '.',
    ...onlyChanged('formatting'),
  ]),
  'lint, with the boundaries between the parts': withHosted(
    passes([tool('eslint', 'bin', 'eslint.js'), '.', '--max-warnings', '0', ...onlyChanged('lint')]),
  ),
  'words that people read': async () => (await import('../check/words.ts')).checkWords(root),
  "n8n's own linter": () => lintN8n(n8n),
  "n8n's package scan, of the source": () => scan(n8n),
  "n8n's own linter and scan, of the computed descriptions as literals": lintComputed,
  "n8n's package scan, of the built package, which carries no zod": scanBuilt,
  "Zapier's schema validation": validateZapier,
  'generated files and documents are up to date': passes([join(root, 'tools', 'commands', 'docs.ts'), '--check']),
  "pictures of n8n's editor are up to date": checkPictures,
};

/** A check by a program, which must exit with 0. */
function passes(args: string[]): () => Promise<void> {
  return async () => {
    const { code, output } = await runCommand(process.execPath, args, { cwd: root });
    if (code !== 0) throw new Error(output);
  };
}

async function lintComputed(): Promise<void> {
  const folder = await localFolder('check-');
  try {
    const { materialise } = await import('../check/materialised.ts');
    await materialise(await builtFolder('n8n'), folder);
    await lintN8n(folder);
    await scan(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function lintN8n(folder: string): Promise<void> {
  const { code, output } = await runCommand(process.execPath, [tool('@n8n/node-cli', 'bin', 'n8n-node.mjs'), 'lint'], { cwd: folder });
  // The tool also passes with warnings, but n8n verifies only packages without any.
  if (code !== 0 || /\d+ problems?/.test(output)) throw new Error(output);
}

/** n8n's package scan, which is published without types. The compiler would look up a literal. */
const scanner: string = '@n8n/scan-community-package/scanner/scanner.mjs';
interface Scanner {
  SOURCE_FILE_PATTERNS: string[];
  analyzePackage: (folder: string, patterns: string[]) => Promise<{ passed: boolean; message?: string; details?: string }>;
}

/** @param patterns the files to scan; by default, those of a package's source */
async function scan(folder: string, patterns?: string[]): Promise<void> {
  const { analyzePackage, SOURCE_FILE_PATTERNS } = (await import(scanner)) as Scanner;
  const result = await analyzePackage(folder, patterns ?? SOURCE_FILE_PATTERNS);
  // The scan passes with "No files found to analyze", which counts as a failure here.
  if (!result.passed || result.message !== undefined) throw new Error(result.details ?? result.message);
}

async function scanBuilt(): Promise<void> {
  const folder = await builtFolder('n8n');
  await scan(folder, ['dist/**/*.js', 'package.json']);
  for await (const file of glob('dist/**/*.js', { cwd: folder }))
    if ((await readFile(join(folder, file), 'utf8')).includes('$ZodType'))
      throw new Error(`zod is bundled into ${file}: it must stay outside, as 'zod/v4', which n8n provides.`);
}

async function validateZapier(): Promise<void> {
  const { zapierCli } = await import('../build/zapier.ts');
  const { code, output } = await zapierCli(['validate', '--without-style', '--skip-build'], await builtFolder('zapier'));
  if (code !== 0) throw new Error(output);
}

async function checkPictures(): Promise<void> {
  const { showOtherName, takePictures } = await import('../check/pictures.ts');
  if (await showOtherName())
    return console.log(`         To be taken under the new name:\n           ${takePictures.join('\n           ')}`);
  await passes([tool('jest', 'bin', 'jest.js'), 'test/n8n/golden', '-t', 'pictures'])();
}

const command = {
  name: 'npm run check',
  does: 'checks the sources without running them.',
  options: {},
  words: { value: '<part>', says: 'Only the steps whose names contain one of these words.' },
  examples: [
    ['npm run check', 'Every step.'],
    ['npm run check -- types lint', 'The steps about types or lint.'],
  ],
  more: [`Steps:\n  ${Object.keys(steps).join('\n  ')}`],
} as const;

// With NODE_ENV "test", as inside jest, n8n's rules treat every file as a fixture of their own tests.
delete process.env.NODE_ENV;

await runProgram(command, async ({ words }) => {
  const chosen = Object.entries(steps).filter(([name]) => words.length === 0 || words.some((word) => name.includes(word)));
  if (chosen.length === 0) throw new Misuse('There is no such step.');

  const failed: string[] = [];
  const progress = new Progress();
  // Two at a time, because most are programs that use one processor.
  const left = chosen.values();
  const work = async (): Promise<void> => {
    for (const [name, run] of left)
      await progress.step(name, run).catch((error: unknown) => {
        failed.push(name);
        console.log(sentenceOf(error).replace(/^/gm, '         '));
      });
  };
  await Promise.all([work(), work()]);
  if (failed.length > 0) throw new Error(`check: ${failed.length} of ${chosen.length} failed: ${failed.join('; ')}`);
});
