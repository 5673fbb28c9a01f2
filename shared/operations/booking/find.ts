import { walk } from '../../api/pages.ts';
import { ServiceError } from '../../api/errors.ts';
import { limits } from '../../limits.ts';
import type { BookingRecord } from '../../api/records.ts';
import { statusTransitions, listScan } from '../../assumptions.ts';
import { defineMany, field } from '../../define.ts';
import { optionalEmailAddress, optionalText } from '../../inputs.ts';
import { byNearness } from '../../nearness.ts';
import { present } from '../../outputs.ts';
import { booking } from '../../samples/records.ts';
import { instantOf, resolveStart } from '../../time.ts';
import { fetchBooking } from './get.ts';
import { statusFilter } from './getMany.ts';

const startLabel = 'Start';

export const findBooking = defineMany({
  resource: 'booking',
  name: 'find',
  action: 'Find',
  description: 'Finds a booking by invitee email, status, event type, start or ID; upcoming ones come first, cancelled ones last',
  effect: 'read',
  scope: 'bookings:read',
  endpoint: 'GET /v1/bookings',
  input: {
    email: field(optionalEmailAddress, {
      label: 'Invitee Email',
      help: 'The e-mail address of the invitee, whole; upper and lower case are the same',
      control: 'email',
      example: 'ada@example.com',
    }),
    event_type_id: field(optionalText, {
      label: 'Event Type',
      help: 'Only bookings of this event type',
      control: 'text',
      lookup: 'eventTypes',
    }),
    start_time: field(optionalText, {
      label: startLabel,
      help: 'Only bookings that begin at this moment',
      control: 'dateTime',
      example: '2030-01-31T09:00:00+01:00',
    }),
    status: statusFilter,
    booking_id: field(optionalText, {
      label: 'Booking',
      help: 'The booking itself, where an earlier step gave it; everything else is then left aside',
      control: 'text',
      lookup: 'bookings',
    }),
  },
  output: 'booking',
  sample: booking,

  /**
   * The bookings that fit, best first: upcoming ones by start, soonest first, then past ones, latest first; cancelled
   * ones after all others. Looks at no more than 1,000 bookings (G31). Of an e-mail, a type and a start together –
   * the question whether such a booking exists – cancelled ones are no answer.
   *
   * @throws ServiceError `invalid` where nothing to look for was given.
   */
  async *run(client, input, { limit, timeZone }) {
    const { booking_id: id, email, event_type_id: type, status } = input;
    if (id !== undefined) {
      const found = await orNothing(fetchBooking(client, id));
      if (found !== undefined) yield present('booking', found);
      return;
    }
    if (Object.keys(input).length === 0) {
      throw new ServiceError('invalid', { message: 'There is nothing to look for.', advice: 'Fill in at least one field, such as the invitee\'s email.' });
    }
    const start = input.start_time === undefined ? undefined : instantOf(resolveStart(input.start_time, { platformZone: timeZone, label: startLabel }));
    const exists = email !== undefined && type !== undefined && start !== undefined && status === undefined;
    const matches: BookingRecord[] = [];
    const listing = { path: ['bookings'], scope: 'bookings:read', thing: 'bookings', record: 'booking', query: { status, email } } as const;
    for await (const record of walk(client, listing, listScan.pages * limits.pageSize)) {
      if (email !== undefined && String(record['invitee_email']).toLowerCase() !== email.toLowerCase()) continue;
      if (type !== undefined && record['event_type_id'] !== type) continue;
      if (start !== undefined && instantOf(record['start_time']) !== start) continue;
      if (exists && record['status'] === statusTransitions.cancelled) continue;
      matches.push(record);
    }
    for (const record of byNearness(matches, client.clock.now()).slice(0, limit)) yield present('booking', record);
  },
});

async function orNothing(record: Promise<BookingRecord>): Promise<BookingRecord | undefined> {
  try {
    return await record;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'notFound') return undefined;
    throw error;
  }
}
