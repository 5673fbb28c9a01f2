import type { BookingRecord } from '../../api/records.ts';
import { isSurelyAnotherAddress, showsAddress } from '../../records/emailForms.ts';
import { hasStatus } from '../../records/status.ts';
import { instantOf, readTime } from '../../time.ts';

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
 * - `same`: the person, the slot and the type are as sent, and nothing speaks against it.
 * - `possible`: it may be the one. No field of a record is proof against it: services write names, types and times their own way (G43).
 * - `other`: another person's or another slot's, as far as the record shows it.
 */
export type Match = 'same' | 'possible' | 'other';

/** Where a record was found: in the list of the person's bookings, or in the list of everybody's. */
export type FoundIn = 'person' | 'everybody';

/**
 * @param sentAfter whatever was made before this time was certainly made before the booking was sent. Milliseconds since the epoch
 */
export function matchBooking(record: BookingRecord, sent: SentBooking, sentAfter: number, foundIn: FoundIn): Match {
  const { invitee_email: email, event_type_id: type } = record;
  const slot = slotOf(record.start_time, sent);
  const made = instantOf(record.created_at);
  const isSince = made >= sentAfter;
  // What the service filtered by is believed if the record does not show it.
  const isPerson = showsAddress(email) ? !isSurelyAnotherAddress(email, sent.invitee_email) : foundIn === 'person';
  if (!isPerson) return slot === 'same' && !(made < sentAfter) ? 'possible' : 'other';
  if (slot === 'unknown') return 'possible';
  if (slot === 'other') return isSince || slotOf(record.previous_start_time, sent) === 'same' ? 'possible' : 'other';
  const isType = type === undefined || type === null || type === sent.event_type_id;
  const isAsSent = isType && !(made < sentAfter) && mayBeSameName(record.invitee_name, sent.invitee_name);
  return isAsSent && !hasStatus(record, 'cancelled') ? 'same' : 'possible';
}

/** No time zone is further from UTC than this. */
const furthestZoneMs = 14 * 60 * 60_000;

/** A service may round a start to the minute, or show it in a local time without an offset. */
function slotOf(start: unknown, sent: SentBooking): 'same' | 'other' | 'unknown' {
  const wanted = instantOf(sent.start_time);
  const at = instantOf(start);
  if (!Number.isNaN(at)) return Math.abs(at - wanted) < 60_000 ? 'same' : 'other';
  const local = typeof start === 'string' ? readTime(start)?.wall : undefined;
  return local !== undefined && Math.abs(local - wanted) > furthestZoneMs ? 'other' : 'unknown';
}

/** Whether two names may be the same person's: escaped, curled, cut, turned round, in capitals, or without signs that are not letters. */
export function mayBeSameName(inRecord: unknown, sent: string): boolean {
  if (typeof inRecord !== 'string') return true;
  const [stored, typed] = [wordsOf(inRecord), wordsOf(sent)];
  const [first, second] = [stored.join(''), typed.join('')];
  if (first === '' || second === '') return true;
  const isCut = first.length >= 8 && second.startsWith(first);
  return isCut || [...stored].sort().join(' ') === [...typed].sort().join(' ') || first === second;
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
