import { allOf } from '../../shared/client/pages.ts';
import { parseInput } from '../../shared/operations/define.ts';
import { bookingsInWindow } from '../../shared/operations/booking/inWindow.ts';
import { bookingLists } from '../../shared/client/bookingLists.ts';
import { getManyBookings } from '../../shared/operations/index.ts';
import type { Forms } from '../../sandbox/service.ts';
import { refusal, serve, type TestService } from '../support/service.ts';

const monday = '2031-03-03T00:00:00Z';
const week = { from: monday, to: '2031-03-10T00:00:00Z' };

/** A service with four bookings in the week, out of order, of which one was cancelled, and one on each side of it. */
async function begin(forms: Partial<Forms> = {}) {
  const { sandbox, client } = await serve({ forms, limits: false });
  const at = (start_time: string) => sandbox.host.book({ start_time, invitee_name: start_time }).id;
  const [friday, first, cancelled, second] = ['2031-03-07T09:00:00Z', monday, '2031-03-05T09:00:00Z', '2031-03-06T09:00:00Z'].map(at);
  at('2031-03-02T23:00:00Z');
  at(week.to);
  sandbox.host.cancel(cancelled ?? '');
  sandbox.forgetRequests();
  return { sandbox, client, friday, first, cancelled, second };
}

const list = async (client: TestService['client'], fields: Record<string, unknown>, limit?: number) => {
  const notes: string[] = [];
  const listed = getManyBookings.run(client, parseInput(getManyBookings, fields), { limit, note: (text) => notes.push(text) });
  const ids = (await allOf(listed)).map(({ id }) => id);
  return { ids, notes, isCut: 'isTruncated' in listed && listed.isTruncated };
};

it.each(['all', 'confirmed', 'upcoming'] as const)(
  'lists a window by start, with its total, whatever the unfiltered list holds (%s; G31, G42)',
  async (unfiltered) => {
    const { sandbox, client, first, cancelled, second, friday } = await begin({ unfiltered });
    const { ids, notes } = await list(client, week);
    expect(ids).toEqual([first, cancelled, second, friday]);
    expect(notes).toEqual([`4 bookings are in this window, of ${sandbox.bookings().length} that were read.`]);
  },
);

it('lists what is upcoming: neither what has started nor what was cancelled', async () => {
  const { sandbox, client, first, second, friday, cancelled } = await begin();
  const { ids } = await list(client, { upcoming: true });
  const now = sandbox.clock.now();
  const expected = sandbox.bookings().filter(({ start_time, status }) => Date.parse(start_time) >= now && status !== 'CANCELLED');
  expect(new Set(ids)).toEqual(new Set(expected.map(({ id }) => id)));
  expect(ids.slice(-4, -1)).toEqual([first, second, friday]);
  expect(ids).not.toContain(cancelled);
  expect((await list(client, { ...week, upcoming: 'true' })).ids).toEqual([first, second, friday]);
});

it('goes with a status, an email and a limit, and says whether there are more', async () => {
  const { client, first, second, friday } = await begin();
  expect((await list(client, { ...week, status: 'confirmed', email: 'robin.sample@example.com' })).ids).toEqual([first, second, friday]);
  expect(await list(client, { ...week, status: 'CONFIRMED' }, 2)).toMatchObject({ ids: [first, second], isCut: true });
});

it('reads everything if all are asked for; with a limit it stops at the bound of a search, and says so (G31)', async () => {
  const { sandbox, client, first } = await begin();
  for (let hour = 0; sandbox.bookings().length < 1_010; hour += 1)
    for (let each = 0; each < 100; each += 1)
      sandbox.host.book({ start_time: new Date(Date.parse('2035-01-01') + (hour * 100 + each) * 3_600_000).toISOString() });
  const all = await list(client, week);
  expect(all.ids[0]).toBe(first);
  expect(all.notes).toEqual([`4 bookings are in this window, of ${sandbox.bookings().length.toLocaleString('en')} that were read.`]);
  const { notes } = await list(client, week, 2);
  expect(notes[1]).toContain('Only the first 1,000 bookings were searched');
});

it('takes dates, which mean their beginning in the zone of the platform', () => {
  const parsed = parseInput(getManyBookings, { from: '2031-03-03', to: ' 2031-03-10 ' }, { timeZone: 'Europe/Madrid' });
  expect(parsed).toEqual({ from: '2031-03-02T23:00:00Z', to: '2031-03-09T23:00:00Z' });
});

it('refuses a window that ends before it begins, and a time without a zone, before anything is sent', async () => {
  const { sandbox, client } = await begin();
  expect((await refusal(list(client, { from: week.to, to: week.from }))).message).toBe('"Before" must be later than "After".');
  expect((await refusal(list(client, { from: '2031-03-03T00:00:00' }))).message).toContain('"After" has no UTC offset');
  expect(sandbox.requests()).toEqual([]);
});

it('leaves no booking out whose start cannot be compared: one without an offset is near enough, one that cannot be read comes last', async () => {
  const { sandbox, client, first, friday } = await begin();
  const records = sandbox.bookings();
  const shown = (id: string | undefined, start_time: string | null) => ({ ...records.find((each) => each.id === id), start_time });
  const body = { data: [shown(first, null), shown(friday, '2031-03-09T23:30:00')], next_cursor: null };
  sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 200, body, times: 'always' });
  const { ids, notes } = await list(client, week);
  expect(ids).toEqual([friday, first]);
  expect(notes[1]).toBe('1 booking is among them without a start that can be read.');
});

it('asks by date where the service has a filter for it, which may leave out its bounds (G46)', async () => {
  const { sandbox, client, first } = await begin({ dateFilters: 'after-before' });
  const found = await bookingsInWindow(client, bookingLists({ statuses: ['CONFIRMED'] }), week, {
    filters: { from: 'after', to: 'before' },
  });
  expect(found.map(({ id }) => id)).toContain(first);
  expect(sandbox.requests().map(({ query }) => query)).toMatchObject([
    { after: '2031-03-02T23:59:00.000Z', before: '2031-03-10T00:01:00.000Z' },
  ]);
});
