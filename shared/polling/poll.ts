import { ServiceError } from '../serviceError.ts';
import type { ServiceRecord } from '../records/fields.ts';
import { accountOf } from '../client/account.ts';
import type { Client } from '../client/client.ts';
import { eventRows, listedRows, type ListedRow } from '../events.ts';
import { showWith, type OutputShape } from '../records/outputs.ts';
import type { Hash } from '../webhooks/signature.ts';
import { compareList, type Change, type Found, type PollRequest } from './compareList.ts';
import { compared, timeOf, type ComparedKind } from './eventOfChange.ts';
import { isPollState, readPollState, version, type PollState, Snapshot } from './snapshot.ts';
import { newSweep } from './sweep.ts';

export type { Change, PollRequest, PollState };

/** The result of a poll. */
export interface Poll extends Found {
  /** The state to save once all changes are handled, and whether it differs from the saved one. */
  state: PollState;
  isChanged: boolean;
}

/** A change as a trigger returns it: the record as Get returns it, or its main fields, plus the event and the key. */
export const changeItem = ({ row, record, key }: Change, shape: OutputShape): ServiceRecord =>
  showWith(row, record, { event: row.name, change_key: key }, shape);

/**
 * Reads the lists, compares them with the known state, and returns the wanted changes. Saves nothing: save `state` together with the
 * changes, so that a saved change is never reported again.
 *
 * The API has no order and no date filter (G31), so everything must be read, the bookings of each status separately (G42). Each poll reads
 * short lists completely. Long lists are read by all polls of an hour together, each of which reads both ends and the future
 * ({@link readLists}).
 *
 * If there is no known state, or it belongs to another account, the current state is recorded and nothing is reported. A poll that fails
 * reports nothing: the next one finds the same changes. A record that is missing from a sweep is not a change, nor is one that is shown in
 * an older state: lists can shift while they are read, and copies of a database can lag behind.
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
 * The state to save if some changes of a poll were not handled: their records keep their earlier state, so that the next poll finds the
 * changes again.
 *
 * @param before the state before the poll; `next`: the state that the poll would have saved
 * @param changes the event and the record's id of each unhandled change
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
 * connection: then only the records can distinguish accounts.
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
