import type { Line } from '../harness/lines.ts';
import { agents } from './agents.ts';
import { bulk } from './bulk.ts';
import { calls } from './calls.ts';
import { coldStart } from './coldStart.ts';
import { deliveries } from './deliveries.ts';
import { endToEnd } from './endToEnd.ts';
import { growth } from './growth.ts';
import { listing } from './listing.ts';
import { ofPackage } from './package.ts';
import { realClock } from './realClock.ts';
import { verification } from './verification.ts';

/** One row of the suite; it can be run alone. */
export interface Row {
  name: string;
  title: string;
  run: () => Promise<Line[]>;
}

export const rows: readonly Row[] = [
  calls,
  listing,
  growth,
  verification,
  deliveries,
  coldStart,
  bulk,
  realClock,
  endToEnd,
  agents,
  ofPackage,
];
