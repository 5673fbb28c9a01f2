import type { ServiceRecord } from '../api/records.ts';

/** An address in the form that services make of it: host in lower case and punycode, no default port, encoded path, no slash at its end. */
export function normalAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.pathname = url.pathname.replace(/\/$/, '');
  return url.href.replace(/%[0-9a-f]{2}/gi, (encoded) => encoded.toUpperCase());
}

/** The addresses in a subscription's record, under whatever names (G9, G43). */
export const addressesIn = (record: ServiceRecord): string[] =>
  Object.values(record).flatMap((value) => (typeof value === 'string' && /^\s*https?:\/\//i.test(value) ? [value.trim()] : []));

/**
 * Whether a subscription's record is for this address.
 *
 * @returns `undefined` if the record shows no address
 */
export function isAtAddress(record: ServiceRecord, url: string): boolean | undefined {
  const shown = addressesIn(record);
  return shown.length === 0 ? undefined : shown.some((each) => normalAddress(each) === normalAddress(url));
}
