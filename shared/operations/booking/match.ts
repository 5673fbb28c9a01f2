import type { BookingRecord } from '../../records/fields.ts';
import { addressesIn, hasEnded, mayBeSameAddress, showsAddress } from '../../reading/index.ts';
import { instantOf, instantsBetween, isCertainlyBefore, recordedBetween } from '../../time/time.ts';
import { hasValue } from '../../values.ts';

/** The values that identify a booking that was sent. */
export interface SentBooking {
  event_type_id: string;
  /** ISO 8601 with an offset. */
  start_time: string;
  invitee_name: string;
  invitee_email: string;
}

/**
 * Whether a record is the booking that was sent.
 *
 * - `ours`: it shows this person in this slot, will take place, and nothing known contradicts it.
 * - `maybe`: the same, but one of its fields is unknown or written differently, because services write names, types and times in their own
 *   way (G43); or it was created after the sending and has ended. Or exactly one thing contradicts it, in a way that some services cause:
 *   it was created before the sending and changed after it, or its start and its creation are both off by a zone's offset.
 * - `other`: another person's, another slot's, or one whose last change was certainly before the sending.
 */
export type Match = 'ours' | 'maybe' | 'other';

/**
 * Judges a record from the list of the person's bookings. If the record shows no address, the service's filter by email is trusted (G30).
 *
 * @param sentAfter the earliest time at which the booking can have been created. Milliseconds since the epoch
 */
export function matchBooking(record: BookingRecord, sent: SentBooking, sentAfter: number): Match {
  const { event_type_id: type, created_at: created, updated_at: updated } = record;
  const [slot, person] = [slotOf(record, sent), personOf(record, sent)];
  const [earliest, latest] = recordedBetween(created);
  const [touchedFrom, touchedTo] = recordedBetween(updated);
  const isNew = !isCertainlyBefore(created, sentAfter);
  const isType = !hasValue(type) || type === sent.event_type_id;
  const isTheirs = person === 'ours' && isType && !hasEnded(record);
  // A contradiction is tolerated only if it is the only one.
  if (isTheirs && (slot === 'ours' ? !isNew && touchedFrom >= sentAfter : isLocal(record, sent, sentAfter))) return 'maybe';
  // For a booking that has ended, only its creation counts, because people cancel and book again. A change from before the creation says
  // nothing.
  const isUntouched = hasEnded(record) ? latest === Infinity : touchedTo >= earliest && isCertainlyBefore(updated, sentAfter);
  if (slot === 'other' || person === 'other' || !isNew || isUntouched) return 'other';
  return isTheirs && slot === 'ours' && latest >= sentAfter ? 'ours' : 'maybe';
}

const anHour = 60 * 60_000;

/**
 * Whether its start and its creation are local times marked as UTC: off by the same offset, or by two that differ by an hour because of a
 * clock change.
 */
function isLocal({ start_time: start, created_at: created }: BookingRecord, sent: SentBooking, sentAfter: number): boolean {
  const [ahead, since] = [instantOf(start) - instantOf(sent.start_time), instantOf(created) - sentAfter];
  const isOffset = (by: number): boolean => by % (anHour / 4) === 0 && Math.abs(by) >= anHour && Math.abs(by) <= 14 * anHour;
  // It was created within half an hour of the earliest time, by whichever clock.
  const isMade = (by: number): boolean => isOffset(by) && since >= by && since < by + anHour / 2;
  return isOffset(ahead) && [ahead, ahead - anHour, ahead + anHour].some(isMade);
}

/**
 * A service may round a start to the minute, or show it as a local time without an offset. A booking that was moved also shows its former
 * start.
 */
function slotOf({ start_time: start, previous_start_time: previous }: BookingRecord, sent: SentBooking): Match {
  const wanted = instantOf(sent.start_time);
  const isSlot = (time: unknown): boolean => Math.abs(instantOf(time) - wanted) < 60_000;
  if (isSlot(start)) return 'ours';
  if (isSlot(previous)) return 'maybe';
  const [earliest, latest] = instantsBetween(start);
  return earliest === latest || wanted < earliest || wanted > latest ? 'other' : 'maybe';
}

function personOf(record: BookingRecord, { invitee_email: email, invitee_name: sentName }: SentBooking): Match {
  const { invitee_name: name } = record;
  const isName = mayBeSameName(name, sentName);
  const shown = addressesIn(record);
  const fitting = shown.filter((address) => mayBeSameAddress(address, email));
  // The service may show the contact's main address instead of the invitee's.
  if (shown.length > 0 && fitting.length === 0) return isName ? 'maybe' : 'other';
  // A masked address shows too little. And a filter may match a part of an address, so something in the record itself must show whose it
  // is.
  const saysWhose = typeof name === 'string' || fitting.some((address) => showsAddress(address));
  return isName && saysWhose ? 'ours' : 'maybe';
}

/** Whether a record itself shows that it may be this person's. If not, only the service's filter by email says so. */
export const mayShow = (record: BookingRecord, { invitee_email: email, invitee_name: name }: SentBooking): boolean =>
  addressesIn(record).some((address) => mayBeSameAddress(address, email)) ||
  (typeof record.invitee_name === 'string' && mayBeSameName(record.invitee_name, name));

/**
 * Whether two names may be the same person's. Ignores escapes, curly quotes, truncation, word order, letter case, and characters that are
 * not letters.
 */
export function mayBeSameName(inRecord: unknown, sent: string): boolean {
  if (typeof inRecord !== 'string') return true;
  const [stored, typed] = [wordsOf(inRecord), wordsOf(sent)];
  const [first, second] = [stored.join(''), typed.join('')];
  if (first === '' || second === '') return true;
  // No service truncates names to less than 16 characters, and "John Smith" may book next to "John Smith Jr".
  const isShortened = inRecord.trim().length >= 16 && second.startsWith(first);
  return isShortened || [...stored].sort().join(' ') === [...typed].sort().join(' ') || first === second;
}

/** The words of a name: lowercase letters and digits, without accents. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/&#?\w{1,8};/g, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’‘`´]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
