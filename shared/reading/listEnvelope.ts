// G1, lists. Seen: `data` and `has_more` (Stripe), `collection` and `next_page_token` (Calendly), `value` and `@odata.nextLink` (OData), `_embedded` (HAL), `content` (Spring), the `Link` header (GitHub).

import { readings, readListed } from './records.ts';
import { noRecord, unreadable } from './unreadable.ts';
import type { RecordKind, RecordOf } from '../records/fields.ts';
import { listEnvelope } from '../assumptions.ts';
import { asText, isBlank, isNo, isObject, isYes } from '../values.ts';
import type { Listing } from '../client/pages.ts';
import { messageIn, codeWords } from './errorBody.ts';

/** The forms of a list that are read. */
const forms = {
  itemKeys: [listEnvelope.itemsKey, 'items', 'results', 'collection', 'records', 'value', 'rows', 'list', 'content', '_embedded'],
  cursorKeys: [listEnvelope.cursorKey, 'nextCursor', 'cursor'],
  /** Any other name that says how the list continues: with a cursor, or with an address whose `cursor` parameter is used. */
  otherKeys:
    /^(?:@odata\.)?next(?:[_-]?(?:page|cursor|token|link|url|uri|href|key))*$|^(?:end|after)_?cursor$|^continuation_?token$|^cursors$/i,
  /** What has the cursor if one of these is an object. */
  innerKeys: ['next', 'after', 'cursor', 'href'],
  /** Names of objects that say how the list continues. Others, such as one about the rate limit, may have a `next` of their own. */
  places: /pag|meta|link|cursor|next|^data$|^results?$|^response$|^payload$/i,
  /** Names of objects that are about other pages than the next one. */
  otherPage: /^(?:prev|first|last|self|current)/i,
  moreKey: /^has_?(?:more|next(?:_?page)?)$/i,
  /** The number of records in the whole list. */
  totalKey: /^total(?:_?(?:count|items|records|results|elements))?$/i,
  /** The number of its pages. */
  pagesKey: /^(?:total_?)?pages$|^page_?count$/i,
  /** The number of records on a page, which may be smaller than what was asked for. */
  sizeKey: /^(?:limit|per_?page|page_?size)$/i,
  /** What a 404 says, or its code, that means an empty list, and not a wrong address: one of these among the two words after "no". */
  emptyWords:
    /^(?:booking|appointment|contact|invitee|customer|attendee|guest|person|email|subscription|webhook|hook|type|record|result|item|data)s?$/i,
  missingWords: /\b(?:bookings?|contacts?|invitees?|customers?|attendees?|guests?|person|email|records?|results?) not found\b/i,
};

/** What one page contains and says about the rest of the list. */
export interface Reading<Kind extends RecordKind = RecordKind> {
  records: RecordOf[Kind][];
  /** Where the next page begins, from the first key that names it. */
  cursor: string | undefined;
  /** `has_more`, where it is there. */
  more: boolean | undefined;
  /** The number of records in the whole list, where it is there, `Infinity` if there are several pages; otherwise 0. */
  total: number;
  /** The size of the service's pages, where it is there; otherwise `Infinity`. */
  size: number;
  /** The page says that the list ends here ... */
  saysEnd: boolean;
  /** ... or that it continues, but not where: for example with a link, or with an unusable cursor. */
  saysMore: boolean;
  body: unknown;
}

export const requestOf = ({ path }: Pick<Listing, 'path'>) => `GET /v1/${path.join('/')}`;

/**
 * Reads the envelope of a list (G1).
 *
 * @param link the header with the address of the next page (RFC 8288), if there is one
 * @param sent the cursor of this request: if the service repeats it, that is an echo and not a next page
 * @throws ServiceError `unreadable` if there is no list of records
 */
export function readPage<Kind extends RecordKind>(
  listing: Listing<Kind>,
  body: unknown,
  link: string | undefined,
  sent: string | undefined,
): Reading<Kind> {
  const reading: Reading<Kind> = {
    records: recordsOf(listing, itemsOf(listing, body)),
    cursor: undefined,
    more: undefined,
    total: 0,
    size: Infinity,
    saysEnd: false,
    saysMore: false,
    body,
  };
  const places = placesIn(body);
  const said = places.flatMap((place) => Object.entries(place));
  const more = said.find(([key, value]) => forms.moreKey.test(key) && (isYes(value) || isNo(value)));
  reading.more = more && isYes(more[1]);
  const numberAt = (name: 'pagesKey' | 'totalKey' | 'sizeKey'): number =>
    Number(said.find(([key]) => forms[name].test(key))?.[1] ?? Number.NaN);
  reading.total = numberAt('pagesKey') > 1 ? Infinity : numberAt('totalKey') || 0;
  reading.size = numberAt('sizeKey') || Infinity;
  for (const key of forms.cursorKeys) {
    for (const place of places) {
      const value = cursorUnder(place[key]);
      // The first page is no next one, so 0 means that there is none. Under `cursor`, it may be where this page begins.
      if (key === 'cursor') note(reading, value, sent);
      else note(reading, asText(value) === '0' ? null : value, undefined);
    }
  }
  for (const place of places)
    for (const [key, value] of Object.entries(place)) if (isOtherCursor(key)) note(reading, cursorUnder(value), undefined);
  note(reading, cursorUnder(/<([^<>]*)>\s*;[^,<]*\brel="?next\b/i.exec(link ?? '')?.[1]), undefined);
  return reading;
}

const isOtherCursor = (key: string): boolean => forms.otherKeys.test(key) && !forms.cursorKeys.includes(key);

/**
 * A cursor, or the one in the address of the next page. The address itself is never requested, because it would get the token, wherever it
 * leads. What is no cursor and not empty says that the list continues.
 */
function cursorUnder(value: unknown): unknown {
  const link = innerCursor(value);
  if (typeof link !== 'string' || !/^(?:https?:\/\/|\/[^?]*\?|\?)/i.test(link)) return link;
  return new URLSearchParams(link.slice(link.indexOf('?') + 1)).get('cursor') ?? {};
}

/** What an object under a cursor's key has as the next one, such as `{"next": "...", "prev": null}`. */
function innerCursor(value: unknown): unknown {
  const key = isObject(value) ? forms.innerKeys.find((each) => value[each] !== undefined) : undefined;
  return isObject(value) && key !== undefined ? value[key] : value;
}

/** Reads a value under a cursor's key: null, false, and what is blank mean that there is no cursor. */
function note(reading: Reading, value: unknown, echo: string | undefined): void {
  if (value === undefined) return;
  if (value === false || isBlank(value)) reading.saysEnd = true;
  else if (typeof value !== 'string' && typeof value !== 'number') reading.saysMore = true;
  else if (String(value) !== echo) reading.cursor ??= String(value);
}

/** The places where a body may say how the list continues: itself, and objects with a name of paging in it and in those. What has an id is a record. */
function placesIn(body: unknown, depth = 2): Record<string, unknown>[] {
  if (!isObject(body) || (body['id'] !== undefined && depth < 2)) return [];
  const inner = depth === 0 ? [] : Object.entries(body).filter(([name]) => forms.places.test(name) && !forms.otherPage.test(name));
  return [body, ...inner.flatMap(([, value]) => placesIn(value, depth - 1))];
}

/** The items: the body itself, or under one of the usual keys, or there inside an object such as `data`. */
function itemsOf(listing: Listing, body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  if (body === null) return [];
  const keys = [...forms.itemKeys, ...readings[listing.record].names];
  const outer = isObject(body) ? body : {};
  for (const holder of [outer, ...keys.map((key) => outer[key])]) {
    // What has an id is a record, whatever lists are in it.
    if (!isObject(holder) || (holder !== outer && holder['id'] !== undefined)) continue;
    const list = keys.map((key) => listIn(holder[key])).find((items) => items !== undefined);
    if (list !== undefined) return list;
  }
  if (messageIn(body) === '') {
    // Some languages write an empty list as null.
    if (keys.some((key) => outer[key] === null)) return [];
    const [only, ...others] = Object.values(outer).filter((value) => Array.isArray(value));
    if (outer['id'] === undefined && only?.every(isObject) === true && others.length === 0) return only;
  }
  throw unreadable(requestOf(listing), listExpected, body);
}

/** Null is a gap in the list and no record. Another value that is not an object belongs to another kind of list. */
const recordsOf = <Kind extends RecordKind>(listing: Listing<Kind>, items: readonly unknown[]): RecordOf[Kind][] =>
  items
    .filter((item) => item !== null)
    .map((item) => {
      const record = readListed(listing.record, item);
      if (record === undefined) throw noRecord(listing.record, item, requestOf(listing), listExpected);
      return record;
    });

/** @throws ServiceError `unreadable` if a page has records, but none with an id that can be used: then they are read in the wrong way */
export function checkForIds(listing: Listing, { records, body }: Reading): void {
  const items = itemsOf(listing, body);
  if (records.length > 0 && records.every(({ id }) => id === ''))
    throw noRecord(listing.record, items[0], requestOf(listing), listExpected);
}

const listExpected = `a list of records with an id under "${forms.itemKeys[0]}"`;

/** A list, or an object with numbers as names: so some languages write a list from which records were taken out. */
function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value as readonly unknown[];
  const names = isObject(value) ? Object.keys(value) : [];
  return isObject(value) && names.length > 0 && names.every((name) => /^\d+$/.test(name)) ? Object.values(value) : undefined;
}

/** Whether a 404 says that the list is empty, and not that the address is wrong: "No bookings", "no matching records", "contact not found". */
export const saysEmpty = (message: string, code: string | undefined): boolean =>
  [message, code]
    .map(codeWords)
    .some(
      (words) =>
        forms.missingWords.test(words) ||
        [...words.matchAll(/\bno (\w+)(?:[ -](\w+))?/gi)].some((said) => said.slice(1).some((word = '') => forms.emptyWords.test(word))),
    );
