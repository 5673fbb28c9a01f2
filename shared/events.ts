import type { Client } from './api/client.ts';
import { allOf, walk } from './api/pages.ts';
import type { RecordKind, ServiceRecord } from './api/records.ts';
import { asText } from './values.ts';
import { present } from './outputs.ts';
import type { Scope } from './scopes.ts';
import { booking, cancelledBooking, contact, rescheduledBooking } from './samples/records.ts';
import { eventTypeMatches } from './webhooks/filter.ts';

/** Where records for testing a trigger come from, because the API keeps no list of events. */
interface Source {
  path: string;
  scope: Scope;
  /** The status filter where it tells this event's records apart; elsewhere any record of the kind is shown. */
  status?: string;
}

interface Row {
  label: string;
  /** The singular thing that it is about. */
  noun: string;
  record: Extract<RecordKind, 'booking' | 'contact'>;
  /** The document's own words for when it occurs (section 6, G22), as a trigger says them. */
  description: string;
  source: Source;
  sample: ServiceRecord;
}

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
    sample: booking,
  },
  BOOKING_CANCELLED: {
    label: 'Booking Cancelled',
    noun: 'Booking',
    record: 'booking',
    description: 'Triggers when a booking is cancelled',
    source: { ...bookings, status: 'CANCELLED' },
    sample: cancelledBooking,
  },
  BOOKING_RESCHEDULED: {
    label: 'Booking Rescheduled',
    noun: 'Booking',
    record: 'booking',
    description: 'Triggers when a booking is rescheduled',
    source: bookings,
    sample: rescheduledBooking,
  },
  BOOKING_APPROVED: {
    label: 'Booking Approved',
    noun: 'Booking',
    record: 'booking',
    description: 'Triggers when a pending booking is approved',
    source: bookings,
    sample: booking,
  },
  BOOKING_DENIED: {
    label: 'Booking Denied',
    noun: 'Booking',
    record: 'booking',
    description: 'Triggers when a pending booking is denied',
    source: bookings,
    sample: cancelledBooking,
  },
  CONTACT_CREATED: {
    label: 'Contact Created',
    noun: 'Contact',
    record: 'contact',
    description: 'Triggers when a new contact is created',
    source: contacts,
    sample: contact,
  },
  CONTACT_UPDATED: {
    label: 'Contact Updated',
    noun: 'Contact',
    record: 'contact',
    description: 'Triggers when a contact is updated',
    source: contacts,
    sample: contact,
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
  const { id, updated_at: updated, created_at: created } = record;
  return { ...record, event: row.name, delivery_id: `sample-${String(id)}`, delivered_at: [updated, created].find((time) => typeof time === 'string') ?? booking['updated_at'] };
};

/** How many records are looked through for test data; the API has no order to rely on (G31). */
const looked = 100;

/**
 * Recent records to test a trigger with, newest first, presented and labelled as a live delivery is (the same keys and
 * types); empty where the account has none. Only records of the chosen event types, where some are chosen.
 */
export async function recentRecords(client: Client, row: EventRow, { limit = 3, eventTypeIds = [] }: { limit?: number; eventTypeIds?: readonly string[] } = {}): Promise<ServiceRecord[]> {
  const { path, scope, status } = row.source;
  const records = await allOf(walk(client, { path: [path], scope, thing: `${row.noun.toLowerCase()}s`, record: row.record, query: { status } }, looked));
  const time = ({ updated_at: updated, created_at: created }: ServiceRecord) => asText(updated ?? created);
  return records
    .filter((record) => eventTypeMatches(record, eventTypeIds))
    .sort((a, b) => time(b).localeCompare(time(a)))
    .slice(0, limit)
    .map((record) => asDelivered(row, present(row.record, record)));
}
