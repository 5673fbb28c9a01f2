import { compareLists, type Wanted } from '../../shared/polling/poll.ts';
import { eventRows } from '../../shared/events.ts';
import { sha256 } from '../../shared/webhooks/key.ts';
import { shownLists, type ShownLists } from './shownLists.ts';

export const all = eventRows.map(({ name }) => name);
export const start = '2031-01-01T09:00:00Z';
export const booking = (id: unknown, change: object = {}) => ({
  id: `bkg_${String(id)}`,
  status: 'CONFIRMED',
  start_time: start,
  ...change,
});
export const contact = (id: unknown, change: object = {}) => ({
  id: `con_${String(id)}`,
  name: 'Ada',
  notes: 'Likes tea',
  updated_at: start,
  ...change,
});
export const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);

/** The lists of each test, and what the last poll saved. */
export let service: ShownLists;
export const saved: { kept: unknown } = { kept: undefined };
beforeEach(() => {
  service = shownLists({ bookings: [booking(1)], contacts: [contact(1)] });
  saved.kept = undefined;
});

export const show = (bookings: object[], contacts: object[] = [contact(1)]) => Object.assign(service.lists, { bookings, contacts });
export const compare = (wanted: Partial<Wanted> = {}) => compareLists(service.client, saved.kept, { events: all, ...wanted }, sha256);

/** One poll whose state is saved, as the events and ids that it reports. */
export async function polled(wanted: Partial<Wanted> = {}) {
  const found = await compare(wanted);
  saved.kept = JSON.parse(JSON.stringify(found.kept));
  return { ...found, changes: found.changes.map(({ row, record }) => `${row.name} ${String(record['id'])}`) };
}
/** What it reports of these bookings and contacts. */
export async function changesOf(...lists: Parameters<typeof show>): Promise<string[]> {
  show(...lists);
  return (await polled()).changes.sort();
}
