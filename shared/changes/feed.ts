import type { Client } from '../api/client.ts';
import { walk } from '../api/pages.ts';
import type { BookingRecord, ServiceRecord } from '../api/records.ts';
import { listingOf } from '../api/resources.ts';
import { statusTransitions } from '../assumptions.ts';
import { eventRows, type EventRow } from '../events.ts';
import { approvalOf } from '../testData.ts';
import { limits } from '../limits.ts';
import { showWith, type Shape } from '../outputs.ts';
import { isObject } from '../values.ts';
import { eventTypeMatches } from '../webhooks/filter.ts';
import { keyText, type Hash } from '../webhooks/signed.ts';
import { comparisons, isToRemember, type Compared as ComparedRecord, type ComparedKind, type Difference } from './difference.ts';
import { changeParts } from './key.ts';
import { Known } from './known.ts';

/** The form in which is kept what is known. A release that changes it reads this one as well, or takes stock anew. */
const version = 1;

/** What is kept between two polls. */
export interface Kept {
  version: number;
  /** What the account is told from others by, as it was given. */
  place: string;
  /** What was wanted: an event or an event type that is added later begins then. */
  events: string[];
  eventTypes: string[];
  /** For each list that is read, what is known of its records. */
  lists: { [Kind in ComparedKind]?: string };
}

/** Where it is kept. */
export interface ChangeStore {
  /** What was kept last; anything where nothing was. */
  read(): unknown;
  /**
   * Keeps what is known now, together with what is given for it: what is kept is never given again. Called once in a poll
   * that came to its end, and only where something changed.
   */
  write(kept: Kept, changes: readonly Change[]): void | Promise<void>;
}

/** What is wanted of the changes. */
export interface Wanted {
  /** Names of events, section 6. */
  events: readonly string[];
  /** Only bookings of these event types; all where it is empty. */
  eventTypeIds?: readonly string[];
  /** Told apart from others by this: what is known of one place says nothing of another. */
  place?: string;
  /** Whether the first poll gives the upcoming confirmed bookings as created. */
  upcomingAtFirst?: boolean;
  /** Nobody waits for the end of the lists after this time, in milliseconds by the client's clock; as long as it takes where it is absent. */
  until?: number;
}

/** The lists are longer than anybody waits for. Nothing was kept. */
export class TooLong extends Error {}

/** One change that the lists show. */
export interface Change {
  row: EventRow;
  /** As the service has it now, with nothing added for people. */
  record: ServiceRecord;
  key: string;
}

/** What a poll has found. */
export interface Poll {
  /** The oldest first, as far as the records tell. */
  changes: Change[];
  /** How many calls the lists took. */
  calls: number;
  /** How many records they hold. */
  records: number;
  /** Why stock was taken, where it was, and nothing was given therefore. */
  stock?: 'first' | 'unreadable' | 'elsewhere' | 'other form';
  /**
   * Whether what is known now must not be lost: stock was taken, or something was seen that nobody is told of, and without which a
   * later change would look like another one.
   */
  mustKeep: boolean;
}

/** A change as a trigger gives it: the record as Get gives it, or its main fields, with the event and the key. */
export const changeItem = ({ row, record, key }: Change, shape: Shape): ServiceRecord =>
  showWith(row.record, record, { event: row.name, change_key: key }, shape);

/**
 * Reads the lists to their end, compares them with what was known, and tells the changes that are wanted. The API has no
 * order and no filter by date (G31), so each list is read as a whole: {@link callsFor} says what that costs.
 *
 * What was not known before is taken stock of, and gives nothing. A poll that fails on its way keeps nothing and gives nothing:
 * the next one finds the same. A record that one reading lacks is no change, because a list moves while it is read.
 *
 * @throws ServiceError as reading a list does; TooLong where the lists did not end in time
 */
export async function poll(client: Client, store: ChangeStore, wanted: Wanted, hash: Hash): Promise<Poll> {
  const { kept, isOther, ...found } = await compareLists(client, store.read(), wanted, hash);
  if (isOther) await store.write(kept, found.changes);
  return found;
}

/** What a poll has found before anything of it is kept. */
export interface Compared extends Poll {
  /** What is known once all changes are taken. */
  kept: Kept;
  /** Whether that is another thing than what was kept before. */
  isOther: boolean;
}

/**
 * The same as {@link poll} for those who keep what is known by themselves: it keeps nothing.
 *
 * @param stored what was kept last; `undefined` where nothing was
 */
export async function compareLists(client: Client, stored: unknown, wanted: Wanted, hash: Hash): Promise<Compared> {
  const found: Poll = { changes: [], calls: 0, records: 0, mustKeep: false };
  const before = readKept(stored, wanted.place ?? '');
  if (before === undefined) found.stock = stored === undefined ? 'first' : isKept(stored) ? 'elsewhere' : 'unreadable';
  const rows = rowsOf(wanted.events);
  const lists: Kept['lists'] = {};
  for (const kind of Object.keys(comparisons) as ComparedKind[]) {
    const own = rows.filter((row) => row.record === kind);
    if (own.length > 0) lists[kind] = await compareList(client, kind, { own, before, wanted, found, hash });
  }
  const kept: Kept = {
    version,
    place: wanted.place ?? '',
    events: rows.map(({ name }) => name),
    eventTypes: [...(wanted.eventTypeIds ?? [])],
    lists,
  };
  // Where one list is of another account, so is what the others seem to show.
  if (before !== undefined && found.stock === 'elsewhere') found.changes = [];
  found.mustKeep ||= found.stock !== undefined;
  found.changes.sort((a, b) => timeOf(a.record) - timeOf(b.record));
  return { ...found, kept, isOther: JSON.stringify(kept) !== JSON.stringify(stored) };
}

/**
 * What is known where some changes of a poll were not taken: their records stay as they were before it, so that the next poll
 * shows them again.
 *
 * @param before what was kept before the poll, `kept` what it would have kept
 * @param untaken an event and the id of its record
 */
export function knownWithout(before: unknown, kept: Kept, untaken: readonly { event: string; id: string }[], hash: Hash): Kept {
  const lists: Kept['lists'] = { ...kept.lists };
  const old = readKept(before, kept.place);
  for (const kind of Object.keys(comparisons) as ComparedKind[]) {
    if (lists[kind] === undefined) continue;
    const ofKind = rowsOf(untaken.map(({ event }) => event)).filter(({ record }) => record === kind);
    const ids = untaken.filter(({ event }) => ofKind.some(({ name }) => name === event)).map(({ id }) => id);
    const was = Known.read(kind, hash, old?.lists[kind]) ?? Known.nothing(kind, hash);
    lists[kind] = Known.read(kind, hash, lists[kind])?.without(ids, was) ?? '';
  }
  return { ...kept, lists };
}

/** How many calls a poll takes for so many records. */
export const callsFor = (records: number): number => Math.max(1, Math.ceil(records / limits.pageSize));

const rowsOf = (events: readonly string[]): EventRow[] =>
  eventRows.filter(({ name, shown }) => shown !== undefined && events.includes(name));

/** So many records that changed alike are no chance. */
const manyAtOnce = 20;

interface Reading {
  own: readonly EventRow[];
  before: Kept | undefined;
  wanted: Wanted;
  found: Poll;
  hash: Hash;
}

/** Reads one list, adds what it shows to what was found, and gives what is known of it now. */
async function compareList(client: Client, kind: ComparedKind, { own, before, wanted, found, hash }: Reading): Promise<string> {
  const read = before === undefined ? undefined : Known.read(kind, hash, before.lists[kind]);
  const known = read ?? Known.nothing(kind, hash);
  const add = (rows: readonly EventRow[], record: ServiceRecord, difference: Difference): void => {
    for (const row of rows) {
      if (row.shown?.(difference) !== true) continue;
      found.changes.push({ row, record, key: hash(keyText(...changeParts(row, record)), 'hex') });
    }
  };
  const differing: Differing[] = [];
  for await (const page of walk(client, listingOf(kind)).pages()) {
    found.calls += 1;
    if (client.clock.now() > (wanted.until ?? Infinity)) throw new TooLong(`The lists have more than ${found.calls} pages.`);
    found.records += page.length;
    const seen = comparePage(kind, known, page);
    differing.push(...(read === undefined ? seen.filter(({ record }) => isUpcoming(record, wanted, client)) : seen));
  }
  if (read === undefined) {
    if (before?.lists[kind] !== undefined) found.stock = 'unreadable';
    for (const { record, difference } of differing) add(own, record, { ...difference, needsApproval: false });
    return known.endAnew();
  }
  if (known.isOfAnother) {
    found.stock = 'elsewhere';
    return known.endAnew();
  }
  // Records that all say something else and were not updated: then it is the service that says more of each, or less.
  const unsaid = differing.filter(({ difference }) => difference.isUnsaid).length;
  const isOtherForm = unsaid >= manyAtOnce && unsaid > known.size / 2;
  if (isOtherForm) found.stock = 'other form';
  const chosen = differing
    .filter(({ difference }) => !(isOtherForm && difference.isUnsaid))
    .filter(({ record }) => isChosen(record, wanted.eventTypeIds) && isChosen(record, before?.eventTypes));
  const continued = own.filter(({ name }) => before?.events.includes(name) === true);
  const needs = await approvals(client, kind, continued, chosen);
  for (const { record, difference } of chosen) add(continued, record, { ...difference, needsApproval: needs(record) });
  found.mustKeep ||= chosen.some(({ difference }) => own.some(({ shown }) => shown !== undefined && isToRemember(shown, difference)));
  return known.end();
}

interface Differing {
  record: ServiceRecord;
  difference: Omit<Difference, 'needsApproval'>;
}

/**
 * What differs on one page. A function of its own: the engine compiles it once, and a loop within a long walk again in every
 * walk.
 */
function comparePage(kind: ComparedKind, known: Known, page: readonly (ServiceRecord & { readonly id: string })[]): Differing[] {
  const compare: (record: never) => ComparedRecord = comparisons[kind].of;
  const differing: Differing[] = [];
  for (const record of page) {
    const difference = known.see(record.id, compare(record as never));
    if (difference !== undefined && (difference.isNew || isAny(difference))) differing.push({ record, difference });
  }
  return differing;
}

const isAny = ({ was, is, isMoved, isEdited }: Omit<Difference, 'needsApproval'>): boolean => was !== is || isMoved || isEdited;

const isChosen = (record: Partial<BookingRecord>, chosen: readonly string[] = []): boolean => eventTypeMatches(record, chosen);

function isUpcoming(record: Partial<BookingRecord>, { upcomingAtFirst = false, eventTypeIds }: Wanted, { clock }: Client): boolean {
  if (!upcomingAtFirst) return false;
  const start = typeof record.start_time === 'string' ? Date.parse(record.start_time) : Number.NaN;
  return record.status === statusTransitions.confirmed && start > clock.now() && isChosen(record, eventTypeIds);
}

/** The event types are asked only where something new may have been approved or denied. Who may not read them is told nothing of it. */
async function approvals(
  client: Client,
  kind: ComparedKind,
  rows: readonly EventRow[],
  differing: readonly Differing[],
): Promise<(record: Partial<BookingRecord>) => boolean> {
  const matters = ({ difference }: (typeof differing)[number]): boolean =>
    difference.isNew &&
    rows.some(({ shown }) => shown?.({ ...difference, needsApproval: true }) !== shown?.({ ...difference, needsApproval: false }));
  return kind === 'booking' && differing.some(matters) ? approvalOf(client, ({ status }) => status === 403) : () => false;
}

/** Milliseconds; what tells no time comes last. */
function timeOf({ updated_at: updated, created_at: created }: ServiceRecord): number {
  const at = [updated, created]
    .map((each) => (typeof each === 'string' ? Date.parse(each) : Number.NaN))
    .find((each) => !Number.isNaN(each));
  return at ?? Number.MAX_SAFE_INTEGER;
}

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((each) => typeof each === 'string');

const isKept = (value: unknown): value is Kept =>
  isObject(value) &&
  value['version'] === version &&
  typeof value['place'] === 'string' &&
  isTexts(value['events']) &&
  isTexts(value['eventTypes']) &&
  isObject(value['lists']);

const readKept = (value: unknown, place: string): Kept | undefined => (isKept(value) && value.place === place ? value : undefined);
