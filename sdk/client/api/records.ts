// Made by `npm run docs` from the declared operations. Changes here affect everyone who builds on the package.

/**
 * A user from the service. Any field except the id may be missing. New fields of the service
 * are kept, but have no types.
 */
export type User = {
  readonly name?: string | null;
  readonly email?: string | null;
  readonly timezone?: string | null;
  /** Language. */
  readonly locale?: string | null;
  readonly plan?: string | null;
  readonly id?: string | null;
};

/**
 * A booking from the service. Any field except the id may be missing. New fields of the service
 * are kept, but have no types.
 */
export type Booking = {
  readonly invitee_name?: string | null;
  readonly event_type_name?: string | null;
  /** Readable Start; computed from the other fields. */
  readonly readable_start?: string | null;
  /** Readable Previous Start; computed from the other fields. */
  readonly readable_previous_start?: string | null;
  readonly invitee_email?: string | null;
  readonly status?: string | null;
  /** Invitee First Name; computed from the other fields. */
  readonly invitee_first_name?: string | null;
  /** Invitee Last Name; computed from the other fields. */
  readonly invitee_last_name?: string | null;
  /** Start; ISO 8601. */
  readonly start_time?: string | null;
  /** End; ISO 8601. */
  readonly end_time?: string | null;
  /** Start (in the Invitee's Time Zone); computed from the other fields; ISO 8601. */
  readonly invitee_start_time?: string | null;
  /** End (in the Invitee's Time Zone); computed from the other fields; ISO 8601. */
  readonly invitee_end_time?: string | null;
  readonly invitee_timezone?: string | null;
  readonly location?: string | null;
  /** Meeting Link. */
  readonly meeting_url?: string | null;
  /** Reschedule Link. */
  readonly reschedule_url?: string | null;
  /** Cancel Link. */
  readonly cancel_url?: string | null;
  /** Booking Link. */
  readonly booking_url?: string | null;
  readonly notes?: string | null;
  /** Answers; computed from the other fields. */
  readonly answers?: readonly { readonly question?: string | null; readonly answer?: unknown }[] | null;
  /** Answers by Question. */
  readonly question_responses?: Readonly<Record<string, unknown>> | null;
  readonly cancellation_reason?: string | null;
  /** Previous Start; ISO 8601. */
  readonly previous_start_time?: string | null;
  /** Language. */
  readonly locale?: string | null;
  readonly id: string;
  readonly event_type_id?: string | null;
  /** Created At; ISO 8601. */
  readonly created_at?: string | null;
  /** Updated At; ISO 8601. */
  readonly updated_at?: string | null;
};

/**
 * An event type from the service. Any field except the id may be missing. New fields of the service
 * are kept, but have no types.
 */
export type EventType = {
  readonly name?: string | null;
  readonly description?: string | null;
  /** Duration (in Minutes). */
  readonly duration_minutes?: number | null;
  readonly active?: boolean | null;
  readonly requires_approval?: boolean | null;
  readonly location?: string | null;
  readonly questions?:
    | readonly {
        readonly key?: string | null;
        readonly label?: string | null;
        readonly type?: string | null;
        readonly required?: boolean | null;
        readonly options?: readonly unknown[] | null;
      }[]
    | null;
  readonly id: string;
  readonly slug?: string | null;
  /** Created At; ISO 8601. */
  readonly created_at?: string | null;
  /** Updated At; ISO 8601. */
  readonly updated_at?: string | null;
};

/**
 * A contact from the service. Any field except the id may be missing. New fields of the service
 * are kept, but have no types.
 */
export type Contact = {
  readonly name?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
  /** First Name; computed from the other fields. */
  readonly first_name?: string | null;
  /** Last Name; computed from the other fields. */
  readonly last_name?: string | null;
  readonly timezone?: string | null;
  /** Language. */
  readonly locale?: string | null;
  readonly notes?: string | null;
  readonly id: string;
  /** Created At; ISO 8601. */
  readonly created_at?: string | null;
  /** Updated At; ISO 8601. */
  readonly updated_at?: string | null;
};

/**
 * A webhook subscription from the service. Any field except the id may be missing. New fields of the service
 * are kept, but have no types.
 */
export type Subscription = {
  readonly url?: string | null;
  readonly events?: readonly unknown[] | null;
  readonly active?: boolean | null;
  readonly id: string;
  /** Created At; ISO 8601. */
  readonly created_at?: string | null;
};

/** A busy time, computed from records of the service. */
export type BusyTime = {
  readonly weekday: string;
  /** Start; ISO 8601. */
  readonly start_time: string;
  /** End; ISO 8601. */
  readonly end_time: string;
  readonly timezone: string;
  /** Number of Bookings. */
  readonly booking_count: number;
};
