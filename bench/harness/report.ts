import { cpus, loadavg } from 'node:os';
import type { Line } from './lines.ts';

/** The lines of one row of the suite. */
export interface RowResult {
  row: string;
  title: string;
  lines: Line[];
}

/** Where and under what load the figures were measured. */
export interface Machine {
  processor: string;
  cores: number;
  node: string;
  loadBefore: number;
  loadAfter: number;
}

/** The average load of the last minute, as the system reports it. */
export const load = (): number => Number((loadavg()[0] ?? 0).toFixed(2));

export const machine = (loadBefore: number): Machine => ({
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  node: process.version,
  loadBefore,
  loadAfter: load(),
});
