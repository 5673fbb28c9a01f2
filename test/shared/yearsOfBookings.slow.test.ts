import { type ManyOperation, runOperation, getBusyTimes, getManyBookings } from '../../shared/operations/index.ts';
import type { Client } from '../../shared/client/client.ts';
import { lookups } from '../../shared/operations/lookups.ts';
import type { Booking, Sandbox } from '../../sandbox/service.ts';
import { clientOver, fetchTransport, refusal, shownLists, stillClock, testStart } from '../support/service.ts';
import { inThisWeek, orders, pagesAsked, thisWeek, withYears, type Years } from '../support/years.ts';
import { listOf } from '../support/wire.ts';

/** A client to whom each answer takes so long. Several may be on their way at once. */
function clientOf({ baseUrl, issueToken, fetch: direct }: Sandbox, answersIn = 0, connection?: object): Client {
  const clock = stillClock();
  const transport = fetchTransport(issueToken().access_token, (url, init) => direct(new Request(url, init)));
  const slow: typeof transport = async (request, route) => {
    const until = clock.at + answersIn;
    const answer = await transport(request, route);
    clock.at = Math.max(clock.at, until);
    return answer;
  };
  return clientOver(slow, { baseUrl, clock, ...(connection && { connection }) });
}

async function run(client: Client, operation: ManyOperation, fields: Record<string, unknown>) {
  const told = { parts: [] as string[], notes: [] as string[] };
  const records = await runOperation(
    client,
    operation,
    { fields },
    {
      shape: 'presented',
      note: (sentence) => told.notes.push(sentence),
      partNote: (sentence) => told.parts.push(sentence),
      bound: {},
    },
  );
  return { ids: records.map(({ id }) => id), records, ...told };
}

describe.each(orders)('a week among ten thousand bookings in the order "%s"', (order) => {
  let years: Years;
  beforeAll(async () => (years = await withYears({ order })));
  beforeEach(() => years.sandbox.forgetRequests());
  afterAll(() => years.end());

  it('is listed whole, or said first not to be, for at most a tenth of the requests of a minute', async () => {
    const { sandbox } = years;
    const { ids, parts } = await run(clientOf(sandbox), getManyBookings, thisWeek);
    expect(pagesAsked(sandbox)).toBeLessThanOrEqual(100);
    if (parts.length === 0) expect(ids).toEqual(inThisWeek(sandbox));
    else expect(parts[0]).toMatch(/^This is not the whole answer: only [\d,]+ bookings were read .* Add a status or an email\.$/);
    // Where the order says enough, most of the list is left unread.
    if (order === 'start' || order === 'created') expect([parts, pagesAsked(sandbox) < 60]).toEqual([[], true]);
  });

  it('is whole if only what is to come is wanted', async () => {
    const { sandbox } = years;
    const { ids, parts, notes } = await run(clientOf(sandbox), getManyBookings, { ...thisWeek, upcoming: true });
    expect([ids, parts]).toEqual([inThisWeek(sandbox, ({ status }) => status !== 'CANCELLED'), []]);
    expect(pagesAsked(sandbox)).toBeLessThanOrEqual(100);
    const said = { start: ['sorted by start'], 'start-up': ['sorted by start'], created: ['sorted by creation'] }[order as string] ?? [];
    expect(notes.slice(1)).toEqual(said.map((words) => expect.stringContaining(words) as string));
  });
});

describe('among ten thousand bookings in no order', () => {
  let years: Years;
  beforeAll(async () => (years = await withYears({ order: 'none' })));
  beforeEach(() => years.sandbox.forgetRequests());
  afterAll(() => years.end());

  it('busy times and a picker are whole', async () => {
    const now = new Date(testStart).toISOString();
    const isTaken = (record: Booking) => record.status !== 'CANCELLED' && record.end_time > now && record.start_time < thisWeek.to;
    const busy = await run(clientOf(years.sandbox), getBusyTimes, thisWeek);
    const count = busy.records.reduce((sum, { booking_count: each }) => sum + Number(each), 0);
    expect(count).toBe(years.sandbox.bookings().filter(isTaken).length);

    const wanted = inThisWeek(years.sandbox, ({ status }) => status !== 'CANCELLED');
    const { choices, note } = await lookups.bookings(clientOf(years.sandbox), {});
    expect([choices.slice(0, wanted.length).map(({ value }) => value), note]).toEqual([wanted, undefined]);
  });

  // At a service that answers slowly.
  it('reading stops after 25 seconds and says so, and busy times are refused', async () => {
    const slow = clientOf(years.sandbox, 1_000);
    const { parts, ids } = await run(slow, getManyBookings, thisWeek);
    expect(slow.clock.now() - testStart).toBeLessThanOrEqual(25_000);
    expect(parts).toHaveLength(1);
    expect(ids.length).toBeLessThan(inThisWeek(years.sandbox).length);
    const error = await refusal(run(clientOf(years.sandbox, 1_000), getBusyTimes, thisWeek));
    expect(error.sentence).toMatch(/^Nobody can tell yet which times are taken: only [\d,]+ bookings were read .* Ask for all of them\.$/);
  });

  it('a picker that is not whole says so above its choices, and is not read anew while a person types', async () => {
    const connection = {};
    const { note, choices } = await lookups.bookings(clientOf(years.sandbox, 1_000, connection), {});
    expect(note).toMatch(/^Not all are listed: only [\d,]+ bookings were searched\. If yours is missing, enter its id\.$/);
    expect(choices.length).toBeGreaterThan(0);
    const fast = () => clientOf(years.sandbox, 0, connection);
    await lookups.bookings(fast(), { text: 'guest' });
    years.sandbox.forgetRequests();
    expect((await lookups.bookings(fast(), { text: 'guest99' })).choices.length).toBeGreaterThan(0);
    expect(pagesAsked(years.sandbox)).toBe(0);
  });
});

it('a list that holds a status of its own where no status is asked for is read as well', async () => {
  const change = (_: Booking, index: number): Partial<Booking> => (index % 3 === 0 ? { status: 'WAITLISTED' as 'PENDING' } : {});
  const years = await withYears({}, { count: 600, change });
  const { ids } = await run(clientOf(years.sandbox), getManyBookings, thisWeek);
  expect(ids).toEqual(inThisWeek(years.sandbox));
  await years.end();
});

describe('a list that is sorted by start', () => {
  const aDay = 86_400_000;
  const at = (day: number) => new Date(testStart + day * aDay).toISOString();
  const days = (from: number, to: number) =>
    Array.from({ length: Math.abs(to - from) * 10 }, (_, index) => ({
      id: `${from} ${to} ${index}`,
      start_time: at(from + (Math.sign(to - from) * index) / 10),
    }));
  const listed = async (bookings: object[], window: object) => {
    const service = shownLists({ bookings });
    const { ids } = await run(service.client, getManyBookings, { status: 'CONFIRMED', ...window });
    return { count: ids.length, asked: service.asked.length };
  };

  it('is not taken for read if it begins in the middle: with what is to come, and then what is past', async () => {
    const upcomingFirst = [...days(0, 100), ...days(0, -100).slice(1)];
    expect(await listed(upcomingFirst, { from: at(-3), to: at(3) })).toEqual({ count: 60, asked: 20 });
    expect(await listed(upcomingFirst, { from: at(1), to: at(3) })).toEqual({ count: 20, asked: 3 });
  });

  it('is read to its end if one start breaks the order or cannot be read', async () => {
    const sorted = days(100, -100);
    expect((await listed(sorted, { from: at(0), to: at(3) })).asked).toBe(11);
    const broken = [...sorted.slice(0, 500), { id: 'later', start_time: at(1) }, ...sorted.slice(500)];
    expect(await listed([{ id: 'soon', start_time: 'soon' }, ...sorted], { from: at(0), to: at(3) })).toEqual({ count: 31, asked: 21 });
    expect((await listed([...broken.slice(500), ...broken.slice(0, 500)], { from: at(0), to: at(3) })).asked).toBe(21);
  });
});

it('a list whose cursor is ignored is given up after three pages that repeat it', async () => {
  let asked = 0;
  const client = clientOver(async () => {
    asked += 1;
    const records = Array.from({ length: 100 }, (_, id) => ({ id: `${id}`, start_time: thisWeek.from }));
    return { status: 200, headers: {}, body: listOf(records, `${asked}`) };
  });
  const error = await refusal(run(client, getManyBookings, { status: 'CONFIRMED', ...thisWeek }));
  expect([error.message, asked]).toEqual(['The list GET /v1/bookings repeats itself: 3 pages in a row had nothing new.', 4]);
});
