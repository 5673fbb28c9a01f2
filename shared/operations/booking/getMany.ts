import * as z from 'zod/v4';
import { letterCases, mayBeSameAddress, mayHaveStatus } from '../../reading/index.ts';
import { bookingLists } from '../../client/bookingLists.ts';
import type { Client } from '../../client/client.ts';
import type { Listing } from '../../call.ts';
import { paginate } from '../../client/pages.ts';
import { brand } from '../../brand.ts';
import type { ServiceRecord } from '../../records/fields.ts';
import { ServiceError } from '../../serviceError.ts';
import { hasValue } from '../../values.ts';
import { defineMany, field, type Choice, type RunContext } from '../define.ts';
import { optionalBoolean, optionalEmailAddress, optionalId, optionalText } from '../commonSchemas.ts';
import { ofEventType } from '../idFields.ts';
import { checkExists } from '../eventType.ts';
import { bookingsInWindow, firstOf, hasWindow, orElse } from './inWindow.ts';
import { booking } from '../../records/samples.ts';

/** The statuses of section 3, the most common first: a form that needs a default uses the first. */
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

/** The wanted bookings, regardless of time. */
interface WantedBookings {
  status?: string | undefined;
  email?: string | undefined;
  event_type_id?: string | undefined;
}

/**
 * The lists with these filters. The service may match parts of an address (G30), may ignore the status (G42), and has no filter by event
 * type. A record that does not show its type is left out, because it may have any type.
 */
function listsOf(
  { status, email, event_type_id: type }: WantedBookings,
  statuses: readonly (string | undefined)[],
  note: RunContext['note'],
): Listing<'booking'>[] {
  const lists = bookingLists({ ...(email !== undefined && { emails: letterCases(email) }), statuses });
  if (email === undefined && type === undefined && status === undefined) return lists;
  let isTold = false;
  const isOfType = ({ event_type_id: shown }: ServiceRecord): boolean => {
    if (type !== undefined && !hasValue(shown) && !isTold) {
      isTold = true;
      note?.(`${brand.name} does not show the event type of some bookings, so these are left out.`);
    }
    return type === undefined || shown === type;
  };
  return lists.map((list) => ({
    ...list,
    keep: (record) =>
      mayHaveStatus(record, status) && (email === undefined || mayBeSameAddress(record['invitee_email'], email)) && isOfType(record),
  }));
}

/** Reports an error if someone has entered an event type's name instead of its id. */
const typeOf = async (client: Client, { event_type_id: type }: WantedBookings): Promise<unknown> =>
  type === undefined ? undefined : checkExists(client, type);

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
    event_type_id: field(optionalId, { ...ofEventType, help: 'Only bookings of this event type' }),
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
   * The service's lists in their own order; with a time window, sorted by start, see {@link bookingsInWindow}.
   *
   * @throws ServiceError `invalid` if the window ends before it begins, or no booking could fit; `notFound` if nothing is found and the
   * event type does not exist
   */
  run(client, input, context) {
    const { limit, note } = context;
    if (input.upcoming === true && input.status === 'CANCELLED') {
      const message = '"Upcoming" leaves out every cancelled booking.';
      throw new ServiceError('invalid', {
        message,
        advice: 'Turn it off or leave out the status. For cancelled bookings from now on, set "After" instead.',
      });
    }
    const list = hasWindow(input)
      ? firstOf(() => bookingsInWindow(client, (statuses) => listsOf(input, statuses, note), input, context), limit)
      : paginate(client, listsOf(input, [input.status], note), limit);
    return input.event_type_id === undefined ? list : orElse(list, () => typeOf(client, input));
  },

  lists: (input, note) => (hasWindow(input) ? [] : listsOf(input, [input.status], note)),
  ifNone: typeOf,
});
