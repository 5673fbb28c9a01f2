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

/** Which changes are wanted. */
export interface PollRequest {
  /** Names of events, section 6. */
  events: readonly string[];
  /** Only bookings of these event types; all if it is empty. */
  eventTypeIds?: readonly string[];
  /** Identifies the service: what is known about one says nothing about another. */
  place?: string;
  /** Whether the first poll reports the upcoming confirmed bookings as created. */
  upcomingAtFirst?: boolean;
  /** After this time, the caller no longer waits, and the next poll goes on. Milliseconds by the client's clock. Default: no limit. */
  until?: number;
}

/** One change that the lists show. */
export interface Change {
  row: EventRow;
  /** The record as the service sends it, without what is added for people. */
  record: ServiceRecord;
  key: string;
}

/** What a poll finds in its lists. */
export interface Found {
  /** The oldest first, as far as the records show it. */
  changes: Change[];
  /** How many calls it took. */
  calls: number;
  /** How many records it read. */
  records: number;
  /** How many known records the lists lack that they had before. Nothing is reported for them. */
  missing: number;
  /** How many records the lists show as they were before. Nothing is reported for them either. */
  outdated: number;
  /** Why the poll only recorded the current state and reported nothing, if it did. */
  baseline?: 'first' | 'unreadable' | 'elsewhere' | 'otherForm';
  /** The lists were too long to record their state in this poll: the next ones go on. */
  goesOn?: true;
  /**
   * Whether the new state must be saved: it was recorded for the first time, or it contains a change that is not reported and without which
   * a later change would look different.
   */
  mustSave: boolean;
}

/** What is compared with what. */
export interface Comparison {
  /** The wanted events of its kind of record. */
  own: readonly ListedRow[];
  before: PollState | undefined;
  /** The service says that it is the account of the known state. */
  isSameAccount: boolean;
  wanted: PollRequest;
  /** What the poll has found so far. */
  found: Found;
  hash: Hash;
}

/** If this many records change in the same way at once, or are missing at once, it is no coincidence. */
export const manyAtOnce = 20;

/** Reads what is due of one list, adds its changes to those already found, and returns its new state. */
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
  // If all records changed and none was updated, the service now shows more or less of each record.
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
  // Short lists are read whole each time.
  return { text, ...(sweep.pages > 0 && { sweep }) };
}

/** A record that differs from what is known of it. */
interface Differing {
  record: ServiceRecord;
  difference: Omit<Difference, 'needsApproval'>;
}

/** Reads what is due of one list, and compares it page by page with what is known of it. */
async function readList(client: Client, kind: ComparedKind, { before, isSameAccount, wanted, found, hash }: Comparison) {
  const read = before === undefined ? undefined : Snapshot.read(kind, hash, before.lists[kind]);
  const known = read ?? new Snapshot(kind, hash);
  if (read === undefined && before?.lists[kind] !== undefined) found.baseline = 'unreadable';
  const now = client.clock.now();
  // Services may write times in whole seconds.
  const firstSweep = () =>
    newSweep(now, { since: Math.floor((client.serviceNow() ?? now) / 1000) * 1000, isQuiet: (found.baseline ?? 'first') !== 'first' });
  const began = read === undefined ? firstSweep() : (before?.sweeps?.[kind] ?? newSweep(now));
  const { first } = began;
  if (first !== undefined && read !== undefined) found.baseline ??= 'first';

  const differing: Differing[] = [];
  /** Upcoming bookings that the first sweep reports as created. */
  const upcoming: Differing[] = [];
  /** What a difference tells; `undefined` if it is no event. */
  const told = ({ record, difference }: Differing) => (kind === 'booking' ? asEvent(record, difference, before?.since) : difference);
  /** Until the first sweep has ended, only what was made since it began is known to be new. */
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
  // Only all records together show whether something happened to all of them.
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
    // Without an id, nobody can tell which record it was at the last poll.
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
 * The event types are only read if something new may have been approved or denied. Without the permission to read them, this is not
 * reported as an error.
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
