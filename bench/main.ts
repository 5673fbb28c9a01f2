/**
 * `npm run bench`: how near the connector is to the limit, and what users could pick instead, side by side. Prints one table and writes
 * `bench/results.json` and the tables of `docs/PERFORMANCE.md`. `npm run bench -- --row listing --row growth` runs those rows alone and writes nothing;
 * with `--write` it puts them in the places of what was there of them.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { orRefuse } from '../tools/process/orRefuse.ts';
import { root } from '../tools/root.cjs';
import { asMarkdown, writeInto } from './harness/document.ts';
import { load, machine, readResults, table, withRows, writeResults, type RowResult } from './harness/report.ts';
import { rows, type Row } from './rows/index.ts';

/** @throws a sentence for a row that is not known */
function chosenRows(): { chosen: readonly Row[]; isWritten: boolean } {
  const { row: names, write } = parseArgs({
    options: { row: { type: 'string', multiple: true, default: [] }, write: { type: 'boolean', default: false } },
  }).values;
  const unknown = names.find((name) => !rows.some((row) => row.name === name));
  if (unknown !== undefined) throw new Error(`There is no row "${unknown}". There are ${rows.map(({ name }) => name).join(', ')}.`);
  return names.length === 0
    ? { chosen: rows, isWritten: true }
    : { chosen: rows.filter(({ name }) => names.includes(name)), isWritten: write };
}

async function measured({ name, title, run }: Row): Promise<RowResult> {
  process.stderr.write(`${title} ...\n`);
  const started = performance.now();
  const lines = await run();
  return { row: name, title, seconds: (performance.now() - started) / 1000, lines };
}

async function main(): Promise<void> {
  const { chosen, isWritten } = orRefuse(chosenRows);
  const loadBefore = load();
  const results: RowResult[] = [];
  for (const row of chosen) results.push(await measured(row));

  const taken = { at: new Date().toISOString(), machine: machine(loadBefore) };
  const { processor, cores, node, loadAfter } = taken.machine;
  console.log(`${processor}, ${cores} cores, Node ${node}, load ${loadBefore} before and ${loadAfter} after\n${table(results)}`);
  if (isWritten) {
    const file = join(root, 'bench', 'results.json');
    const all = chosen.length === rows.length ? { ...taken, rows: results } : withRows(await readResults(file), results, taken);
    await writeResults(file, all);
    await writeInto(join(root, 'docs', 'PERFORMANCE.md'), asMarkdown(all));
  }

  const missed = results.flatMap(({ lines }) => lines).filter(({ met, beyond }) => met === false && beyond !== true);
  if (missed.length > 0) {
    console.log(`\n${missed.length} targets are not met and not explained: ${missed.map(({ what }) => what).join('; ')}.`);
    process.exitCode = 1;
  }
}

await main();
