import type { BookingRecord, ContactRecord, EventTypeRecord } from '../records/fields.ts';
import { hasEnded, letterCases } from '../reading/index.ts';
import { sortByRelevance } from './booking/relevance.ts';
import type { Client } from '../client/client.ts';
import type { Choice, LookupName } from './define.ts';
import { brand } from '../brand.ts';
import { fetchPage, maxScanned, paginate } from '../client/pages.ts';
import { listingOf } from '../records/resources.ts';
import { listScan } from '../assumptions.ts';
import { limits } from '../limits.ts';
import { comparableTime, instantOf, instantsBetween, inZone, readTime } from '../time/time.ts';
import { isZone, offsetAt, offsetText } from '../time/zones.ts';
import { bookingLists } from '../client/bookingLists.ts';
import { readBookings } from './booking/reading.ts';
import { hostZone } from './user.ts';
import { asText, isNo, visible } from '../values.ts';

export interface LookupQuery {
  /** What the person typed to filter the list. */
  text?: string | undefined;
  /** The cursor of the next page, as returned with the last one. */
  cursor?: string | undefined;
}

export interface LookupPage {
  choices: Choice[];
  cursor?: string;
  /** A sentence about an incomplete list. On the first page, show it above the choices. */
  note?: string;
}

/**
 * Reads a list from which to choose a value.
 *
 * @throws ServiceError if a list cannot be read
 */
export type Lookup = (client: Client, query: LookupQuery) => Promise<LookupPage>;

/** Whether a record can be chosen. In lists, an unusable id has become empty (G3). */
const hasId = ({ id }: { readonly id: string }): boolean => id !== '';

/**
 * The label of a choice. Invisible characters, and those that reverse the text direction, are removed: they could make it look like another
 * choice.
 */
const labelOf = (id: string, parts: readonly unknown[]): string =>
  parts
    .map((part) => (typeof part === 'string' ? visible(part) : ''))
    .filter((part) => part !== '')
    .join(', ') || id;

/** Whether a choice matches what was typed: a part of its label, or its whole id. */
const fits = ({ label, value }: Choice, wanted: string): boolean => searched(label).includes(wanted) || searched(value) === wanted;

/** Normalizes text for searching: letter case and accents do not matter, however they are encoded. */
const searched = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const typed = ({ text }: LookupQuery): string => searched((text ?? '').trim());

/**
 * The note for an incomplete list of choices; `undefined` if nothing is missing.
 *
 * @param cut the sentence for a list that was not read to its end; false if it was
 * @param records all records that were read
 */
function notes(cut: string | false, records: readonly { readonly id: string }[]): string | undefined {
  const unusable = !records.every(hasId) && `Some cannot be chosen, because ${brand.name} shows no usable id for them.`;
  return [cut, unusable].filter((sentence) => sentence !== false).join(' ') || undefined;
}

/**
 * The account's event types with their duration, in the host's order; inactive ones come last and are marked. At most ten pages are read,
 * and the note says if there are more.
 */
const eventTypes: Lookup = async (client, query) => {
  const wanted = typed(query);
  const list = paginate(client, listingOf('eventType'), maxScanned);
  const all = await list.all();
  const records = inHostsOrder(all.filter(hasId));
  const cutNote = `Only the first ${maxScanned.toLocaleString('en')} event types are listed. If yours is not there, enter its id.`;
  const note = notes(list.isTruncated && cutNote, all);
  return {
    choices: [...records.filter(isBookable), ...records.filter((record) => !isBookable(record))]
      .map(eventTypeChoice)
      .filter((choice) => fits(choice, wanted)),
    ...(note !== undefined && { note }),
  };
};

const isBookable = ({ active }: EventTypeRecord): boolean => !isNo(active);

/**
 * A list with the newest first is reversed, because a host's page shows the oldest first. Any other order is the service's own and is kept.
 */
function inHostsOrder(records: readonly EventTypeRecord[]): readonly EventTypeRecord[] {
  const made = records.map(({ created_at: at }) => Number(comparableTime(at)));
  const isNewestFirst = made.every((at, index) => index === 0 || at <= Number(made[index - 1]));
  return isNewestFirst ? records.toReversed() : records;
}

function eventTypeChoice({ id, name, duration_minutes: minutes, active }: EventTypeRecord): Choice {
  const length = Number(minutes) > 0 ? ` (${asText(minutes)} min)` : '';
  return { value: id, label: `${visible(asText(name)) || id}${length}${isNo(active) ? ', inactive' : ''}` };
}

const bookingsShown = 100;

/**
 * Upcoming bookings that are not cancelled, soonest first, in the host's time zone. People find them by the shown text and by the invitee's
 * email. While a person types or turns pages, a long list is not read again.
 */
const bookings: Lookup = async (client, query) => {
  const now = client.clock.now();
  const wanted = typed(query);
  // The list is also useful without the zone. If something is wrong, reading the list reports it.
  const zone = hostZone(client);
  // If the list fails first, nobody waits for the zone, so a failure of the zone must be handled here.
  zone.catch(() => undefined);
  const isBegun = wanted !== '' || query.cursor !== undefined;
  const reading = await readBookings(
    client,
    {
      lists: (statuses) => bookingLists({ statuses }),
      upcoming: true,
      begin: now,
      end: Infinity,
      fits: (record) => !hasEnded(record) && !(instantsBetween(record.start_time)[1] < now),
      key: 'to choose from',
    },
    { bound: { resume: isBegun ? 'any' : 'unfinished' } },
  );
  const { records, isPart, count } = reading;
  const shownIn = await zone;
  const choices = sortByRelevance(records.filter(hasId), now).flatMap((record) => {
    const choice = bookingChoice(record, shownIn);
    const isFound = fits(choice, wanted) || searched(asText(record.invitee_email)).includes(wanted);
    return isFound ? [choice] : [];
  });
  const from = Number(query.cursor ?? 0);
  const note = notes(
    isPart &&
      query.cursor === undefined &&
      `Not all are listed: only ${count.toLocaleString('en')} bookings were searched. If yours is missing, enter its id.`,
    records,
  );
  return {
    choices: choices.slice(from, from + bookingsShown),
    ...(choices.length > from + bookingsShown && { cursor: String(from + bookingsShown) }),
    ...(note !== undefined && { note }),
  };
};

/** @param host the time zone in which to show the start; if `undefined`, the invitee's zone is used, or else UTC */
function bookingChoice(record: BookingRecord, host: string | undefined): Choice {
  const { id, invitee_name: name, invitee_email: email, event_type_name: type, start_time: start, invitee_timezone: invitee } = record;
  const zone = host ?? (typeof invitee === 'string' && isZone(invitee) ? invitee : 'UTC');
  const at = instantOf(start);
  const [day, time = ''] = (inZone(at, zone) ?? '').split('T');
  // A time without an offset is shown unchanged, because its zone is unknown.
  const when = Number.isNaN(at) ? readTime(asText(start)) && start : `${day} ${time.slice(0, 5)} UTC${offsetText(offsetAt(zone, at))}`;
  return { value: id, label: labelOf(id, [when, name || email, type]) };
}

/** The account's contacts, by name and email. For a complete email address, the service's own search is used. */
const contacts: Lookup = async (client, query) => {
  const [email, inLowerCase] = isWholeAddress(query.text) ? letterCases(query.text ?? '') : [];
  const page = await scan(client, email, query);
  if (inLowerCase === undefined || page.choices.length > 0 || page.cursor !== undefined) return page;
  return scan(client, inLowerCase, query);
};

const isWholeAddress = (text = '') => /^[^\s@]{1,64}@[^\s@]{1,190}\.[^\s@.]{2,24}$/.test(text.trim());

/** How many choices fill a screen: n8n asks for the next page of a search only when its list is scrolled to the end. */
const screenful = 20;

/**
 * One page of contacts. The service cannot search by name, so a search reads until it has filled a screen. If it stops before the end of
 * the list, its note says so.
 */
async function scan(client: Client, email: string | undefined, query: LookupQuery): Promise<LookupPage> {
  const wanted = typed(query);
  const enough = wanted === '' ? 1 : screenful;
  const records: ContactRecord[] = [];
  let choices: Choice[];
  let next = query.cursor;
  let pages = 0;
  do {
    const page = await fetchPage(client, listingOf('contact', { email }), { size: limits.pageSize, cursor: next });
    records.push(...page.records);
    choices = records
      .filter(hasId)
      .map(contactChoice)
      .filter((choice) => fits(choice, wanted));
    next = page.cursor;
    pages += 1;
  } while (next !== undefined && choices.length < enough && pages < listScan.pages);

  const stopped = wanted !== '' && next !== undefined && choices.length < enough;
  const ended = `The search ended after ${records.length.toLocaleString('en')} contacts. If yours is not listed, type its full email address.`;
  const note = notes(stopped && ended, records);
  return { choices, ...(next !== undefined && !stopped && { cursor: next }), ...(note !== undefined && { note }) };
}

function contactChoice({ id, name, email }: ContactRecord): Choice {
  return { value: id, label: labelOf(id, [name, email]) };
}

/** Valid zone names that people look for but that the engine's own list lacks. */
const besides = [
  'UTC',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Ho_Chi_Minh',
  'Asia/Yangon',
  'Europe/Kyiv',
  'Atlantic/Faroe',
  'America/Nuuk',
  'Pacific/Kanton',
];

let names: readonly string[] | undefined;

/** Every time zone of the engine, in alphabetical order. Read only once: the list cannot change while the program runs. */
const zoneNames = (): readonly string[] =>
  (names ??= [...new Set([...Intl.supportedValuesOf('timeZone'), ...besides.filter(isZone)])].sort());

/** Time zones with their current offset, found by any part of their name. */
const timeZones: Lookup = async (client, query) => {
  const wanted = typed(query).replaceAll(' ', '_');
  const now = client.clock.now();
  const found = zoneNames().filter((name) => name.toLowerCase().includes(wanted));
  return { choices: found.map((name) => zoneChoice(name, now)) };
};

const zoneChoice = (name: string, now: number): Choice => ({
  value: name,
  label: `${name.replaceAll('_', ' ')} (UTC${offsetText(offsetAt(name, now))})`,
});

export const lookups: Record<LookupName, Lookup> = { bookings, contacts, eventTypes, timeZones };
