import { bookingLists } from '../../api/bookingLists.ts';
import type { Client } from '../../api/client.ts';
import { ServiceError } from '../../api/errors.ts';
import { mostLooked, partNote, tooMany } from '../../api/looked.ts';
import { walk, type Listing } from '../../api/pages.ts';
import type { BookingRecord } from '../../api/records.ts';
import { fetchOne } from '../../api/resources.ts';
import { statusTransitions } from '../../assumptions.ts';
import { addressForms, isSameAddress, isSurelyAnotherAddress, letterCases } from '../../records/emailForms.ts';
import { hasStatus } from '../../records/status.ts';
import { instantOf, instantsBetween } from '../../time.ts';

const aMinute = 60_000;

/** What to look for: at least one of them. */
export interface Wanted {
  email?: string | undefined;
  event_type_id?: string | undefined;
  /** ISO 8601 with an offset. */
  start_time?: string | undefined;
  status?: string | undefined;
}

/** What a record says about whether it is a wanted booking. What it does not show, or a service may write differently, is unknown. */
type Fit = 'yes' | 'no' | 'unknown' | 'other type';

/** The maximum number of bookings that are read by id, because their list does not show enough. */
const mostRead = 10;

/**
 * The bookings that fit, in any order. If none fits for certain, those of this person that may be the wanted one: a field that a record does
 * not show speaks neither for nor against it, and the service's own filter by email is believed, unless it also returned records of others.
 * If the list without a status has no match, each status is asked for (G42).
 *
 * A search by email, type and start together asks whether such a booking exists, and something may be created if it does not. So it does not
 * return cancelled ones, asks for every form that services make of the email, and counts a possible match as a match.
 *
 * @param note is told if there were too many bookings to read all of them
 * @throws ServiceError `invalid` if something may be created, and too many bookings would have to be read to know
 */
export async function searchBookings(client: Client, wanted: Wanted, note?: (sentence: string) => void): Promise<BookingRecord[]> {
  const { email, event_type_id: type, start_time: start, status } = wanted;
  const exists = email !== undefined && type !== undefined && start !== undefined && status === undefined;
  const judge = (record: BookingRecord): Fit => (exists && hasStatus(record, 'cancelled') ? 'no' : fitOf(record, wanted));
  const advice =
    email === undefined ? 'Add an email or a status to the search, or use the ID.' : 'Use the ID, or add a status to the search.';
  const ofOtherTypes = new Map<string, BookingRecord>();
  for (const lists of roundsOf(wanted, exists)) {
    const list = walk(client, lists, mostLooked);
    const records = await list.all();
    let matches = records.filter((record) => judge(record) === 'yes');
    if (matches.length === 0 && email !== undefined) {
      const open = records.filter((record) => judge(record) === 'unknown');
      const isOnlyTheirs = !records.some((record) => isSurelyAnotherAddress(record.invitee_email, email));
      matches = exists
        ? (await readWhole(client, open)).filter((record) => ['yes', 'unknown'].includes(judge(record)))
        : open.filter((record) => isOnlyTheirs || isSameAddress(record.invitee_email, email));
    }
    if (list.isCut && exists && matches.length === 0) throw tooMany('bookings with this email', advice);
    if (list.isCut) note?.(partNote('bookings', advice));
    if (list.isCut || matches.length > 0) return matches;
    for (const record of records) if (judge(record) === 'other type') ofOtherTypes.set(record.id, record);
  }
  return type === undefined ? [] : underAnotherId(client, type, [...ofOtherTypes.values()], exists);
}

/** The lists to read, until one round has a match. To know that something exists, one match is enough. */
function roundsOf({ email, status }: Wanted, exists: boolean): Listing<'booking'>[][] {
  const { pending, confirmed, cancelled } = statusTransitions;
  if (email !== undefined && exists)
    return bookingLists({ emails: addressForms(email), statuses: [undefined, pending, confirmed] }).map((list) => [list]);
  const emails = email === undefined ? [] : letterCases(email);
  const rounds = status === undefined ? [[undefined], [pending, confirmed, cancelled]] : [[status]];
  return rounds.map((statuses) => bookingLists({ emails, statuses }));
}

function fitOf(record: BookingRecord, { email, event_type_id: type, start_time: start }: Wanted): Fit {
  const { invitee_email: shownEmail, event_type_id: shownType } = record;
  if (email !== undefined && isSurelyAnotherAddress(shownEmail, email)) return 'no';
  const [earliest, latest] = instantsBetween(record.start_time);
  const at = start === undefined ? Number.NaN : instantOf(start);
  // Some services keep a start to the minute.
  if (at <= earliest - aMinute || at >= latest + aMinute) return 'no';
  if (type !== undefined && typeof shownType === 'string' && shownType !== type) return 'other type';
  const isKnown =
    (email === undefined || isSameAddress(shownEmail, email)) &&
    (start === undefined || earliest === latest) &&
    (type === undefined || shownType === type);
  return isKnown ? 'yes' : 'unknown';
}

/** The same records with everything that the service shows of them, because a list may show less than a single record. */
const readWhole = (client: Client, records: readonly BookingRecord[]): Promise<BookingRecord[]> =>
  Promise.all(
    records.map(async (record, index) => {
      if (record.id === '' || index >= mostRead) return record;
      try {
        return await fetchOne(client, 'booking', record.id);
      } catch (error) {
        if (error instanceof ServiceError) return record;
        throw error;
      }
    }),
  );

/**
 * The bookings whose event type has another id, if that is an id of the wanted type: somebody may have entered its slug.
 *
 * @param isGenerous whether they are returned too if nobody can tell, because the type cannot be read
 */
async function underAnotherId(client: Client, type: string, bookings: BookingRecord[], isGenerous: boolean): Promise<BookingRecord[]> {
  if (bookings.length === 0) return [];
  try {
    const { id, slug } = await fetchOne(client, 'eventType', type);
    return bookings.filter(({ event_type_id: shown }) => shown === id || shown === slug);
  } catch (error) {
    if (error instanceof ServiceError) return isGenerous ? bookings : [];
    throw error;
  }
}
