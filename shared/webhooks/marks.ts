import { brand } from '../brand.ts';
import type { RawDelivery } from './delivery.ts';

type Headers = RawDelivery['headers'];

/** What the headers of a delivery say of it (section 6). Nothing where one is absent, empty or repeated: of two values either might be the forged one. */
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

/** The lengths first: putting every name of a request into small letters would cost as much as the hash of a small body. */
const lengths = [...fields.keys()].map((name) => name.length);

/** What a header that came twice is read as, and one that is there without a value. */
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

/** The same of names and values in turn, as they came in. */
export function marksOf(pairs: readonly string[]): Marks {
  const marks = unmarked();
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const field = fieldOf(pairs[at] ?? '');
    if (field !== undefined) take(marks, field, pairs[at + 1]);
  }
  return read(marks);
}

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

/** A wrong prefix must not be silence: names another signature header that came instead of ours. */
export function otherPrefix(headers: Headers): string {
  const other = Object.entries(headers).find(([key, value]) => /^[\w-]{1,60}-signature$/i.test(key) && String(value).startsWith('sha256='));
  return other === undefined
    ? ''
    : ` It has ${other[0]} instead: set "headerPrefix" in brand.json to "${other[0].slice(0, -'-signature'.length)}".`;
}
