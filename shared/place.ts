import type { ServiceRecord } from './api/records.ts';
import { asText } from './values.ts';

/** Where the next page of a list begins: after so many records, the last of which were these. */
export interface Place {
  count: number;
  /** Ids, the latest first. */
  last: readonly string[];
}

/** Where a list begins. */
export const start: Place = { count: 0, last: [] };

/** More than are likely to leave the list between two pages. */
const remembered = 5;

export interface PageOf {
  records: ServiceRecord[];
  /** Where the list goes on; absent where it ends. */
  next?: Place;
}

/**
 * A page of a list for platforms that ask page by page. Each page looks anew; records that left the list in between would
 * shift it past others, so the last ones given are found again.
 *
 * @param read gives the first so many records of the list
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
