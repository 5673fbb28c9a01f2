import type { BookingRecord } from '../records/fields.ts';
import { statusTransitions } from '../assumptions.ts';
import type { Client } from './client.ts';
import type { Listing } from '../call.ts';
import { paginate, type Records } from './pages.ts';
import { listingOf } from '../records/resources.ts';

/** The statuses by which bookings can be filtered (section 3). */
const statuses = Object.values(statusTransitions);

interface ListFilters {
  /** The forms of the invitee's email under which the service is asked, see `addressForms`. Default: bookings of all invitees. */
  emails?: readonly string[];
  /** Each of these is asked for; `undefined` asks for the list without a status. */
  statuses?: readonly (string | undefined)[];
}

/** The lists of bookings for each status and each form of an email. */
export const bookingLists = ({ emails = [], statuses: asked = [undefined] }: ListFilters): Listing<'booking'>[] =>
  asked.flatMap((status) => (emails.length === 0 ? [undefined] : emails).map((email) => listingOf('booking', { status, email })));

/**
 * Every booking, each one once, for callers that must not miss one. What a list holds without a status is not documented (G42): it may be
 * only the confirmed or the upcoming ones. So each status is asked for as well, after the list without one, which holds those with a status
 * that we do not know. It takes four lists for each form of the email.
 *
 * The service's filter by email may match more than was asked for, so compare the records (G30).
 *
 * @param max the maximum number of bookings in total; `isCut` then says whether there are more
 */
export const everyBooking = (client: Client, { emails = [] }: Pick<ListFilters, 'emails'> = {}, max?: number): Records<BookingRecord> =>
  paginate(client, bookingLists({ emails, statuses: [undefined, ...statuses] }), max);
