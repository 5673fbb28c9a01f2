import type { BookingRecord, ContactRecord, EventTypeRecord, outputTables, SubscriptionRecord, UserRecord } from './fields.ts';
import { brand } from '../brand.ts';

/**
 * One plausible record of each kind, always with the same people and meeting. They are written in their final form, because computing their
 * local times would slow every start of the program by 15 ms.
 */

export const user = {
  name: 'Maya Okafor',
  email: 'maya@example.com',
  timezone: 'Europe/Berlin',
  locale: 'en',
  plan: 'PRO',
  id: 'usr_7Qk2mVxT',
} satisfies Required<UserRecord>;

export const eventType = {
  name: 'Project Kick-off',
  description: 'An hour to plan the first weeks together',
  duration_minutes: 60,
  active: true,
  requires_approval: false,
  location: 'Video call',
  questions: [{ key: 'company', label: 'Company', type: 'text', required: true, options: [] }],
  id: 'evt_3nYc8RpL',
  slug: 'project-kick-off',
  created_at: '2029-06-04T08:12:00.000Z',
  updated_at: '2029-11-20T15:30:00.000Z',
} satisfies Required<EventTypeRecord>;

const { origin } = new URL(brand.baseUrl);

export const booking = {
  invitee_name: 'Ada Lovelace',
  event_type_name: 'Project Kick-off',
  readable_start: 'Thursday 31 January 2030, 10:00 (Europe/Paris, UTC+1)',
  readable_previous_start: null,
  invitee_email: 'ada@example.com',
  status: 'CONFIRMED',
  invitee_first_name: 'Ada',
  invitee_last_name: 'Lovelace',
  start_time: '2030-01-31T09:00:00.000Z',
  end_time: '2030-01-31T10:00:00.000Z',
  invitee_start_time: '2030-01-31T10:00:00+01:00',
  invitee_end_time: '2030-01-31T11:00:00+01:00',
  invitee_timezone: 'Europe/Paris',
  location: 'Video call',
  meeting_url: `${origin}/meet/9fWd4KsA`,
  reschedule_url: `${origin}/bookings/9fWd4KsA/reschedule`,
  cancel_url: `${origin}/bookings/9fWd4KsA/cancel`,
  booking_url: `${origin}/bookings/9fWd4KsA`,
  notes: 'Looking forward to it',
  answers: [{ question: 'company', answer: 'Analytical Engines Ltd' }],
  question_responses: { company: 'Analytical Engines Ltd' },
  cancellation_reason: null,
  previous_start_time: null,
  locale: 'en',
  id: 'bkg_9fWd4KsA',
  event_type_id: 'evt_3nYc8RpL',
  created_at: '2030-01-15T13:45:10.000Z',
  updated_at: '2030-01-15T13:45:10.000Z',
} satisfies Required<BookingRecord>;

export const cancelledBooking = {
  ...booking,
  status: 'CANCELLED',
  cancellation_reason: 'Something came up',
  updated_at: '2030-01-20T07:05:00.000Z',
} satisfies Required<BookingRecord>;

export const rescheduledBooking = {
  ...booking,
  readable_previous_start: 'Wednesday 30 January 2030, 10:00 (Europe/Paris, UTC+1)',
  previous_start_time: '2030-01-30T09:00:00.000Z',
  updated_at: '2030-01-20T07:05:00.000Z',
} satisfies Required<BookingRecord>;

export const contact = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '+33 1 99 00 12 34',
  first_name: 'Ada',
  last_name: 'Lovelace',
  timezone: 'Europe/Paris',
  locale: 'en',
  notes: 'Prefers mornings',
  id: 'con_5tHb1ZqE',
  created_at: '2030-01-15T13:45:10.000Z',
  updated_at: '2030-01-20T07:05:00.000Z',
} satisfies Required<ContactRecord>;

export const busyTime = {
  weekday: 'Thursday',
  start_time: '2030-01-31T10:00:00+01:00',
  end_time: '2030-01-31T12:30:00+01:00',
  timezone: 'Europe/Berlin',
  booking_count: 2,
} satisfies Record<keyof (typeof outputTables)['busyTime']['fields'], unknown>;

export const subscription = {
  url: 'https://hooks.example.com/bookings',
  events: ['BOOKING_CREATED', 'BOOKING_CANCELLED'],
  active: true,
  id: 'sub_2kMx6JwD',
  created_at: '2030-01-10T10:00:00.000Z',
} satisfies Required<SubscriptionRecord>;
