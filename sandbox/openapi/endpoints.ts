import type * as z from 'zod/v4';
import type { Scope } from '../guard.ts';
import { BookingInput, CancelInput, SubscriptionInput, type ListQuery } from '../schemas.ts';
import { Booking, Contact, created, EventType, listOf, single, Subscription, User } from './records.ts';

/** One endpoint of section 4 of the public document. */
export interface Endpoint {
  method: 'get' | 'post' | 'delete';
  /** Below the base address. */
  path: string;
  /** Its name in generated clients. */
  name: string;
  purpose: string;
  scope: Scope | 'any';
  tag: 'User' | 'Bookings' | 'Booking types' | 'Contacts' | 'Webhook subscriptions';
  /** The list parameters that it accepts. */
  query?: readonly (keyof typeof ListQuery.shape)[];
  body?: { name: string; schema: z.ZodType; required: boolean; gap?: string };
  /** Its successful response; with a name and a schema if it has a body. The public document shows none: `gap` is the assumption. */
  answer: { status: number; gap: string; name?: string; schema?: z.ZodType };
  /** Its own refusals, besides those that every endpoint has. */
  refusals: readonly number[];
}

const page = ['limit', 'cursor'] as const;

export const ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'get',
    path: '/me',
    name: 'getCurrentUser',
    purpose: 'Current user info',
    scope: 'any',
    tag: 'User',
    answer: { status: 200, gap: 'G2', name: 'UserAnswer', schema: single(User) },
    refusals: [],
  },
  {
    method: 'get',
    path: '/bookings',
    name: 'listBookings',
    purpose: 'List bookings',
    scope: 'bookings:read',
    tag: 'Bookings',
    query: [...page, 'status', 'email'],
    answer: { status: 200, gap: 'G1', name: 'BookingPage', schema: listOf(Booking) },
    refusals: [400],
  },
  {
    method: 'get',
    path: '/bookings/{id}',
    name: 'getBooking',
    purpose: 'Get one booking',
    scope: 'bookings:read',
    tag: 'Bookings',
    answer: { status: 200, gap: 'G2', name: 'BookingAnswer', schema: single(Booking) },
    refusals: [404],
  },
  {
    method: 'post',
    path: '/bookings',
    name: 'createBooking',
    purpose: 'Create a booking',
    scope: 'bookings:write',
    tag: 'Bookings',
    body: { name: 'BookingInput', schema: BookingInput, required: true },
    answer: { status: 201, gap: 'G12', name: 'BookingAnswer', schema: single(Booking) },
    refusals: [400, 404],
  },
  {
    method: 'post',
    path: '/bookings/{id}/cancel',
    name: 'cancelBooking',
    purpose: 'Cancel a booking',
    scope: 'bookings:write',
    tag: 'Bookings',
    body: { name: 'CancelInput', schema: CancelInput, required: false, gap: 'G11' },
    answer: { status: 200, gap: 'G12', name: 'BookingAnswer', schema: single(Booking) },
    refusals: [400, 404],
  },
  {
    method: 'get',
    path: '/event-types',
    name: 'listEventTypes',
    purpose: 'List booking types',
    scope: 'event_types:read',
    tag: 'Booking types',
    query: page,
    answer: { status: 200, gap: 'G1', name: 'EventTypePage', schema: listOf(EventType) },
    refusals: [400],
  },
  {
    method: 'get',
    path: '/event-types/{id}',
    name: 'getEventType',
    purpose: 'Get one booking type',
    scope: 'event_types:read',
    tag: 'Booking types',
    answer: { status: 200, gap: 'G2', name: 'EventTypeAnswer', schema: single(EventType) },
    refusals: [404],
  },
  {
    method: 'get',
    path: '/contacts',
    name: 'listContacts',
    purpose: 'List or search contacts',
    scope: 'contacts:read',
    tag: 'Contacts',
    query: [...page, 'email'],
    answer: { status: 200, gap: 'G1', name: 'ContactPage', schema: listOf(Contact) },
    refusals: [400],
  },
  {
    method: 'get',
    path: '/contacts/{id}',
    name: 'getContact',
    purpose: 'Get one contact',
    scope: 'contacts:read',
    tag: 'Contacts',
    answer: { status: 200, gap: 'G2', name: 'ContactAnswer', schema: single(Contact) },
    refusals: [404],
  },
  {
    method: 'get',
    path: '/hooks',
    name: 'listSubscriptions',
    purpose: 'List subscriptions',
    scope: 'webhooks:manage',
    tag: 'Webhook subscriptions',
    query: page,
    answer: { status: 200, gap: 'G1', name: 'SubscriptionPage', schema: listOf(Subscription) },
    refusals: [400],
  },
  {
    method: 'post',
    path: '/hooks',
    name: 'createSubscription',
    purpose: 'Create a subscription',
    scope: 'webhooks:manage',
    tag: 'Webhook subscriptions',
    body: { name: 'SubscriptionInput', schema: SubscriptionInput, required: true, gap: 'G8' },
    answer: { status: 201, gap: 'G9', name: 'CreatedSubscription', schema: created },
    refusals: [400],
  },
  {
    method: 'delete',
    path: '/hooks/{id}',
    name: 'deleteSubscription',
    purpose: 'Delete a subscription',
    scope: 'webhooks:manage',
    tag: 'Webhook subscriptions',
    answer: { status: 204, gap: 'G10' },
    refusals: [404],
  },
];
