import { cpus, loadavg, totalmem } from 'node:os';
import type { Line } from './lines.ts';

/** The lines of one row of the suite, and how long they took to measure. */
export interface RowResult {
  row: string;
  title: string;
  seconds: number;
  lines: Line[];
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
