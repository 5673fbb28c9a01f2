/** `npm run mutation`: changes critical code one place at a time, and counts the changes that no test notices. */
import { readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { carryOutCommand } from '../commandLine/command.ts';
import { Refused } from '../commandLine/options.ts';
import { runCommand } from '../process/command.ts';
import { groups } from '../check/mutationGroups.mjs';
import { root } from '../root.cjs';
import { table } from '../start/table.ts';

const command = {
  name: 'npm run mutation',
  does: 'changes critical code one place at a time and counts the changes that no test notices. It takes hours.',
  options: {},
  words: { value: '<group>', says: `Only these groups: ${Object.keys(groups).join(', ')}.` },
  examples: [
    ['npm run mutation', 'Every group.'],
    ['npm run mutation -- deliveries limits', 'Two of them.'],
  ],
} as const;

/** How many of a hundred changes the tests of a group must notice. Some changes have no effect, so no test can notice them. */
const wanted = 97;

interface Mutant {
  status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'CompileError' | 'RuntimeError' | 'Ignored' | 'Pending';
  mutatorName: string;
  replacement?: string;
  location: { start: { line: number } };
}

const stryker = join(createRequire(import.meta.url).resolve('@stryker-mutator/core'), '..', '..', '..', 'bin', 'stryker.js');

await carryOutCommand(command, async ({ words: chosen }) => {
  const unknown = chosen.filter((name) => !Object.hasOwn(groups, name));
  if (unknown.length > 0) throw new Refused(`No group is named ${unknown.join(' or ')}. There are: ${Object.keys(groups).join(', ')}.`);
  const rows: string[][] = [];
  let missed = 0;
  for (const name of chosen.length > 0 ? chosen : Object.keys(groups)) {
    const env = { MUTATION_GROUP: name };
    // The result of an earlier count must not be taken for this one.
    await rm(reportOf(name), { force: true });
    let saidAt = 0;
    const onLine = (line: string): void => {
      if (!line.startsWith('Mutation testing') || performance.now() - saidAt < 5_000) return;
      saidAt = performance.now();
      console.log(`${name}: ${line}`);
    };
    const { code, output } = await runCommand(process.execPath, [stryker, 'run'], { cwd: root, env, onLine });
    const report = await readReport(name);
    if (report === undefined) throw new Error(`The group ${name} was not counted (${code}):\n${output.slice(-3000)}`);
    const whole = { noticed: 0, all: 0 };
    for (const [file, mutants] of report) {
      const noticed = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
      const left = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
      const all = noticed + left.length;
      whole.noticed += noticed;
      whole.all += all;
      rows.push([name, file, `${noticed} of ${all}`, percent(noticed, all)]);
      for (const { mutatorName, replacement = '', location } of left)
        console.log(`  left: ${file}:${location.start.line} ${mutatorName}: ${replacement.replace(/\s+/g, ' ').slice(0, 120)}`);
    }
    rows.push([name, 'whole', `${whole.noticed} of ${whole.all}`, percent(whole.noticed, whole.all)]);
    if (100 * whole.noticed < wanted * whole.all) missed += 1;
  }
  console.log(table(['Group', 'File', 'Noticed', ''], rows));
  if (missed > 0) throw new Error(`${missed} of the groups ${missed === 1 ? 'is' : 'are'} below ${wanted} %.`);
});

function percent(noticed: number, all: number): string {
  return all === 0 ? '' : `${((100 * noticed) / all).toFixed(1)} %`;
}

function reportOf(group: string): string {
  return join(root, '.local', `mutation-${group}.json`);
}

async function readReport(group: string): Promise<[file: string, mutants: Mutant[]][] | undefined> {
  try {
    const { files } = JSON.parse(await readFile(reportOf(group), 'utf8')) as { files: Record<string, { mutants: Mutant[] }> };
    return Object.entries(files).map(([file, { mutants }]) => [file, mutants]);
  } catch {
    return undefined;
  }
}
