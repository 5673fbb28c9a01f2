import * as z from 'zod/v4';
import { letterCases, mayBeSameAddress, mayHaveStatus } from '../../reading/index.ts';
import { bookingLists } from '../../client/bookingLists.ts';
import { paginate, type Listing } from '../../client/pages.ts';
import { defineMany, field, type Choice } from '../define.ts';
import { optionalBoolean, optionalEmailAddress, optionalId, optionalText } from '../commonSchemas.ts';
import { bookingsInWindow, firstOf, hasWindow } from './inWindow.ts';
import { booking } from '../../records/samples.ts';
import { eventTypeMatches } from '../../events.ts';

/** The statuses of section 3, the most used first: a form that needs a default uses that one. */
export const statuses: readonly Choice[] = [
  { value: 'CONFIRMED', label: 'Confirmed' },
  { value: 'CANCELLED', label: 'Cancelled' },
  { value: 'PENDING', label: 'Pending' },
];

export const statusFilter = field(z.enum(['CONFIRMED', 'CANCELLED', 'PENDING'], 'is not one of CONFIRMED, CANCELLED, PENDING').optional(), {
  label: 'Status',
  help: 'Only bookings in this status',
  control: 'choice',
  choices: statuses,
});

/** Which bookings are wanted, whenever they are. */
interface Filters {
  status?: string | undefined;
  email?: string | undefined;
  event_type_id?: string | undefined;
}

/**
 * The lists with these filters. The service may match parts of an address (G30), or leave the status aside (G42), and has no filter by event
 * type.
 */
function listsOf({ status, email, event_type_id: type }: Filters, statuses: readonly (string | undefined)[]): Listing<'booking'>[] {
  const lists = bookingLists({ ...(email !== undefined && { emails: letterCases(email) }), statuses });
  if (email === undefined && type === undefined && status === undefined) return lists;
  const types = type === undefined ? [] : [type];
  return lists.map((list) => ({
    ...list,
    keep: (record) =>
      eventTypeMatches(record, types) &&
      mayHaveStatus(record, status) &&
      (email === undefined || mayBeSameAddress(record['invitee_email'], email)),
  }));
}

export const getManyBookings = defineMany({
  resource: 'booking',
  name: 'getMany',
  action: 'List',
  description: 'Lists bookings. Filter by status, invitee, event type or time',
  effect: 'read',
  scope: 'bookings:read',
  endpoint: 'GET /v1/bookings',
  input: {
    status: statusFilter,
    email: field(optionalEmailAddress, {
      label: 'Invitee Email',
      help: 'Only bookings of the invitee with this email address',
      control: 'email',
      example: 'ada@example.com',
    }),
    event_type_id: field(optionalId, {
      label: 'Event Type',
      help: 'Only bookings of this event type',
      control: 'text',
      lookup: 'eventTypes',
    }),
    from: field(optionalText, {
      label: 'After',
      help: 'Only bookings that start at this time or later',
      control: 'dateTime',
      mayBeDay: true,
      example: '2030-01-28T00:00:00+01:00',
    }),
    to: field(optionalText, {
      label: 'Before',
      help: 'Only bookings that start before this time',
      control: 'dateTime',
      mayBeDay: true,
      laterThan: 'from',
      example: '2030-02-04T00:00:00+01:00',
    }),
    upcoming: field(optionalBoolean, {
      label: 'Upcoming',
      help: 'Whether to list only bookings that have not started and are not cancelled',
      control: 'boolean',
    }),
  },
  output: 'booking',
  sample: booking,

  /**
   * The service's lists in its order; with a window of time, sorted by start, see {@link bookingsInWindow}.
   *
   * @throws ServiceError `invalid` if the window ends before it begins
   */
  run(client, input, context) {
    const { limit } = context;
    return hasWindow(input)
      ? firstOf(() => bookingsInWindow(client, (statuses) => listsOf(input, statuses), input, context), limit)
      : paginate(client, listsOf(input, [input.status]), limit);
  },

  lists: (input) => (hasWindow(input) ? [] : listsOf(input, [input.status])),
});
