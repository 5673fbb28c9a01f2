import { listingOf } from '../../records/resources.ts';
import { defineList } from '../define.ts';
import { eventType } from '../../records/samples.ts';

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
