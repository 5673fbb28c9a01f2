import { defineApp, version as platformVersion } from 'zapier-platform-core';
import { findOrCreateBooking, cancelBooking, createBooking, findBooking, findContact } from '../shared/operations/index.ts';
import { eventRows } from '../shared/events.ts';
import { create } from './adapter/create.ts';
import { hookTrigger } from './adapter/hookTrigger.ts';
import { actionKey } from './adapter/names.ts';
import { search } from './adapter/search.ts';
import { sentence } from './adapter/fields.ts';
import { authentication, withToken } from './authentication.ts';
import manifest from './package.json' with { type: 'json' };

const keyed = <Action extends { key: string }>(...actions: Action[]): Record<string, Action> =>
  Object.fromEntries(actions.map((action) => [action.key, action]));

const findBookingKey = actionKey(findBooking);

/** The whole integration. The core's declarations decide what it offers: the table of events, operations and searches. */
export default defineApp({
  version: manifest.version,
  platformVersion,
  // Every request goes through `z.request`, which logs it, so Zapier need not patch other HTTP clients.
  flags: { skipHttpPatch: true },
  authentication,
  beforeRequest: [withToken],
  triggers: keyed(...eventRows.map((row) => hookTrigger(row))),
  creates: keyed(create(createBooking), create(cancelBooking, { bookings: findBooking })),
  searches: keyed(search(findBooking, findOrCreateBooking.searchInput), search(findContact)),
  searchOrCreates: {
    [findBookingKey]: {
      key: findBookingKey,
      display: { label: findOrCreateBooking.label, description: sentence(findOrCreateBooking.description) },
      search: findBookingKey,
      create: actionKey(createBooking),
    },
  },
});
