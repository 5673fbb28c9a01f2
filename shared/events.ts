import type { Client } from './api/client.ts';
import { ServiceError } from './api/errors.ts';
import { allOf, walk } from './api/pages.ts';
import type { BookingRecord, RecordKind, ServiceRecord } from './api/records.ts';
import { listingOf } from './api/resources.ts';
import { asText } from './values.ts';
import { present } from './outputs.ts';
import type { Scope } from './scopes.ts';
import { changeKey } from './changes/key.ts';
import { saidOf, shown, startOf, type Shown } from './changes/difference.ts';
import { booking, cancelledBooking, contact, rescheduledBooking } from './samples/records.ts';
import { eventTypeMatches } from './webhooks/filter.ts';
import { deliveryKey } from './webhooks/key.ts';

/** Where records for testing a trigger come from, because the API keeps no list of events. */
interface Source {
  path: string;
  scope: Scope;
  /** The status that a record has after this event (G21): such records are asked for first. */
  status?: string;
}

/** What speaks for it that this event happened to a record; as much of it as a record can show. */
type Sign = (record: Partial<BookingRecord>, needsApproval: (record: Partial<BookingRecord>) => boolean) => boolean;

interface Row {
  label: string;
  /** The singular thing that it is about. */
  noun: string;
  record: Extract<RecordKind, 'booking' | 'contact'>;
  /** The document's own words for when it occurs (section 6, G22), as a trigger says them. */
  description: string;
  source: Source;
  /** Test data shows the records that fit best: those with the most of these signs. None where every record fits. */
  fits?: readonly Sign[];
  sample: ServiceRecord;
  /** How the difference between two readings of a list shows it; a list shows nothing of it where this is absent. */
  shown?: Shown;
  /** What tells one such change of a record from the next; none where it happens to a record but once. */
  turn?: (record: ServiceRecord) => string;
}

const says = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
const isConfirmed: Sign = ({ status }) => status === 'CONFIRMED';
const isCancelled: Sign = ({ status }) => status === 'CANCELLED';
const wasMoved: Sign = ({ previous_start_time: before }) => says(before);
const hasReason: Sign = ({ cancellation_reason: reason }) => says(reason);
const needsApproval: Sign = (record, needs) => needs(record);

const bookings = { path: 'bookings', scope: 'bookings:read' } as const;
const contacts = { path: 'contacts', scope: 'contacts:read' } as const;

/** The service's webhook events, section 6. One row is one Zapier trigger and one n8n checkbox. */
export const events = {
  BOOKING_CREATED: {
    label: 'Booking Created',
    noun: 'Booking',
    record: 'booking',
    description: 'Triggers when a new booking is confirmed',
    source: { ...bookings, status: 'CONFIRMED' },
    fits: [isConfirmed],
    sample: booking,
    shown: shown.created,
  },
  BOOKING_CANCELLED: {
    label: 'Booking Cancelled',
    noun: 'Booking',
    record: 'booking',
    description: 'Triggers when a booking is cancelled',
    source: { ...bookings, status: 'CANCELLED' },
    fits: [isCancelled, hasReason],
    sample: cancelledBooking,
    shown: shown.cancelled,
  },
  BOOKING_RESCHEDULED: {
    label: 'Booking Rescheduled',
    noun: 'Booking',
    record: 'booking',
    description: 'Triggers when a booking is rescheduled',
    source: { ...bookings, status: 'CONFIRMED' },
    fits: [wasMoved],
    sample: rescheduledBooking,
    shown: shown.rescheduled,
    turn: startOf,
  },
  BOOKING_APPROVED: {
    label: 'Booking Approved',
    noun: 'Booking',
    record: 'booking',
    description: 'Triggers when a pending booking is approved',
    source: { ...bookings, status: 'CONFIRMED' },
    fits: [isConfirmed, needsApproval],
    sample: booking,
    shown: shown.approved,
  },
  BOOKING_DENIED: {
    label: 'Booking Denied',
    noun: 'Booking',
    record: 'booking',
    description: 'Triggers when a pending booking is denied',
    source: { ...bookings, status: 'CANCELLED' },
    fits: [isCancelled, hasReason, needsApproval],
    sample: cancelledBooking,
    shown: shown.denied,
  },
  CONTACT_CREATED: {
    label: 'Contact Created',
    noun: 'Contact',
    record: 'contact',
    description: 'Triggers when a new contact is created',
    source: contacts,
    sample: contact,
    shown: shown.appeared,
  },
  CONTACT_UPDATED: {
    label: 'Contact Updated',
    noun: 'Contact',
    record: 'contact',
    description: 'Triggers when a contact is updated',
    source: contacts,
    sample: contact,
    shown: shown.edited,
    turn: saidOf,
  },
} as const satisfies Record<string, Row>;

export type EventName = keyof typeof events;

/** A row as translators read it. `key` is the name in lower case, for platforms that want identifiers so. */
export interface EventRow extends Row {
  name: string;
  key: string;
}

export const eventRow = (name: string, row: Row): EventRow => ({ ...row, name, key: name.toLowerCase() });

export const eventRows: readonly EventRow[] = Object.entries(events).map(([name, row]) => eventRow(name, row));

export const isEventName = (value: unknown): value is EventName => typeof value === 'string' && Object.hasOwn(events, value);

/** What a delivery adds to its record, for records that came from a list or from the sample. */
export const asDelivered = (row: EventRow, record: ServiceRecord): ServiceRecord => {
  const { updated_at: updated, created_at: created } = record;
  const id = String(record['id']);
  const time = [updated, created].find((each) => typeof each === 'string') ?? booking['updated_at'];
  return {
    ...record,
    event: row.name,
    delivery_id: `sample-${id}`,
    delivered_at: time,
    delivery_key: deliveryKey('sample', row.name, id),
    change_key: changeKey(row, record),
  };
};

/** How many records are looked through for test data; the API has no order to rely on (G31). */
const looked = 100;
/** Event types that are looked through for those that need approval. */
const mostEventTypes = 1_000;

interface Recent {
  limit?: number;
  eventTypeIds?: readonly string[];
}

/** Recent records to test a trigger with, presented and labelled as a live delivery is: the same keys and types. */
export const recentRecords = async (client: Client, row: EventRow, recent: Recent = {}): Promise<ServiceRecord[]> =>
  (await fittingRecords(client, row, recent)).map((record) => asDelivered(row, present(row.record, record)));

/**
 * The records that show the most signs of an event, newest first. Only records of the chosen event types, where some are
 * chosen; empty where the account has none.
 */
export async function fittingRecords(
  client: Client,
  row: EventRow,
  { limit = 3, eventTypeIds = [] }: Recent = {},
): Promise<ServiceRecord[]> {
  const { source, fits = [] } = row;
  const listed = async (status?: string): Promise<ServiceRecord[]> =>
    (
      await allOf(
        walk(
          client,
          { path: [source.path], scope: source.scope, thing: `${row.noun.toLowerCase()}s`, record: row.record, query: { status } },
          looked,
        ),
      )
    ).filter((record) => eventTypeMatches(record, eventTypeIds));
  const needs = fits.includes(needsApproval) ? await approvalOf(client) : () => false;
  const signsOf = (record: ServiceRecord): number => fits.filter((sign) => sign(record, needs)).length;

  let records = await listed(source.status);
  if (source.status !== undefined && !records.some((record) => signsOf(record) === fits.length))
    records = [...records, ...(await listed())];
  const most = Math.max(...records.map(signsOf));
  const time = ({ updated_at: updated, created_at: created }: ServiceRecord) => asText(updated ?? created);
  return [...new Map(records.filter((record) => signsOf(record) === most).map((record) => [record['id'], record])).values()]
    .sort((a, b) => time(b).localeCompare(time(a)))
    .slice(0, limit);
}

/**
 * Whether a booking's event type needs the host's approval. Where the types cannot be read, nothing is known of any: test
 * data is shown all the same.
 *
 * @param isUnknown which failures are taken for that; the others are thrown
 */
export async function approvalOf(
  client: Client,
  isUnknown: (error: ServiceError) => boolean = () => true,
): Promise<(record: Partial<BookingRecord>) => boolean> {
  try {
    const types = await allOf(walk(client, listingOf('eventType'), mostEventTypes));
    const needing = new Set(types.filter(({ requires_approval: needed }) => needed === true).map(({ id }) => id));
    return ({ event_type_id: id }) => needing.has(asText(id));
  } catch (error) {
    if (error instanceof ServiceError && isUnknown(error)) return () => false;
    throw error;
  }
}
