import { listEnvelope } from '../assumptions.ts';
import { limits } from '../limits.ts';
import { asText } from '../values.ts';
import type { Client } from './client.ts';
import { readPage, requestOf, type Listing } from './envelope.ts';
import { ServiceError } from './errors.ts';
import { unreadable, type RecordKind, type RecordOf, type ServiceRecord } from './records.ts';

export type { Listing } from './envelope.ts';

/** After this many pages in a row without a new record, a list counts as endless. */
const mostBarePages = 50;

type Map = (record: ServiceRecord) => ServiceRecord;

export interface Page<Kind extends RecordKind = RecordKind> {
  records: RecordOf[Kind][];
  /** Where the next page begins; absent on the last page. */
  cursor?: string;
  /** There were enough records, so nobody checked whether the list continues. */
  mayGoOn?: true;
}

interface Wanted {
  /** The number of records on a page, 1 to 100. */
  size: number;
  cursor?: string | undefined;
  /** With this many records, no next page is needed, so it is not checked whether there is one. */
  enough?: number;
}

/**
 * Reads the page that begins at `cursor`.
 *
 * @throws ServiceError `unreadable` if the body fits no form of G1, if it says that the list continues but not where, or if nobody can tell
 *   whether it continues
 */
export async function fetchPage<Kind extends RecordKind>(
  client: Client,
  listing: Listing<Kind>,
  { size, cursor, enough = Infinity }: Wanted,
): Promise<Page<Kind>> {
  const read = await get(client, listing, size, cursor);
  const { records, more } = read;
  // Some services also send a cursor on the last page, for continuing later.
  if (more === false) return { records };
  if (read.cursor !== undefined) return { records, cursor: read.cursor };

  const goesOn = more === true || read.saysMore;
  const isOpen = goesOn || (!read.saysEnd && records.length >= size);
  if (!isOpen) return { records };
  if (records.length >= enough) return { records, mayGoOn: true };
  if (goesOn) throw contradicted(listing, read.body);

  // A full page without a cursor may be the last one, or its cursor may have an unknown name. If the list has more than one record, a page
  // of one must have a cursor: requesting it settles the question.
  const probe = await get(client, listing, 1, undefined);
  if (probe.cursor === undefined) throw unreadable(requestOf(listing), `a cursor under ${cursorNames}`, read.body);
  return { records };
}

/** The records of a list, read one by one and only as far as they are needed. */
export interface Records<Each extends ServiceRecord = ServiceRecord> extends AsyncIterable<Each> {
  /** All records at once, which saves one promise for each. */
  all(): Promise<Each[]>;
  /** @param map converts each record */
  all(map: Map): Promise<ServiceRecord[]>;
  /** The records page by page, without repeats. A page may be empty. */
  pages(): AsyncIterable<Each[]>;
  /** Known once they were read: whether reading stopped at the wanted maximum although the list continues, or may continue. */
  readonly isCut: boolean;
}

/**
 * All records of a list, page by page, in the service's order. Requests 100 a page (section 8), or fewer if `most` is smaller. All pages
 * have the same size, because a cursor that counts pages would otherwise skip records. Repeated cursors, or many pages in a row with
 * nothing new, show that the list goes in a circle. If the list changes while it is read, a record that appears again is returned only
 * once.
 */
export function walk<Kind extends RecordKind>(client: Client, listing: Listing<Kind>, most?: number): Records<RecordOf[Kind]>;
export function walk(client: Client, listing: Listing, most = Infinity): Records {
  let pages: Pages | undefined;
  return {
    async all(map?: Map) {
      pages = new Pages(client, listing, most);
      const all: ServiceRecord[] = [];
      for (let page = await pages.next(); page !== undefined; page = await pages.next())
        all.push(...(map === undefined ? page : page.map(map)));
      return all;
    },
    async *pages() {
      pages = new Pages(client, listing, most);
      for (let page = await pages.next(); page !== undefined; page = await pages.next()) yield page;
    },
    async *[Symbol.asyncIterator]() {
      pages = new Pages(client, listing, most);
      for (let page = await pages.next(); page !== undefined; page = await pages.next()) {
        for (const record of page) yield record;
      }
    },
    get isCut() {
      return pages?.isCut === true;
    },
  };
}

/** Reads the pages of one list. */
class Pages {
  readonly #client: Client;
  readonly #listing: Listing;
  readonly #most: number;
  readonly #seen = new Set<string | undefined>();
  readonly #given = new Set<string>();
  #cursor: string | undefined;
  #bare = 0;
  #ended: boolean;
  isCut = false;

  constructor(client: Client, listing: Listing, most: number) {
    this.#client = client;
    this.#listing = listing;
    this.#most = most;
    this.#ended = most <= 0;
  }

  /** The new records of the next page; `undefined` after the last page. */
  async next(): Promise<RecordOf[RecordKind][] | undefined> {
    if (this.#ended) return undefined;
    this.#checkForCircles();
    const { keep } = this.#listing;
    const [size, enough] =
      keep === undefined ? [Math.min(limits.pageSize, this.#most), this.#most - this.#given.size] : [limits.pageSize, Infinity];
    const page = await fetchPage(this.#client, this.#listing, { size, cursor: this.#cursor, enough });
    const fresh = firstTimers(keep === undefined ? page.records : page.records.filter(keep), this.#given);
    this.#bare = fresh.length > 0 ? 0 : this.#bare + 1;
    this.#cursor = page.cursor;
    const surplus = this.#given.size - this.#most;
    this.#ended = page.cursor === undefined || surplus >= 0;
    this.isCut = surplus > 0 || (surplus === 0 && (page.cursor !== undefined || page.mayGoOn === true));
    return fresh.slice(0, fresh.length - surplus);
  }

  #checkForCircles(): void {
    if (this.#seen.has(this.#cursor)) throw endless(this.#listing, 'repeats itself: a page pointed back to an earlier one');
    if (this.#bare >= mostBarePages) throw endless(this.#listing, `does not end: ${mostBarePages} pages in a row had nothing new`);
    this.#seen.add(this.#cursor);
  }
}

/**
 * Returns the records that were not returned before, and remembers them. It is a function of its own because the engine compiles it once; a
 * loop inside a long read would be compiled again for every list.
 */
function firstTimers<Each extends { readonly id?: unknown }>(records: readonly Each[], given: Set<string>): Each[] {
  const fresh: Each[] = [];
  for (const record of records) {
    const before = given.size;
    if (given.add(asText(record.id)).size > before) fresh.push(record);
  }
  return fresh;
}

/**
 * All records at once, in whole pages if they come in pages.
 *
 * @param map converts each record
 */
export async function allOf<Each extends ServiceRecord>(records: AsyncIterable<Each> | Records<Each>): Promise<Each[]>;
export async function allOf(records: AsyncIterable<ServiceRecord> | Records, map: Map): Promise<ServiceRecord[]>;
export async function allOf(records: AsyncIterable<ServiceRecord> | Records, map?: Map): Promise<ServiceRecord[]> {
  if ('all' in records) return map === undefined ? records.all() : records.all(map);
  const all: ServiceRecord[] = [];
  for await (const record of records) all.push(map === undefined ? record : map(record));
  return all;
}

async function get<Kind extends RecordKind>(client: Client, listing: Listing<Kind>, size: number, cursor: string | undefined) {
  const { keep: _ours, ...call } = listing;
  return readPage(listing, await client.send({ ...call, method: 'GET', query: { ...listing.query, limit: String(size), cursor } }), cursor);
}

const cursorNames = listEnvelope.cursorKeys.map((key) => `"${key}"`).join(', ');

const contradicted = (listing: Listing, body: unknown) =>
  unreadable(requestOf(listing), `the cursor of the next page under ${cursorNames}, because the answer says that there is more`, body);

const endless = (listing: Listing, why: string) =>
  new ServiceError('unreadable', {
    message: `The list ${requestOf(listing)} ${why}.`,
    advice: 'Report this message to the maker of the service. Nothing from the list was used.',
  });
