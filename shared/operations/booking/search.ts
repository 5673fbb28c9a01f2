import { ServiceError } from '../../serviceError.ts';
import type { BookingRecord } from '../../records/fields.ts';
import { addressForms, hasEnded, isMasked, isSameAddress, letterCases } from '../../reading/index.ts';
import { bookingLists } from '../../client/bookingLists.ts';
import { brand } from '../../brand.ts';
import type { Client } from '../../client/client.ts';
import { maxScanned, paginate } from '../../client/pages.ts';
import { statusTransitions } from '../../assumptions.ts';
import { instantOf } from '../../time/time.ts';
import { wordList } from '../abilities.ts';
import type { RunContext } from '../define.ts';
import {
  aMinute,
  type BookingSearch,
  fitOf,
  judge,
  type Judged,
  maxRead,
  ofFit,
  readWhole,
  startingThen,
  those,
  underAnotherId,
} from './fit.ts';
import { onlyRead, tellPart } from './inWindow.ts';
import { readBookings, type BookingReading } from './reading.ts';

type SearchNotes = Pick<RunContext, 'note' | 'partNote' | 'bound' | 'createsOtherwise'>;

/**
 * The matching bookings, in any order.
 *
 * A search by email, type and start together asks whether such a booking exists, and the caller may create one if it does not: see
 * {@link whetherExists}.
 *
 * @param context is told if there were too many bookings to read all of them
 * @throws ServiceError `invalid` if the question cannot be answered: there are too many bookings to read, and none was found among those
 * read, or an unread one may come first (see `sortByRelevance`); or, if a booking may be created, a possible match has a start that cannot
 * be compared
 */
export function searchBookings(client: Client, wanted: BookingSearch, context: SearchNotes = {}): Promise<BookingRecord[]> {
  const { email, event_type_id: type, start_time: start, status } = wanted;
  if (email === undefined) return amongAll(client, wanted, context);
  const ofPerson = { ...wanted, email };
  if (type === undefined || start === undefined || status !== undefined) return byEmail(client, ofPerson, context);
  return whetherExists(client, { email, event_type_id: type, start_time: start }, context);
}

type Lists = (statuses: readonly (string | undefined)[]) => ReturnType<typeof bookingLists>;

/** Reads lists of any length, as far as time allows. */
function readLists(
  client: Client,
  wanted: BookingSearch,
  lists: Lists,
  fits: (record: BookingRecord) => boolean,
  context: SearchNotes,
): Promise<BookingReading> {
  const { start_time: start, status } = wanted;
  const at = start === undefined ? undefined : instantOf(start);
  const [begin, end] = at === undefined ? [-Infinity, Infinity] : [at - aMinute, at + aMinute];
  return readBookings(client, { lists, status, begin, end, fits, key: JSON.stringify(['find', wanted]) }, context);
}

/** The bookings of all invitees that certainly match. If the lists do not show enough of one, it is read by id. */
async function amongAll(client: Client, wanted: BookingSearch, context: SearchNotes): Promise<BookingRecord[]> {
  const { event_type_id: type, start_time: start } = wanted;
  const lists: Lists = (statuses) => bookingLists({ statuses });
  const { records, isPart, count } = await readLists(client, wanted, lists, (record) => fitOf(record, wanted) !== 'no', context);
  let matches = ofFit(records, wanted, 'yes');
  let isUnclear = false;
  let part = isPart ? count : undefined;
  if (matches.length === 0) {
    const whole = await readWhole(client, ofFit(records, wanted, 'unknown'));
    const open = ofFit(whole, wanted, 'unknown');
    // If single records show more than their list, those that were not read may also match.
    if (whole.length > maxRead && open.length < whole.length) part ??= maxRead;
    const ofType = open.filter(({ event_type_id: shown }) => type === undefined || shown === type);
    matches = [...ofFit(whole, wanted, 'yes'), ...(start === undefined ? [] : await startingThen(client, ofType, start))];
    isUnclear = open.length > 0 && matches.length === 0;
  }
  if (matches.length === 0 && type !== undefined) matches = await underAnotherId(client, type, ofFit(records, wanted, 'other type'), false);
  if (part !== undefined) checkPart(part, matches, wanted, context);
  if (isUnclear) context.note?.(unclear);
  return matches;
}

const unreadable = `${brand.name} does not show when these bookings start in a form that can be compared. They may start at another time.`;
const unclear = `${brand.name} does not show enough of some bookings to compare them, so there may be others that fit. Add an email.`;

/**
 * Says that only a part of the bookings was searched.
 *
 * @throws ServiceError `invalid` if the result depends on the others: none was found, or an unread one may come first
 */
function checkPart(count: number, matches: readonly BookingRecord[], wanted: BookingSearch, context: SearchNotes): void {
  const advice = context.bound?.advice ?? adviceFor(wanted, context);
  const { start_time: start, status } = wanted;
  // Among bookings with the same start, the order depends only on whether they were cancelled.
  const isFirstKnown = start !== undefined && (status !== undefined || matches.some((record) => !hasEnded(record)));
  if (matches.length > 0 && isFirstKnown) {
    tellPart(count, context, advice);
    return;
  }
  const asked = matches.length === 0 ? 'whether there is such a booking' : 'which of these bookings comes first';
  throw new ServiceError('invalid', { message: `Nobody can tell yet ${asked}: ${onlyRead(count)}`, advice });
}

function adviceFor({ email, start_time: start, status }: BookingSearch, { createsOtherwise }: SearchNotes): string {
  if (createsOtherwise === true) return 'Look for it in the service. To book anyway, use a step that only creates.';
  const more = [email === undefined && 'an email', start === undefined && 'a start', status === undefined && 'a status'];
  const named = more.filter((each) => each !== false);
  return named.length === 0 ? 'Use the ID.' : `Add ${wordList(named, 'or')} to the search, or use the ID.`;
}

/**
 * The bookings of one person. If none certainly matches, those that may: a field that a record does not show counts neither way, and the
 * service's own filter by email is trusted, unless it also returned records of others. If the list without a status has no match, each
 * status is asked for (G42).
 */
async function byEmail(client: Client, wanted: BookingSearch & { email: string }, context: SearchNotes): Promise<BookingRecord[]> {
  const { email, event_type_id: type, start_time: start, status } = wanted;
  const { pending, confirmed, cancelled } = statusTransitions;
  const lists: Lists = (statuses) => bookingLists({ emails: letterCases(email), statuses });
  const ofOtherTypes = new Map<string, BookingRecord>();
  for (const statuses of status === undefined ? [[undefined], [pending, confirmed, cancelled]] : [[status]]) {
    const list = paginate(client, lists(statuses), maxScanned);
    const listed = await list.all();
    const reading = list.isTruncated ? await readLists(client, wanted, lists, () => true, context) : undefined;
    const fits = await judge(client, reading?.records ?? listed, wanted);
    let matches = those(fits, 'yes');
    if (matches.length === 0) {
      const isOnlyTheirs = fits.every(({ isOthers }) => !isOthers);
      matches = those(fits, 'unknown').filter(({ invitee_email: shown }) => isOnlyTheirs || isMasked(shown) || isSameAddress(shown, email));
      const then = start === undefined ? [] : await startingThen(client, matches, start);
      if (then.length === 0 && start !== undefined && matches.length > 0) context.note?.(unreadable);
      matches = then.length > 0 ? then : matches;
    }
    if (reading?.isPart === true) checkPart(reading.count, matches, wanted, context);
    if (matches.length > 0) return matches;
    for (const record of those(fits, 'other type')) ofOtherTypes.set(record.id, record);
    if (reading !== undefined) break;
  }
  return type === undefined ? [] : underAnotherId(client, type, [...ofOtherTypes.values()], false);
}

/**
 * The bookings of one person, type and start that have not ended. Every form that services make of the email is asked for, one list after
 * another until one has a match. A possible match also counts.
 *
 * @throws ServiceError `invalid` if it cannot be determined whether there is one
 */
async function whetherExists(
  client: Client,
  wanted: BookingSearch & { email: string; event_type_id: string; start_time: string },
  context: SearchNotes,
): Promise<BookingRecord[]> {
  const { pending, confirmed } = statusTransitions;
  const ofOtherTypes = new Map<string, BookingRecord>();
  const judged = (records: readonly BookingRecord[]): Promise<Judged[]> =>
    judge(
      client,
      records.filter((record) => !hasEnded(record)),
      wanted,
    );
  for (const listing of bookingLists({ emails: addressForms(wanted.email), statuses: [undefined, pending, confirmed] })) {
    const list = paginate(client, listing, maxScanned);
    const fits = await judged(await list.all());
    const sure = those(fits, 'yes');
    const open = async (): Promise<BookingRecord[]> =>
      those(await judged(await readWhole(client, those(fits, 'unknown'))), 'yes', 'unknown');
    const matches = sure.length > 0 ? sure : await existing(client, await open(), wanted);
    if (list.isTruncated) checkPart(maxScanned, matches, wanted, context);
    if (matches.length > 0) return matches;
    for (const record of those(fits, 'other type')) ofOtherTypes.set(record.id, record);
  }
  return existing(client, await underAnotherId(client, wanted.event_type_id, [...ofOtherTypes.values()], true), wanted);
}

/**
 * The possible matches that start at the wanted time.
 *
 * @throws ServiceError `invalid` if there are none, but there is a possible match whose start cannot be compared
 */
async function existing(
  client: Client,
  records: readonly BookingRecord[],
  { start_time: start = '', email }: BookingSearch,
): Promise<BookingRecord[]> {
  const matches = await startingThen(client, records, start);
  const [doubtful] = records;
  if (matches.length > 0 || doubtful === undefined) return matches;
  throw new ServiceError('invalid', {
    message: `Nobody can tell whether this booking already exists: the start of the booking "${doubtful.id}" of ${email} cannot be compared with the one you want.`,
    advice: 'Look at it in the service. To book anyway, use a step that only creates.',
  });
}
