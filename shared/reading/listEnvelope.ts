// G1: where a list has its items, and how it continues.

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

/** Names of objects about paging. Others, such as one about the rate limit, may have a `next` of their own. */
const places = /pag|meta|link|cursor|next|^data$|^results?$|^response$|^payload$/;
/** Names of objects about other pages than the next one. */
const otherPage = /^(?:prev|first|last|self|current)/;
/** A page with one of these names is not the last one, although they give no cursor that can be used. */
const otherNext = /^next_.*(?:url|uri|href|key|offset)$/;
/** Where the cursor is if its usual place is an object. */
const innerKeys = ['next', 'after', 'cursor', 'href'];

/** The records of one page, and what it says about the rest of the list. */
export interface PageReading<Kind extends RecordKind = RecordKind> {
  records: RecordOf[Kind][];
  /** Where the next page begins, from the first row that has a usable cursor. */
  cursor: string | undefined;
  /** Whether the list continues; `undefined` if the page does not say. It may say so without a cursor. */
  more: boolean | undefined;
  /** Whether the page's size, or the total of records or pages, suggests that the list continues. */
  isFull: boolean;
  /** Whether null stands in place of the list or of a record, so that it is only assumed to be a list. */
  isOdd: boolean;
  body: unknown;
}

export const requestOf = ({ path }: Pick<Listing, 'path'>) => `GET /v1/${path.join('/')}`;

/**
 * Reads the envelope of a list (G1).
 *
 * @param link the `Link` header with the address of the next page (RFC 8288), if any
 * @param sent the cursor of this request: if the service repeats it under `cursor`, it is an echo and not the next page
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
    // `cursor` may say where this page begins.
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

/** Null, false and blank values mean that there is no next page. So does 0, which would be the first page. */
const isEnd = (value: unknown): boolean => value === false || isBlank(value) || asText(value) === '0';
const isCursor = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

/**
 * A cursor, or the one in the address of the next page. The address itself is never requested, because it could lead elsewhere and would
 * receive the token. A value that is neither a cursor nor empty says that the list continues.
 */
function cursorUnder(value: unknown): unknown {
  const key = isObject(value) ? innerKeys.find((each) => value[each] !== undefined) : undefined;
  if (isObject(value) && key !== undefined) return cursorUnder(value[key]);
  // An empty object of cursors.
  if (isObject(value) && Object.keys(value).length === 0) return null;
  if (typeof value !== 'string' || !/^(?:https?:\/\/|\/[^?]*\?|\?)/i.test(value)) return value;
  return new URLSearchParams(value.slice(value.indexOf('?') + 1)).get('cursor') ?? {};
}

type SaidValue = readonly [words: string, value: unknown];

const placesOf = (reader: Reader, fact: string): string[] => reader.rows.filter((row) => row.fact === fact).map(({ at }) => at);

/** The values under the names that a fact's rows have, in the order of the rows. */
const saidAt = (reader: Reader, fact: string, said: readonly SaidValue[]): { value: unknown; at: string }[] =>
  placesOf(reader, fact).flatMap((at) => said.filter(([words]) => fits(words, at)).map(([, value]) => ({ value, at })));

/**
 * The entries of a body that may say how the list continues: at its top, and in objects about paging, two levels deep. An object with an id
 * inside it is a record.
 */
function saidIn(body: unknown, name = '', depth = 2): SaidValue[] {
  if (!isObject(body) || (body['id'] !== undefined && depth < 2)) return [];
  const own = shapeOf(body).names.map(([words, key]) => [name === 'pages' && words === 'total' ? 'pages' : words, body[key]] as const);
  const inner = depth === 0 ? [] : own.filter(([words]) => places.test(words) && !otherPage.test(words));
  return [...own, ...inner.flatMap(([words, value]) => saidIn(value, words, depth - 1))];
}

/** The object with the items of a list: the body, or an object in it such as `data`. */
interface ListHolder {
  holder: object;
  /** `undefined` if null stands in their place. */
  items: readonly unknown[] | undefined;
}

function listedIn({ record: kind, path }: Listing, body: unknown, reader: Reader): ListHolder {
  if (Array.isArray(body)) return { holder: {}, items: body };
  if (body === null) return { holder: {}, items: undefined };
  const outer = isObject(body) ? body : {};
  const names = [reader.ownNames[kind], ...placesOf(reader, 'list.items')];
  const keysIn = (holder: object): string[] =>
    names.flatMap((at) => keysAt(holder, at)).filter((key) => reader.isEntered(kind, wordsOf(key)));
  /** The inner objects, those under known names first. */
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
  // Look deeper only if no list is nearer. Accept names of people and of other things beside records only if there is no other list.
  const further = outermost.slice(1).flatMap(inside).filter(isHolder);
  const passes = [outermost, further, ...(kind === 'booking' ? [] : [outermost])];
  for (const [pass, holders] of passes.entries()) {
    for (const holder of holders) {
      const items = keysIn(holder)
        .map((key) => holder[key])
        .find((value): value is unknown[] => Array.isArray(value));
      if (items !== undefined) return { holder, items };
    }
    // A filled list that is named after this kind of record wins over a nearer list.
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
    // If the total is 0, the list is empty, whatever its name.
    if (saidAt(reader, 'list.total', saidIn(body)).some(({ value }) => asText(value) === '0')) return { holder: outer, items: [] };
    for (const holder of holders) {
      const isOver = saidAt(reader, 'list.more', saidIn(holder, '', 0)).some(({ value }) => isNo(value));
      if (isOver && Object.values(holder).some(isEmptyList)) return { holder, items: [] };
    }
  }
  // An empty list may be of anything, unless it is the only list and is named after this kind of record in other services.
  const theirs = placesOf(reader, `type.${kind}`).join('|');
  const isAlone = (holder: Raw): boolean => Object.values(holder).filter(Array.isArray).length === 1;
  const empty = outermost.find((holder) => isAlone(holder) && keysAt(holder, theirs).some((key) => isEmptyList(holder[key])));
  if (empty !== undefined && messageIn(texts) === '') return { holder: empty, items: [] };
  throw unreadable(requestOf({ path }), listExpected, body);
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Skips null, which is a gap in the list. Any other value that is not an object means that this is another kind of list. */
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
 * @throws ServiceError `unreadable` if a page has records, but none with a usable id: they are then read in the wrong way. A contact may
 *   have an email address instead, because some services identify people by it.
 */
export function checkForIds(listing: Listing, { records, body }: Pick<PageReading, 'records' | 'body'>): void {
  const isKnown = ({ id, ...record }: ServiceRecord): boolean => id !== '' || (listing.record === 'contact' && hasValue(record['email']));
  if (records.length === 0 || records.some(isKnown)) return;
  const [item] = listedIn(listing, body, usual).items ?? [];
  throw noRecord(listing.record, item, requestOf(listing), listExpected);
}

export const listExpected = `a list of records with an id under "${listEnvelope.itemsKey}"`;

/** One of these among the two words after "no", in the message or code of a 404, means an empty list and not a wrong address. */
const emptyWords =
  /^(?:booking|appointment|contact|invitee|customer|attendee|guest|person|email|subscription|webhook|hook|type|record|result|item|data)s?$/i;
const missingWords = /\b(?:bookings?|contacts?|invitees?|customers?|attendees?|guests?|person|email|records?|results?) not found\b/i;

/** Whether a 404 says that the list is empty, not that the address is wrong: "No bookings", "no matching records", "contact not found". */
export const saysEmpty = (message: string, code: string | undefined): boolean =>
  [message, code]
    .map(codeWords)
    .some(
      (words) =>
        missingWords.test(words) ||
        [...words.matchAll(/\bno (\w+)(?:[ -](\w+))?/gi)].some((said) => said.slice(1).some((word = '') => emptyWords.test(word))),
    );
