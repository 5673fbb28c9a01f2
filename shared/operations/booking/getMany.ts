import * as z from 'zod/v4';
import { bookingLists } from '../../client/bookingLists.ts';
import { paginate, type Listing } from '../../client/pages.ts';
import { defineMany, field, type Choice } from '../define.ts';
import { optionalBoolean, optionalEmailAddress, optionalText } from '../inputs.ts';
import { bookingsInWindow, firstOf, hasWindow, statusesIn } from './inWindow.ts';
import { letterCases, mayBeSameAddress } from '../../records/emailForms.ts';
import { booking } from '../../records/samples.ts';
import { mayHaveStatus } from '../../records/status.ts';

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

/** The lists with these filters. The service may match parts of an address (G30), or leave the status aside (G42). */
function listsOf(email: string | undefined, statuses: readonly (string | undefined)[]): Listing<'booking'>[] {
  if (email === undefined) return bookingLists({ statuses });
  return bookingLists({ emails: letterCases(email), statuses }).map((list) => ({
    ...list,
    keep: (record) => mayBeSameAddress(record['invitee_email'], email) && mayHaveStatus(record, list.query?.['status']),
  }));
}

export const getManyBookings = defineMany({
  resource: 'booking',
  name: 'getMany',
  action: 'List',
  description: "Lists bookings in the service's order, optionally by status and invitee, or those in a window of time, sorted by start",
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
    from: field(optionalText, {
      label: 'After',
      help: 'Only bookings that start at this time or later',
      offsetHelp: 'Without a UTC offset, it is read in the time zone of this automation',
      control: 'dateTime',
      mayBeDay: true,
      example: '2030-01-28T00:00:00+01:00',
    }),
    to: field(optionalText, {
      label: 'Before',
      help: 'Only bookings that start before this time',
      offsetHelp: 'Without a UTC offset, it is read in the time zone of this automation',
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
  run(client, input, { limit, note }) {
    const { status, email } = input;
    return hasWindow(input)
      ? firstOf(() => bookingsInWindow(client, listsOf(email, statusesIn(input, status)), input, { limit, note }), limit)
      : paginate(client, listsOf(email, [status]), limit);
  },

  lists: (input) => (hasWindow(input) ? [] : listsOf(input.email, [input.status])),
});
