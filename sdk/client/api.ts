import type { CallOptions, ListOptions } from './create.ts';
import type { RecordList } from './list.ts';

// Made from what is declared of each operation by `npm run build`; what changes here changes for everybody who builds on the package.

/** A client for one account: what can be done with each kind of record. */
export interface Client {
  readonly bookings: Bookings;
  readonly contacts: Contacts;
  readonly eventTypes: EventTypes;
  readonly users: Users;
  readonly subscriptions: Subscriptions;
}

export interface Bookings {
  /**
   * Cancels a booking permanently.
   *
   * `POST /v1/bookings/:id/cancel`; it needs the scope `bookings:write`.
   * It cannot be taken back.
   *
   * @throws ServiceError; `unknownOutcome` where nobody knows whether it was carried out, and for every other kind it was not
   */
  cancel(input: CancelBookingInput, options?: CallOptions): Promise<Booking & { readonly already_cancelled: boolean }>;
  /**
   * Creates a new booking for an invitee.
   *
   * `POST /v1/bookings`; it needs the scope `bookings:write`.
   *
   * @throws ServiceError; `unknownOutcome` where nobody knows whether it was carried out, and for every other kind it was not
   */
  create(input: CreateBookingInput, options?: CallOptions): Promise<Booking>;
  /**
   * Gets one booking.
   *
   * `GET /v1/bookings/:id`; it needs the scope `bookings:read`.
   *
   * @throws ServiceError; nothing was changed
   */
  get(input: GetBookingInput, options?: CallOptions): Promise<Booking>;
  /**
   * Lists bookings, all or by status and invitee.
   *
   * `GET /v1/bookings`; it needs the scope `bookings:read`.
   *
   * @throws ServiceError; nothing was changed
   */
  list(input?: ListBookingsInput, options?: ListOptions): RecordList<Booking>;
  /**
   * Finds a booking by invitee email, status, event type, start or ID; upcoming ones come first, cancelled ones last.
   *
   * `GET /v1/bookings`; it needs the scope `bookings:read`.
   *
   * @throws ServiceError; nothing was changed
   */
  find(input?: FindBookingsInput, options?: ListOptions): RecordList<Booking>;
}

export interface Contacts {
  /**
   * Gets one contact.
   *
   * `GET /v1/contacts/:id`; it needs the scope `contacts:read`.
   *
   * @throws ServiceError; nothing was changed
   */
  get(input: GetContactInput, options?: CallOptions): Promise<Contact>;
  /**
   * Lists contacts.
   *
   * `GET /v1/contacts`; it needs the scope `contacts:read`.
   *
   * @throws ServiceError; nothing was changed
   */
  list(input?: ListContactsInput, options?: ListOptions): RecordList<Contact>;
  /**
   * Searches contacts by e-mail address.
   *
   * `GET /v1/contacts`; it needs the scope `contacts:read`.
   *
   * @throws ServiceError; nothing was changed
   */
  search(input: SearchContactsInput, options?: ListOptions): RecordList<Contact>;
  /**
   * Finds a contact by email or ID; the one that was changed last comes first.
   *
   * `GET /v1/contacts`; it needs the scope `contacts:read`.
   *
   * @throws ServiceError; nothing was changed
   */
  find(input?: FindContactsInput, options?: ListOptions): RecordList<Contact>;
}

export interface EventTypes {
  /**
   * Gets one event type with its questions.
   *
   * `GET /v1/event-types/:id`; it needs the scope `event_types:read`.
   *
   * @throws ServiceError; nothing was changed
   */
  get(input: GetEventTypeInput, options?: CallOptions): Promise<EventType>;
  /**
   * Lists event types.
   *
   * `GET /v1/event-types`; it needs the scope `event_types:read`.
   *
   * @throws ServiceError; nothing was changed
   */
  list(input?: ListEventTypesInput, options?: ListOptions): RecordList<EventType>;
}

export interface Users {
  /**
   * Gets the user whose account is connected.
   *
   * `GET /v1/me`; it needs any scope.
   *
   * @throws ServiceError; nothing was changed
   */
  current(input?: CurrentUserInput, options?: CallOptions): Promise<User>;
}

export interface Subscriptions {
  /**
   * Creates a webhook subscription for your URL and gives its signing secret, which is shown only once.
   *
   * `POST /v1/hooks`; it needs the scope `webhooks:manage`.
   * `signing_secret` is a secret: keep it where nobody else reads.
   *
   * @throws ServiceError; `unknownOutcome` where nobody knows whether it was carried out, and for every other kind it was not
   */
  create(input: CreateSubscriptionInput, options?: CallOptions): Promise<Subscription & { readonly signing_secret: string }>;
  /**
   * Deletes a webhook subscription permanently, even if an active trigger uses it.
   *
   * `DELETE /v1/hooks/:id`; it needs the scope `webhooks:manage`.
   * It cannot be taken back.
   *
   * @throws ServiceError; `unknownOutcome` where nobody knows whether it was carried out, and for every other kind it was not
   */
  delete(input: DeleteSubscriptionInput, options?: CallOptions): Promise<Subscription>;
  /**
   * Lists the webhook subscriptions of the account, 25 at the most.
   *
   * `GET /v1/hooks`; it needs the scope `webhooks:manage`.
   *
   * @throws ServiceError; nothing was changed
   */
  list(input?: ListSubscriptionsInput, options?: ListOptions): RecordList<Subscription>;
}

export type CancelBookingInput = {
  /** The booking to cancel. */
  booking_id: string;
  /** Reason for the cancellation. */
  reason?: string | undefined;
};

export type CreateBookingInput = {
  /** The kind of meeting to book. */
  event_type_id: string;
  /**
   * When the meeting starts.
   * ISO 8601.
   * Without a UTC offset, it is read in the invitee time zone below, or in the client's `timeZone`; where none is set it is refused.
   * @example '2030-01-31T09:00:00+01:00'
   */
  start_time: string | Date;
  /**
   * The full name of the person who is invited.
   * @example 'Ada Lovelace'
   */
  invitee_name: string;
  /**
   * Where the confirmation and reminders go.
   * @example 'ada@example.com'
   */
  invitee_email: string;
  /**
   * The invitee's time zone. Defaults to the host's.
   * @example 'Europe/Berlin'
   */
  invitee_timezone?: string | undefined;
  /** What the invitee wants the host to know. */
  notes?: string | undefined;
  /** Answers to the event type's own questions, each under its question's key. */
  question_responses?: Readonly<Record<string, unknown>> | undefined;
  /** The language of the invitee's confirmation and reminders. Left empty, they are in English. */
  locale?: 'en' | 'es' | 'fr' | undefined;
};

export type GetBookingInput = {
  /** The booking to get. */
  booking_id: string;
};

export type ListBookingsInput = {
  /** Only bookings in this status. */
  status?: 'CONFIRMED' | 'CANCELLED' | 'PENDING' | undefined;
  /**
   * Only bookings of the invitee with this e-mail address.
   * @example 'ada@example.com'
   */
  email?: string | undefined;
};

export type GetContactInput = {
  /** The contact to get. */
  contact_id: string;
};

export type ListContactsInput = Readonly<Record<string, never>>;

export type SearchContactsInput = {
  /**
   * Full email address of the contact, not case-sensitive.
   * @example 'ada@example.com'
   */
  email: string;
};

export type GetEventTypeInput = {
  /** The event type to get. */
  event_type_id: string;
};

export type ListEventTypesInput = Readonly<Record<string, never>>;

export type CurrentUserInput = Readonly<Record<string, never>>;

export type CreateSubscriptionInput = {
  /**
   * Where the service sends its deliveries.
   * @example 'https://example.com/hooks'
   */
  url: string;
  /** What to be told about. */
  events: readonly (
    | 'BOOKING_CREATED'
    | 'BOOKING_CANCELLED'
    | 'BOOKING_RESCHEDULED'
    | 'BOOKING_APPROVED'
    | 'BOOKING_DENIED'
    | 'CONTACT_CREATED'
    | 'CONTACT_UPDATED'
  )[];
};

export type DeleteSubscriptionInput = {
  /**
   * The id of the subscription, as the list of subscriptions gives it.
   * @example 'sub_2kMx6JwD'
   */
  subscription_id: string;
};

export type ListSubscriptionsInput = Readonly<Record<string, never>>;

export type FindBookingsInput = {
  /**
   * Full email address of the invitee, not case-sensitive.
   * @example 'ada@example.com'
   */
  email?: string | undefined;
  /** Only bookings of this event type. */
  event_type_id?: string | undefined;
  /**
   * Only bookings that start at this time.
   * ISO 8601.
   * Without a UTC offset, it is read in the client's `timeZone`; where none is set it is refused.
   * @example '2030-01-31T09:00:00+01:00'
   */
  start_time?: string | Date | undefined;
  /** Only bookings in this status. */
  status?: 'CONFIRMED' | 'CANCELLED' | 'PENDING' | undefined;
  /** A booking from an earlier step. Other fields are then ignored. */
  booking_id?: string | undefined;
};

export type FindContactsInput = {
  /**
   * Full email address of the contact, not case-sensitive.
   * @example 'ada@example.com'
   */
  email?: string | undefined;
  /** A contact from an earlier step. The email is then ignored. */
  contact_id?: string | undefined;
};

/**
 * A user as the service has it. Any field but the id may be missing (G4 to G9); those that the service
 * added since are kept, and not known to the compiler.
 */
export type User = {
  /** User ID. */
  readonly id?: string | null;
  /** Name. */
  readonly name?: string | null;
  /** Email. */
  readonly email?: string | null;
  /** Time Zone. */
  readonly timezone?: string | null;
  /** Language. */
  readonly locale?: string | null;
  /** Plan. */
  readonly plan?: string | null;
};

/**
 * A booking as the service has it. Any field but the id may be missing (G4 to G9); those that the service
 * added since are kept, and not known to the compiler.
 */
export type Booking = {
  /** Booking ID. */
  readonly id: string;
  /** Status. */
  readonly status?: string | null;
  /** Event Type ID. */
  readonly event_type_id?: string | null;
  /** Event Type Name. */
  readonly event_type_name?: string | null;
  /** Start; ISO 8601. */
  readonly start_time?: string | null;
  /** End; ISO 8601. */
  readonly end_time?: string | null;
  /** Start (in the Invitee's Time Zone); made for people from the other fields; ISO 8601. */
  readonly invitee_start_time?: string | null;
  /** End (in the Invitee's Time Zone); made for people from the other fields; ISO 8601. */
  readonly invitee_end_time?: string | null;
  /** Invitee Name. */
  readonly invitee_name?: string | null;
  /** Invitee First Name; made for people from the other fields. */
  readonly invitee_first_name?: string | null;
  /** Invitee Last Name; made for people from the other fields. */
  readonly invitee_last_name?: string | null;
  /** Invitee Email. */
  readonly invitee_email?: string | null;
  /** Invitee Time Zone. */
  readonly invitee_timezone?: string | null;
  /** Notes. */
  readonly notes?: string | null;
  /** Answers by Question. */
  readonly question_responses?: Readonly<Record<string, unknown>> | null;
  /** Answers; made for people from the other fields. */
  readonly answers?: readonly { readonly question?: string | null; readonly answer?: unknown }[] | null;
  /** Language. */
  readonly locale?: string | null;
  /** Location. */
  readonly location?: string | null;
  /** Meeting Link. */
  readonly meeting_url?: string | null;
  /** Cancellation Reason. */
  readonly cancellation_reason?: string | null;
  /** Previous Start; ISO 8601. */
  readonly previous_start_time?: string | null;
  /** Created At; ISO 8601. */
  readonly created_at?: string | null;
  /** Updated At; ISO 8601. */
  readonly updated_at?: string | null;
};

/**
 * A event type as the service has it. Any field but the id may be missing (G4 to G9); those that the service
 * added since are kept, and not known to the compiler.
 */
export type EventType = {
  /** Event Type ID. */
  readonly id: string;
  /** Name. */
  readonly name?: string | null;
  /** Slug. */
  readonly slug?: string | null;
  /** Description. */
  readonly description?: string | null;
  /** Duration (in Minutes). */
  readonly duration_minutes?: number | null;
  /** Active. */
  readonly active?: boolean | null;
  /** Requires Approval. */
  readonly requires_approval?: boolean | null;
  /** Location. */
  readonly location?: string | null;
  /** Questions. */
  readonly questions?:
    | readonly {
        readonly key?: string | null;
        readonly label?: string | null;
        readonly type?: string | null;
        readonly required?: boolean | null;
        readonly options?: readonly unknown[] | null;
      }[]
    | null;
  /** Created At; ISO 8601. */
  readonly created_at?: string | null;
  /** Updated At; ISO 8601. */
  readonly updated_at?: string | null;
};

/**
 * A contact as the service has it. Any field but the id may be missing (G4 to G9); those that the service
 * added since are kept, and not known to the compiler.
 */
export type Contact = {
  /** Contact ID. */
  readonly id: string;
  /** Name. */
  readonly name?: string | null;
  /** First Name; made for people from the other fields. */
  readonly first_name?: string | null;
  /** Last Name; made for people from the other fields. */
  readonly last_name?: string | null;
  /** Email. */
  readonly email?: string | null;
  /** Phone. */
  readonly phone?: string | null;
  /** Time Zone. */
  readonly timezone?: string | null;
  /** Language. */
  readonly locale?: string | null;
  /** Notes. */
  readonly notes?: string | null;
  /** Created At; ISO 8601. */
  readonly created_at?: string | null;
  /** Updated At; ISO 8601. */
  readonly updated_at?: string | null;
};

/**
 * A webhook subscription as the service has it. Any field but the id may be missing (G4 to G9); those that the service
 * added since are kept, and not known to the compiler.
 */
export type Subscription = {
  /** Subscription ID. */
  readonly id: string;
  /** Target Address. */
  readonly url?: string | null;
  /** Events. */
  readonly events?: readonly unknown[] | null;
  /** Active. */
  readonly active?: boolean | null;
  /** Created At; ISO 8601. */
  readonly created_at?: string | null;
};
