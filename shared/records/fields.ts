/** One labelled field of a record. `children` are the fields of an object, or of the entries of a list. */
export interface OutputField {
  key: string;
  label: string;
  /** `any`: an unchanged value from the service, such as an answer (G28). */
  type: 'string' | 'number' | 'boolean' | 'datetime' | 'object' | 'list' | 'any';
  children?: OutputField[];
}

/** A field in a record's table. It is text if it has no `type`. */
export interface FieldRow {
  label: string;
  /** `id`: text, or a whole number that is passed on as text (G3). */
  type?: OutputField['type'] | 'id';
  children?: FieldRows;
  /** Added for people. The service never sends it. */
  isMade?: true;
}

export type FieldRows = Readonly<Record<string, FieldRow>>;

export interface RecordTable<Field extends string = string> {
  /** The canonical fields, in the order in which people see them. */
  fields: Readonly<Record<Field, FieldRow>>;
  /**
   * The fields that most people use, most wanted first, for a record with more than ten fields. The first ten are its short form. Who and
   * when come first, because tables show few columns at a time.
   */
  main?: readonly Field[];
}

/** Returns the table unchanged. It does not compile if a main field is not a field of the record. */
const table = <Field extends string>(record: RecordTable<NoInfer<Field>> & { fields: Record<Field, FieldRow> }): RecordTable<Field> =>
  record;

/**
 * The records that platforms get, one table for each kind, which also defines their types, labels, schemas and short forms.
 *
 * The names are assumed (G4 to G7, G9, G47); `reading/rows.ts` lists other names that are read. Every field except the id may be missing.
 * Unknown fields are kept, so that records with new fields are never refused.
 */
export const recordTables = {
  user: table({
    fields: {
      name: { label: 'Name' },
      email: { label: 'Email' },
      timezone: { label: 'Time Zone' },
      locale: { label: 'Language' },
      plan: { label: 'Plan' },
      id: { label: 'User ID', type: 'id' },
    },
  }),
  booking: table({
    fields: {
      invitee_name: { label: 'Invitee Name' },
      event_type_name: { label: 'Event Type Name' },
      readable_start: { label: 'Readable Start', isMade: true },
      readable_previous_start: { label: 'Readable Previous Start', isMade: true },
      invitee_email: { label: 'Invitee Email' },
      status: { label: 'Status' },
      invitee_first_name: { label: 'Invitee First Name', isMade: true },
      invitee_last_name: { label: 'Invitee Last Name', isMade: true },
      start_time: { label: 'Start', type: 'datetime' },
      end_time: { label: 'End', type: 'datetime' },
      invitee_start_time: { label: "Start (in the Invitee's Time Zone)", type: 'datetime', isMade: true },
      invitee_end_time: { label: "End (in the Invitee's Time Zone)", type: 'datetime', isMade: true },
      invitee_timezone: { label: 'Invitee Time Zone' },
      location: { label: 'Location' },
      meeting_url: { label: 'Meeting Link' },
      reschedule_url: { label: 'Reschedule Link' },
      cancel_url: { label: 'Cancel Link' },
      booking_url: { label: 'Booking Link' },
      notes: { label: 'Notes' },
      answers: {
        label: 'Answers',
        type: 'list',
        children: { question: { label: 'Question' }, answer: { label: 'Answer', type: 'any' } },
        isMade: true,
      },
      question_responses: { label: 'Answers by Question', type: 'object' },
      cancellation_reason: { label: 'Cancellation Reason' },
      previous_start_time: { label: 'Previous Start', type: 'datetime' },
      locale: { label: 'Language' },
      id: { label: 'Booking ID', type: 'id' },
      event_type_id: { label: 'Event Type ID', type: 'id' },
      created_at: { label: 'Created At', type: 'datetime' },
      updated_at: { label: 'Updated At', type: 'datetime' },
    },
    main: [
      'invitee_name',
      'event_type_name',
      'readable_start',
      'status',
      'invitee_email',
      'start_time',
      'id',
      'reschedule_url',
      'cancel_url',
      'booking_url',
      'readable_previous_start',
      'end_time',
      'invitee_timezone',
      'event_type_id',
      'notes',
      'question_responses',
      'meeting_url',
      'location',
      'cancellation_reason',
      'previous_start_time',
    ],
  }),
  eventType: table({
    fields: {
      name: { label: 'Name' },
      description: { label: 'Description' },
      duration_minutes: { label: 'Duration (in Minutes)', type: 'number' },
      active: { label: 'Active', type: 'boolean' },
      requires_approval: { label: 'Requires Approval', type: 'boolean' },
      location: { label: 'Location' },
      questions: {
        label: 'Questions',
        type: 'list',
        children: {
          key: { label: 'Key' },
          label: { label: 'Label' },
          type: { label: 'Type' },
          required: { label: 'Required', type: 'boolean' },
          options: { label: 'Options', type: 'list' },
        },
      },
      id: { label: 'Event Type ID', type: 'id' },
      slug: { label: 'Slug' },
      created_at: { label: 'Created At', type: 'datetime' },
      updated_at: { label: 'Updated At', type: 'datetime' },
    },
    main: ['name', 'duration_minutes', 'active', 'id', 'description', 'requires_approval', 'location', 'questions'],
  }),
  contact: table({
    fields: {
      name: { label: 'Name' },
      email: { label: 'Email' },
      phone: { label: 'Phone' },
      first_name: { label: 'First Name', isMade: true },
      last_name: { label: 'Last Name', isMade: true },
      timezone: { label: 'Time Zone' },
      locale: { label: 'Language' },
      notes: { label: 'Notes' },
      id: { label: 'Contact ID', type: 'id' },
      created_at: { label: 'Created At', type: 'datetime' },
      updated_at: { label: 'Updated At', type: 'datetime' },
    },
    main: ['name', 'email', 'id', 'phone', 'timezone', 'notes'],
  }),
  subscription: table({
    fields: {
      url: { label: 'Target URL' },
      events: { label: 'Events', type: 'list' },
      active: { label: 'Active', type: 'boolean' },
      id: { label: 'Subscription ID', type: 'id' },
      created_at: { label: 'Created At', type: 'datetime' },
    },
  }),
} as const;

/** Everything that operations return: records, and what is computed from them. */
export const outputTables = {
  ...recordTables,
  busyTime: table({
    fields: {
      weekday: { label: 'Weekday' },
      start_time: { label: 'Start', type: 'datetime' },
      end_time: { label: 'End', type: 'datetime' },
      timezone: { label: 'Time Zone' },
      booking_count: { label: 'Number of Bookings', type: 'number' },
    },
  }),
} as const;

/** The fields that a delivery adds to its record, for an application that does not poll (section 6). */
const deliveredAlone = {
  event: { label: 'Event' },
  delivered_at: { label: 'Delivered At', type: 'datetime' },
  delivery_key: { label: 'Delivery Key' },
} as const satisfies FieldRows;

const deliveryRows = { ...deliveredAlone, delivery_id: { label: 'Delivery ID' }, change_key: { label: 'Change Key' } } as const;

export type RecordKind = keyof typeof recordTables;

/** The kinds of what operations return: records, or what is computed from them. */
export type OutputKind = keyof typeof outputTables;

/** The canonical fields of a kind of record. */
export type FieldOf<Kind extends RecordKind> = keyof (typeof recordTables)[Kind]['fields'];

/**
 * A record under its canonical names. Only the id is sure to be text; in a list, it is empty if it is unusable. The other values come from
 * outside and are parsed where they are used. Fields that are in no table are kept but have no type here.
 */
type Known<Kind extends RecordKind> = { readonly id: string } & { readonly [Field in Exclude<FieldOf<Kind>, 'id'>]?: unknown };

/** A record of any kind, as a platform gets it: canonical names, and every unknown field unchanged. Platforms read none of its fields. */
export type ServiceRecord = { [field: string]: unknown };

/** A user may have an email address instead of an id. */
export type UserRecord = { readonly [Field in FieldOf<'user'>]?: unknown };
export type BookingRecord = Known<'booking'>;
export type EventTypeRecord = Known<'eventType'>;
export type ContactRecord = Known<'contact'>;
export type SubscriptionRecord = Known<'subscription'>;

/** The fields that a delivery adds to its record. */
export type DeliveryFields = { readonly [Field in keyof typeof deliveryRows]?: unknown };

/** The type of each kind of record. */
export interface RecordOf {
  user: UserRecord;
  booking: BookingRecord;
  eventType: EventTypeRecord;
  contact: ContactRecord;
  subscription: SubscriptionRecord;
}

const labelled = (rows: FieldRows): OutputField[] =>
  Object.entries(rows).map(([key, { label, type = 'string', children }]) => ({
    key,
    label,
    type: type === 'id' ? 'string' : type,
    ...(children && { children: labelled(children) }),
  }));

const labelledTables = () =>
  Object.fromEntries(Object.entries(outputTables).map(([kind, { fields }]) => [kind, labelled(fields)])) as Record<
    OutputKind,
    OutputField[]
  >;

/** The labelled fields of each kind, in order. Marked as pure, so that bundles that show no fields leave out the labels. */
export const recordFields = /* @__PURE__ */ labelledTables();

export const deliveryFields = {
  whole: /* @__PURE__ */ labelled(deliveryRows),
  alone: /* @__PURE__ */ labelled(deliveredAlone),
};
