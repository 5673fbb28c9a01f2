import { events, type EventName } from '../../shared/events.ts';
import type { Booking, Contact } from '../client/api/records.ts';

export type { EventName };

/** The names of all events that the service tells (section 6). */
export const eventNames = Object.keys(events) as readonly EventName[];

interface RecordOf {
  booking: Booking;
  contact: Contact;
}

/** One event, as a verified delivery told it. */
export interface Received<Name extends EventName> {
  event: Name;
  /** The booking or the contact, as the client's `get` gives it; fields that the service adds are kept. */
  record: RecordOf[(typeof events)[Name]['record']];
  /** The id in the delivery's header. It is not signed: a label for people, and nothing to decide by. */
  delivery_id: string | null;
  /** When it was delivered, as the unsigned header or else the body says: ISO 8601. */
  delivered_at: string | null;
  /**
   * 64 hexadecimal digits that are the same for every repeat of this delivery, and others for any other: what to put a unique
   * index on, where acting twice must be impossible.
   */
  delivery_key: string;
  /** The subscription whose secret the delivery was signed with. */
  subscription_id: string;
}

/** Any event. `event` tells which one it is, and so what `record` is. */
export type WebhookEvent = { [Name in EventName]: Received<Name> }[EventName];

/** The event of this name, or one of these names. */
export type EventOf<Name extends EventName> = Extract<WebhookEvent, { event: Name }>;
