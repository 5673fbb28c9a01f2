import type { ServiceRecord } from '../api/records.ts';
import type { Choice } from '../define.ts';
import type { Lookup } from './index.ts';
import { scan } from './scan.ts';

/** The event types of the account, with their length; those that are switched off say so. */
export const eventTypes: Lookup = {
  page: (client, query) => scan(client, { path: ['event-types'], scope: 'event_types:read', thing: 'event types', record: 'eventType' }, query, toChoice),
};

function toChoice({ id, name, duration_minutes: minutes, active }: ServiceRecord): Choice {
  const length = typeof minutes === 'number' ? ` (${minutes} min)` : '';
  return { value: String(id), label: `${typeof name === 'string' && name !== '' ? name : String(id)}${length}${active === false ? ', switched off' : ''}` };
}
