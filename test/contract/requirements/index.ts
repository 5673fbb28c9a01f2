import type { Requirement } from '../platform.ts';
import { answers } from './answers.ts';
import { changes } from './changes.ts';
import { deliveries } from './deliveries.ts';
import { forms } from './forms.ts';
import { between } from './inBetween.ts';
import { records } from './records.ts';
import { services } from './services.ts';
import { writeEvidence } from './writes.ts';

export { keyEvidence } from './writes.ts';

/** Everything that must hold on every platform. */
export const everywhere: readonly Requirement[] = [
  ...records,
  ...forms,
  ...answers,
  ...between,
  ...writeEvidence,
  ...deliveries,
  ...changes,
  ...services,
];
