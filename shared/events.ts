import { type FieldOf, type FieldRows, type RecordKind, recordTables, type ServiceRecord, type BookingRecord } from './records/fields.ts';
import { asText } from './values.ts';
import type { Scope } from './scopes.ts';
import { booking, cancelledBooking, contact, rescheduledBooking } from './records/samples.ts';

/** The list that provides a trigger's test data, because the API has no list of events. */
interface Source {
  path: string;
  scope: Scope;
  /** The status that a record has after this event (G21). Such records are requested first. */
  status?: string;
}

/**
 * A sign in a record that this event happened to it: its status, an earlier start, or a reason. Only `needsApproval`, which is a property
 * of its event type, is not shown by the record itself.
 */
export type Sign = 'confirmed' | 'cancelled' | 'moved' | 'reason' | 'needsApproval';

/** The kind of difference between two readings of a list that shows an event. */
export type ChangeKind = 'created' | 'approved' | 'cancelled' | 'denied' | 'rescheduled' | 'appeared' | 'edited';

interface DeclaredEvent {
  /** The singular noun of its record. */
  noun: string;
  record: Extract<RecordKind, 'booking' | 'contact'>;
  /** When the event occurs, in the public document's own words (section 6, G22). */
  description: string;
  /** Additional points that people may misunderstand. */
  note?: string;
  source: Source;
  /** Test data shows the records with the most of these signs. Absent if every record fits. */
  fits?: readonly Sign[];
  sample: ServiceRecord;
  /** The field that says what happened, which short forms also show. Absent if all main fields matter equally. */
  tells?: FieldOf<'booking'>;
  /** The difference between two readings of a list that shows the event. Absent if lists do not show it. */
  shown?: ChangeKind;
  /** The value that distinguishes one such change of a record from the next. Absent if it happens to a record only once. */
  turn?: 'start' | 'person';
}

const bookings = { path: 'bookings', scope: 'bookings:read' } as const;
const ofBooking = { noun: 'Booking', record: 'booking' } as const;
const ofContact = { noun: 'Contact', record: 'contact', source: { path: 'contacts', scope: 'contacts:read' }, sample: contact } as const;

/** The service's webhook events (section 6). Each row is one Zapier trigger and one checkbox in n8n. */
export const events = {
  BOOKING_CREATED: {
    ...ofBooking,
    description: 'Triggers when a new booking is confirmed',
    note: 'If an event type needs approval, a new booking is pending and fires nothing. When it is approved, both *Booking Approved* and *Booking Created* fire. Use only one of them for the same task.',
    source: { ...bookings, status: 'CONFIRMED' },
    fits: ['confirmed'],
    sample: booking,
    shown: 'created',
  },
  BOOKING_CANCELLED: {
    ...ofBooking,
    description: 'Triggers when a booking is cancelled',
    note: 'The slot is free again. `cancellation_reason` holds the reason that the host or the invitee gave. A denied booking does not fire this event: see *Booking Denied*.',
    source: { ...bookings, status: 'CANCELLED' },
    fits: ['cancelled', 'reason'],
    sample: cancelledBooking,
    tells: 'cancellation_reason',
    shown: 'cancelled',
  },
  BOOKING_RESCHEDULED: {
    ...ofBooking,
    description: 'Triggers when a booking is rescheduled',
    note: '`start_time` is the new start and `previous_start_time` the old one. The id stays the same, and neither *Booking Cancelled* nor *Booking Created* fires for it.',
    source: { ...bookings, status: 'CONFIRMED' },
    fits: ['moved'],
    sample: rescheduledBooking,
    tells: 'readable_previous_start',
    shown: 'rescheduled',
    turn: 'start',
  },
  BOOKING_APPROVED: {
    ...ofBooking,
    description: 'Triggers when a pending booking is approved',
    note: 'The approval confirms the booking, so *Booking Created* fires as well: use only one of them for the same task.',
    source: { ...bookings, status: 'CONFIRMED' },
    fits: ['confirmed', 'needsApproval'],
    sample: booking,
    shown: 'approved',
  },
  BOOKING_DENIED: {
    ...ofBooking,
    description: 'Triggers when a pending booking is denied',
    note: "The booking's status becomes CANCELLED, with the host's reason in `cancellation_reason`. *Booking Cancelled* does not fire for it.",
    source: { ...bookings, status: 'CANCELLED' },
    fits: ['cancelled', 'reason', 'needsApproval'],
    sample: cancelledBooking,
    tells: 'cancellation_reason',
    shown: 'denied',
  },
  CONTACT_CREATED: {
    ...ofContact,
    description: 'Triggers when a new contact is created',
    note: "Fires at the first booking with a new email address, just before the booking's own event.",
    shown: 'appeared',
  },
  CONTACT_UPDATED: {
    ...ofContact,
    description: 'Triggers when a contact is updated',
    note: "Fires when the host changes a contact's name, time zone or phone number, or when an invitee enters different ones in a new booking. The record shows the contact after the change; the earlier values are not sent.",
    shown: 'edited',
    turn: 'person',
  },
} as const satisfies Record<string, DeclaredEvent>;

/** The name of an event (section 6). */
export type EventName = keyof typeof events;

/**
 * A row as platforms read it. `key` is the name in lowercase, for platforms that require lowercase identifiers, and `label` is the name as
 * people read it: "Booking Created".
 */
export interface EventRow extends DeclaredEvent {
  name: string;
  key: string;
  label: string;
}

export const eventRow = (name: string, row: DeclaredEvent): EventRow => ({
  ...row,
  name,
  key: name.toLowerCase(),
  label: name.replaceAll(/([A-Z])([A-Z]*)_?/g, (_word, first: string, rest: string) => `${first}${rest.toLowerCase()} `).trim(),
});

/** An event that lists show. */
export type ListedRow = EventRow & Required<Pick<EventRow, 'shown'>>;

/** The events that lists show. Only these can be found by polling. */
export const listedRows = (rows: readonly EventRow[]): ListedRow[] => rows.filter((row): row is ListedRow => row.shown !== undefined);

/** The name of an event that lists show. */
export type ListedEventName = { [Name in EventName]: (typeof events)[Name] extends { shown: string } ? Name : never }[EventName];

export const eventRows: readonly EventRow[] = Object.entries(events).map(([name, row]) => eventRow(name, row));

/** A row's sample record as the service sends it: without the fields that are added for people. */
export function sentSample({ record, sample }: Pick<DeclaredEvent, 'record' | 'sample'>): ServiceRecord {
  const { fields }: { fields: FieldRows } = recordTables[record];
  return Object.fromEntries(Object.entries(sample).filter(([key]) => fields[key]?.isMade !== true));
}

export const isEventName = (value: unknown): value is EventName => typeof value === 'string' && Object.hasOwn(events, value);

/** The event name that a text in another notation means, such as `booking.created` or `BookingCreated`; otherwise the text itself. */
export function eventNamed(text: string): string {
  const name = text
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .replace(/[^A-Z]+/g, '_');
  return isEventName(name) ? name : text;
}

/**
 * Whether the events in a subscription's record are the wanted ones, in any notation. Other values in it are not documented events and are
 * ignored.
 */
export function showsEvents(shown: unknown, wanted: readonly string[]): boolean {
  const names = [shown].flat().flatMap((each) => asText(each).split(','));
  const known = new Set(names.map(eventNamed).filter((each) => isEventName(each) || wanted.includes(each)));
  return known.size === 0 ? names.length > 0 : known.size === new Set(wanted).size && wanted.every((each) => known.has(each));
}

/**
 * Whether a record belongs to one of the chosen event types. No choice means all. A record without an event type passes, because missing a
 * real event is worse than reporting one too many.
 */
export function eventTypeMatches({ event_type_id: id }: Partial<BookingRecord>, chosen: readonly string[]): boolean {
  return chosen.length === 0 || typeof id !== 'string' || id === '' || chosen.includes(id);
}
