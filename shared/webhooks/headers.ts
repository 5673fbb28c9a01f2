import { brand } from '../brand.ts';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The headers of a delivery (section 6). A value is `undefined` if its header is absent, is empty or has several values, any of which may
 * be forged.
 */
export interface WebhookHeaders {
  signature: string | undefined;
  event: string | undefined;
  deliveryId: string | undefined;
  timestamp: string | undefined;
}

export const headerName = (name: string): string => `${brand.headerPrefix}-${name}`;

export const readHeaders = (headers: Headers): WebhookHeaders => ({
  signature: valueOf(headers, 'Signature'),
  event: valueOf(headers, 'Event'),
  deliveryId: valueOf(headers, 'Delivery-ID'),
  timestamp: valueOf(headers, 'Timestamp'),
});

/** The different values of a header. A duplicate that a relay has added counts once, even if a host has joined the two. */
function valuesOf(headers: Headers, name: string): readonly string[] {
  const wanted = headerName(name).toLowerCase();
  const all = Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === wanted && value !== undefined ? value : []));
  return [...new Set(all.map((value) => value.replace(/^(.{1,200}), ?\1(?:, ?\1)?$/, '$1')))];
}

function valueOf(headers: Headers, name: string): string | undefined {
  const [value, ...more] = valuesOf(headers, name);
  return more.length === 0 ? value || undefined : undefined;
}

export const isRepeated = (headers: Headers, name: string): boolean => valuesOf(headers, name).length > 1;

/** Finds another signature header that was sent instead of ours, to report that the configured prefix is wrong. */
export function otherPrefix(headers: Headers): string {
  const ours = headerName('Signature').toLowerCase();
  const other = Object.entries(headers).find(
    // Ours may be present twice.
    ([key, value]) => /^[\w-]{1,60}-signature$/i.test(key) && key.toLowerCase() !== ours && String(value).startsWith('sha256='),
  );
  return other === undefined
    ? ''
    : ` It has ${other[0]} instead: set "headerPrefix" in brand.json to "${other[0].slice(0, -'-signature'.length)}".`;
}
