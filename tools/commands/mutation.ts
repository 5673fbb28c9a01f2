/** `npm run mutation`: changes the code that ships, one place at a time, and counts the changes that no test notices. */
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { accepted } from '../check/mutation/accepted.ts';
import { about, outdated, shares, unnoticed, type Report } from '../check/mutation/report.ts';
import { folders, testFiles } from '../check/mutation/scope.ts';
import { carryOutCommand } from '../commandLine/command.ts';
import { flag, list, Refused } from '../commandLine/options.ts';
import { runCommand } from '../process/command.ts';
import { root } from '../root.cjs';
import { table } from '../start/table.ts';

const command = {
  name: 'npm run mutation',
  does: 'changes the code that ships, one place at a time, and counts the changes that no test notices. The first run may take an hour or more.',
  options: {
    all: flag('Asks about every change, also where neither the source nor a test has changed since the last run.'),
    tests: list('<part of a path>', 'Only these tests judge, for a quick answer while you write one.'),
  },
  words: { value: '<source>', says: 'Only these sources, such as shared/api or n8n/adapter/claims.ts.' },
  examples: [
    ['npm run mutation', 'Everything that ships.'],
    ['npm run mutation -- shared/webhooks zapier', 'Two folders of it.'],
    ['npm run mutation -- shared/time.ts --tests shared/time', 'One source, judged by one test.'],
  ],
  more: [
    'A later run asks only about changed lines, and about what changed tests may notice. What other sources and helpers of tests do to an answer is not followed: --all asks again.',
    'What no test can notice is listed with its reason in tools/check/mutation/accepted.',
  ],
} as const;

const reportFile = join(root, '.local', 'mutation', 'report.json');
const stryker = join(createRequire(import.meta.url).resolve('@stryker-mutator/core'), '..', '..', '..', 'bin', 'stryker.js');

await carryOutCommand(command, async ({ values: { all, tests }, words: typed }) => {
  const words = typed.map((path) => path.replace(/\/+$/, ''));
  const unknown = words.filter((path) => !folders.some((folder) => `${path}/`.startsWith(`${folder}/`)) || !existsSync(join(root, path)));
  if (unknown.length > 0) throw new Refused(`Nothing that ships is named ${unknown.join(' or ')}. What ships is in ${folders.join(', ')}.`);
  if (tests.length > 0 && (await testFiles(root, tests)).length === 0)
    throw new Refused(`No test that can judge is named ${tests.join(' or ')}. Tests that start other programs cannot.`);
  // The result of an earlier count must not be taken for this one.
  await rm(reportFile, { force: true });
  const only = words.length === 0 ? [] : ['--mutate', words.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.ts`)).join(',')];
  let saidAt = 0;
  const onLine = (line: string): void => {
    const isProgress = line.startsWith('Mutation testing');
    if (!isProgress && !line.includes(' INFO ')) return;
    if (isProgress && performance.now() - saidAt < 5_000) return;
    if (isProgress) saidAt = performance.now();
    console.log(line.replace(/^.* INFO \S+ /, ''));
  };
  const { code, output } = await runCommand(process.execPath, [stryker, 'run', ...only, ...(all ? ['--force'] : [])], {
    cwd: root,
    env: tests.length === 0 ? {} : { MUTATION_TESTS: tests.join(',') },
    onLine,
  });
  const report = await readFile(reportFile, 'utf8').then(
    (text) => JSON.parse(text) as Report,
    () => undefined,
  );
  if (report === undefined) throw new Error(`The changes were not counted (${code}):\n${output.slice(-3000)}`);
  const asked = about(report, words);
  const left = unnoticed(asked, accepted);
  for (const { file, line, code: from, instead, why } of left)
    console.log(`  left: ${file}:${line} ${cut(from)} → ${cut(instead)}${why === undefined ? '' : ` (${why})`}`);
  const counted = shares(asked);
  const percent = (noticed: number, all: number): string => `${((100 * noticed) / all).toFixed(1)} %`;
  console.log(
    table(
      ['Where', 'Noticed', '', 'Wanted'],
      counted.map(({ name, noticed, all, wanted }) => [name, `${noticed} of ${all}`, percent(noticed, all), `${wanted} %`]),
    ),
  );
  const below = counted.filter(({ noticed, all, wanted }) => 100 * noticed < wanted * all).map(({ name }) => name);
  const old = outdated(accepted, left, asked);
  if (old.length > 0) throw new Error(`These are listed as unnoticed, and are noticed, or gone:\n${old.join('\n')}`);
  if (below.length > 0) throw new Error(`Too few changes are noticed in ${below.join(', ')}.`);
});

function cut(code: string): string {
  return code.length > 90 ? `${code.slice(0, 90)}…` : code;
}
