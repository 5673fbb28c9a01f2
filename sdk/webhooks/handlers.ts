import { eventNames, type EventName } from './events.ts';

/** What is done with each event, by its name. */
export type Handlers<Event> = ReadonlyMap<EventName, (event: Event) => unknown>;

/**
 * Something that is told what to do with each event.
 *
 * @param rest what it can do besides, once it has its handlers
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
        // It is called for events of this name alone.
        handlers.set(name, handler as (event: Event) => unknown);
      }
      return self;
    },
    onEvery(all: Readonly<Record<EventName, (event: never) => unknown>>) {
      for (const name of eventNames) self.on(name, all[name]);
      return self;
    },
  };
  // What each of them says of its handlers' types is more than what is done with them.
  return self as unknown as Self;
}
