// Made by `npm run docs` from the declared operations. Changes here affect everyone who builds on the package.

/** The input of `bookings.cancel`. */
export type CancelBookingInput = {
  /** The booking to cancel. */
  booking_id: string;
  /** Why the booking is cancelled. */
  reason?: string | undefined;
};

/** The input of `bookings.create`. */
export type CreateBookingInput = {
  /** The kind of meeting to book. */
  event_type_id: string;
  /**
   * When the meeting starts. ISO 8601. Example: '2030-01-31T09:00:00+01:00'.
   * Uses the invitee's time zone if given, otherwise the client's `timeZone`, unless the time has its own. If none is set, it is refused.
   */
  start_time: string | Date;
  /** The invitee's full name. Example: 'Ada Lovelace'. */
  invitee_name: string;
  /** The invitee's email address, for the confirmation and reminders. Example: 'ada@example.com'. */
  invitee_email: string;
  /** The invitee's time zone. Defaults to the host's. Example: 'Europe/Berlin'. */
  invitee_timezone?: string | undefined;
  /** What the invitee wants the host to know. */
  notes?: string | undefined;
  /** Answers to the event type's questions: the key or the text of each question, with its answer. */
  question_responses?: Readonly<Record<string, unknown>> | undefined;
  /** The language of the invitee's confirmation and reminders. Defaults to English. */
  locale?: 'en' | 'es' | 'fr' | undefined;
};

/** The input of `bookings.get`. */
export type GetBookingInput = {
  /** The booking to get. */
  booking_id: string;
};

/** The input of `bookings.busy`. */
export type BusyBookingsInput = {
  /**
   * When the period begins. ISO 8601. Example: '2030-01-28T00:00:00+01:00'.
   * Uses the client's `timeZone`, unless the time has its own. If none is set, it is refused.
   */
  from: string | Date;
  /**
   * When the period ends. ISO 8601. Example: '2030-02-04T00:00:00+01:00'.
   * Uses the client's `timeZone`, unless the time has its own. If none is set, it is refused.
   */
  to: string | Date;
};

/** The input of `bookings.list`. */
export type ListBookingsInput = {
  /** Only bookings in this status. */
  status?: 'CONFIRMED' | 'CANCELLED' | 'PENDING' | undefined;
  /** Only bookings of the invitee with this email address. Example: 'ada@example.com'. */
  email?: string | undefined;
  /** Only bookings of this event type. */
  event_type_id?: string | undefined;
  /**
   * Only bookings that start at this time or later. ISO 8601. Example: '2030-01-28T00:00:00+01:00'.
   * Uses the client's `timeZone`, unless the time has its own. If none is set, it is refused.
   */
  from?: string | Date | undefined;
  /**
   * Only bookings that start before this time. ISO 8601. Example: '2030-02-04T00:00:00+01:00'.
   * Uses the client's `timeZone`, unless the time has its own. If none is set, it is refused.
   */
  to?: string | Date | undefined;
  /** Whether to list only bookings that have not started and are not cancelled. */
  upcoming?: boolean | undefined;
};

/** The input of `contacts.get`. */
export type GetContactInput = {
  /** The contact to get. */
  contact_id: string;
};

/** The input of `contacts.list`: nothing. */
export type ListContactsInput = Readonly<Record<string, never>>;

/** The input of `contacts.search`. */
export type SearchContactsInput = {
  /** Full email address of the contact, not case-sensitive. Example: 'ada@example.com'. */
  email: string;
};

/** The input of `eventTypes.get`. */
export type GetEventTypeInput = {
  /** The event type to get. */
  event_type_id: string;
};

/** The input of `eventTypes.list`: nothing. */
export type ListEventTypesInput = Readonly<Record<string, never>>;

/** The input of `users.current`: nothing. */
export type CurrentUserInput = Readonly<Record<string, never>>;

/** The input of `subscriptions.create`. */
export type CreateSubscriptionInput = {
  /** Where to send deliveries. Example: 'https://example.com/hooks'. */
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

/** The input of `subscriptions.delete`. */
export type DeleteSubscriptionInput = {
  /** The ID from the list of subscriptions. Example: 'sub_2kMx6JwD'. */
  subscription_id: string;
};

/** The input of `subscriptions.list`: nothing. */
export type ListSubscriptionsInput = Readonly<Record<string, never>>;

/** The input of `bookings.find`. */
export type FindBookingsInput = {
  /** Full email address of the invitee, not case-sensitive. Example: 'ada@example.com'. */
  email?: string | undefined;
  /** Only bookings of this event type. */
  event_type_id?: string | undefined;
  /**
   * Only bookings that start at this time. With an email and an event type but no status, cancelled ones are left out. ISO 8601. Example: '2030-01-31T09:00:00+01:00'.
   * Uses the client's `timeZone`, unless the time has its own. If none is set, it is refused.
   */
  start_time?: string | Date | undefined;
  /** Only bookings in this status. */
  status?: 'CONFIRMED' | 'CANCELLED' | 'PENDING' | undefined;
  /** A booking from an earlier step. The other search fields are then ignored. */
  booking_id?: string | undefined;
};

/** The input of `contacts.find`. */
export type FindContactsInput = {
  /** Full email address of the contact, not case-sensitive. Example: 'ada@example.com'. */
  email?: string | undefined;
  /** A contact from an earlier step. The email to search for is then ignored. */
  contact_id?: string | undefined;
};
