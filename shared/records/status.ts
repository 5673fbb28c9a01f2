import { statusTransitions } from '../assumptions.ts';

/** A booking's status, as far as the document names one. */
export type KnownStatus = keyof typeof statusTransitions;

/** Whether a booking has this status, in any letter case and in either spelling (`cancelled`, `CANCELED`). */
export const hasStatus = ({ status }: { readonly status?: unknown }, wanted: KnownStatus): boolean =>
  typeof status === 'string' &&
  status
    .trim()
    .toUpperCase()
    .replace(/^CANCELED$/, 'CANCELLED') === statusTransitions[wanted];
