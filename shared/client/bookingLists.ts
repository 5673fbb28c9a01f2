import type { BookingRecord } from '../records/fields.ts';
import { statusTransitions } from '../assumptions.ts';
import type { Client } from './client.ts';
import type { Listing } from '../call.ts';
import { paginate, type Records } from './pages.ts';
import { listingOf } from '../records/resources.ts';

/** The statuses that bookings can be filtered by (section 3). */
const statuses = Object.values(statusTransitions);

interface ListFilters {
  /** The forms of the invitee's email to ask for, see `addressForms`. Default: bookings of all invitees. */
  emails?: readonly string[];
  /** The statuses to ask for; `undefined` asks for the list without a status. */
  statuses?: readonly (string | undefined)[];
}

/** One list of bookings for each status and each form of an email. */
export const bookingLists = ({ emails = [], statuses: asked = [undefined] }: ListFilters): Listing<'booking'>[] =>
  asked.flatMap((status) => (emails.length === 0 ? [undefined] : emails).map((email) => listingOf('booking', { status, email })));

/**
 * Reads every booking once, for callers that must not miss any. What a list without a status contains is not documented (G42): perhaps only
 * confirmed or upcoming bookings. So each status is also asked for, after the list without one, which may contain bookings with a status
 * that we do not know. This takes four lists for each form of the email.
 *
 * The service's filter by email may match more than was asked for, so compare the records (G30).
 *
 * @param max the maximum number of bookings in total; `isCut` then says whether there are more
 */
export const everyBooking = (client: Client, { emails = [] }: Pick<ListFilters, 'emails'> = {}, max?: number): Records<BookingRecord> =>
  paginate(client, bookingLists({ emails, statuses: [undefined, ...statuses] }), max);
