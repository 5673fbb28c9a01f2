// Made by `npm run docs` from the declared operations. Changes here affect everyone who builds on the package.

/**
 * A user from the service. Any field except the id may be missing (G4 to G9). New fields of the service
 * are kept, but have no types.
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
 * A booking from the service. Any field except the id may be missing (G4 to G9). New fields of the service
 * are kept, but have no types.
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
  /** Start (in the Invitee's Time Zone); computed from the other fields; ISO 8601. */
  readonly invitee_start_time?: string | null;
  /** End (in the Invitee's Time Zone); computed from the other fields; ISO 8601. */
  readonly invitee_end_time?: string | null;
  /** Invitee Name. */
  readonly invitee_name?: string | null;
  /** Invitee First Name; computed from the other fields. */
  readonly invitee_first_name?: string | null;
  /** Invitee Last Name; computed from the other fields. */
  readonly invitee_last_name?: string | null;
  /** Invitee Email. */
  readonly invitee_email?: string | null;
  /** Invitee Time Zone. */
  readonly invitee_timezone?: string | null;
  /** Notes. */
  readonly notes?: string | null;
  /** Answers by Question. */
  readonly question_responses?: Readonly<Record<string, unknown>> | null;
  /** Answers; computed from the other fields. */
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
 * An event type from the service. Any field except the id may be missing (G4 to G9). New fields of the service
 * are kept, but have no types.
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
 * A contact from the service. Any field except the id may be missing (G4 to G9). New fields of the service
 * are kept, but have no types.
 */
export type Contact = {
  /** Contact ID. */
  readonly id: string;
  /** Name. */
  readonly name?: string | null;
  /** First Name; computed from the other fields. */
  readonly first_name?: string | null;
  /** Last Name; computed from the other fields. */
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
 * A webhook subscription from the service. Any field except the id may be missing (G4 to G9). New fields of the service
 * are kept, but have no types.
 */
export type Subscription = {
  /** Subscription ID. */
  readonly id: string;
  /** Target URL. */
  readonly url?: string | null;
  /** Events. */
  readonly events?: readonly unknown[] | null;
  /** Active. */
  readonly active?: boolean | null;
  /** Created At; ISO 8601. */
  readonly created_at?: string | null;
};

/** A busy time, computed from records of the service. */
export type BusyTime = {
  /** Weekday. */
  readonly weekday: string;
  /** Start; ISO 8601. */
  readonly start_time: string;
  /** End; ISO 8601. */
  readonly end_time: string;
  /** Time Zone. */
  readonly timezone: string;
  /** Number of Bookings. */
  readonly booking_count: number;
};
