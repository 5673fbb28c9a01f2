import type { EventTypeRecord } from '../api/records.ts';
import { listingOf } from '../api/resources.ts';
import type { Choice } from '../define.ts';
import type { Lookup } from './index.ts';
import { scan } from './scan.ts';

/** The event types of the account, with their length; those that are switched off say so. */
export const eventTypes: Lookup = {
  page: (client, query) => scan(client, listingOf('eventType'), query, toChoice),
};

function toChoice({ id, name, duration_minutes: minutes, active }: EventTypeRecord): Choice {
  const length = typeof minutes === 'number' ? ` (${minutes} min)` : '';
  return { value: id, label: `${typeof name === 'string' && name !== '' ? name : id}${length}${active === false ? ', inactive' : ''}` };
}
