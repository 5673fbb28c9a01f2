import { walk } from '../../api/pages.ts';
import { listingOf } from '../../api/resources.ts';
import { defineMany } from '../../define.ts';
import { eventType } from '../../samples/records.ts';

export const getManyEventTypes = defineMany({
  resource: 'eventType',
  name: 'getMany',
  action: 'Get Many',
  description: 'Lists event types',
  effect: 'read',
  scope: 'event_types:read',
  endpoint: 'GET /v1/event-types',
  input: {},
  output: 'eventType',
  sample: eventType,

  run: (client, _, { limit }) => walk(client, listingOf('eventType'), limit),
});
