import { fetchOne, listingOf } from '../records/resources.ts';
import { defineOne, field, defineList } from './define.ts';
import { idText } from './inputs.ts';
import { eventType } from '../records/samples.ts';

export const getEventType = defineOne({
  resource: 'eventType',
  name: 'get',
  action: 'Get',
  description: 'Gets one event type with its questions',
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
