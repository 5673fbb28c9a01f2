import { ignoreRefusal } from '../../serviceError.ts';
import type { BookingRecord } from '../../records/fields.ts';
import { addressesIn, addressesOfOthers, isSameAddress, mayHaveStatus } from '../../reading/index.ts';
import { bookingLists } from '../../client/bookingLists.ts';
import type { Client } from '../../client/client.ts';
import { paginate } from '../../client/pages.ts';
import { fetchOne } from '../../client/fetchOne.ts';
import { instantOf, instantsBetween, instantsOf, isZone, wallTimeOf } from '../../time/time.ts';
import { asText } from '../../values.ts';
import { getCurrentUser } from '../user.ts';

export const aMinute = 60_000;

/** The search criteria: at least one of them. */
export interface BookingSearch {
  email?: string | undefined;
  event_type_id?: string | undefined;
  /** ISO 8601 with an offset. */
  start_time?: string | undefined;
  status?: string | undefined;
}

/** Whether a record is a wanted booking. `unknown` if it does not show that, or if services may write it differently. */
export type Fit = 'yes' | 'no' | 'unknown' | 'other type';

/** The maximum number of bookings that are read by id, because their list does not show enough. */
export const maxRead = 10;

export function fitOf(record: BookingRecord, { email, event_type_id: type, start_time: start, status }: BookingSearch): Fit {
  if (!mayHaveStatus(record, status)) return 'no';
  const { invitee_email: shownEmail, event_type_id: shownType } = record;
  const [earliest, latest] = instantsBetween(record.start_time);
  const at = start === undefined ? Number.NaN : instantOf(start);
  // Some services store a start only to the minute.
  if (at <= earliest - aMinute || at >= latest + aMinute) return 'no';
  // All offsets from UTC are whole quarters of an hour.
  if (earliest !== latest && Number.isFinite(earliest) && quarterDistance(at - earliest) >= aMinute) return 'no';
  if (type !== undefined && typeof shownType === 'string' && shownType !== '' && shownType !== type) return 'other type';
  const isKnown =
    (email === undefined || isSameAddress(shownEmail, email)) &&
    (start === undefined || earliest === latest) &&
    (type === undefined || shownType === type);
  return isKnown ? 'yes' : 'unknown';
}

const aQuarter = 15 * aMinute;
const quarterDistance = (ms: number): number => Math.min(ms % aQuarter, aQuarter - (ms % aQuarter));

export const ofFit = (records: readonly BookingRecord[], wanted: BookingSearch, fit: Fit): BookingRecord[] =>
  records.filter((record) => fitOf(record, wanted) === fit);

export interface Judged {
  record: BookingRecord;
  fit: Fit;
  /** Whether it is certainly someone else's. */
  isOthers: boolean;
}

export const those = (judged: readonly Judged[], ...fits: readonly Fit[]): BookingRecord[] =>
  judged.filter(({ fit }) => fits.includes(fit)).map(({ record }) => record);

export async function judge(
  client: Client,
  records: readonly BookingRecord[],
  wanted: BookingSearch & { email: string },
): Promise<Judged[]> {
  const others = await addressesOfOthers(records, wanted.email, (email) => paginate(client, bookingLists({ emails: [email] }), 1).all());
  return records.map((record) => {
    const addresses = addressesIn(record);
    const isOthers = addresses.length > 0 && addresses.every((address) => others.includes(address.toLowerCase()));
    return { record, isOthers, fit: isOthers ? 'no' : fitOf(record, wanted) };
  });
}

/**
 * The bookings that start at this time. A time without an offset is read in the zones that the record names and in the host's, or else in
 * UTC.
 */
export async function startingThen(client: Client, records: readonly BookingRecord[], start: string): Promise<BookingRecord[]> {
  const at = instantOf(start);
  const isLocal = records.some(({ start_time: shown }) => wallTimeOf(shown) !== undefined);
  const host = isLocal ? await getCurrentUser.run(client, {}, {}).catch(ignoreRefusal) : undefined;
  const startsThen = ({ start_time: shown, invitee_timezone: theirs }: BookingRecord, zones = [theirs, host?.['timezone']]): boolean => {
    if (!Number.isNaN(instantOf(shown))) return true;
    const wall = wallTimeOf(shown);
    const known = zones.map(asText).filter((zone) => isZone(zone));
    return wall !== undefined && known.some((zone) => instantsOf(wall, zone).some((each) => Math.abs(each - at) < aMinute));
  };
  const found = records.filter((record) => startsThen(record));
  return found.length > 0 ? found : records.filter((record) => startsThen(record, ['UTC']));
}

/** The records with all their fields, because a list may show less than a single record. */
export const readWhole = (client: Client, records: readonly BookingRecord[]): Promise<BookingRecord[]> =>
  Promise.all(
    records.map(async (record, index) => {
      if (index >= maxRead) return record;
      return (await fetchOne(client, 'booking', record.id).catch(ignoreRefusal)) ?? record;
    }),
  );

/**
 * The bookings whose event type has another id, if that is also an id of the wanted type: someone may have entered its slug.
 *
 * @param isGenerous whether they are also returned if that cannot be determined: the type cannot be read, or bookings show ids of types in
 * another form
 */
export async function underAnotherId(
  client: Client,
  type: string,
  bookings: BookingRecord[],
  isGenerous: boolean,
): Promise<BookingRecord[]> {
  if (bookings.length === 0) return [];
  const wanted = await fetchOne(client, 'eventType', type).catch(ignoreRefusal);
  if (wanted === undefined) return isGenerous ? bookings : [];
  const isSame = new Map<string, boolean>();
  let read = 0;
  for (const shown of new Set(bookings.map(({ event_type_id }) => asText(event_type_id)))) {
    const isKnown = shown === wanted.id || shown === wanted.slug;
    if (isKnown || !isGenerous) isSame.set(shown, isKnown);
    else if ((read += 1) <= maxRead) {
      const shownType = await fetchOne(client, 'eventType', shown).catch(ignoreRefusal);
      isSame.set(shown, shownType === undefined || shownType.id === wanted.id);
    }
  }
  return bookings.filter(({ event_type_id: shown }) => isSame.get(asText(shown)) ?? true);
}
