import type { BookingRecord } from '../../records/fields.ts';
import { hasEnded, isSameAddress } from '../../reading/index.ts';
import type { Client } from '../../client/client.ts';
import { fetchPage } from '../../client/pages.ts';
import { limits } from '../../limits.ts';
import { listingOf } from '../../records/resources.ts';
import { instantOf } from '../../time/time.ts';
import { parseInput } from '../parseInput.ts';
import { createBooking } from './create.ts';
import { mayBeSameName } from './match.ts';

/**
 * The booking that the invitee of a refused one already has in the same slot, for a caller that repeats a call whose response was lost. It
 * must cost only one request, so only the first page of the invitee's bookings is read.
 *
 * @throws ServiceError `invalid` if the form is wrong; otherwise if the list cannot be read
 */
export async function existingBooking(client: Client, fields: Readonly<Record<string, unknown>>): Promise<BookingRecord | undefined> {
  const {
    event_type_id: type,
    start_time: start,
    invitee_email: email,
    invitee_name: name,
  } = parseInput(createBooking, {
    ...fields,
    question_responses: undefined,
  });
  const { records } = await fetchPage(client, listingOf('booking', { email }), { size: limits.pageSize });
  return records.find(
    (record) =>
      record.event_type_id === type &&
      instantOf(record.start_time) === instantOf(start) &&
      isSameAddress(record.invitee_email, email) &&
      // A family may share one address.
      mayBeSameName(record.invitee_name, name) &&
      !hasEnded(record),
  );
}
