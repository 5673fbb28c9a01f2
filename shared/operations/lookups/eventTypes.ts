import { paginate } from '../../client/pages.ts';
import type { EventTypeRecord } from '../../records/records.ts';
import { listingOf } from '../../records/resources.ts';
import { listScan } from '../../assumptions.ts';
import { limits } from '../../limits.ts';
import type { Choice } from '../define.ts';
import { instantOf } from '../../time/time.ts';
import { asText, isNo } from '../../values.ts';
import { hasId, notes } from './choosable.ts';
import type { Lookup } from './index.ts';

/**
 * The account's event types with their length, in the host's order; inactive ones come last and are marked. At most ten pages are read, and
 * the note says so if there are more.
 */
export const eventTypes: Lookup = {
  async page(client, { text }) {
    const wanted = (text ?? '').trim().toLowerCase();
    const max = listScan.pages * limits.pageSize;
    const list = paginate(client, listingOf('eventType'), max);
    const all = await list.all();
    const records = inHostsOrder(all.filter(hasId));
    const cutNote = `Only the first ${max.toLocaleString('en')} event types are listed. If yours is not there, enter its id.`;
    const note = notes(list.isTruncated && cutNote, all);
    return {
      choices: [...records.filter(isBookable), ...records.filter((record) => !isBookable(record))]
        .map(toChoice)
        .filter(({ label, value }) => label.toLowerCase().includes(wanted) || value.toLowerCase() === wanted),
      ...(note !== undefined && { note }),
    };
  },
};

const isBookable = ({ active }: EventTypeRecord): boolean => !isNo(active);

/**
 * A list with the newest first is reversed, because a host's page begins with the oldest. Any other order is the service's own and is kept.
 */
function inHostsOrder(records: readonly EventTypeRecord[]): readonly EventTypeRecord[] {
  const made = records.map(({ created_at: at }) => instantOf(at));
  const isNewestFirst = made.every((at, index) => index === 0 || at <= Number(made[index - 1]));
  return isNewestFirst ? records.toReversed() : records;
}

function toChoice({ id, name, duration_minutes: minutes, active }: EventTypeRecord): Choice {
  const length = Number(minutes) > 0 ? ` (${asText(minutes)} min)` : '';
  return { value: id, label: `${typeof name === 'string' && name !== '' ? name : id}${length}${isNo(active) ? ', inactive' : ''}` };
}
