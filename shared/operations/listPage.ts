import type { ServiceRecord } from '../records/fields.ts';
import type { Client } from '../client/client.ts';
import type { Listing } from '../call.ts';
import { fetchPage } from '../client/pages.ts';
import { dayZoneOf, runOperation, type OperationOptions } from './runOperation.ts';
import type { ManyOperation, OperationInput } from './define.ts';
import { parseInput } from './parseInput.ts';
import { show } from '../records/outputs.ts';
import { asText } from '../values.ts';

/**
 * Where the next page of a list begins: the service's own cursor or, if that cannot be used, the number of records before it and the ids of
 * the last of them, latest first.
 */
export type Cursor = string | { count: number; last: readonly string[] };

export interface ListPage {
  records: ServiceRecord[];
  /** Absent on the last page. */
  next?: Cursor;
}

/** After this many pages without a matching record, an empty page is returned, so that a call ends in time. */
const maxEmptyPages = 10;

/**
 * A page of a list, for platforms that request page by page. A plain list continues with the service's cursor, so a page costs one request.
 * If the service applies a filter too loosely, a page may have fewer records than wanted. A sorted search, or a list that combines several,
 * has no cursor: each page reads it again from its start.
 *
 * @param size the number of records, the same for all pages of a list, because a cursor may count pages
 * @throws ServiceError `invalid` if the form is wrong; otherwise the error of reading
 */
export async function readListPage(
  client: Client,
  operation: ManyOperation,
  form: OperationInput,
  { size, cursor, ...told }: { size: number; cursor?: Cursor | undefined } & Pick<OperationOptions, 'note' | 'partNote' | 'bound'>,
): Promise<ListPage> {
  const { fields, mayBeEmpty } = form;
  const dayZone = await dayZoneOf(client, operation, fields);
  const { note } = told;
  const input = parseInput(operation, fields, { dayZone, mayBeEmpty, note });
  const [listing, ...others] = operation.lists?.(input, note) ?? [];
  if (listing === undefined || others.length > 0 || typeof cursor === 'object')
    return readSortedPage(typeof cursor === 'object' ? cursor : undefined, size, (limit) =>
      runOperation(client, operation, form, { shape: 'presented', limit, ...told }),
    );
  const { records, next } = await readServicePage(client, listing, size, cursor);
  if (records.length === 0 && next === undefined && cursor === undefined) await operation.ifNone?.(client, input);
  return { records: records.map((record) => show(operation.output, record, 'presented')), ...(next !== undefined && { next }) };
}

async function readServicePage(client: Client, listing: Listing, size: number, from: string | undefined) {
  const { keep = () => true } = listing;
  let cursor = from;
  for (let empty = 1; ; empty += 1) {
    const page = await fetchPage(client, listing, { size, cursor });
    const records = page.records.filter(keep);
    cursor = page.cursor;
    if (records.length > 0 || cursor === undefined || empty >= maxEmptyPages) return { records, next: cursor };
  }
}

/** How many ids are remembered: more than are likely to leave the list between two pages. */
const remembered = 5;

/**
 * A page of a list that is read again from its start. Records that have left the list would shift the page, so its position is found by the
 * last returned records.
 *
 * @param read returns the first records of the list, at most this many
 */
export async function readSortedPage(
  { count, last }: Exclude<Cursor, string> = { count: 0, last: [] },
  size: number,
  read: (limit: number) => Promise<ServiceRecord[]>,
): Promise<{ records: ServiceRecord[]; next?: Exclude<Cursor, string> }> {
  const max = count + size + 1;
  const found = await read(max);
  const places = last.map((id) => found.findIndex((record) => asText(record['id']) === id));
  const from = (places.find((place) => place >= 0) ?? count - 1) + 1;
  const records = found.slice(from, from + size);
  // New records before the page may have moved its end beyond what was read: then the list continues.
  if (found.length < max && found.length <= from + size) return { records };
  const ids = records.map(({ id }) => asText(id)).reverse();
  return { records, next: { count: from + records.length, last: [...ids, ...last].slice(0, remembered) } };
}
