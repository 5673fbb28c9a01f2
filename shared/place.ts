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
  const found = await read(count + size + 1);
  const places = last.map((id) => found.findIndex((record) => asText(record['id']) === id));
  const from = (places.find((place) => place >= 0) ?? count - 1) + 1;
  const records = found.slice(from, from + size);
  if (found.length <= from + size) return { records };
  return {
    records,
    next: {
      count: from + size,
      last: records
        .slice(-remembered)
        .reverse()
        .map(({ id }) => asText(id)),
    },
  };
}
