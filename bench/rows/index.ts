import type { Line } from '../harness/lines.ts';
import { bulk } from './bulk.ts';
import { calls } from './calls.ts';
import { endToEnd } from './endToEnd.ts';
import { failures } from './failures.ts';
import { listing } from './listing.ts';
import { polling } from './polling.ts';

/** One row of the suite; it can be run alone. */
export interface Row {
  name: string;
  title: string;
  run: () => Promise<Line[]>;
}

export const rows: readonly Row[] = [calls, listing, polling, bulk, failures, endToEnd];
