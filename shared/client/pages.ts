import { checkForIds, listExpected, readPage, requestOf, unreadable, saysEmpty } from '../reading/index.ts';
import { ServiceError } from '../serviceError.ts';
import type { RecordKind, RecordOf, ServiceRecord } from '../records/fields.ts';
import { listEnvelope, listScan } from '../assumptions.ts';
import { limits } from '../limits.ts';
import { asText } from '../values.ts';
import type { ApiAnswer, Listing } from '../call.ts';
import type { Client } from './client.ts';
import { brand } from '../brand.ts';

/** After this many pages in a row with only repeated records, a list counts as endless, because its cursor seems to be ignored. */
const maxRepeats = 3;

/** The limit for empty pages in a row; it is high because some services filter a page after reading it. */
export const maxEmpty = 100;
/** The limit for pages of any kind: a million records, which take ten minutes to read (section 8). Nobody has as many. */
export const maxPages = 10_000;

export interface Page<Kind extends RecordKind = RecordKind> {
  records: RecordOf[Kind][];
  /** Where the next page begins; absent on the last page. */
  cursor?: string;
  /** Set if there were enough records, so that nobody checked whether the list continues. */
  mayHaveMore?: true;
}

interface PageRequest {
  /** The number of records per page, 1 to 100. */
  size: number;
  cursor?: string | undefined;
  /** With this many records left after filtering, no next page is needed, so it is not checked whether there is one. */
  enough?: number;
  /** Whether records of the list were already readable: a page whose records all lack an id is then not an error. */
  isKnown?: boolean;
  /** Whether null in place of the list or of a record is an error. Set where nobody would notice that records are missing. */
  isExact?: boolean;
}

/**
 * Reads the page that begins at `cursor`. A record with an unusable id has an empty id, see {@link readListed}.
 *
 * @throws ServiceError `unreadable` if the body fits no form of G1, if it says that the list continues but not where, or if it is unclear
 *   whether it continues
 */
export async function fetchPage<Kind extends RecordKind>(
  client: Client,
  listing: Listing<Kind>,
  { size, cursor, enough = Infinity, isKnown = cursor !== undefined, isExact = false }: PageRequest,
): Promise<Page<Kind>> {
  const { keep = () => true } = listing;
  const read = await get(client, listing, size, cursor);
  if (!isKnown) checkForIds(listing, read);
  if (isExact && read.isOdd) throw unreadable(requestOf(listing), listExpected, read.body);
  const { records, more } = read;
  // Some services send a cursor on the last page too: that page says it is last, or its cursor leads to an empty page that repeats it.
  const isCircle = read.cursor !== undefined && read.cursor === cursor;
  if (more === false || (isCircle && records.length === 0)) return { records };
  if (read.cursor !== undefined && !isCircle) return { records, cursor: read.cursor };

  const goesOn = more === true || isCircle;
  if (!goesOn && !read.isFull && records.length < size) return { records };
  if (records.filter(keep).length >= enough) return { records, mayHaveMore: true };
  if (isCircle) throw endless(listing, 'repeats itself: a page pointed back to itself');
  if (goesOn) throw contradicted(listing, read.body);

  // A full page without a cursor may be the last one, or its cursor may have an unknown name. To find out, request a page of one record: if
  // the list has more, that page must have a cursor.
  const probe = await get(client, listing, 1, undefined);
  // Some services ignore the limit and send a short list completely. A page of a longer list has the documented size.
  const isWhole = !read.isFull && records.length < limits.pageSize && probe.records.length > 1 && probe.records.length === records.length;
  if (probe.cursor === undefined && !isWhole) throw unreadable(requestOf(listing), `a cursor under "${listEnvelope.cursorKey}"`, read.body);
  return { records };
}

/**
 * A list that is being read, page by page. Its state is kept here and not in a client, so that a later call can continue.
 *
 * A list counts as endless after a repeated cursor, several pages in a row without new records, many empty pages, or very many pages.
 */
export class ListPages<Kind extends RecordKind = RecordKind> {
  readonly listing: Listing<Kind>;
  /** Whether the last page was read. */
  isOver = false;
  readonly #cursors = new Set<string | undefined>();
  readonly #ids = new Set<string>();
  #cursor: string | undefined;
  #last: { cursor: string | undefined; ids: ReadonlySet<unknown> } | undefined;
  #empty = 0;
  #repeats = 0;

  constructor(listing: Listing<Kind>) {
    this.listing = listing;
  }

  /** @throws ServiceError `unreadable` if the list goes in a circle or does not end; otherwise as {@link fetchPage} */
  async next(client: Client, wanted: Omit<PageRequest, 'cursor'>): Promise<Page<Kind>> {
    this.#checkForEnd();
    const cursor = this.#cursor;
    this.#cursors.add(cursor);
    const page = await fetchPage(client, this.listing, { ...wanted, cursor });
    this.#last = { cursor, ids: new Set(page.records.map(({ id }) => id)) };
    const isEmpty = page.records.length === 0;
    const hasNews = page.records.filter((record) => isNew(record, this.#ids)).length > 0;
    this.#empty = isEmpty ? this.#empty + 1 : 0;
    this.#repeats = isEmpty || hasNews ? 0 : this.#repeats + 1;
    this.#cursor = page.cursor;
    this.isOver = this.#cursor === undefined;
    return page;
  }

  /**
   * Reads the last page again before continuing after a pause, because records may have moved to it and cursors expire. A service may
   * refuse an expired cursor, or respond with the first page or with none.
   *
   * @returns the page; `undefined` if it shows none of its earlier records, so that the list must be read again from the start
   */
  async again(client: Client, wanted: Omit<PageRequest, 'cursor'>): Promise<Page<Kind> | undefined> {
    if (this.#last === undefined) return { records: [] };
    const { cursor, ids } = this.#last;
    const page = await fetchPage(client, this.listing, { ...wanted, cursor }).catch((error: unknown) => {
      if (error instanceof ServiceError && ['invalid', 'notFound'].includes(error.kind)) return undefined;
      throw error;
    });
    if (page?.records.some(({ id }) => id !== '' && ids.has(id)) !== true) return undefined;
    this.#cursor = page.cursor;
    this.isOver = page.cursor === undefined;
    return page;
  }

  #checkForEnd(): void {
    if (this.#cursors.has(this.#cursor)) throw endless(this.listing, 'repeats itself: a page pointed back to an earlier one');
    if (this.#repeats >= maxRepeats) throw endless(this.listing, `repeats itself: ${maxRepeats} pages in a row had nothing new`);
    if (this.#empty >= maxEmpty) throw endless(this.listing, `does not end: ${maxEmpty} pages in a row were empty`);
    if (this.#cursors.size >= maxPages) throw endless(this.listing, `does not end after ${maxPages.toLocaleString('en')} pages`);
  }
}

/** The records of a list, read one by one and only as far as they are needed. */
export interface Records<Each extends ServiceRecord = ServiceRecord> extends AsyncIterable<Each> {
  /** All records at once. */
  all(): Promise<Each[]>;
  /** The records page by page, without repeats. A page may be empty. */
  pages(): AsyncIterable<Each[]>;
  /** Whether reading stopped at the wanted maximum although the list continues or may continue. Known once the records were read. */
  readonly isTruncated: boolean;
}

/**
 * All records of one or several lists, in the service's order, read page by page. Requests 100 records per page (section 8), or `max` if
 * that is fewer. All pages have the same size, because a cursor that counts pages would otherwise skip records. A record that appears
 * again, in any of the lists, is returned only once.
 *
 * A record whose id is unusable does not stop the list: it is returned with an empty id.
 */
export function paginate<Kind extends RecordKind>(
  client: Client,
  listings: Listing<Kind> | readonly Listing<Kind>[],
  max?: number,
): Records<RecordOf[Kind]>;
export function paginate(client: Client, listings: Listing | readonly Listing[], max = Infinity): Records {
  let isCut = false;
  const lists = 'path' in listings ? [listings] : listings;

  async function* pages(): AsyncGenerator<ServiceRecord[]> {
    const yielded = new Set<string>();
    let count = 0;
    isCut = false;
    for (const listing of lists) {
      const { keep = () => true } = listing;
      // Filtering may leave few records of a page, so its pages are full.
      const size = listing.keep === undefined ? Math.min(limits.pageSize, max) : limits.pageSize;
      const list = new ListPages(listing);
      do {
        if (count >= max) return;
        const page = await list.next(client, { size, enough: max - count, isKnown: yielded.size > 0 });
        const kept = page.records.filter((record) => isNew(record, yielded) && keep(record));
        count += kept.length;
        const isMore = !list.isOver || page.mayHaveMore === true || listing !== lists.at(-1);
        isCut = count > max || (count === max && isMore);
        yield kept.slice(0, kept.length - Math.max(0, count - max));
      } while (!list.isOver);
    }
  }

  return {
    async all() {
      const all: ServiceRecord[] = [];
      for await (const page of pages()) all.push(...page);
      return all;
    },
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page;
    },
    get isTruncated() {
      return isCut;
    },
  };
}

/** Whether a record is new, and remembers it. A record without an id always counts as new. */
export const isNew = ({ id }: ServiceRecord, known: Set<string>): boolean => id === '' || known.size < known.add(asText(id)).size;

/** All records at once, read in whole pages if possible. */
export async function allOf<Each extends ServiceRecord>(records: AsyncIterable<Each> | Records<Each>): Promise<Each[]> {
  if ('all' in records) return records.all();
  const all: Each[] = [];
  for await (const record of records) all.push(record);
  return all;
}

async function get<Kind extends RecordKind>(client: Client, listing: Listing<Kind>, size: number, cursor: string | undefined) {
  const { keep: _ours, ...call } = listing;
  const isFirst = cursor === undefined;
  const resourceName = isFirst ? listing.resourceName : 'next page';
  const { status, body, headers } = await client
    .read({ ...call, resourceName, method: 'GET', query: { ...listing.query, limit: String(size), cursor } })
    .catch((error: unknown) => {
      if (!(error instanceof ServiceError) || !['notFound', 'invalid'].includes(error.kind)) throw error;
      // Cursors may expire, for example while a person leaves a list open: "no results for this cursor" says nothing about the list.
      const isAboutCursor = !isFirst && /cursor|token/i.test(`${error.message} ${error.code}`);
      if (error.kind === 'notFound' && !isAboutCursor && saysEmpty(error.message, error.code)) return noContent;
      throw isFirst ? error : new ServiceError(error.kind, { ...error, message: error.message, advice: beginAgain });
    });
  return readPage(listing, status === noContent.status ? [] : body, headers['link'], cursor);
}

const beginAgain = 'Read the list again from its first page.';

const noContent: ApiAnswer = { status: 204, headers: {}, body: [] };

const contradicted = (listing: Listing, body: unknown) =>
  unreadable(
    requestOf(listing),
    `the cursor of the next page under "${listEnvelope.cursorKey}", because the response says that there is more`,
    body,
  );

export const endless = (listing: Listing, why: string) =>
  new ServiceError('unreadable', {
    message: `The list ${requestOf(listing)} ${why}.`,
    advice: 'Report this message to the provider of the service. Nothing from the list was used.',
  });

/** The maximum number of records that one search reads, because the API has no order and few filters (G31). */
export const maxScanned = listScan.pages * limits.pageSize;

/** Formatted only when needed: a program's first number formatting takes tens of milliseconds and several megabytes. */
const shownMost = (): string => maxScanned.toLocaleString('en');

/**
 * A search's note if the list continues after the records that were read.
 *
 * @param things the plural of the records
 * @param advice how to narrow the search
 */
export const partNote = (things: string, advice: string): string =>
  `Only the first ${shownMost()} ${things} were searched, so there may be others that fit. ${advice}`;

/** The error of a search that found nothing in the part of the list that it read, if something would be created because of that. */
export const tooMany = (things: string, advice: string): ServiceError =>
  new ServiceError('invalid', { message: `${brand.name} has more than ${shownMost()} ${things}, too many for this search.`, advice });
