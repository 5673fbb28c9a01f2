/**
 * `npm run bench` measures the cost of polling, the server for many users compared with a bare one, and the package compared with its
 * peers.
 */
import { namesIn, runProgram, text } from '../tools/commandLine/command.ts';
import { asMarkdown, isMet, load, type RowResult } from './report.ts';
import { hosted } from './rows/hosted.ts';
import { sdk } from './rows/package.ts';
import { polling } from './rows/polling.ts';

const rows = [polling, hosted, sdk];
const names = rows.map(({ name }) => name);

const command = {
  name: 'npm run bench',
  does: 'measures what polling costs, the server for many users beside a bare one, and the package beside its peers. It prints the tables of docs/evidence/performance.md.',
  options: {
    row: { ...text('<name>', `Measures this row alone: ${names.join(', ')}.`), multiple: true },
  },
  examples: [
    ['npm run bench', 'Every row. Do not use the machine in the meantime.'],
    ['npm run bench -- --row polling', 'One row.'],
  ],
} as const;

await runProgram(command, async ({ values: { row } }) => {
  const loadBefore = load();
  const results: RowResult[] = [];
  const chosen = namesIn(row, names, 'row');
  for (const { name, title, run } of rows.filter(({ name }) => chosen.includes(name))) {
    process.stderr.write(`${title} ...\n`);
    results.push({ name, title, lines: await run() });
  }
  console.log(results.map((result) => asMarkdown(result, loadBefore)).join('\n\n'));

  const missed = results.flatMap(({ lines }) => lines).filter((line) => !isMet(line));
  if (missed.length === 0) return 0;
  console.log(`\n${missed.length} targets are not met: ${missed.map(({ what }) => what).join('; ')}.`);
  return 1;
});
