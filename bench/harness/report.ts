import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import type { Line } from './lines.ts';

/** The lines of one row of the suite, and how long they took. */
export interface RowResult {
  row: string;
  title: string;
  seconds: number;
  lines: Line[];
  /** When and where, for a row that was taken by itself after all the others. */
  taken?: Taken;
}

export interface Taken {
  at: string;
  machine: Machine;
}

export interface Results extends Taken {
  rows: RowResult[];
}

/** Where and under what load the figures were taken. */
export interface Machine {
  processor: string;
  cores: number;
  memoryGB: number;
  node: string;
  platform: string;
  loadBefore: number;
  loadAfter: number;
}

/** The load of the minute before, as the system counts it. */
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

/** The table as people read it on a terminal; notes stand under their lines. */
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

/** All results, with some rows taken anew in the places of what was there of them; a row that was not there comes last. */
export function withRows({ rows, ...taken }: Results, anew: readonly RowResult[], takenAnew: Taken): Results {
  const fresh = anew.map((row) => ({ ...row, taken: takenAnew }));
  const isNew = ({ row }: RowResult): boolean => rows.every((each) => each.row !== row);
  return { ...taken, rows: [...rows.map((each) => fresh.find(({ row }) => row === each.row) ?? each), ...fresh.filter(isNew)] };
}

export const readResults = async (file: string): Promise<Results> => JSON.parse(await readFile(file, 'utf8')) as Results;

/**
 * Writes the results, one row a piece.
 *
 * @param file what an earlier run wrote there is replaced as a whole
 */
export async function writeResults(file: string, results: Results): Promise<void> {
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
}
