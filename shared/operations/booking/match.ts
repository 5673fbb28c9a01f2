import type { BookingRecord } from '../../records/records.ts';
import { addressesIn, mayBeSameAddress, showsAddress } from '../../records/emailForms.ts';
import { hasStatus } from '../../records/status.ts';
import { instantOf, instantsBetween, wallTimeOf } from '../../time/time.ts';
import { hasValue } from '../../values.ts';

/** What identifies a booking that was sent. */
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
 * - `same`: the record shows the person, the slot and the type as sent, and nothing speaks against it.
 * - `possible`: it may be the one. No field of a record is proof against it: services write names, types and times their own way (G43).
 * - `other`: another person's or another slot's.
 */
export type Match = 'same' | 'possible' | 'other';

/** Where a record was found: in the list of the person's bookings, or in the list of everybody's. */
export type FoundIn = 'person' | 'everybody';

/**
 * @param sentAfter whatever was made before this time was certainly made before the booking was sent. Milliseconds since the epoch
 */
export function matchBooking(record: BookingRecord, sent: SentBooking, sentAfter: number, foundIn: FoundIn): Match {
  const { event_type_id: type, invitee_name: name } = record;
  const slot = slotOf(record.start_time, sent);
  const [madeFirst, madeLast] = instantsBetween(record.created_at);
  const isEarlier = madeLast < sentAfter;
  const isSince = madeFirst >= sentAfter;
  const shown = addressesIn(record);
  const fitting = shown.filter((address) => mayBeSameAddress(address, sent.invitee_email));
  // Of a masked address, too little is shown.
  const showsPerson = fitting.some((address) => showsAddress(address));
  // The invitee's address may be shown as the contact's main one, and the service's own filter listed the booking (G30).
  if (fitting.length === 0 && shown.length > 0)
    return slot !== 'other' && (!isEarlier || (foundIn === 'person' && mayBeSameName(name, sent.invitee_name))) ? 'possible' : 'other';
  if (!showsPerson && foundIn === 'everybody') return slot === 'same' && !isEarlier ? 'possible' : 'other';
  if (slot === 'unknown') return 'possible';
  if (slot === 'other') return isSince || slotOf(record.previous_start_time, sent) === 'same' ? 'possible' : 'other';
  const isType = !hasValue(type) || type === sent.event_type_id;
  // A filter may match a part of an address (G30), so something in the record must say whose it is.
  const isTheirs = showsPerson || typeof name === 'string';
  const isAsSent = isType && isTheirs && !isEarlier && mayBeSameName(name, sent.invitee_name);
  return isAsSent && !hasStatus(record, 'cancelled') ? 'same' : 'possible';
}

/** No time zone is further from UTC than this. */
const furthestZoneMs = 14 * 60 * 60_000;

/** A service may round a start to the minute, or show it in a local time without an offset. */
function slotOf(start: unknown, sent: SentBooking): 'same' | 'other' | 'unknown' {
  const wanted = instantOf(sent.start_time);
  const at = instantOf(start);
  if (!Number.isNaN(at)) return Math.abs(at - wanted) < 60_000 ? 'same' : 'other';
  const local = wallTimeOf(start);
  return local !== undefined && Math.abs(local - wanted) > furthestZoneMs ? 'other' : 'unknown';
}

/** Whether two names may be the same person's: escaped, curled, cut, turned round, in capitals, or without signs that are not letters. */
export function mayBeSameName(inRecord: unknown, sent: string): boolean {
  if (typeof inRecord !== 'string') return true;
  const [stored, typed] = [wordsOf(inRecord), wordsOf(sent)];
  const [first, second] = [stored.join(''), typed.join('')];
  if (first === '' || second === '') return true;
  // No service cuts names shorter, and "John Smith" may book beside "John Smith Jr".
  const isShortened = inRecord.trim().length >= 16 && second.startsWith(first);
  return isShortened || [...stored].sort().join(' ') === [...typed].sort().join(' ') || first === second;
}

/** The words of a name: letters and digits in lower case, without accents. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/&#?\w{1,8};/g, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’‘`´]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
