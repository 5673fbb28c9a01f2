import { brand } from '../brand.ts';
import type { RawDelivery } from './delivery.ts';

type Headers = RawDelivery['headers'];

/** The headers of a delivery (section 6). A value is `undefined` if its header is absent, empty or repeated: of two values, either may be forged. */
export interface Marks {
  signature: string | undefined;
  event: string | undefined;
  deliveryId: string | undefined;
  timestamp: string | undefined;
}

export const headerName = (name: string): string => `${brand.headerPrefix}-${name}`;

const fields: ReadonlyMap<string, keyof Marks> = new Map([
  [headerName('Signature').toLowerCase(), 'signature'],
  [headerName('Event').toLowerCase(), 'event'],
  [headerName('Delivery-ID').toLowerCase(), 'deliveryId'],
  [headerName('Timestamp').toLowerCase(), 'timestamp'],
]);

/** The names as Node.js writes them. */
const joinedNames = [...fields.keys()] as [string, string, string, string];

/** Lengths are compared first: lower-casing every header name would cost as much as the hash of a small body. */
const lengths = [...fields.keys()].map((name) => name.length);

/** The value of a header that is repeated or empty. */
const nothing = '';

export function marksIn(headers: Headers): Marks {
  const marks = unmarked();
  for (const name of Object.keys(headers)) {
    const field = fieldOf(name);
    if (field === undefined) continue;
    const given = headers[name];
    take(marks, field, typeof given === 'string' ? given : given?.length === 1 ? given[0] : nothing);
  }
  return read(marks);
}

/**
 * The same for headers by their lower-case names, in which Node.js has joined the values of repeated ones with commas. `undefined` if a
 * value contains a comma, because it may then be several.
 */
export function marksJoined(headers: Headers): Marks | undefined {
  const [signatureName, eventName, deliveryIdName, timestampName] = joinedNames;
  const signature = headers[signatureName];
  const event = headers[eventName];
  const deliveryId = headers[deliveryIdName];
  const timestamp = headers[timestampName];
  if (!(isOne(signature) && isOne(event) && isOne(deliveryId) && isOne(timestamp))) return undefined;
  return read({ signature, event, deliveryId, timestamp });
}

const isOne = (value: Headers[string]): value is string | undefined =>
  value === undefined || (typeof value === 'string' && !value.includes(','));

const unmarked = (): Marks => ({ signature: undefined, event: undefined, deliveryId: undefined, timestamp: undefined });

const fieldOf = (name: string): keyof Marks | undefined => (lengths.includes(name.length) ? fields.get(name.toLowerCase()) : undefined);

function take(marks: Marks, field: keyof Marks, value: string | undefined): void {
  marks[field] = marks[field] === undefined ? value : nothing;
}

function read(marks: Marks): Marks {
  const { signature, event, deliveryId, timestamp } = marks;
  return {
    signature: signature || undefined,
    event: event || undefined,
    deliveryId: deliveryId || undefined,
    timestamp: timestamp || undefined,
  };
}

/** Finds another signature header that came instead of ours, so that a wrong prefix is reported. */
export function otherPrefix(headers: Headers): string {
  const other = Object.entries(headers).find(
    // Ours may be there twice.
    ([key, value]) => /^[\w-]{1,60}-signature$/i.test(key) && !fieldOf(key) && String(value).startsWith('sha256='),
  );
  return other === undefined
    ? ''
    : ` It has ${other[0]} instead: set "headerPrefix" in brand.json to "${other[0].slice(0, -'-signature'.length)}".`;
}
