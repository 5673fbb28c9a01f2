import { ignoreRefusal, ServiceError } from '../serviceError.ts';
import type { EventTypeRecord } from '../records/fields.ts';
import type { Client } from '../client/client.ts';
import { listingOf } from '../records/resources.ts';
import { fetchOne } from '../client/fetchOne.ts';
import { fetchPage } from '../client/pages.ts';
import { limits } from '../limits.ts';
import { asText } from '../values.ts';
import { defineOne, field, defineList } from './define.ts';
import { idText } from './commonSchemas.ts';
import { eventType } from '../records/samples.ts';

export const getEventType = defineOne({
  resource: 'eventType',
  name: 'get',
  action: 'Get',
  description: 'Gets an event type with its questions',
  effect: 'read',
  scope: 'event_types:read',
  endpoint: 'GET /v1/event-types/:id',
  input: {
    event_type_id: field(idText, {
      label: 'Event Type',
      help: 'The event type to get',
      control: 'text',
      lookup: 'eventTypes',
    }),
  },
  output: 'eventType',
  sample: eventType,

  run: (client, { event_type_id: id }) => fetchOne(client, 'eventType', id),
});

export const getManyEventTypes = defineList({
  resource: 'eventType',
  name: 'getMany',
  action: 'List',
  description: 'Lists event types',
  effect: 'read',
  scope: 'event_types:read',
  endpoint: 'GET /v1/event-types',
  input: {},
  output: 'eventType',
  sample: eventType,

  lists: () => [listingOf('eventType')],
});

/** Whether this is the name of an event type, or the slug in its page's address. */
export const isNameOf =
  (text: string) =>
  ({ name, slug }: EventTypeRecord): boolean =>
    [name, slug].some((each) => asText(each).toLowerCase() === text.toLowerCase());

/** Says which ID to use in place of a name. */
export const idInstead = (text: string, { id }: EventTypeRecord): string => `"${text}" is the name of an event type, whose ID is "${id}".`;

/** The first page of event types, read once for all items of a run, because an import may have a thousand bookings refused. */
const firstPages = new WeakMap<Client, ReturnType<typeof fetchPage<'eventType'>>>();

/** The event type with this name, if there is exactly one on the first page and it is no ID there; `undefined` also if they cannot be read. */
export async function eventTypeNamed(client: Client, text: string): Promise<EventTypeRecord | undefined> {
  const page = firstPages.get(client) ?? fetchPage(client, listingOf('eventType'), { size: limits.pageSize });
  firstPages.set(client, page);
  const { records = [] } = (await page.catch(ignoreRefusal)) ?? {};
  const named = records.some(({ id }) => id === text) ? [] : records.filter(isNameOf(text));
  return named.length === 1 ? named[0] : undefined;
}

/**
 * Makes sure that an event type that is used as a filter exists.
 *
 * @returns its record; `undefined` if it cannot be read for a reason that says nothing about its id, such as a missing permission
 * @throws ServiceError `notFound`, or `invalid` if the service refuses the id
 */
export async function checkExists(client: Client, id: string): Promise<EventTypeRecord | undefined> {
  try {
    return await fetchOne(client, 'eventType', id);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind === 'notFound' || error.kind === 'invalid') throw error;
    return undefined;
  }
}
