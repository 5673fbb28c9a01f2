import { listEnvelope } from '../assumptions.ts';
import { ServiceError } from './errors.ts';
import { limits } from '../limits.ts';
import type { Call, Client } from './client.ts';
import { IdSet } from './idSet.ts';
import { noRecord, readings, readRecord, unreadable, type RecordKind, type RecordOf, type ServiceRecord } from './records.ts';
import { asText, isObject } from '../values.ts';

/** Pages in a row without a record that was not there before, after which a list is taken to have no end. */
const mostBarePages = 50;

/** A list endpoint of section 4, with its filters. */
export interface Listing<Kind extends RecordKind = RecordKind> extends Omit<Call, 'method' | 'body' | 'path'> {
  path: readonly string[];
  record: Kind;
}

export interface Page<Kind extends RecordKind = RecordKind> {
  records: RecordOf[Kind][];
  /** Where the next page begins; absent on the last one. */
  cursor?: string;
}

/**
 * One page, at most `size` records (1 to 100), from `cursor` on. `enough`: so many records need no next page, and
 * whether there is one is then not looked into.
 *
 * @throws ServiceError `unreadable` where the body fits no form of G1, or where it cannot be told whether the list goes on.
 */
export async function fetchPage<Kind extends RecordKind>(
  client: Client,
  listing: Listing<Kind>,
  { size, cursor, enough = Infinity }: { size: number; cursor?: string | undefined; enough?: number },
): Promise<Page<Kind>> {
  const read = readPage(listing, await get(client, listing, size, cursor), cursor);
  // Some services hand out a cursor to come back with later, also on the last page.
  if (read.cursor !== undefined && read.more !== false) return { records: read.records, cursor: read.cursor };
  const claimsMore = read.more === true;
  const looksFull = read.records.length >= size && read.more === undefined;
  if (read.isLast === true || read.records.length >= enough || !(claimsMore || looksFull)) return { records: read.records };

  // A full page that names no cursor may be the last one, or its cursor may stand under a name that is not known. Of a
  // list with more than one record, a page of one must carry a cursor: whether it does settles the question.
  const probe = readPage(listing, await get(client, listing, 1, undefined), undefined);
  if (claimsMore || probe.cursor === undefined) throw unreadable(requestOf(listing), `a cursor under ${listEnvelope.cursorKeys.map((key) => `"${key}"`).join(', ')}`, read.body);
  return { records: read.records };
}

/** What a record is handed on as. */
export type Shape = (record: ServiceRecord) => ServiceRecord;

/** The records of a list, read as far as they are asked for, one by one. */
export interface Records<Each extends ServiceRecord = ServiceRecord> extends AsyncIterable<Each> {
  /** All of them at once, which spares a promise for each. */
  all(): Promise<Each[]>;
  /** @param shape another one than that in which they come one by one */
  all(shape: Shape | undefined): Promise<ServiceRecord[]>;
}

/**
 * All records of a list, page by page, in the service's order. Asks for 100 a page (section 8), or for fewer where
 * `most` needs no more. Cursors tell whether the walk runs in a circle, and so do many pages on end that hold nothing new.
 * A record that comes again, because the list moved while it was read, is given once.
 *
 * @param shape what each record is handed on as
 */
export function walk<Kind extends RecordKind>(client: Client, listing: Listing<Kind>, most?: number): Records<RecordOf[Kind]>;
export function walk<Kind extends RecordKind>(client: Client, listing: Listing<Kind>, most: number | undefined, shape: (record: RecordOf[Kind]) => ServiceRecord): Records;
export function walk(client: Client, listing: Listing, most = Infinity, shape?: Shape): Records {
  return {
    async all(other: Shape | undefined = shape) {
      const all: ServiceRecord[] = [];
      const nextPage = pagesOf(client, listing, most);
      for (let page = await nextPage(); page !== undefined; page = await nextPage()) all.push(...(other === undefined ? page : page.map(other)));
      return all;
    },
    async *[Symbol.asyncIterator]() {
      const nextPage = pagesOf(client, listing, most);
      for (let page = await nextPage(); page !== undefined; page = await nextPage()) {
        for (const record of page) yield shape === undefined ? record : shape(record);
      }
    },
  };
}

/** Reads a page more each time that it is called, and gives what was not given before; `undefined` after the last one. */
function pagesOf(client: Client, listing: Listing, most: number): () => Promise<RecordOf[RecordKind][] | undefined> {
  const seen = new Set<string>();
  const given = new IdSet();
  let cursor: string | undefined;
  let bare = 0;
  let ended = most <= 0;
  return async () => {
    if (ended) return undefined;
    if (cursor !== undefined) {
      if (seen.has(cursor)) throw endless(listing, 'runs in a circle: a page pointed back to one that was read before');
      if (bare >= mostBarePages) throw endless(listing, `does not end: ${mostBarePages} pages in a row held nothing new`);
      seen.add(cursor);
    }
    const left = most - given.size;
    const page = await fetchPage(client, listing, { size: Math.min(limits.pageSize, left), cursor, enough: left });
    const fresh = firstTimers(page.records, given, most);
    bare = fresh.length > 0 ? 0 : bare + 1;
    cursor = page.cursor;
    ended = cursor === undefined || given.size >= most;
    return fresh;
  };
}

/**
 * The records that were not given before, and no more than `most` in all; remembers them. A function of its own, as is
 * whatever else is done for each record: the engine compiles it once, and a loop within a long walk again in every walk.
 */
function firstTimers<Each extends { readonly id?: unknown }>(records: readonly Each[], given: IdSet, most: number): Each[] {
  const fresh: Each[] = [];
  for (const record of records) {
    if (given.size >= most) break;
    if (given.add(asText(record.id))) fresh.push(record);
  }
  return fresh;
}

/**
 * All of them at once, by whole pages where they come in pages.
 *
 * @param shape another one than that in which they come one by one
 */
export async function allOf<Each extends ServiceRecord>(records: AsyncIterable<Each> | Records<Each>): Promise<Each[]>;
export async function allOf(records: AsyncIterable<ServiceRecord> | Records, shape: Shape | undefined): Promise<ServiceRecord[]>;
export async function allOf(records: AsyncIterable<ServiceRecord> | Records, shape?: Shape): Promise<ServiceRecord[]> {
  if ('all' in records) return records.all(shape);
  const all: ServiceRecord[] = [];
  for await (const record of records) all.push(shape === undefined ? record : shape(record));
  return all;
}

const get = (client: Client, listing: Listing, size: number, cursor: string | undefined) =>
  client.send({ ...listing, method: 'GET', query: { ...listing.query, limit: String(size), cursor } });

const requestOf = ({ path }: Listing) => `GET /v1/${path.join('/')}`;

interface Reading<Kind extends RecordKind> {
  records: RecordOf[Kind][];
  cursor?: string;
  /** A cursor's key stands there, and says that there is none. */
  isLast?: boolean;
  /** What `has_more` said. */
  more: boolean | undefined;
  body: unknown;
}

function readPage<Kind extends RecordKind>(listing: Listing<Kind>, body: unknown, sent: string | undefined): Reading<Kind> {
  const records = recordsOf(listing, itemsOf(listing, body));
  const places = placesIn(body);
  const more = places.map((place) => place[listEnvelope.moreKey]).find((value) => typeof value === 'boolean');
  for (const key of listEnvelope.cursorKeys) {
    for (const place of places) {
      const value = place[key];
      if (value === null || value === false || value === '') return { records, isLast: true, more, body };
      if (typeof value !== 'string' && typeof value !== 'number') continue;
      // A service may repeat the cursor that it was sent: an echo, not a next page.
      if (key === 'cursor' && String(value) === sent) continue;
      return { records, cursor: String(value), more, body };
    }
  }
  return { records, more, body };
}

/** Where a body may say how the list goes on. */
function placesIn(body: unknown): Record<string, unknown>[] {
  if (!isObject(body)) return [];
  const places = [body];
  for (const name of listEnvelope.cursorPlaces) {
    const place = body[name];
    if (isObject(place)) places.push(place);
  }
  return places;
}

function itemsOf(listing: Listing, body: unknown): readonly unknown[] {
  if (isList(body)) return body;
  const holder = isObject(body) ? body : {};
  for (const keys of [listEnvelope.itemKeys, readings[listing.record].names]) {
    for (const key of keys) {
      const value = holder[key];
      if (isList(value)) return value;
    }
  }
  throw unreadable(requestOf(listing), listExpected, body);
}

const recordsOf = <Kind extends RecordKind>(listing: Listing<Kind>, items: readonly unknown[]): RecordOf[Kind][] =>
  items.map((item) => {
    const record = readRecord(listing.record, item);
    if (record === undefined) throw noRecord(listing.record, item, requestOf(listing), listExpected);
    return record;
  });

const listExpected = `a list of records with an id under "${listEnvelope.itemKeys[0]}"`;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const endless = (listing: Listing, why: string) =>
  new ServiceError('unreadable', {
    message: `The list ${requestOf(listing)} ${why}.`,
    advice: 'Report this sentence to the maker of the service. Nothing of the list was used.',
  });
