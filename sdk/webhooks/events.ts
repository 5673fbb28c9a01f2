import { events, type EventName } from '../../shared/events.ts';
import type { Booking, Contact } from '../client/api/records.ts';

export type { EventName };

/** The names of all events of the service (section 6). */
export const eventNames: readonly EventName[] = Object.keys(events) as EventName[];

/** The type of an event's record, by its kind. */
export interface RecordOf {
  booking: Booking;
  contact: Contact;
}

/** One change of a record, found in a delivery or by a poll. */
export interface Changed<Name extends EventName> {
  event: Name;
  /** The booking or the contact, as the client's `get` returns it. New fields of the service are kept. */
  record: RecordOf[(typeof events)[Name]['record']];
  /**
   * 64 hexadecimal digits, computed from the event, the record's id and, for changes that can happen repeatedly, the new value. A delivery
   * and a poll give the same key for the same change. If a record changes there, back, and there again, the first and third change have the
   * same key.
   */
  change_key: string;
}

/** One event from a verified delivery. */
export interface Received<Name extends EventName> extends Changed<Name> {
  /** The id in the delivery's header. It is not signed: use it as a label only, never to decide anything. */
  delivery_id: string | null;
  /** When the service delivered it, according to the unsigned header, or else to the body. ISO 8601. */
  delivered_at: string | null;
  /**
   * 64 hexadecimal digits: the same for every repeat of this delivery, and different for all others. If handling an event twice would do
   * harm, save this key in a column with a unique index.
   */
  delivery_key: string;
  /** The subscription whose secret signed the delivery. */
  subscription_id: string;
}

/** Any event. The type of `record` depends on `event`. */
export type WebhookEvent = { [Name in EventName]: Received<Name> }[EventName];

/** Any change. The type of `record` depends on `event`. */
export type ChangeEvent = { [Name in EventName]: Changed<Name> }[EventName];

/** The change with this name, or with one of these names. */
export type ChangeOf<Name extends EventName> = Extract<ChangeEvent, { event: Name }>;

/** Names a kind of event of one record. Of changes that can happen repeatedly, only the last handled one is kept under this name. */
export const thingOf = ({ event, id }: { event: string; id: string }): string => `${event} ${id}`;

/** The event with this name, or with one of these names. */
export type EventOf<Name extends EventName> = Extract<WebhookEvent, { event: Name }>;

/** The handler of each event, by the event's name. */
export type Handlers<Event> = ReadonlyMap<EventName, (event: Event) => unknown>;

/**
 * Builds an object with `on` and `onEvery`, which set the handlers of events.
 *
 * @param rest returns the object's other methods, given the handlers
 * @param names the events that can have a handler
 */
export function handlersBy<Event, Self extends { on: unknown; onEvery: unknown }>(
  rest: (handlers: Handlers<Event>) => Omit<Self, 'on' | 'onEvery'>,
  names: readonly EventName[] = eventNames,
): Self {
  const handlers = new Map<EventName, (event: Event) => unknown>();
  const self = {
    ...rest(handlers),
    on(wanted: EventName | readonly EventName[], handler: (event: never) => unknown) {
      for (const name of [wanted].flat()) {
        if (!names.includes(name))
          throw new Error(
            eventNames.includes(name)
              ? `Lists do not show the event ${name}, so a poll cannot find it. Use a receiver for it.`
              : `There is no event "${name}". The events are ${names.join(', ')}.`,
          );
        if (handlers.has(name)) throw new Error(`${name} already has a handler. Call your other code from that one.`);
        // The cast is safe: the handler is called only for events of this name.
        handlers.set(name, handler as (event: Event) => unknown);
      }
      return self;
    },
    onEvery(all: Readonly<Record<EventName, (event: never) => unknown>>) {
      for (const name of names) self.on(name, all[name]);
      return self;
    },
  };
  // The declared types are more precise than this code needs.
  return self as Self;
}
