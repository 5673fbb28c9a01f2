import { ServiceError } from '../serviceError.ts';
import type { ServiceRecord } from '../records/fields.ts';
import type { Client } from '../client/client.ts';
import type { Listing } from '../call.ts';
import { endless, fetchPage, maxEmpty, maxPages } from '../client/pages.ts';
import { limits } from '../limits.ts';
import { instantsBetween } from '../time/time.ts';
import { asText, isObject } from '../values.ts';
import { pollShare } from './pace.ts';

/** Lists of up to this many pages are read completely by each poll. */
const shortPages = 10;
/** How often the pages of longer lists where no change is expected are read. Milliseconds. */
const sweepMs = 60 * 60_000;
/** Pages per minute if the order of the lists does not help: the share of all polls, without the call that asks for the account. */
const mostPages = limits.requestsPerMinute * pollShare - 2;
/** A page with one future booking per this many pages of all lists has too few of them to be read by each poll. */
const sparse = 500;
/** The order of the lists helps if there are at least this many new records in the expected places for each one elsewhere. */
const enoughHits = 8;

/**
 * A run of pages that each poll reads: the list, the cursor of its first page (null for that of the list), that page's number, and the
 * number of pages.
 */
type Run = [list: number, cursor: string | null, page: number, pages: number];

/**
 * How far long lists have been read. Each poll reads both ends of each list, the pages with future starts, and a part of the rest, so that
 * several polls together read everything: a sweep.
 */
export interface Sweep {
  /**
   * Set until the first sweep has ended: when it began, in milliseconds by the service's clock, and whether it reports no upcoming
   * bookings. Until then, it is not known what is new.
   */
  first?: { since: number; isQuiet: boolean };
  /** When the last poll began. Milliseconds since the epoch. */
  at: number;
  /** The last page that was read. The next poll reads it again, because lists shift in between. */
  list: number;
  cursor: string | null;
  page: number;
  /** The number of pages that this sweep has read so far, and that the whole previous one read; 0 if there was none. */
  done: number;
  pages: number;
  /** The runs that each poll reads, as found by the last sweep and, so far, by this one. */
  watched: Run[];
  found: Run[];
  /** The number of new records in the expected places and elsewhere. */
  hits: number;
  misses: number;
}

export const isSweep = (value: unknown): value is Sweep =>
  isObject(value) && [value['watched'], value['found']].every(Array.isArray) && [value['list'], value['done']].every(Number.isSafeInteger);

/** A sweep that has not begun. */
export const newSweep = (at: number, first?: Sweep['first']): Sweep => ({
  ...(first !== undefined && { first }),
  ...{ at, list: 0, cursor: null, page: 0, done: 0, pages: 0, watched: [], found: [], hits: 0, misses: 0 },
});

interface PageRead {
  records: ServiceRecord[];
  next: string | null;
  news: number;
  /** Whether it has future bookings, apart from new ones. */
  isHot: boolean;
}

/** The service no longer accepts a saved cursor. */
class RefusedCursor extends Error {}

/**
 * Reads the part of the lists that is due, and continues the sweep. If a saved cursor can no longer be used, it reads everything.
 *
 * @param until after this time, the next poll continues, in milliseconds; `isWhole`: read everything; `take` receives the records of a page
 * and returns the new ones
 * @returns the new sweep, whether it has ended, and whether this call read all of it
 * @throws ServiceError if a list cannot be read or does not end
 */
export async function readLists(
  client: Client,
  lists: readonly Listing[],
  before: Sweep,
  { until, isWhole, take }: { until: number; isWhole: boolean; take: (records: ServiceRecord[]) => readonly ServiceRecord[] },
): Promise<{ sweep: Sweep; isOver: boolean; isWhole: boolean }> {
  const now = client.clock.now();
  const sweep: Sweep = { ...before, at: now, found: [...before.found] };
  const known = new Map<string, PageRead>();
  let hasIds = before.done > 0;

  async function read(list: number, cursor: string | null, isExpected: boolean): Promise<PageRead> {
    const key = `${list} ${cursor ?? ''}`;
    const earlier = known.get(key);
    if (earlier !== undefined) return earlier;
    const listing = lists[list] as Listing;
    const wanted = { size: limits.pageSize, ...(cursor !== null && { cursor }), isKnown: hasIds || cursor !== null, isExact: true };
    const { records, cursor: next = null } = await fetchPage(client, listing, wanted);
    hasIds ||= records.length > 0;
    const fresh = take(records);
    // A few future bookings in a very long list can wait for the sweep.
    const isHot = records.filter((record) => !fresh.includes(record) && startsAfter(now, record)).length > sweep.pages / sparse;
    const page = { records, next, news: fresh.length, isHot };
    known.set(key, page);
    if (isExpected || isHot || cursor === null || page.next === null) sweep.hits += fresh.length;
    else sweep.misses += fresh.length;
    return page;
  }

  /**
   * Reads from a cursor of an earlier poll. If the service has forgotten the cursor, it may refuse it, or show the first page or an empty
   * one.
   */
  async function resume(list: number, cursor: string | null, isExpected: boolean): Promise<PageRead> {
    if (cursor === null) return read(list, cursor, isExpected);
    const head = await read(list, null, true);
    const page = await read(list, cursor, isExpected).catch((error: unknown) => {
      throw error instanceof ServiceError && ['invalid', 'notFound'].includes(error.kind) ? new RefusedCursor() : error;
    });
    const [id, headId] = [page, head].map(({ records: [record] }) => asText(record?.['id']));
    if (page.records.length === 0 || (id !== '' && id === headId)) throw new RefusedCursor();
    return page;
  }

  async function goOn(most: number): Promise<void> {
    let previous = sweep.cursor;
    let [isAfterHot, bare] = [false, 0];
    const ids = new Set<string>();
    for (let count = 1; sweep.list < lists.length; count += 1) {
      const { list, cursor } = sweep;
      const page = await (count === 1 ? resume : read)(list, cursor, isAfterHot);
      noteRun(sweep, page, previous);
      bare = page.records.filter(({ id }) => ids.size < ids.add(asText(id)).size).length > 0 ? 0 : bare + 1;
      if (bare >= maxEmpty || sweep.page >= maxPages) throw endless(lists[list] as Listing, 'repeats itself or does not end');
      const isEnough = count >= most || client.clock.now() > until;
      if (isEnough && page.next !== null) return;
      sweep.done += 1;
      [sweep.list, sweep.cursor, sweep.page] = page.next === null ? [list + 1, null, 0] : [list, page.next, sweep.page + 1];
      [previous, isAfterHot] = page.next === null ? [null, false] : [cursor, page.isHot];
      if (page.next === null) ids.clear();
      if (isEnough) return;
    }
  }

  const watchedPages = sweep.watched.reduce((sum, [, , , pages]) => sum + pages, 0);
  const isOrdered = sweep.misses * enoughHits <= sweep.hits && watchedPages <= mostPages / 2;
  const passed = Math.max(0, now - before.at);
  const due = isOrdered ? Math.ceil((sweep.pages * passed) / sweepMs) + 1 : Math.floor(mostPages * Math.max(1, passed / 60_000));
  let isAll = before.pages === 0 && before.done === 0;
  try {
    if (isWhole) throw new RefusedCursor();
    for (const [index, [list, from, , pages]] of isOrdered ? sweep.watched.entries() : []) {
      let page = await resume(list, from, true);
      const isAtEnd = sweep.watched[index + 1]?.[0] !== list;
      // New bookings and later starts make the run longer, and the list too.
      for (let count = 1; page.next !== null && (count < pages || isAtEnd || page.isHot || page.news > 0) && count < mostPages; count += 1)
        page = await read(list, page.next, true);
    }
    await goOn(sweep.pages === 0 ? Infinity : due);
  } catch (error) {
    if (!(error instanceof RefusedCursor)) throw error;
    known.clear();
    Object.assign(sweep, { list: 0, cursor: null, page: 0, done: 0, found: [] });
    isAll = true;
    await goOn(Infinity);
  }
  // Halved, so that older observations count less.
  if (sweep.hits > enoughHits ** 2) [sweep.hits, sweep.misses] = [Math.floor(sweep.hits / 2), Math.floor(sweep.misses / 2)];
  if (sweep.list < lists.length) return { sweep, isOver: false, isWhole: false };
  const { at, done, found, hits, misses } = sweep;
  return { sweep: { ...newSweep(at), pages: done <= shortPages ? 0 : done, watched: found, hits, misses }, isOver: true, isWhole: isAll };
}

/**
 * Notes that each poll reads this page: if it is at either end of its list, or, together with its neighbors, if it has a future booking.
 */
function noteRun({ list, cursor, page, found }: Sweep, { next, isHot, records }: PageRead, previous: string | null): void {
  // The page before is included too, because the last page may become empty.
  const isFromBefore = page > 0 && (isHot || (next === null && records.length < limits.pageSize / 2));
  if (!isHot && page > 0 && next !== null) return;
  const begin = isFromBefore && previous !== cursor ? page - 1 : page;
  const end = page + (isHot && next !== null ? 2 : 1);
  const last = found.at(-1);
  if (last?.[0] === list && begin <= last[2] + last[3])
    found[found.length - 1] = [list, last[1], last[2], Math.max(last[3], end - last[2])];
  else found.push([list, begin === page ? cursor : previous, begin, end - begin]);
}

/** Whether a booking may start after this time. Milliseconds since the epoch. */
export const startsAfter = (now: number, record: ServiceRecord): boolean => {
  const [, latest] = instantsBetween(record['start_time']);
  return Number.isFinite(latest) && latest > now;
};
