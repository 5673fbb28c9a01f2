import * as z from 'zod/v4';
import type { Permission } from '../guard.ts';
import { placed } from '../envelopes.ts';
import { BOOKING_STATUSES, EVENTS, QUESTION_TYPES } from '../records.ts';
import { BookingInput, notes, SubscriptionInput, type ListQuery } from '../schemas.ts';
import { chooseForms, SETTLED } from '../variants.ts';

/** Marks what the public document does not show, and tells the reader so: as an assumption or, once that is settled, as seen. */
export const assumed = (gap: string, what: string) =>
  SETTLED.includes(gap)
    ? { description: `${what} The public document does not show this; the service was seen to answer so (${gap}).`, 'x-seen': gap }
    : { description: `${what} The public document does not show this; it is assumed (${gap}).`, 'x-assumption': gap };

// The service's records, in the canonical forms of the named gaps; a real service may send more.

const time = z.iso.datetime({ offset: true });
const made = { created_at: time, updated_at: time };
const id = z.string().min(1).meta(assumed('G3', 'Opaque; compare and pass on, never take apart.'));
const email = z.email();
const zone = z.string().meta({ description: 'IANA timezone name.', examples: ['Europe/Madrid'] });
const locale = z.enum(['en', 'es', 'fr']);

export const User = z
  .looseObject({ id, name: z.string(), email, timezone: zone, locale, plan: z.string().meta({ examples: ['PRO'] }) })
  .meta(assumed('G4', 'The host whose account is connected.'));

const link = z.url().nullable();

const AnswerValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

export const Booking = z
  .looseObject({
    id,
    status: z.enum(BOOKING_STATUSES),
    event_type_id: id,
    event_type_name: z.string(),
    start_time: time,
    end_time: time,
    invitee_name: z.string(),
    invitee_email: email,
    invitee_timezone: zone,
    notes: z.string().nullable(),
    question_responses: z
      .record(z.string(), AnswerValue)
      .meta(assumed('G28', "Answers to the booking type's questions, by the question's key.")),
    locale,
    location: z.string().nullable(),
    meeting_url: z.url().nullable(),
    reschedule_url: link.meta(assumed('G47', 'Where the invitee can move the booking; null if nobody can.')),
    cancel_url: link.meta(assumed('G47', 'Where the invitee can cancel the booking; null if nobody can.')),
    booking_url: link.meta(assumed('G47', 'Where the invitee can look at the booking.')),
    cancellation_reason: z.string().nullable(),
    previous_start_time: time.nullable().meta({ description: 'The start before the last rescheduling.' }),
    ...made,
  })
  .meta(assumed('G5', 'A booked time slot.'));

export const Question = z
  .looseObject({
    key: z.string().min(1),
    label: z.string(),
    type: z.enum(QUESTION_TYPES),
    required: z.boolean(),
    options: z.array(z.string()).meta({ description: 'What can be chosen; empty unless the type is select or multiselect.' }),
  })
  .meta(assumed('G6', 'A question that invitees of a booking type are asked.'));

export const EventType = z
  .looseObject({
    id,
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    duration_minutes: z.int().positive(),
    active: z.boolean(),
    requires_approval: z.boolean(),
    location: z.string(),
    questions: z.array(Question),
    ...made,
  })
  .meta(assumed('G6', 'A booking type: what invitees can book.'));

export const Contact = z
  .looseObject({
    id,
    name: z.string(),
    email,
    phone: z.string().nullable(),
    timezone: zone,
    locale,
    notes: z.string().nullable(),
    ...made,
  })
  .meta(assumed('G7', 'A person who has booked.'));

const EventName = z.enum(EVENTS).meta({ description: 'Section 6 of the public document.' });

export const Subscription = z
  .looseObject({ id, url: z.url(), events: z.array(EventName).min(1), active: z.boolean(), created_at: time })
  .meta(assumed('G9', 'A webhook subscription. Its signing secret is shown at its creation alone.'));

export const Failure = z
  .looseObject({
    error: z.string().meta({ description: 'A name of the error.' }),
    code: z.string().meta({ ...assumed('G18', 'A machine code, such as the documented INVALID_TOKEN.'), examples: ['INVALID_TOKEN'] }),
    message: z.string().optional().meta(assumed('G17', 'What was refused, for people.')),
    details: z
      .array(z.looseObject({ field: z.string(), message: z.string() }))
      .optional()
      .meta(assumed('G17', 'The fields that a 400 complains of.')),
  })
  .meta({ description: 'Section 7 of the public document.' });

export const Tokens = z
  .looseObject({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().positive().optional().meta({ description: 'Seconds.' }),
    refresh_token: z.string().optional(),
    scope: z.string().optional().meta({ description: 'Granted scopes, separated by spaces.' }),
  })
  .meta(assumed('G14', 'A token pair.'));

/** The schemas by their names in the document. */
export const PARTS = { User, Booking, Question, EventType, Contact, Subscription, Error: Failure, Tokens };

/** The schema of an object with each part at its place in the canonical form. */
function placedSchema(...parts: (readonly [place: string, part: z.ZodType])[]): z.ZodObject {
  const schemaOf = (part: unknown): z.ZodType =>
    part instanceof z.ZodType
      ? part
      : z.looseObject(Object.fromEntries(Object.entries(part as object).map(([key, each]) => [key, schemaOf(each)])));
  return schemaOf(placed(...parts)) as z.ZodObject;
}

const { list: listPlace, cursor: cursorPlace, single: recordPlace, deliveryRecord: deliveredPlace } = chooseForms();

/** One record in its envelope (G2). */
const single = (record: z.ZodType): z.ZodType => placedSchema([recordPlace, record]).meta(assumed('G2', 'One record.'));

/** A page of a list in its envelope (G1). */
export const listOf = (record: z.ZodType): z.ZodType =>
  placedSchema(
    [listPlace, z.array(record)],
    [cursorPlace, z.string().min(1).nullable().meta({ description: 'The `cursor` of the next page; null on the last one.' })],
  ).meta(assumed('G1', 'A page of a list.'));

/** A subscription at its creation: the only time its secret is shown (section 2). */
const created = placedSchema(
  [recordPlace, Subscription],
  ['signing_secret', z.string().meta({ description: 'Shown this once; store it now. Deliveries are signed with it.' })],
).meta(assumed('G9', 'A subscription at its creation, with its secret beside it.'));

/** The body of a delivery (G13). */
export const deliveryOf = (event: (typeof EVENTS)[number], record: z.ZodType): z.ZodType =>
  placedSchema(['event', z.literal(event)], ['created_at', time], [deliveredPlace, record]).meta(assumed('G13', 'The body of a delivery.'));

/** One endpoint of section 4 of the public document. */
export interface Endpoint {
  method: 'get' | 'post' | 'delete';
  /** Below the base URL. */
  path: string;
  /** The name of its function in generated clients. */
  name: string;
  purpose: string;
  scope: Permission | 'any';
  tag: 'User' | 'Bookings' | 'Booking types' | 'Contacts' | 'Webhook subscriptions';
  /** The list parameters that it accepts. */
  query?: readonly (keyof typeof ListQuery.shape)[];
  body?: { name: string; schema: z.ZodType; required: boolean; gap?: string };
  /** The successful response; with a name and a schema if it has a body. `gap` is the assumption if the public document shows none. */
  answer: { status: number; gap?: string; name?: string; schema?: z.ZodType };
  /** Its refusals, in addition to those of every endpoint. */
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

/** G11. */
export const CancelInput = z.strictObject({ reason: notes.optional() });

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

/** What a scope allows, for the consent page: the purposes of the endpoints that need it. */
export function allowedBy(scope: string): string {
  const purposes = ENDPOINTS.filter((endpoint) => endpoint.scope === scope).map(({ purpose }) => purpose.toLowerCase());
  return purposes.join(', ').replace(/^./, (first) => first.toUpperCase());
}
