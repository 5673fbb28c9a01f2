import rows from './services.json' with { type: 'json' };

/**
 * What answers look like at services that exist, as far as their documents show it: a row each, in `services.json`. A text in it is a value
 * if it is a fact in braces, after `|` with a form; with `?` it is left out if there is none, as is a text around a fact that is not there.
 * `...` adds the fields of a fact, `each` writes an object for each of several. What a row does not have is answered as assumed.
 */
export interface Service {
  /** What it does as a form or habit says. */
  forms?: Record<string, string>;
  /** Whether times are UTC, the default, or the host's. */
  zone?: 'host';
  /** How a time is written, as luxon reads it. */
  time: string;
  statuses?: Record<string, string>;
  list: Partial<Record<string, unknown>>;
  one: Partial<Record<string, unknown>>;
  /** What pages of several lists say about themselves. */
  paging?: unknown;
  booking: unknown;
  event_type?: unknown;
  contact?: unknown;
  events?: Record<string, string>;
  delivery?: unknown;
  codes?: Record<string, string>;
  error?: unknown;
}

const services = rows as unknown as Record<string, Service>;
export type ServiceName = keyof typeof rows;
export const serviceNames = Object.keys(rows) as ServiceName[];

/** The row of a service; none if the answers are as assumed. */
export const serviceOf = ({ service }: { service?: string }): Service | undefined => services[service ?? ''];
