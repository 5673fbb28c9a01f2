/**
 * `npm run bench` measures what polling costs, and the server for many users beside a bare one. It prints a table for each row, and writes
 * them into `docs/evidence/performance.md`.
 */
import { join } from 'node:path';
import { flag, namesIn, runProgram, text } from '../tools/commandLine/command.ts';
import { root } from '../tools/root.cjs';
import { asMarkdown, isMet, load, writeInto, type RowResult } from './report.ts';
import { hosted } from './rows/hosted.ts';
import { sdk } from './rows/package.ts';
import { polling } from './rows/polling.ts';

const rows = [polling, hosted, sdk];
const names = rows.map(({ name }) => name);

const command = {
  name: 'npm run bench',
  does: 'measures what polling costs, and the server for many users beside a bare one. A run of all rows writes the tables of docs/evidence/performance.md.',
  options: {
    row: { ...text('<name>', `Measures this row alone, and writes nothing: ${names.join(', ')}.`), multiple: true },
    write: flag('With --row: writes these rows in place of the earlier ones.'),
  },
  examples: [
    ['npm run bench', 'Every row. Do not use the machine in the meantime.'],
    ['npm run bench -- --row polling', 'One row.'],
    ['npm run bench -- --row polling --write', 'One row, and writes it.'],
  ],
} as const;

await runProgram(command, async ({ values: { row, write } }) => {
  const loadBefore = load();
  const results: RowResult[] = [];
  const chosen = namesIn(row, names, 'row');
  for (const { name, title, run } of rows.filter(({ name }) => chosen.includes(name))) {
    process.stderr.write(`${title} ...\n`);
    results.push({ name, title, lines: await run() });
  }
  const tables = new Map(results.map((result) => [result.name, asMarkdown(result, loadBefore)]));
  console.log([...tables.values()].join('\n\n'));
  if (row === undefined || write === true) await writeInto(join(root, 'docs', 'evidence', 'performance.md'), tables);

  const missed = results.flatMap(({ lines }) => lines).filter((line) => !isMet(line));
  if (missed.length === 0) return 0;
  console.log(`\n${missed.length} targets are not met: ${missed.map(({ what }) => what).join('; ')}.`);
  return 1;
});
