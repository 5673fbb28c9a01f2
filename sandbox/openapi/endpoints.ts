import type * as z from 'zod/v4';
import type { Scope } from '../guard.ts';
import { BookingInput, CancelInput, SubscriptionInput, type ListQuery } from '../schemas.ts';
import { Booking, Contact, created, EventType, listOf, single, Subscription, User } from './records.ts';

/** One endpoint of section 4 of the public document. */
export interface Endpoint {
  method: 'get' | 'post' | 'delete';
  /** Below the base URL. */
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

const PAGE = ['limit', 'cursor'] as const;
type About = [path: string, name: string, purpose: string, scope: Endpoint['scope'], tag: Endpoint['tag']];

const endpoint = (
  method: Endpoint['method'],
  [path, name, purpose, scope, tag]: About,
  rest: Pick<Endpoint, 'query' | 'body' | 'answer' | 'refusals'>,
): Endpoint => ({ method, path, name, purpose, scope, tag, ...rest });

const one = (about: About, record: string, schema: z.ZodType, refusals: number[] = [404]): Endpoint =>
  endpoint('get', about, { answer: { status: 200, gap: 'G2', name: `${record}Answer`, schema: single(schema) }, refusals });

const list = (about: About, record: string, schema: z.ZodType, filters: (keyof typeof ListQuery.shape)[] = []): Endpoint =>
  endpoint('get', about, {
    query: [...PAGE, ...filters],
    answer: { status: 200, gap: 'G1', name: `${record}Page`, schema: listOf(schema) },
    refusals: [400],
  });

const booked = (status: number): Endpoint['answer'] => ({ status, gap: 'G12', name: 'BookingAnswer', schema: single(Booking) });

export const ENDPOINTS: readonly Endpoint[] = [
  one(['/me', 'getCurrentUser', 'Current user info', 'any', 'User'], 'User', User, []),
  list(['/bookings', 'listBookings', 'List bookings', 'bookings:read', 'Bookings'], 'Booking', Booking, ['status', 'email']),
  one(['/bookings/{id}', 'getBooking', 'Get one booking', 'bookings:read', 'Bookings'], 'Booking', Booking),
  endpoint('post', ['/bookings', 'createBooking', 'Create a booking', 'bookings:write', 'Bookings'], {
    body: { name: 'BookingInput', schema: BookingInput, required: true },
    answer: booked(201),
    refusals: [400, 404],
  }),
  endpoint('post', ['/bookings/{id}/cancel', 'cancelBooking', 'Cancel a booking', 'bookings:write', 'Bookings'], {
    body: { name: 'CancelInput', schema: CancelInput, required: false, gap: 'G11' },
    answer: booked(200),
    refusals: [400, 404],
  }),
  list(['/event-types', 'listEventTypes', 'List booking types', 'event_types:read', 'Booking types'], 'EventType', EventType),
  one(['/event-types/{id}', 'getEventType', 'Get one booking type', 'event_types:read', 'Booking types'], 'EventType', EventType),
  list(['/contacts', 'listContacts', 'List or search contacts', 'contacts:read', 'Contacts'], 'Contact', Contact, ['email']),
  one(['/contacts/{id}', 'getContact', 'Get one contact', 'contacts:read', 'Contacts'], 'Contact', Contact),
  list(['/hooks', 'listSubscriptions', 'List subscriptions', 'webhooks:manage', 'Webhook subscriptions'], 'Subscription', Subscription),
  endpoint('post', ['/hooks', 'createSubscription', 'Create a subscription', 'webhooks:manage', 'Webhook subscriptions'], {
    body: { name: 'SubscriptionInput', schema: SubscriptionInput, required: true, gap: 'G8' },
    answer: { status: 201, gap: 'G9', name: 'CreatedSubscription', schema: created },
    refusals: [400],
  }),
  endpoint('delete', ['/hooks/{id}', 'deleteSubscription', 'Delete a subscription', 'webhooks:manage', 'Webhook subscriptions'], {
    answer: { status: 204, gap: 'G10' },
    refusals: [404],
  }),
];
