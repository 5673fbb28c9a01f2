import { checkForIds, listExpected, readPage, requestOf, unreadable, saysEmpty } from '../reading/index.ts';
import { ServiceError } from '../serviceError.ts';
import type { RecordKind, RecordOf, ServiceRecord } from '../records/fields.ts';
import { listEnvelope, listScan } from '../assumptions.ts';
import { limits } from '../limits.ts';
import { asText } from '../values.ts';
import type { ApiAnswer, Listing } from '../call.ts';
import type { Client } from './client.ts';
import { brand } from '../brand.ts';

/** After this many pages in a row that only repeat records, a list counts as endless: its cursor is ignored. */
const maxRepeats = 3;

/** After this many empty pages in a row, too: some services filter a page after reading it ... */
export const maxEmpty = 100;
/** ... and after this many pages of any kind: nobody has a million records, and reading them takes ten minutes (section 8). */
export const maxPages = 10_000;

export interface Page<Kind extends RecordKind = RecordKind> {
  records: RecordOf[Kind][];
  /** Where the next page begins; absent on the last page. */
  cursor?: string;
  /** There were enough records, so nobody checked whether the list continues. */
  mayHaveMore?: true;
}

interface PageRequest {
  /** The number of records on a page, 1 to 100. */
  size: number;
  cursor?: string | undefined;
  /** With this many records that the list keeps, no next page is needed, so it is not checked whether there is one. */
  enough?: number;
  /** Something in the list was readable, so a page that only has records without an id is no other kind of answer. */
  isKnown?: boolean;
  /** Refuses a page with null in place of the list or of a record: where nobody sees what is read, it would be nonsense that nobody hears of. */
  isExact?: boolean;
}

/**
 * Reads the page that begins at `cursor`. A record whose id cannot be used has an empty one, see {@link readListed}.
 *
 * @throws ServiceError `unreadable` if the body fits no form of G1, if it says that the list continues but not where, or if nobody can tell
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
  // Some services also send a cursor on the last page, for continuing later: then it says that it is the last, or an empty page leads to itself.
  const isCircle = read.cursor !== undefined && read.cursor === cursor;
  if (more === false || (isCircle && records.length === 0)) return { records };
  if (read.cursor !== undefined && !isCircle) return { records, cursor: read.cursor };

  const goesOn = more === true || isCircle;
  if (!goesOn && !read.isFull && records.length < size) return { records };
  if (records.filter(keep).length >= enough) return { records, mayHaveMore: true };
  if (isCircle) throw endless(listing, 'repeats itself: a page pointed back to itself');
  if (goesOn) throw contradicted(listing, read.body);

  // Such a page without a cursor may be the last one, or its cursor may have an unknown name. If the list has more than one record, a page
  // of one must have a cursor: requesting it settles the question.
  const probe = await get(client, listing, 1, undefined);
  // Some services send a short list whole, whatever the limit is. A page of a longer one has a documented size.
  const isWhole = !read.isFull && records.length < limits.pageSize && probe.records.length > 1 && probe.records.length === records.length;
  if (probe.cursor === undefined && !isWhole) throw unreadable(requestOf(listing), `a cursor under "${listEnvelope.cursorKey}"`, read.body);
  return { records };
}

/**
 * One list while it is read, page by page. What it has read is kept here and not in a client, so that a later call can go on.
 *
 * Repeated cursors, several pages in a row that repeat its records, many empty ones, or very many pages show that a list does not end.
 */
export class ListPages<Kind extends RecordKind = RecordKind> {
  readonly listing: Listing<Kind>;
  /** Whether its last page was read. */
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

  /** @throws ServiceError `unreadable` if the list goes in a circle or does not end; else as {@link fetchPage} */
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
   * Reads the last page once more, before reading goes on after a while: records may have moved to it, and cursors expire. A service that has
   * forgotten one may refuse it, or show the first page or none.
   *
   * @returns the page; `undefined` if it shows nothing of what it showed, so that the list must be read anew
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
  /** Known once they were read: whether reading stopped at the wanted maximum although the list continues, or may continue. */
  readonly isTruncated: boolean;
}

/**
 * All records of a list, or of several lists one after another, page by page, in the service's order. Requests 100 a page (section 8), or
 * fewer if `max` is smaller. All pages have the same size, because a cursor that counts pages would otherwise skip records. A record that
 * appears again is returned only once, whichever list it is in.
 *
 * One record whose id cannot be used stops no list: it is returned with an empty id.
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
      // A page that is filtered again may hold few that are wanted.
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

/** Whether a record is not known yet; it then is. Without an id, nobody can tell. */
export const isNew = ({ id }: ServiceRecord, known: Set<string>): boolean => id === '' || known.size < known.add(asText(id)).size;

/** All records at once, in whole pages if they come in pages. */
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

/** Formatted only when it is said: the first number takes tens of milliseconds and several megabytes. */
const shownMost = (): string => maxScanned.toLocaleString('en');

/**
 * What a search says about its result if the list continues after the records that it read.
 *
 * @param things the plural of the records
 * @param advice how to narrow the search
 */
export const partNote = (things: string, advice: string): string =>
  `Only the first ${shownMost()} ${things} were searched, so there may be others that fit. ${advice}`;

/** The error of a search that found nothing in the records that it read, where something would be created because nothing was found. */
export const tooMany = (things: string, advice: string): ServiceError =>
  new ServiceError('invalid', { message: `${brand.name} has more than ${shownMost()} ${things}, too many for this search.`, advice });
