import { ServiceError } from '../../serviceError.ts';
import { sortByRelevance } from './relevance.ts';
import { fetchIfThere } from '../../client/fetchOne.ts';
import { defineMany, field } from '../define.ts';
import { optionalEmailAddress, optionalId, optionalText } from '../commonSchemas.ts';
import { ofBooking, ofEventType } from '../idFields.ts';
import { checkExists } from '../eventType.ts';
import { booking } from '../../records/samples.ts';
import { statusFilter } from './getMany.ts';
import { searchBookings } from './search.ts';

export const findBooking = defineMany({
  resource: 'booking',
  name: 'find',
  action: 'Find',
  description: 'Finds a booking by invitee email, status, event type, start or ID; upcoming bookings come first, cancelled ones last',
  effect: 'read',
  scope: 'bookings:read',
  endpoint: 'GET /v1/bookings',
  input: {
    email: field(optionalEmailAddress, {
      label: 'Invitee Email',
      help: 'Full email address of the invitee, not case-sensitive',
      control: 'email',
      example: 'ada@example.com',
    }),
    event_type_id: field(optionalId, { ...ofEventType, help: 'Only bookings of this event type' }),
    start_time: field(optionalText, {
      label: 'Start',
      help: 'Only bookings that start at this time. With an email and an event type but no status, cancelled ones are left out',
      control: 'dateTime',
      example: '2030-01-31T09:00:00+01:00',
    }),
    status: statusFilter,
    booking_id: field(optionalId, { ...ofBooking, help: 'A booking from an earlier step. The other search fields are then ignored' }),
  },
  output: 'booking',
  sample: booking,

  /**
   * The matching bookings, best first: upcoming ones by start, soonest first, then past ones, latest first; cancelled ones last. See
   * {@link searchBookings}.
   *
   * @throws ServiceError `invalid` if no search field is filled in; `notFound` if nothing is found and the event type does not exist
   */
  async *run(client, input, context) {
    const { booking_id: id, event_type_id: type } = input;
    if (id !== undefined) {
      const found = await fetchIfThere(client, 'booking', id);
      if (found !== undefined) yield found;
      return;
    }
    if (Object.keys(input).length === 0) {
      throw new ServiceError('invalid', {
        message: 'Enter at least one search field.',
        advice: "The invitee's email finds a booking best.",
      });
    }
    const found = await searchBookings(client, input, context);
    // Someone may have entered the event type's name. In a step that also creates, the creation reports that.
    if (found.length === 0 && type !== undefined && context.createsOtherwise !== true) await checkExists(client, type);
    yield* sortByRelevance(found, client.clock.now()).slice(0, context.limit);
  },
});
