import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import type { Line } from './lines.ts';

/** The lines of one row of the suite, and how long they took to measure. */
export interface RowResult {
  row: string;
  title: string;
  seconds: number;
  lines: Line[];
  /** When and where a row was measured, if it was run by itself after all the others. */
  taken?: Taken;
}

export interface Taken {
  at: string;
  machine: Machine;
}

export interface Results extends Taken {
  rows: RowResult[];
}

/** Where and under what load the figures were measured. */
export interface Machine {
  processor: string;
  cores: number;
  memoryGB: number;
  node: string;
  platform: string;
  loadBefore: number;
  loadAfter: number;
}

/** The average load of the last minute, as the system reports it. */
export const load = (): number => Number((loadavg()[0] ?? 0).toFixed(2));

export const machine = (loadBefore: number): Machine => ({
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGB: Math.round(totalmem() / 1024 ** 3),
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  loadBefore,
  loadAfter: load(),
});

const verdict = ({ met, beyond }: Line) => (met === undefined ? '' : met ? 'met' : beyond ? 'not met, see below' : 'NOT MET');

/** The table as people read it on a terminal, with notes under their lines. */
export function table(rows: readonly RowResult[]): string {
  const header = ['what', 'ours', 'peer or limit', 'ratio', 'target', ''];
  const cells = rows.map(({ lines }) => lines.map((line) => [line.what, line.ours, line.against, line.figure, line.target, verdict(line)]));
  const widths = header.map((name, column) => Math.max(name.length, ...cells.flat().map((line) => line[column]?.length ?? 0)));
  const spaced = (line: readonly string[]) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return rows
    .flatMap(({ row, title, seconds, lines }, index) => [
      '',
      `${title}  [${row}, ${seconds.toFixed(0)} s]`,
      spaced(header),
      ...lines.flatMap((line, at) => [spaced(cells[index]?.[at] ?? []), ...(line.note === undefined ? [] : [`    ${line.note}`])]),
    ])
    .join('\n');
}

/** All results, in which newly measured rows replace the earlier ones. A row that was not there before comes last. */
export function withRows({ rows, ...taken }: Results, anew: readonly RowResult[], takenAnew: Taken): Results {
  const fresh = anew.map((row) => ({ ...row, taken: takenAnew }));
  const isNew = ({ row }: RowResult): boolean => rows.every((each) => each.row !== row);
  return { ...taken, rows: [...rows.map((each) => fresh.find(({ row }) => row === each.row) ?? each), ...fresh.filter(isNew)] };
}

export const readResults = async (file: string): Promise<Results> => JSON.parse(await readFile(file, 'utf8')) as Results;

/**
 * Writes the results, one row per line.
 *
 * @param file is overwritten completely
 */
export async function writeResults(file: string, results: Results): Promise<void> {
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
}
