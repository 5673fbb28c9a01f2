import type { BookingRecord, ServiceRecord } from '../records/fields.ts';
import { hasStatus, wasDenied } from '../reading/index.ts';
import { bookingLists } from '../client/bookingLists.ts';
import type { Client } from '../client/client.ts';
import type { Listing } from '../call.ts';
import { listingOf } from '../records/resources.ts';
import { statusTransitions } from '../assumptions.ts';
import { eventTypeMatches, type EventRow, type ListedRow } from '../events.ts';
import { approvalOf } from '../webhooks/testData.ts';
import { instantsBetween } from '../time/time.ts';
import { asText } from '../values.ts';
import { changeKey } from '../webhooks/key.ts';
import type { Hash } from '../webhooks/signature.ts';
import { compared, isToRemember, asEvent, type Compared, type ComparedKind, type Difference, shows } from './eventOfChange.ts';
import { type PollState, Snapshot } from './snapshot.ts';
import { newSweep, readLists, startsAfter, type Sweep } from './sweep.ts';

/** The wanted changes. */
export interface PollRequest {
  /** Names of events (section 6). */
  events: readonly string[];
  /** Only bookings of these event types; an empty list means all. */
  eventTypeIds?: readonly string[];
  /** Identifies the service: what is known about one service says nothing about another. */
  place?: string;
  /** Whether the first poll reports the upcoming confirmed bookings as created. */
  upcomingAtFirst?: boolean;
  /** After this time, the caller no longer waits, and the next poll continues. Milliseconds by the client's clock. Default: no limit. */
  until?: number;
}

/** One change that the lists show. */
export interface Change {
  row: EventRow;
  /** The record as the service sends it, without the fields that are added for people. */
  record: ServiceRecord;
  key: string;
}

/** What a poll finds in its lists. */
export interface Found {
  /** Oldest first, as far as the records show that. */
  changes: Change[];
  /** How many API calls it made. */
  calls: number;
  /** How many records it read. */
  records: number;
  /** Number of known records that have disappeared from the lists. Nothing is reported for them. */
  missing: number;
  /** Number of records that the lists show in an older state. Nothing is reported for them either. */
  outdated: number;
  /** Set if the poll only recorded the current state and reported nothing: the reason. */
  baseline?: 'first' | 'unreadable' | 'elsewhere' | 'otherForm';
  /** Set if the lists were too long to record their state in this poll, so that the next polls continue. */
  goesOn?: true;
  /**
   * Whether the new state must be saved: it was recorded for the first time, or it contains a change that is not reported itself but is
   * needed to recognize a later one.
   */
  mustSave: boolean;
}

/** The input of a comparison. */
export interface Comparison {
  /** The wanted events for this kind of record. */
  own: readonly ListedRow[];
  before: PollState | undefined;
  /** Whether the service confirms that this is the account of the known state. */
  isSameAccount: boolean;
  wanted: PollRequest;
  /** The results of the poll so far. */
  found: Found;
  hash: Hash;
}

/** If this many records change in the same way, or disappear, at the same time, that is no coincidence. */
export const manyAtOnce = 20;

/** Reads the part of one list that is due, adds its changes to those already found, and returns its new state. */
export async function compareList(client: Client, kind: ComparedKind, comparison: Comparison): Promise<{ text: string; sweep?: Sweep }> {
  const { own, before, wanted, found, hash } = comparison;
  const { known, differing, upcoming, unsaid, told, firstSweep, sweep, isOver, isWhole, isOfAnother } = await readList(
    client,
    kind,
    comparison,
  );
  found.records += known.seen.size;
  if (isOfAnother) {
    found.baseline = 'elsewhere';
    return { text: known.endAnew(), sweep: isWhole ? sweep : firstSweep() };
  }
  const add = (rows: readonly ListedRow[], record: ServiceRecord, difference: Difference): void => {
    for (const row of rows) if (shows(row, difference)) found.changes.push({ row, record, key: changeKey(hash, row, record) });
  };
  for (const { record, difference } of upcoming) add(own, record, { ...difference, needsApproval: false });
  // If most records changed without a new update time, the service now shows more or less of each record.
  const isOtherForm = unsaid >= manyAtOnce && unsaid > known.size / 2;
  if (isOtherForm) found.baseline = 'otherForm';
  const chosen = differing
    .filter(({ difference }) => !(isOtherForm && difference.isUnsaid))
    .filter(({ record }) => isChosen(record, wanted.eventTypeIds) && isChosen(record, before?.eventTypes));
  const continued = own.filter(({ name }) => before?.events.includes(name) === true);
  const needs = await approvals(client, continued, chosen);
  for (const each of chosen) {
    const event = told(each);
    if (event !== undefined) add(continued, each.record, { ...event, needsApproval: wasDenied(each.record) || needs(each.record) });
  }
  found.mustSave ||= chosen.some(({ difference }) => own.some((row) => isToRemember(row, difference)));
  found.outdated += known.outdated;
  if (!isOver) return { text: known.pause(), sweep };
  const { text, missing } = known.end();
  found.missing += missing;
  // A short list is read completely each time, so it needs no sweep.
  return { text, ...(sweep.pages > 0 && { sweep }) };
}

/** A record that differs from its known state. */
interface Differing {
  record: ServiceRecord;
  difference: Omit<Difference, 'needsApproval'>;
}

/** Reads the part of one list that is due, and compares it page by page with the known state. */
async function readList(client: Client, kind: ComparedKind, { before, isSameAccount, wanted, found, hash }: Comparison) {
  const read = before === undefined ? undefined : Snapshot.read(kind, hash, before.lists[kind]);
  const known = read ?? new Snapshot(kind, hash);
  if (read === undefined && before?.lists[kind] !== undefined) found.baseline = 'unreadable';
  const now = client.clock.now();
  // Rounded down, because services may write times in whole seconds.
  const firstSweep = () =>
    newSweep(now, { since: Math.floor((client.serviceNow() ?? now) / 1000) * 1000, isQuiet: (found.baseline ?? 'first') !== 'first' });
  const began = read === undefined ? firstSweep() : (before?.sweeps?.[kind] ?? newSweep(now));
  const { first } = began;
  if (first !== undefined && read !== undefined) found.baseline ??= 'first';

  const differing: Differing[] = [];
  /** The upcoming bookings that the first sweep reports as created. */
  const upcoming: Differing[] = [];
  /** Interprets a difference; `undefined` if it is not an event. */
  const told = ({ record, difference }: Differing) => (kind === 'booking' ? asEvent(record, difference, before?.since) : difference);
  /** Until the first sweep has ended, only records that were created since it began are known to be new. */
  const isOld = ({ record, difference }: Differing) =>
    first !== undefined && difference.isNew && (read === undefined || !(instantsBetween(record['created_at'])[0] >= first.since));
  const take = (records: ServiceRecord[]): readonly ServiceRecord[] => {
    found.calls += 1;
    const seen = comparePage(kind, known, records);
    const others = seen.filter((each) => !isOld(each));
    differing.push(...others);
    if (first?.isQuiet === false) upcoming.push(...seen.filter((each) => isOld(each) && isUpcoming(each.record, wanted, client)));
    return others.filter((each) => each.difference.isNew && told(each) !== undefined).map(({ record }) => record);
  };

  const { until = Infinity } = wanted;
  const readAll = (isWhole: boolean) => readLists(client, listsOf(kind), began, { until, isWhole, take });
  const unsaid = (): number => differing.filter(({ difference }) => difference.isUnsaid).length;
  const isOfAnother = (): boolean => first === undefined && !isSameAccount && known.isOfAnother;
  let end = await readAll(false);
  // Only a complete reading shows whether something happened to all records.
  if (!end.isWhole && (unsaid() >= manyAtOnce || isOfAnother())) end = await readAll(true);
  return { ...end, known, differing, upcoming, told, firstSweep, unsaid: unsaid(), isOfAnother: isOfAnother() };
}

const listsOf = (kind: ComparedKind): readonly Listing[] =>
  kind === 'booking' ? bookingLists({ statuses: Object.values(statusTransitions) }) : [listingOf(kind)];

function comparePage(kind: ComparedKind, known: Snapshot, page: readonly ServiceRecord[]): Differing[] {
  const compare: (record: never) => Compared = compared[kind];
  const differing: Differing[] = [];
  for (const record of page) {
    const id = asText(record['id']);
    // Without an id, the record cannot be matched with one from the last poll.
    if (id === '') continue;
    const difference = known.compare(id, compare(record as never));
    if (difference !== undefined && (difference.isNew || isAny(difference))) differing.push({ record, difference });
  }
  return differing;
}

const isAny = ({ was, is, isMoved, isEdited }: Omit<Difference, 'needsApproval'>): boolean => was !== is || isMoved || isEdited;

const isChosen = (record: Partial<BookingRecord>, chosen: readonly string[] = []): boolean => eventTypeMatches(record, chosen);

function isUpcoming(record: Partial<BookingRecord>, { upcomingAtFirst = false, eventTypeIds }: PollRequest, { clock }: Client): boolean {
  if (!upcomingAtFirst || !hasStatus(record, 'confirmed') || !isChosen(record, eventTypeIds)) return false;
  return startsAfter(clock.now(), record);
}

/**
 * The event types are read only if a new booking may have been approved or denied. A missing permission to read them is not reported as an
 * error.
 */
async function approvals(
  client: Client,
  rows: readonly ListedRow[],
  differing: readonly Differing[],
): Promise<(record: Partial<BookingRecord>) => boolean> {
  const matters = ({ difference }: (typeof differing)[number]): boolean =>
    difference.isNew &&
    rows.some((row) => shows(row, { ...difference, needsApproval: true }) !== shows(row, { ...difference, needsApproval: false }));
  return differing.some(matters) ? approvalOf(client, ({ status }) => status === 403) : () => false;
}
