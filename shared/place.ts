import type { ServiceRecord } from './api/records.ts';
import { asText } from './values.ts';

/** Where the next page of a list begins: after `count` records, which ended with `last`. */
export interface Place {
  count: number;
  /** Ids, the latest first. */
  last: readonly string[];
}

/** The beginning of a list. */
export const start: Place = { count: 0, last: [] };

/** More records than are likely to leave the list between two pages. */
const remembered = 5;

export interface PageOf {
  records: ServiceRecord[];
  /** Where the list continues; absent at its end. */
  next?: Place;
}

/**
 * A page of a list for platforms that request page by page. Each page reads the list again. Records that left the list in between would
 * shift it, so the position is found again by the last returned records.
 *
 * @param read returns the first records of the list, up to a number
 */
export async function pageFrom({ count, last }: Place, size: number, read: (limit: number) => Promise<ServiceRecord[]>): Promise<PageOf> {
  const most = count + size + 1;
  const found = await read(most);
  const places = last.map((id) => found.findIndex((record) => asText(record['id']) === id));
  const from = (places.find((place) => place >= 0) ?? count - 1) + 1;
  const records = found.slice(from, from + size);
  // New records before the page may have moved its end behind what was read: then the list goes on.
  if (found.length < most && found.length <= from + size) return { records };
  const ids = records.map(({ id }) => asText(id)).reverse();
  return { records, next: { count: from + records.length, last: [...ids, ...last].slice(0, remembered) } };
}
