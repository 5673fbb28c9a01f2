// Made from what is declared of each operation by `npm run build`; what changes here changes for everybody who builds on the package.

/** What `bookings.cancel` takes. */
export type CancelBookingInput = {
  /** The booking to cancel. */
  booking_id: string;
  /** Reason for the cancellation. */
  reason?: string | undefined;
};

/** What `bookings.create` takes. */
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
   * The invitee's full name.
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
  /** Answers to the event type's questions, keyed by question. */
  question_responses?: Readonly<Record<string, unknown>> | undefined;
  /** The language of the invitee's confirmation and reminders. Defaults to English. */
  locale?: 'en' | 'es' | 'fr' | undefined;
};

/** What `bookings.get` takes. */
export type GetBookingInput = {
  /** The booking to get. */
  booking_id: string;
};

/** What `bookings.list` takes. */
export type ListBookingsInput = {
  /** Only bookings in this status. */
  status?: 'CONFIRMED' | 'CANCELLED' | 'PENDING' | undefined;
  /**
   * Only bookings of the invitee with this email address.
   * @example 'ada@example.com'
   */
  email?: string | undefined;
};

/** What `contacts.get` takes. */
export type GetContactInput = {
  /** The contact to get. */
  contact_id: string;
};

/** What `contacts.list` takes: nothing. */
export type ListContactsInput = Readonly<Record<string, never>>;

/** What `contacts.search` takes. */
export type SearchContactsInput = {
  /**
   * Full email address of the contact, not case-sensitive.
   * @example 'ada@example.com'
   */
  email: string;
};

/** What `eventTypes.get` takes. */
export type GetEventTypeInput = {
  /** The event type to get. */
  event_type_id: string;
};

/** What `eventTypes.list` takes: nothing. */
export type ListEventTypesInput = Readonly<Record<string, never>>;

/** What `users.current` takes: nothing. */
export type CurrentUserInput = Readonly<Record<string, never>>;

/** What `subscriptions.create` takes. */
export type CreateSubscriptionInput = {
  /**
   * Where to send deliveries.
   * @example 'https://example.com/hooks'
   */
  url: string;
  /** The events to receive. */
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

/** What `subscriptions.delete` takes. */
export type DeleteSubscriptionInput = {
  /**
   * The ID from the list of subscriptions.
   * @example 'sub_2kMx6JwD'
   */
  subscription_id: string;
};

/** What `subscriptions.list` takes: nothing. */
export type ListSubscriptionsInput = Readonly<Record<string, never>>;

/** What `bookings.find` takes. */
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

/** What `contacts.find` takes. */
export type FindContactsInput = {
  /**
   * Full email address of the contact, not case-sensitive.
   * @example 'ada@example.com'
   */
  email?: string | undefined;
  /** A contact from an earlier step. The email is then ignored. */
  contact_id?: string | undefined;
};
