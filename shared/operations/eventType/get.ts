import { readOne } from '../../api/records.ts';
import { defineOne, field } from '../../define.ts';
import { filledText } from '../../inputs.ts';
import { eventType } from '../../samples/records.ts';

export const getEventType = defineOne({
  resource: 'eventType',
  name: 'get',
  action: 'Get',
  description: 'Gets one event type with its questions',
  effect: 'read',
  scope: 'event_types:read',
  endpoint: 'GET /v1/event-types/:id',
  input: {
    event_type_id: field(filledText, {
      label: 'Event Type',
      help: 'The event type to get',
      control: 'text',
      lookup: 'eventTypes',
    }),
  },
  output: 'eventType',
  sample: eventType,

  run: async (client, { event_type_id: id }) =>
    readOne('eventType', await client.send({ method: 'GET', path: ['event-types', { id }], scope: 'event_types:read', thing: 'event type', id }), 'GET /v1/event-types/:id'),
});
