import { eventNames, type EventName } from './events.ts';

/** The handler of each event, by the event's name. */
export type Handlers<Event> = ReadonlyMap<EventName, (event: Event) => unknown>;

/**
 * Builds an object with `on` and `onEvery`, which set the handlers of events.
 *
 * @param rest what else it can do, once it has its handlers
 * @param names the events that may have one
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
        // It is only called for events of this name.
        handlers.set(name, handler as (event: Event) => unknown);
      }
      return self;
    },
    onEvery(all: Readonly<Record<EventName, (event: never) => unknown>>) {
      for (const name of names) self.on(name, all[name]);
      return self;
    },
  };
  // The declared types are more precise than what is needed here.
  return self as unknown as Self;
}
