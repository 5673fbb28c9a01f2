import type { Accepted } from '../report.ts';

export const accepted: readonly Accepted[] = [];
