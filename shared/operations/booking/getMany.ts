import * as z from 'zod/v4';
import { bookingLists } from '../../client/bookingLists.ts';
import type { ServiceRecord } from '../../records/records.ts';
import { defineList, field, type Choice } from '../define.ts';
import { optionalEmailAddress } from '../inputs.ts';
import { letterCases, mayBeSameAddress } from '../../records/emailForms.ts';
import { booking } from '../../records/samples.ts';

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

export const getManyBookings = defineList({
  resource: 'booking',
  name: 'getMany',
  action: 'Get Many',
  description: 'Lists bookings, optionally by status and invitee',
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
  },
  output: 'booking',
  sample: booking,

  lists({ status, email }) {
    if (email === undefined) return bookingLists({ statuses: [status] });
    // The service may match parts of an address (G30).
    const keep = (record: ServiceRecord): boolean => mayBeSameAddress(record['invitee_email'], email);
    return bookingLists({ emails: letterCases(email), statuses: [status] }).map((list) => ({ ...list, keep }));
  },
});
