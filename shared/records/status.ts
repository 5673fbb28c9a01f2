import { statusTransitions } from '../assumptions.ts';

/** A booking's status, as far as the document names one. */
export type KnownStatus = keyof typeof statusTransitions;

/** Whether a booking has this status, in any letter case, in either spelling (`cancelled`, `CANCELED`), and with more words after it. */
export const hasStatus = ({ status }: { readonly status?: unknown }, wanted: KnownStatus): boolean => {
  const said = saidOf(status).replace(/^CANCELED/, 'CANCELLED');
  const known = statusTransitions[wanted];
  return said === known || (wanted === 'cancelled' && said.startsWith(`${known}_`));
};

/** Whether a booking will not take place: it was cancelled, or never accepted. */
export const hasEnded = (record: { readonly status?: unknown }): boolean =>
  hasStatus(record, 'cancelled') || ['DENIED', 'DECLINED', 'REJECTED', 'DELETED', 'EXPIRED'].includes(saidOf(record.status));

const saidOf = (status: unknown): string =>
  typeof status === 'string'
    ? status
        .trim()
        .toUpperCase()
        .replace(/[\s-]+/g, '_')
    : '';
