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

  run: (client, { event_type_id: id }) => fetchNamed(client, id),
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

const firstPages = new WeakMap<Client, ReturnType<typeof fetchPage<'eventType'>>>();

/**
 * The first page of event types, read once for all items of a run, because an import may have a thousand bookings refused. `undefined` if it
 * cannot be read; then the next call tries again.
 */
export async function firstEventTypes(client: Client): Promise<EventTypeRecord[] | undefined> {
  const page = firstPages.get(client) ?? fetchPage(client, listingOf('eventType'), { size: limits.pageSize });
  firstPages.set(client, page);
  try {
    return (await page).records;
  } catch (error) {
    firstPages.delete(client);
    return ignoreRefusal(error);
  }
}

const isAboutId = (error: unknown): error is ServiceError => error instanceof ServiceError && ['notFound', 'invalid'].includes(error.kind);

/** The error of a request about an event type, with the ID to use if the event type was given by a name that exactly one has. */
export async function withId(client: Client, text: string, error: unknown): Promise<unknown> {
  if (!isAboutId(error)) return error;
  const types = (await firstEventTypes(client)) ?? [];
  const [named, ...others] = types.some(({ id }) => id === text) ? [] : types.filter(isNameOf(text));
  return named === undefined || others.length > 0 ? error : error.adding(idInstead(text, named));
}

const fetchNamed = (client: Client, id: string): Promise<EventTypeRecord> =>
  fetchOne(client, 'eventType', id).catch(async (error: unknown) => {
    throw await withId(client, id, error);
  });

/**
 * Makes sure that an event type that is used as a filter exists.
 *
 * @returns its record; `undefined` if it cannot be read for a reason that says nothing about its id, such as a missing permission
 * @throws ServiceError `notFound`, or `invalid` if the service refuses the id
 */
export async function checkExists(client: Client, id: string): Promise<EventTypeRecord | undefined> {
  try {
    return await fetchNamed(client, id);
  } catch (error) {
    if (isAboutId(error)) throw error;
    return ignoreRefusal(error);
  }
}
