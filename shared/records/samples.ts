import { brand } from '../brand.ts';
import type { outputTables } from './fields.ts';
import type { BookingRecord, ContactRecord, EventTypeRecord, SubscriptionRecord, UserRecord } from './records.ts';

/**
 * One plausible record of each kind, always with the same people and the same meeting. They are written in their final form and not
 * computed when the program starts: reading time zones then would slow every start by 15 ms.
 */

export const user = {
  id: 'usr_7Qk2mVxT',
  name: 'Maya Okafor',
  email: 'maya@example.com',
  timezone: 'Europe/Berlin',
  locale: 'en',
  plan: 'PRO',
} satisfies Required<UserRecord>;

export const eventType = {
  id: 'evt_3nYc8RpL',
  name: 'Project Kick-off',
  slug: 'project-kick-off',
  description: 'An hour to plan the first weeks together',
  duration_minutes: 60,
  active: true,
  requires_approval: false,
  location: 'Video call',
  questions: [{ key: 'company', label: 'Company', type: 'text', required: true, options: [] }],
  created_at: '2029-06-04T08:12:00Z',
  updated_at: '2029-11-20T15:30:00Z',
} satisfies Required<EventTypeRecord>;

export const booking = {
  id: 'bkg_9fWd4KsA',
  status: 'CONFIRMED',
  event_type_id: 'evt_3nYc8RpL',
  event_type_name: 'Project Kick-off',
  start_time: '2030-01-31T09:00:00Z',
  end_time: '2030-01-31T10:00:00Z',
  invitee_start_time: '2030-01-31T09:00:00+00:00',
  invitee_end_time: '2030-01-31T10:00:00+00:00',
  invitee_name: 'Ada Lovelace',
  invitee_first_name: 'Ada',
  invitee_last_name: 'Lovelace',
  invitee_email: 'ada@example.com',
  invitee_timezone: 'Europe/London',
  notes: 'Looking forward to it',
  question_responses: { company: 'Analytical Engines Ltd' },
  answers: [{ question: 'company', answer: 'Analytical Engines Ltd' }],
  locale: 'en',
  location: 'Video call',
  meeting_url: `${new URL(brand.baseUrl).origin}/meet/9fWd4KsA`,
  cancellation_reason: null,
  previous_start_time: null,
  created_at: '2030-01-15T13:45:10Z',
  updated_at: '2030-01-15T13:45:10Z',
} satisfies Required<BookingRecord>;

export const cancelledBooking = {
  ...booking,
  status: 'CANCELLED',
  cancellation_reason: 'Something came up',
  updated_at: '2030-01-20T07:05:00Z',
} satisfies Required<BookingRecord>;

export const rescheduledBooking = {
  ...booking,
  previous_start_time: '2030-01-30T09:00:00Z',
  updated_at: '2030-01-20T07:05:00Z',
} satisfies Required<BookingRecord>;

export const contact = {
  id: 'con_5tHb1ZqE',
  name: 'Ada Lovelace',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44 20 7946 0000',
  timezone: 'Europe/London',
  locale: 'en',
  notes: 'Prefers mornings',
  created_at: '2030-01-15T13:45:10Z',
  updated_at: '2030-01-20T07:05:00Z',
} satisfies Required<ContactRecord>;

export const busyTime = {
  weekday: 'Thursday',
  start_time: '2030-01-31T10:00:00+01:00',
  end_time: '2030-01-31T12:30:00+01:00',
  timezone: 'Europe/Berlin',
  booking_count: 2,
} satisfies Record<keyof (typeof outputTables)['busyTime']['fields'], unknown>;

export const subscription = {
  id: 'sub_2kMx6JwD',
  url: 'https://hooks.example.com/bookings',
  events: ['BOOKING_CREATED', 'BOOKING_CANCELLED'],
  active: true,
  created_at: '2030-01-10T10:00:00Z',
} satisfies Required<SubscriptionRecord>;
