import type { ServiceRecord } from '../api/records.ts';

/** An address in the form that services make of it: host in lower case and punycode, no default port, encoded path, no slash at the end. */
export function normalAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  return url.href.replace(/\/+$/, '').replace(/%[0-9a-f]{2}/g, (encoded) => encoded.toUpperCase());
}

const looksLikeAddress = (value: unknown): value is string => typeof value === 'string' && /^https?:\/\//i.test(value.trim());

/**
 * Whether a subscription's record is for this address, under whatever name it shows it (G9, G43).
 *
 * @returns `undefined` if the record shows no address
 */
export function isAtAddress(record: ServiceRecord, url: string): boolean | undefined {
  const shown = Object.values(record).filter(looksLikeAddress);
  if (shown.length === 0) return undefined;
  return shown.some((each) => normalAddress(each.trim()) === normalAddress(url));
}
