import { eventNames, type EventName } from './events.ts';

/** The handler of each event, by the event's name. */
export type Handlers<Event> = ReadonlyMap<EventName, (event: Event) => unknown>;

/**
 * Builds an object with `on` and `onEvery`, which set the handlers of events.
 *
 * @param rest what else it can do, once it has its handlers
 */
export function handlersBy<Event, Self extends { on: unknown; onEvery: unknown }>(
  rest: (handlers: Handlers<Event>) => Omit<Self, 'on' | 'onEvery'>,
): Self {
  const handlers = new Map<EventName, (event: Event) => unknown>();
  const self = {
    ...rest(handlers),
    on(names: EventName | readonly EventName[], handler: (event: never) => unknown) {
      for (const name of [names].flat()) {
        if (!eventNames.includes(name)) throw new Error(`There is no event "${name}". There are ${eventNames.join(', ')}.`);
        if (handlers.has(name)) throw new Error(`${name} already has a handler. Call your other code from that one.`);
        // It is only called for events of this name.
        handlers.set(name, handler as (event: Event) => unknown);
      }
      return self;
    },
    onEvery(all: Readonly<Record<EventName, (event: never) => unknown>>) {
      for (const name of eventNames) self.on(name, all[name]);
      return self;
    },
  };
  // The declared types are more precise than what is needed here.
  return self as unknown as Self;
}
