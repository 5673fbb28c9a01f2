import { getManyBookings, getBusyTimes, readListPage } from '../../shared/operations/index.ts';
import { allOf } from '../../shared/client/pages.ts';
import { parseInput } from '../../shared/operations/parseInput.ts';
import type { Forms } from '../../sandbox/service.ts';
import { refusal, serve, type TestService } from '../support/service.ts';
import { listOf } from '../support/wire.ts';

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
  // Nothing could ever be found: an empty list would read as if nothing had been cancelled.
  await expect(list(client, { upcoming: true, status: 'cancelled' })).rejects.toThrow('"Upcoming" leaves out every cancelled booking.');
});

it('goes with a status, an email and a limit, and says whether there are more', async () => {
  const { client, first, second, friday } = await begin();
  expect((await list(client, { ...week, status: 'confirmed', email: 'robin.sample@example.com' })).ids).toEqual([first, second, friday]);
  expect(await list(client, { ...week, status: 'CONFIRMED' }, 2)).toMatchObject({ ids: [first, second], isCut: true });
});

it('leaves no booking out whose start cannot be compared: one without an offset is near enough, one that cannot be read comes last', async () => {
  const { sandbox, client, first, friday } = await begin();
  const records = sandbox.bookings();
  const shown = (id: string | undefined, start_time: string | null) => ({ ...records.find((each) => each.id === id), start_time });
  const body = listOf([shown(first, null), shown(friday, '2031-03-09T23:30:00')]);
  sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 200, body, times: 'always' });
  const { ids, notes } = await list(client, week);
  expect(ids).toEqual([friday, first]);
  expect(notes[1]).toBe('1 booking is among them without a start that can be read.');
});

it('begins a day with its first moment, also where the clocks skip midnight', () => {
  const day = { from: '2031-09-07', to: '2031-09-08' };
  expect(parseInput(getManyBookings, day, { dayZone: 'America/Santiago' })).toEqual({
    from: '2031-09-07T04:00:00Z',
    to: '2031-09-08T03:00:00Z',
  });
});

it.each([
  ['2031-03-03', '2031-03-03T00:00:00Z', '2031-03-04T00:00:00Z', 'UTC'],
  [' 2031-03-30 ', '2031-03-29T23:00:00Z', '2031-03-30T22:00:00Z', 'Europe/Madrid'],
  ['2031/3/30', '2031-03-29T23:00:00Z', '2031-03-30T22:00:00Z', 'Europe/Madrid'],
  ['2031-12-31', '2031-12-31T05:00:00Z', '2032-01-01T05:00:00Z', 'America/New_York'],
])('from a day to the same day is that whole day: %j', (day, from, to, dayZone) => {
  expect(parseInput(getManyBookings, { from: '2031-03-01', to: day }, { dayZone }).to).toBe(from);
  expect(parseInput(getManyBookings, { from: day, to: day.trim() }, { dayZone })).toEqual({ from, to });
  expect(() => parseInput(getManyBookings, { from: `${day.trim()}T00:00Z`, to: `${day.trim()}T00:00Z` })).toThrow('must be later than');
  expect(() => parseInput(getManyBookings, { from: '2031-02-30', to: '2031-02-30' }, { dayZone })).toThrow('it is "2031-02-30"');
});

it('refuses a window that ends before it begins, and a time without a zone, before anything is sent', async () => {
  const { sandbox, client } = await begin();
  expect((await refusal(list(client, { from: week.to, to: week.from }))).message).toBe('"Before" must be later than "After".');
  expect((await refusal(list(client, { from: '2031-03-03T00:00:00' }))).message).toContain('"After" has no UTC offset');
  expect(sandbox.requests()).toEqual([]);
});

it.each(['2031/3/7', '２０３１／３／７', '٢٠٣١-٠٣-٠٧', '\u200e2031-03-07', '"2031-03-07"', ['2031-03-07']])(
  'a day that was typed or copied as %j is a day of the host',
  async (day) => {
    const { client, friday } = await begin();
    const { records } = await readListPage(client, getManyBookings, { fields: { from: day, to: day } }, { size: 25 });
    expect(records.map(({ id }) => id)).toEqual([friday]);
  },
);

describe('the busy times of a window', () => {
  const monday = { from: '2031-03-03', to: '2031-03-04' };
  /** A time of that Monday in Madrid, where the host is. */
  const at = (time: string) => `2031-03-03T${time}:00+01:00`;

  /** Ordinary meetings last half an hour; those that wait for approval, longer. */
  async function begin(forms: Partial<Forms> = {}) {
    const { sandbox, client } = await serve({ forms: { slots: 'shared', ...forms }, limits: false });
    const [type] = sandbox.eventTypes().filter(({ duration_minutes: minutes }) => minutes === 30);
    const book = (start_time: string) => sandbox.host.book({ start_time, event_type_id: type?.id });
    const waiting = sandbox.eventTypes().find(({ requires_approval: waits, active }) => waits && active);
    const ask = (start_time: string) =>
      sandbox.host.book({ start_time, event_type_id: waiting?.id, question_responses: { link: 'https://example.com' } });
    return { sandbox, client, book, ask, waiting };
  }

  async function busy(client: TestService['client']) {
    const notes: string[] = [];
    const window = parseInput(getBusyTimes, monday, { timeZone: 'Europe/Madrid' });
    const times = await allOf(getBusyTimes.run(client, window, { note: (text) => notes.push(text) }));
    return { times, spans: times.map(({ start_time: start, end_time: end }) => `${String(start)} ${String(end)}`), notes };
  }

  const span = (start: string, end: string) => `${at(start)} ${at(end)}`;

  it('merges the bookings of a window, also those that begin before it, on the clock of the host', async () => {
    const { sandbox, client, book, ask, waiting } = await begin();
    for (const time of ['10:00', '09:00', '09:15', '23:45', '09:30']) book(at(time));
    book('2031-03-02T23:45:00+01:00');
    book('2031-03-02T23:30:00+01:00');
    book('2031-03-04T00:00:00+01:00');
    const pending = ask(at('12:00'));
    expect(pending.status).toBe('PENDING');
    sandbox.host.cancel(book(at('15:00')).id);
    sandbox.host.deny(ask(at('17:00')).id);
    const lasts = `2031-03-03T12:${waiting?.duration_minutes ?? ''}:00+01:00`;
    const { times, spans, notes } = await busy(client);
    expect(spans).toEqual([
      `2031-03-02T23:45:00+01:00 ${at('00:15')}`,
      span('09:00', '10:30'),
      `${at('12:00')} ${lasts}`,
      `${at('23:45')} 2031-03-04T00:15:00+01:00`,
    ]);
    expect(times.map(({ weekday, timezone, booking_count: count }) => [weekday, timezone, count])).toEqual([
      ['Sunday', 'Europe/Madrid', 1],
      ['Monday', 'Europe/Madrid', 4],
      ['Monday', 'Europe/Madrid', 1],
      ['Monday', 'Europe/Madrid', 1],
    ]);
    expect(notes).toEqual([
      `7 bookings are in this window, of ${sandbox.bookings().length} that were read.`,
      "The host's calendar and opening hours are not known, so a time that is not listed may still be taken.",
    ]);
  });

  it('reads a start without an offset in the zone of the host, and says so', async () => {
    const { client, book, ask } = await begin({ start: 'local' });
    book(at('09:00'));
    ask(at('12:00'));
    const { spans, notes } = await busy(client);
    expect(spans.map((text) => text.slice(0, 25))).toEqual([at('09:00'), at('12:00')]);
    expect(notes).toContain('Times without a time zone are read in Europe/Madrid.');
  });

  it('reads statuses in any letter case and times since the epoch; without an end, the event type says how long a booking lasts', async () => {
    const { sandbox, client, book } = await begin();
    const seconds = (time: string) => Date.parse(at(time)) / 1000;
    const { event_type_id } = book(at('09:00'));
    const records = [
      { id: 'a', status: 'confirmed', event_type_id, start_time: seconds('09:00'), end_time: null },
      { id: 'b', status: 'accepted', event_type_id, start_time: seconds('09:20') * 1000, end_time: seconds('09:50') * 1000 },
      { id: 'c', status: 'canceled', event_type_id, start_time: seconds('11:00') },
      { id: 'd', status: 'pending', event_type_id: 'gone', start_time: seconds('14:00') },
      { id: 'e', status: 'confirmed', start_time: seconds('00:00') - 900, event_type_id },
      { id: 'f', status: 'confirmed', start_time: 'soon', event_type_id },
      { id: 'j', status: 'confirmed', start_time: '2031-03-03', event_type_id },
      { id: 'k', status: 'confirmed', start_time: '2031-03-03 09:00 EST', end_time: '2031-03-03 09:30 EST' },
      { id: 'l', status: 'confirmed', start_time: '2031-04-20', event_type_id },
      { id: 'g', start_time: seconds('16:00'), end_time: seconds('18:00') },
      { id: 'h', start_time: seconds('16:30'), end_time: seconds('17:00') },
      { id: 'i', start_time: seconds('20:00'), end_time: seconds('19:00'), event_type_id },
    ];
    sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 200, body: listOf(records), times: 'always' });
    sandbox.forgetRequests();
    const { spans, notes } = await busy(client);
    expect(spans).toEqual([
      `2031-03-02T23:45:00+01:00 ${at('00:15')}`,
      span('09:00', '09:50'),
      span('14:00', '14:00'),
      span('16:00', '18:00'),
      span('20:00', '20:30'),
    ]);
    expect(notes).toEqual([
      '11 bookings are in this window, of 12 that were read.',
      '4 bookings are among them without a start that can be read.',
      'It is not known how long these last, so their end is shown as their start: d.',
      expect.stringContaining('may still be taken'),
    ]);
    expect(sandbox.requests().filter(({ path }) => path.startsWith('/v1/event-types/'))).toHaveLength(2);
  });

  it('shows UTC if the host has no zone, and nothing as busy if nothing is', async () => {
    const { client, book } = await begin({ user: 'id' });
    expect(await busy(client)).toMatchObject({
      times: [],
      notes: [expect.stringMatching(/^0 bookings are in this window/), expect.anything()],
    });
    book(at('09:00'));
    expect((await busy(client)).times).toEqual([
      { weekday: 'Monday', start_time: '2031-03-03T08:00:00Z', end_time: '2031-03-03T08:30:00Z', timezone: 'UTC', booking_count: 1 },
    ]);
  });
});
