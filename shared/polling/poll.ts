import { ServiceError } from '../serviceError.ts';
import type { BookingRecord, ServiceRecord } from '../records/fields.ts';
import { hasStatus, wasDenied } from '../reading/index.ts';
import { bookingLists } from '../client/bookingLists.ts';
import { accountOf } from '../client/account.ts';
import type { Client } from '../client/client.ts';
import type { Listing } from '../call.ts';
import { listingOf } from '../records/resources.ts';
import { statusTransitions } from '../assumptions.ts';
import { eventRows, listedRows, type EventRow, type ListedRow, eventTypeMatches } from '../events.ts';
import { approvalOf } from '../webhooks/testData.ts';
import { showWith, type OutputShape } from '../records/outputs.ts';
import { instantsBetween } from '../time/time.ts';
import { asText } from '../values.ts';
import { changeKey } from '../webhooks/key.ts';
import type { Hash } from '../webhooks/signature.ts';
import { compared, isToRemember, timeOf, asEvent, type Compared, type ComparedKind, type Difference, shows } from './eventOfChange.ts';
import { isPollState, readPollState, version, type PollState, Snapshot } from './snapshot.ts';
import { newSweep, readLists, startsAfter, type Sweep } from './sweep.ts';

export type { PollState };

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

/** The result of a poll. */
export interface Poll {
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
  /** The state once all changes are handled, and whether it differs from the saved one. */
  state: PollState;
  isChanged: boolean;
}
type Found = Omit<Poll, 'state' | 'isChanged'>;

/** A change as a trigger returns it: the record as Get returns it, or its main fields, with the event and the key. */
export const changeItem = ({ row, record, key }: Change, shape: OutputShape): ServiceRecord =>
  showWith(row, record, { event: row.name, change_key: key }, shape);

/**
 * Reads the lists, compares them with the known state, and returns the wanted changes. Saves nothing: save `state` together with the changes,
 * so that a saved change is never reported again.
 *
 * The API has no order and no date filter (G31), so everything must be read, the bookings of each status for themselves (G42): short lists
 * by each poll, and long ones by all polls of an hour, of which each reads both ends and the future ({@link readLists}).
 *
 * Without a known state, or if it is that of another account, the current one is recorded and nothing is reported. A poll that fails
 * reports nothing: the next one finds the same changes. A record that is missing from a sweep is not a change, and neither is one that
 * is shown as it was before: lists can shift while they are read, and copies of a database can be behind.
 *
 * @param stored the last saved state; `undefined` if there is none
 * @throws ServiceError if a list cannot be read
 */
export async function compareLists(client: Client, stored: unknown, wanted: PollRequest, hash: Hash): Promise<Poll> {
  const found: Found = { changes: [], calls: 1, records: 0, missing: 0, outdated: 0, mustSave: false };
  const account = await hashOfAccount(client, hash);
  const { place = '' } = wanted;
  const before = readPollState(stored, { place, account });
  if (before === undefined) found.baseline = stored === undefined ? 'first' : isPollState(stored) ? 'elsewhere' : 'unreadable';
  const known = account ?? before?.account;
  const isSameAccount = account !== undefined && account === before?.account;
  const since = before === undefined ? (client.serviceNow() ?? client.clock.now()) : before.since;
  const rows = rowsOf(wanted.events);
  const lists: PollState['lists'] = {};
  const sweeps: PollState['sweeps'] = {};
  for (const kind of kinds) {
    const own = rows.filter((row) => row.record === kind);
    if (own.length === 0) continue;
    const { text, sweep } = await compareList(client, kind, { own, before, isSameAccount, wanted, found, hash });
    lists[kind] = text;
    if (sweep !== undefined) sweeps[kind] = sweep;
    if (sweep?.first !== undefined) found.goesOn = true;
  }
  const state: PollState = {
    version,
    place,
    ...(known !== undefined && { account: known }),
    since,
    events: rows.map(({ name }) => name),
    eventTypes: [...(wanted.eventTypeIds ?? [])],
    lists,
    ...(Object.keys(sweeps).length > 0 && { sweeps }),
  };
  // If one list belongs to another account, the changes in the others are not real either.
  if (before !== undefined && found.baseline === 'elsewhere') found.changes = [];
  found.mustSave ||= found.baseline !== undefined;
  found.changes.sort((a, b) => timeOf(a.record) - timeOf(b.record));
  return { ...found, state, isChanged: JSON.stringify(state) !== JSON.stringify(stored) };
}

/**
 * The state if some changes of a poll were not handled: their records keep their earlier state, so that the next poll shows the changes
 * again.
 *
 * @param before the state before the poll; `next`: the state that it would have saved
 * @param changes the event and the record's id of each change that was not handled
 */
export function stateWithout(before: unknown, next: PollState, changes: readonly { event: string; id: string }[], hash: Hash): PollState {
  const lists: PollState['lists'] = { ...next.lists };
  const sweeps: PollState['sweeps'] = { ...next.sweeps };
  const old = readPollState(before, next);
  for (const kind of kinds) {
    if (lists[kind] === undefined) continue;
    const ofKind = rowsOf(changes.map(({ event }) => event)).filter(({ record }) => record === kind);
    const ids = changes.filter(({ event }) => ofKind.some(({ name }) => name === event)).map(({ id }) => id);
    const was = Snapshot.read(kind, hash, old?.lists[kind]) ?? new Snapshot(kind, hash);
    lists[kind] = Snapshot.read(kind, hash, lists[kind])?.without(ids, was) ?? '';
    if (ids.length === 0) continue;
    // The next poll must read these records again, wherever they are.
    const sweep = sweeps[kind];
    if (sweep?.first === undefined) delete sweeps[kind];
    else sweeps[kind] = newSweep(sweep.at, sweep.first);
  }
  return { ...next, lists, ...(next.sweeps !== undefined && { sweeps }) };
}

const kinds = Object.keys(compared) as ComparedKind[];

const rowsOf = (events: readonly string[]): ListedRow[] => listedRows(eventRows).filter(({ name }) => events.includes(name));

/**
 * A hash of what identifies the account: the id of its user, or else the email. `undefined` if the service does not show it to this
 * connection: then only the records can tell accounts apart.
 *
 * @throws ServiceError if the lists cannot be read either
 */
async function hashOfAccount(client: Client, hash: Hash): Promise<string | undefined> {
  try {
    const account = await accountOf(client);
    return account && hash(account.id, 'base64url').slice(0, 12);
  } catch (error) {
    if (!(error instanceof ServiceError) || ['unauthenticated', 'notRenewed', 'rateLimited', 'unreachable'].includes(error.kind))
      throw error;
    return undefined;
  }
}

const listsOf = (kind: ComparedKind): readonly Listing[] =>
  kind === 'booking' ? bookingLists({ statuses: Object.values(statusTransitions) }) : [listingOf(kind)];

/** If this many records change in the same way at once, or are missing at once, it is no coincidence. */
export const manyAtOnce = 20;

interface PollReading {
  own: readonly ListedRow[];
  before: PollState | undefined;
  /** The service says that it is the account of the known state. */
  isSameAccount: boolean;
  wanted: PollRequest;
  found: Found;
  hash: Hash;
}

/** Reads what is due of one list, adds its changes to those already found, and returns its new state. */
async function compareList(
  client: Client,
  kind: ComparedKind,
  { own, before, isSameAccount, wanted, found, hash }: PollReading,
): Promise<{ text: string; sweep?: Sweep }> {
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
  const add = (rows: readonly ListedRow[], record: ServiceRecord, difference: Difference): void => {
    for (const row of rows) {
      if (!shows(row, difference)) continue;
      found.changes.push({ row, record, key: changeKey(hash, row, record) });
    }
  };
  const tell = ({ record, difference }: Differing) => (kind === 'booking' ? asEvent(record, difference, before?.since) : difference);
  const upcoming: Differing[] = [];
  const differing: Differing[] = [];
  const take = (records: ServiceRecord[]): readonly ServiceRecord[] => {
    found.calls += 1;
    const seen = comparePage(kind, known, records);
    // Until the first sweep has ended, only what was made since it began is known to be new.
    const isOld = ({ record, difference }: Differing) =>
      first !== undefined && difference.isNew && (read === undefined || !(instantsBetween(record['created_at'])[0] >= first.since));
    differing.push(...seen.filter((each) => !isOld(each)));
    if (first?.isQuiet === false) upcoming.push(...seen.filter((each) => isOld(each) && isUpcoming(each.record, wanted, client)));
    return seen.filter((each) => each.difference.isNew && !isOld(each) && tell(each) !== undefined).map(({ record }) => record);
  };
  const { until = Infinity } = wanted;
  const unsaid = () => differing.filter(({ difference }) => difference.isUnsaid).length;
  const isOfAnother = () => first === undefined && !isSameAccount && known.isOfAnother;
  let { sweep, isOver, isWhole } = await readLists(client, listsOf(kind), began, { until, isWhole: false, take });
  // Only all records together show whether something happened to all of them.
  if (!isWhole && (unsaid() >= manyAtOnce || isOfAnother()))
    ({ sweep, isOver, isWhole } = await readLists(client, listsOf(kind), began, { until, isWhole: true, take }));
  found.records += known.seen.size;
  if (isOfAnother()) {
    found.baseline = 'elsewhere';
    return { text: known.endAnew(), sweep: isWhole ? sweep : firstSweep() };
  }
  for (const { record, difference } of upcoming) add(own, record, { ...difference, needsApproval: false });
  // If all records changed and none was updated, the service now shows more or less of each record.
  const isOtherForm = unsaid() >= manyAtOnce && unsaid() > known.size / 2;
  if (isOtherForm) found.baseline = 'otherForm';
  const chosen = differing
    .filter(({ difference }) => !(isOtherForm && difference.isUnsaid))
    .filter(({ record }) => isChosen(record, wanted.eventTypeIds) && isChosen(record, before?.eventTypes));
  const continued = own.filter(({ name }) => before?.events.includes(name) === true);
  const needs = await approvals(client, continued, chosen);
  for (const each of chosen) {
    const told = tell(each);
    if (told !== undefined) add(continued, each.record, { ...told, needsApproval: wasDenied(each.record) || needs(each.record) });
  }
  found.mustSave ||= chosen.some(({ difference }) => own.some((row) => isToRemember(row, difference)));
  found.outdated += known.outdated;
  if (!isOver) return { text: known.pause(), sweep };
  const { text, missing } = known.end();
  found.missing += missing;
  // Short lists are read whole each time.
  return { text, ...(sweep.pages > 0 && { sweep }) };
}

interface Differing {
  record: ServiceRecord;
  difference: Omit<Difference, 'needsApproval'>;
}

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
