import { events, type EventName } from '../../shared/events.ts';
import type { Booking, Contact } from '../client/api/records.ts';

export type { EventName };

/** The names of all events that the service tells (section 6). */
export const eventNames = Object.keys(events) as readonly EventName[];

/** What the record of an event is, by its kind. */
export interface RecordOf {
  booking: Booking;
  contact: Contact;
}

/** One change of a record, whether it was delivered or found in a list. */
export interface Changed<Name extends EventName> {
  event: Name;
  /** The booking or the contact, as the client's `get` gives it; fields that the service adds are kept. */
  record: RecordOf[(typeof events)[Name]['record']];
  /**
   * 64 hexadecimal digits, made of the event, the record's id and, where the same may happen to a record again, what it has become.
   * A delivery and a poll give the same one for the same change; a record that goes there, back, and there again has one of them twice.
   */
  change_key: string;
}

/** One event, as a verified delivery told it. */
export interface Received<Name extends EventName> extends Changed<Name> {
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

/** Any change. `event` tells which one it is, and so what `record` is. */
export type ChangeEvent = { [Name in EventName]: Changed<Name> }[EventName];

/** The change of this name, or one of these names. */
export type ChangeOf<Name extends EventName> = Extract<ChangeEvent, { event: Name }>;

/** What happens to a record again and again is told apart by the last of it that was acted on: the event and the record. */
export const thingOf = ({ event, id }: { event: string; id: string }): string => `${event} ${id}`;

/** The event of this name, or one of these names. */
export type EventOf<Name extends EventName> = Extract<WebhookEvent, { event: Name }>;
