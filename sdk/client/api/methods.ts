import type { CallOptions, ListOptions, RecordList } from '../options.ts';
import type {
  BusyBookingsInput,
  CancelBookingInput,
  CreateBookingInput,
  CreateSubscriptionInput,
  CurrentUserInput,
  DeleteSubscriptionInput,
  FindBookingsInput,
  FindContactsInput,
  GetBookingInput,
  GetContactInput,
  GetEventTypeInput,
  ListBookingsInput,
  ListContactsInput,
  ListEventTypesInput,
  ListSubscriptionsInput,
  SearchContactsInput,
} from './inputs.ts';
import type { Booking, BusyTime, Contact, EventType, Subscription, User } from './records.ts';

// Made by `npm run docs` from the declared operations. Changes here affect everyone who builds on the package.

/** A client for one account, with methods for each kind of record. */
export interface Client {
  readonly bookings: Bookings;
  readonly contacts: Contacts;
  readonly eventTypes: EventTypes;
  readonly users: Users;
  readonly subscriptions: Subscriptions;
}

/** The methods of `client.bookings`. */
export interface Bookings {
  /**
   * Cancels a booking permanently.
   *
   * `POST /v1/bookings/:id/cancel`; it needs the scope `bookings:write`. It cannot be undone.
   * @throws ServiceError; `unknownOutcome` if nobody knows whether it happened; with every other kind nothing was changed
   */
  cancel(input: CancelBookingInput, options?: CallOptions): Promise<Booking & { readonly already_cancelled: boolean }>;
  /**
   * Creates a new booking for an invitee.
   *
   * `POST /v1/bookings`; it needs the scope `bookings:write`.
   * @throws ServiceError; `unknownOutcome` if nobody knows whether it happened; with every other kind nothing was changed
   */
  create(input: CreateBookingInput, options?: CallOptions): Promise<Booking>;
  /**
   * Gets a booking.
   *
   * `GET /v1/bookings/:id`; it needs the scope `bookings:read`.
   * @throws ServiceError; nothing was changed
   */
  get(input: GetBookingInput, options?: CallOptions): Promise<Booking>;
  /**
   * Gets the times that are already booked. Other calendars and opening hours are not included.
   *
   * `GET /v1/bookings`; it needs the scope `bookings:read`.
   * @throws ServiceError; nothing was changed
   */
  busy(input: BusyBookingsInput, options?: ListOptions): RecordList<BusyTime>;
  /**
   * Lists bookings. Filter by status, invitee, event type or time.
   *
   * `GET /v1/bookings`; it needs the scope `bookings:read`.
   * @throws ServiceError; nothing was changed
   */
  list(input?: ListBookingsInput, options?: ListOptions): RecordList<Booking>;
  /**
   * Finds a booking by invitee email, status, event type, start or ID; upcoming bookings come first, cancelled ones last.
   *
   * `GET /v1/bookings`; it needs the scope `bookings:read`.
   * @throws ServiceError; nothing was changed
   */
  find(input?: FindBookingsInput, options?: ListOptions): RecordList<Booking>;
}

/** The methods of `client.contacts`. */
export interface Contacts {
  /**
   * Gets a contact.
   *
   * `GET /v1/contacts/:id`; it needs the scope `contacts:read`.
   * @throws ServiceError; nothing was changed
   */
  get(input: GetContactInput, options?: CallOptions): Promise<Contact>;
  /**
   * Lists contacts.
   *
   * `GET /v1/contacts`; it needs the scope `contacts:read`.
   * @throws ServiceError; nothing was changed
   */
  list(input?: ListContactsInput, options?: ListOptions): RecordList<Contact>;
  /**
   * Searches contacts by email address.
   *
   * `GET /v1/contacts`; it needs the scope `contacts:read`.
   * @throws ServiceError; nothing was changed
   */
  search(input: SearchContactsInput, options?: ListOptions): RecordList<Contact>;
  /**
   * Finds a contact by email or ID, most recently changed first.
   *
   * `GET /v1/contacts`; it needs the scope `contacts:read`.
   * @throws ServiceError; nothing was changed
   */
  find(input?: FindContactsInput, options?: ListOptions): RecordList<Contact>;
}

/** The methods of `client.eventTypes`. */
export interface EventTypes {
  /**
   * Gets an event type with its questions.
   *
   * `GET /v1/event-types/:id`; it needs the scope `event_types:read`.
   * @throws ServiceError; nothing was changed
   */
  get(input: GetEventTypeInput, options?: CallOptions): Promise<EventType>;
  /**
   * Lists event types.
   *
   * `GET /v1/event-types`; it needs the scope `event_types:read`.
   * @throws ServiceError; nothing was changed
   */
  list(input?: ListEventTypesInput, options?: ListOptions): RecordList<EventType>;
}

/** The methods of `client.users`. */
export interface Users {
  /**
   * Gets the connected account's user.
   *
   * `GET /v1/me`; it needs any scope.
   * @throws ServiceError; nothing was changed
   */
  current(input?: CurrentUserInput, options?: CallOptions): Promise<User>;
}

/** The methods of `client.subscriptions`. */
export interface Subscriptions {
  /**
   * Creates a webhook subscription with a signing secret, which is shown only once.
   *
   * `POST /v1/hooks`; it needs the scope `webhooks:manage`.
   * `signing_secret` is a secret: keep it where nobody else can read it.
   * @throws ServiceError; `unknownOutcome` if nobody knows whether it happened; with every other kind nothing was changed
   */
  create(input: CreateSubscriptionInput, options?: CallOptions): Promise<Subscription & { readonly signing_secret: string }>;
  /**
   * Deletes a webhook subscription permanently, even if an active trigger uses it.
   *
   * `DELETE /v1/hooks/:id`; it needs the scope `webhooks:manage`. It cannot be undone.
   * @throws ServiceError; `unknownOutcome` if nobody knows whether it happened; with every other kind nothing was changed
   */
  delete(input: DeleteSubscriptionInput, options?: CallOptions): Promise<Subscription>;
  /**
   * Lists webhook subscriptions. An account can have 25 active ones.
   *
   * `GET /v1/hooks`; it needs the scope `webhooks:manage`.
   * @throws ServiceError; nothing was changed
   */
  list(input?: ListSubscriptionsInput, options?: ListOptions): RecordList<Subscription>;
}
