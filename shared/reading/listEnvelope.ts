// G1, lists: where their items are, and how they continue.

import { reader as usual, type Reader } from './reader.ts';
import { noRecord, unreadable } from './unreadable.ts';
import type { RecordKind, RecordOf, ServiceRecord } from '../records/fields.ts';
import { listEnvelope } from '../assumptions.ts';
import { limits } from '../limits.ts';
import { asText, hasValue, isBlank, isNo, isObject, isYes } from '../values.ts';
import type { Listing } from '../call.ts';
import { isOfOthers } from './people.ts';
import { messageIn, codeWords } from './errorBody.ts';
import { nextIn } from './linkHeader.ts';
import { fits, keysAt, type Raw, shapeOf, wordsOf } from './shapes.ts';

/** Names of objects that say how a list continues. Others, such as one about the rate limit, may have a `next` of their own. */
const places = /pag|meta|link|cursor|next|^data$|^results?$|^response$|^payload$/;
/** Names of objects that are about other pages than the next one. */
const otherPage = /^(?:prev|first|last|self|current)/;
/** A page that names the next one in other words is not the last one, although its cursor is not known. */
const otherNext = /^next_.*(?:url|uri|href|key|offset)$/;
/** What has the cursor if one of these is an object. */
const innerKeys = ['next', 'after', 'cursor', 'href'];

/** What one page contains, and what it says about the rest of the list. */
export interface PageReading<Kind extends RecordKind = RecordKind> {
  records: RecordOf[Kind][];
  /** Where the next page begins, from the first name that says it. */
  cursor: string | undefined;
  /** Whether the list continues, as far as the page says so. It may say that it does and not where. */
  more: boolean | undefined;
  /** By its size, or by the number of records or pages, the list may continue, although nothing says where. */
  isFull: boolean;
  /** What is no list of records, and can only be read as one: null in its place, or in place of a record. */
  isOdd: boolean;
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
  reader: Reader = usual,
): PageReading<Kind> {
  const { holder, items } = listedIn(listing, body, reader);
  const records = recordsOf(listing, items ?? [], reader, isObject(body) ? body['included'] : undefined);
  const said = [...saidIn(body), ...(holder === body ? [] : saidIn(holder))];
  const valuesOf = (fact: string) => saidAt(reader, fact, said);
  const next = [
    // Under `cursor`, it may be where this page begins.
    ...valuesOf('list.cursor').map(({ value, at }) => ({ value: cursorUnder(value), echo: at === 'cursor' ? sent : undefined })),
    { value: cursorUnder(nextIn(link ?? '')), echo: undefined },
  ].filter(({ value }) => value !== undefined);
  const cursor = next.find(({ value, echo }) => !isEnd(value) && isCursor(value) && String(value) !== echo)?.value;
  const leadsOn =
    next.some(({ value }) => !isEnd(value) && !isCursor(value)) || said.some(([words, value]) => otherNext.test(words) && !isEnd(value));
  const flag = valuesOf('list.more').find(({ value }) => isYes(value) || isNo(value));
  const bySaying = cursor !== undefined ? undefined : leadsOn ? true : next.some(({ value }) => isEnd(value)) ? false : undefined;
  const numberOf = (fact: string): number => Number(valuesOf(fact).find(({ value }) => /^\d+$/.test(asText(value)))?.value ?? Number.NaN);
  const [total, pages, size] = ['list.total', 'list.pages', 'list.size'].map(numberOf);
  const { length } = records;
  return {
    records,
    cursor: cursor === undefined ? undefined : asText(cursor),
    more: flag === undefined ? bySaying : isYes(flag.value),
    isFull:
      (length > 1 && ((length === size && length !== total) || (sent === undefined && (length < (total ?? 0) || (pages ?? 0) > 1)))) ||
      (length === limits.defaultPageSize && length !== total),
    isOdd: items === undefined || items.includes(null),
    body,
  };
}

/** The first page is no next one, so 0 means that there is none, as null, false and what is blank do. */
const isEnd = (value: unknown): boolean => value === false || isBlank(value) || asText(value) === '0';
const isCursor = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

/**
 * A cursor, or the one in the address of the next page. The address itself is never requested, because it would get the token, wherever it
 * leads. What is no cursor and not empty says that the list continues.
 */
function cursorUnder(value: unknown): unknown {
  const key = isObject(value) ? innerKeys.find((each) => value[each] !== undefined) : undefined;
  if (isObject(value) && key !== undefined) return cursorUnder(value[key]);
  // An object of cursors that has none.
  if (isObject(value) && Object.keys(value).length === 0) return null;
  if (typeof value !== 'string' || !/^(?:https?:\/\/|\/[^?]*\?|\?)/i.test(value)) return value;
  return new URLSearchParams(value.slice(value.indexOf('?') + 1)).get('cursor') ?? {};
}

type SaidValue = readonly [words: string, value: unknown];

const placesOf = (reader: Reader, fact: string): string[] => reader.rows.filter((row) => row.fact === fact).map(({ at }) => at);

/** What is said under the names that the rows of a fact have, in the order of these. */
const saidAt = (reader: Reader, fact: string, said: readonly SaidValue[]): { value: unknown; at: string }[] =>
  placesOf(reader, fact).flatMap((at) => said.filter(([words]) => fits(words, at)).map(([, value]) => ({ value, at })));

/**
 * What a body says about how the list continues: at its top, and in objects with a name of paging there and in those. What has an id is a
 * record.
 */
function saidIn(body: unknown, name = '', depth = 2): SaidValue[] {
  if (!isObject(body) || (body['id'] !== undefined && depth < 2)) return [];
  const own = shapeOf(body).names.map(([words, key]) => [name === 'pages' && words === 'total' ? 'pages' : words, body[key]] as const);
  const inner = depth === 0 ? [] : own.filter(([words]) => places.test(words) && !otherPage.test(words));
  return [...own, ...inner.flatMap(([words, value]) => saidIn(value, words, depth - 1))];
}

/** What has the items of a list, and where they are: the body itself, or under one of the usual names, or there inside objects such as `data`. */
interface ListHolder {
  holder: object;
  /** `undefined` for null in their place. */
  items: readonly unknown[] | undefined;
}

function listedIn({ record: kind, path }: Listing, body: unknown, reader: Reader): ListHolder {
  if (Array.isArray(body)) return { holder: {}, items: body };
  if (body === null) return { holder: {}, items: undefined };
  const outer = isObject(body) ? body : {};
  const names = [reader.ownNames[kind], ...placesOf(reader, 'list.items')];
  const keysIn = (holder: object): string[] =>
    names.flatMap((at) => keysAt(holder, at)).filter((key) => reader.isEntered(kind, wordsOf(key)));
  /** The objects in an object, those under known names first. What has an id is a record, whatever lists are in it. */
  const inside = (holder: Raw): Raw[] => {
    const known = [...keysIn(holder), ...keysAt(holder, reader.envelope)];
    const others = shapeOf(holder)
      .names.filter(([words]) => reader.isEntered(kind, words))
      .map(([, key]) => key);
    return [...new Set([...known, ...others])].map((key) => holder[key]).filter(isObject);
  };
  const isHolder = (each: Raw): boolean =>
    reader.idOf(kind, each) === undefined ||
    keysAt(each, 'object|(?:resource_)?type|jsonrpc').some((key) => /(?:^list|collection|bundle|^2\.0)$/i.test(asText(each[key])));
  const outermost = [outer, ...inside(outer)].filter(isHolder);
  const texts = Object.fromEntries(Object.entries(outer).filter(([, value]) => typeof value === 'string'));
  // Further inside only where nothing nearer is a list; and what is named after people or what stands beside records only where nothing else is one.
  const further = outermost.slice(1).flatMap(inside).filter(isHolder);
  const passes = [outermost, further, ...(kind === 'booking' ? [] : [outermost])];
  for (const [pass, holders] of passes.entries()) {
    for (const holder of holders) {
      const items = keysIn(holder)
        .map((key) => holder[key])
        .find((value): value is unknown[] => Array.isArray(value));
      if (items !== undefined) return { holder, items };
    }
    // What is named after such records, and has some, wins over what is nearer.
    for (const holder of pass === 0 ? further : []) {
      const items = keysAt(holder, reader.ownNames[kind])
        .map((key) => holder[key])
        .find((value) => Array.isArray(value) && value.length > 0 && value.every((each) => isObject(each) && !isHolder(each)));
      if (items !== undefined) return { holder, items: items as unknown[] };
    }
    if (!isHolder(outer)) break;
    if (messageIn(texts) !== '') continue;
    // Some languages write an empty list as null.
    if (keysIn(outer).some((key) => outer[key] === null)) return { holder: outer, items: undefined };
    for (const holder of holders) {
      const lists = shapeOf(holder).names.filter(([words]) => reader.isEntered(kind, words) && (pass === 2 || !isOfOthers(words)));
      const [only, ...more] = lists.map(([, key]) => holder[key]).filter((value): value is unknown[] => Array.isArray(value));
      if (only?.every(isObject) === true && only.length > 0 && more.length === 0) return { holder, items: only };
    }
    // A list that says to be empty needs no name that is known.
    if (saidAt(reader, 'list.total', saidIn(body)).some(({ value }) => asText(value) === '0')) return { holder: outer, items: [] };
    for (const holder of holders) {
      const isOver = saidAt(reader, 'list.more', saidIn(holder, '', 0)).some(({ value }) => isNo(value));
      if (isOver && Object.values(holder).some(isEmptyList)) return { holder, items: [] };
    }
  }
  // An empty list may be of anything, unless it is alone and has a name of such records elsewhere.
  const theirs = placesOf(reader, `type.${kind}`).join('|');
  const isAlone = (holder: Raw): boolean => Object.values(holder).filter(Array.isArray).length === 1;
  const empty = outermost.find((holder) => isAlone(holder) && keysAt(holder, theirs).some((key) => isEmptyList(holder[key])));
  if (empty !== undefined && messageIn(texts) === '') return { holder: empty, items: [] };
  throw unreadable(requestOf({ path }), listExpected, body);
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Null is a gap in the list and no record. Another value that is not an object belongs to another kind of list. */
const recordsOf = <Kind extends RecordKind>(
  listing: Listing<Kind>,
  items: readonly unknown[],
  reader: Reader,
  included: unknown,
): RecordOf[Kind][] =>
  items
    .filter((item) => item !== null)
    .map((item) => {
      const record = reader.readListed(listing.record, item, included);
      if (record === undefined) throw noRecord(listing.record, item, requestOf(listing), listExpected);
      return record;
    });

/**
 * @throws ServiceError `unreadable` if a page has records, but none with an id that can be used: then they are read in the wrong way. Some
 *   services know people by their address alone.
 */
export function checkForIds(listing: Listing, { records, body }: Pick<PageReading, 'records' | 'body'>): void {
  const isKnown = ({ id, ...record }: ServiceRecord): boolean => id !== '' || (listing.record === 'contact' && hasValue(record['email']));
  if (records.length === 0 || records.some(isKnown)) return;
  const [item] = listedIn(listing, body, usual).items ?? [];
  throw noRecord(listing.record, item, requestOf(listing), listExpected);
}

export const listExpected = `a list of records with an id under "${listEnvelope.itemsKey}"`;

/** What a 404 says, or its code, that means an empty list, and not a wrong address: one of these among the two words after "no". */
const emptyWords =
  /^(?:booking|appointment|contact|invitee|customer|attendee|guest|person|email|subscription|webhook|hook|type|record|result|item|data)s?$/i;
const missingWords = /\b(?:bookings?|contacts?|invitees?|customers?|attendees?|guests?|person|email|records?|results?) not found\b/i;

/** Whether a 404 says that the list is empty, and not that the address is wrong: "No bookings", "no matching records", "contact not found". */
export const saysEmpty = (message: string, code: string | undefined): boolean =>
  [message, code]
    .map(codeWords)
    .some(
      (words) =>
        missingWords.test(words) ||
        [...words.matchAll(/\bno (\w+)(?:[ -](\w+))?/gi)].some((said) => said.slice(1).some((word = '') => emptyWords.test(word))),
    );
