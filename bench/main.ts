/**
 * `npm run bench` compares the connector side by side with the theoretical limit and with what users could choose instead. It prints one
 * table and writes the tables of `docs/evidence/performance.md`.
 */
import { join } from 'node:path';
import { flag, oneOf, runProgram } from '../tools/commandLine/command.ts';
import { root } from '../tools/root.cjs';
import { asMarkdown, writeInto } from './harness/document.ts';
import { load, machine, type RowResult } from './harness/report.ts';
import { rows, type Row } from './rows/index.ts';

const names = rows.map(({ name }) => name);

const command = {
  name: 'npm run bench',
  does: 'measures the speed of the connector and of its alternatives side by side. A run of all rows writes the tables of docs/evidence/performance.md.',
  options: {
    row: oneOf('<name>', `Measures this row alone, and writes nothing: ${names.join(', ')}.`, names, 'row'),
    write: flag('With --row: writes these rows in place of the earlier ones.'),
  },
  examples: [
    ['npm run bench', 'Every row. Do not use the machine in the meantime.'],
    ['npm run bench -- --row listing --row polling', 'Two rows.'],
    ['npm run bench -- --row bulk --write', 'One row, and writes it.'],
  ],
} as const;

async function measured({ name, title, run }: Row): Promise<RowResult> {
  process.stderr.write(`${title} ...\n`);
  return { row: name, title, lines: await run() };
}

await runProgram(command, async ({ values: { row, write } }) => {
  const chosen = row.length === 0 ? rows : rows.filter(({ name }) => row.includes(name));
  const loadBefore = load();
  const results: RowResult[] = [];
  for (const row of chosen) results.push(await measured(row));

  const measuredOn = machine(loadBefore);
  console.log(results.map((result) => asMarkdown(result, measuredOn)).join('\n\n'));
  if (row.length === 0 || write) await writeInto(join(root, 'docs', 'evidence', 'performance.md'), results, measuredOn);

  const missed = results.flatMap(({ lines }) => lines).filter(({ met, beyond }) => met === false && beyond !== true);
  if (missed.length > 0) {
    console.log(`\n${missed.length} targets are not met and not explained: ${missed.map(({ what }) => what).join('; ')}.`);
    return 1;
  }
  return 0;
});
