// G43, what becomes of a subscription's address, and G9, where it is. Seen: `callback_url` (Calendly), `subscriberUrl` (Cal.com).

import type { ServiceRecord } from '../records/fields.ts';

/** An address in the form that services make of it: host in lower case and punycode, no default port, encoded path, no slash at its end. */
export function normalAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.pathname = url.pathname.replace(/\/$/, '');
  return url.href.replace(/%[0-9a-f]{2}/gi, (encoded) => encoded.toUpperCase());
}

/** How deep a record is searched for addresses. */
const deepest = 2;

/** The addresses in a subscription's record, under whatever names (G9, G43). One that ends with its id is the record's own, in the API. */
export function subscriptionAddresses(record: ServiceRecord): string[] {
  const found: string[] = [];
  const search = (value: unknown, depth: number): void => {
    if (typeof value === 'string') {
      if (/^\s*https?:\/\//i.test(value)) found.push(value);
    } else if (depth < deepest) for (const each of Object.values(value ?? {})) search(each, depth + 1);
  };
  search(record, 0);
  return found.filter((address) => !isOwn(address, record['id']));
}

const isOwn = (address: string, id: unknown): boolean =>
  URL.canParse(address) && normalAddress(address).split(/[?#]/)[0]?.split('/').at(-1) === String(id);

/**
 * Whether a subscription's record is for this address.
 *
 * @returns `undefined` if the record shows no address
 */
export function isAtAddress(record: ServiceRecord, url: string): boolean | undefined {
  const shown = subscriptionAddresses(record);
  return shown.length === 0 ? undefined : shown.some((each) => normalAddress(each) === normalAddress(url));
}
