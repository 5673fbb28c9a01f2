import rows from './services.json' with { type: 'json' };

/**
 * The responses of existing services, as far as their documents show them: a row each, in `services.json`. A text in a row may contain
 * facts in braces, with a format after `|`. With `?`, a missing fact is left out; so is a text around a missing fact. `...` adds the fields
 * of a fact, `each` makes an object for each of several. Anything that a row lacks is answered as assumed.
 */
export interface Service {
  /** The forms and habits that apply to it. */
  forms?: Record<string, string>;
  /** Whether times are UTC, the default, or the host's. */
  zone?: 'host';
  /** The format of a time, in luxon's tokens. */
  time: string;
  statuses?: Record<string, string>;
  list: Partial<Record<string, unknown>>;
  one: Partial<Record<string, unknown>>;
  /** What the pages of several lists say about themselves. */
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

/** The row of a service; `undefined` if responses are as assumed. */
export const serviceOf = ({ service }: { service?: string }): Service | undefined => services[service ?? ''];
