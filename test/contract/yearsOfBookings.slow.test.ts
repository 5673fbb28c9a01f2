import type { Client } from '@modelcontextprotocol/client';
import { encode } from 'gpt-tokenizer';
import digest from '../../docs/templates/weekly-digest.json' with { type: 'json' };
import { accounts } from '../../mcp/program.ts';
import { execute } from '../../n8n/adapter/execute.ts';
import type { Booking } from '../../sandbox/service.ts';
import { runProgram } from '../../sdk/cli/program.ts';
import { createClient } from '../../sdk/index.ts';
import { call, fastClock, Stage as McpStage, textOf } from '../mcp/stage.ts';
import { executeHost, type HostOptions } from '../n8n/support/host.ts';
import { inThisWeek, pagesAsked, thisWeek, withYears, type Years } from '../support/years.ts';
import { startSources } from '../zapier/inProcess.ts';
import { book, find, introCall, refused, startOn, typeNamed, type Stage } from '../zapier/stage.ts';

const regular = 'regular@example.com';

/** Every platform uses one account with ten thousand bookings, more than a step can read, in no order. 1,100 are one person's. */
let years: Years;
beforeAll(async () => {
  const change = (_: unknown, index: number) => (index >= 8_900 ? { invitee_email: regular } : {});
  years = await withYears({ order: 'none' }, { change });
});
beforeEach(() => years.sandbox.forgetRequests());
afterAll(() => years.end());

/** On a busy machine, the requests may take longer than a person waits or a step may run. */
const stopClocks = (): void => {
  for (const clock of [Date, performance]) jest.spyOn(clock, 'now').mockImplementation(() => years.sandbox.clock.now());
};

describe('the package', () => {
  const client = () => createClient({ auth: years.sandbox.issueToken().access_token, baseUrl: years.sandbox.baseUrl });

  test('a window is read to its end without a limit of records, also for its first, or with a signal; with a limit alone, its note says first that it is not whole', async () => {
    const wanted = inThisWeek(years.sandbox);
    expect((await client().bookings.list(thisWeek).all()).map(({ id }) => id)).toEqual(wanted);
    const whole = client().bookings.list(thisWeek);
    expect([(await whole.first())?.id, whole.note]).toEqual([wanted[0], expect.not.stringContaining('not the whole')]);
    const { signal } = new AbortController();
    expect((await client().bookings.list(thisWeek, { limit: 5, signal }).all()).map(({ id }) => id)).toEqual(wanted.slice(0, 5));
    const bounded = client().bookings.list(thisWeek, { limit: 5 });
    await bounded.all();
    expect(bounded.note).toMatch(/^This is not the whole answer: .* Pass a signal, or no limit, to read all of them\./);
  });

  test('the command line reads to the end, says how far it is, and reads a day in the zone of the host', async () => {
    const [printed, said]: [string[], string[]] = [[], []];
    const code = await runProgram(['bookings', 'list', '--from', '2030-01-03', '--to', '2030-01-04', '--json'], {
      env: { SCHEDULING_BASE_URL: years.sandbox.baseUrl, SCHEDULING_ACCESS_TOKEN: years.sandbox.issueToken().access_token },
      print: (text) => void printed.push(text),
      say: (text) => void said.push(text),
      signal: new AbortController().signal,
      openInBrowser: () => undefined,
    });
    const { length } = startingBetween('2030-01-02T23:00:00Z', '2030-01-03T23:00:00Z');
    expect([code, JSON.parse(printed.join('')), said[0]]).toMatchObject([0, { length }, '100 requests so far; Ctrl-C stops this.']);
    expect(pagesAsked(years.sandbox)).toBeLessThanOrEqual(103);
  });
});

const startingBetween = (begin: string, end: string): Booking[] =>
  years.sandbox.bookings().filter(({ start_time: start }) => start >= begin && start < end);

describe('n8n', () => {
  beforeAll(stopClocks);
  afterAll(() => jest.restoreAllMocks());

  async function run(parameters: Record<string, unknown>, options: Partial<HostOptions> = {}) {
    const hints: string[] = [];
    const items = await execute(
      executeHost({ sandbox: years.sandbox, hints, parameters: { resource: 'booking', ...parameters }, ...options }),
    );
    return { items: items.map(({ json }) => json), hints };
  }
  const many = (filters: object, more: object = { returnAll: true }) => ({ operation: 'getMany', filters, ...more });

  test('Return All reads a window to its end, each list once', async () => {
    const { items, hints } = await run(many(thisWeek));
    expect([items.map(({ id }) => id), hints]).toEqual([inThisWeek(years.sandbox), []]);
    expect(pagesAsked(years.sandbox)).toBeLessThanOrEqual(103);
  });

  test('the weekly digest is whole', async () => {
    const { filters, ...parameters } = digest.nodes.find(({ name }) => name === 'Get bookings')?.parameters ?? {};
    // n8n computes this from its own clock, which is real.
    expect(filters).toEqual({ from: '={{ $now.toISO() }}', to: '={{ $now.plus({ days: 7 }).toISO() }}', status: 'CONFIRMED' });
    // A separate credential: the clock stands still, so the requests of all tests would exceed the limit of one minute.
    const { items, hints } = await run({ ...parameters, filters: { ...filters, ...thisWeek } }, { credentialId: 'digest' });
    expect([items.map(({ id }) => id), hints]).toEqual([inThisWeek(years.sandbox, ({ status }) => status === 'CONFIRMED'), []]);
  });

  test('with a limit, what is upcoming in a window is whole; a window that is not says so first, and to an agent in its first item', async () => {
    const whole = await run(many({ ...thisWeek, upcoming: true }, { limit: 50 }));
    expect(whole.items.map(({ id }) => id)).toEqual(inThisWeek(years.sandbox, ({ status }) => status !== 'CANCELLED'));
    years.sandbox.forgetRequests();
    const part = await run(many(thisWeek, { limit: 5 }));
    expect(pagesAsked(years.sandbox)).toBeLessThanOrEqual(100);
    const said = /^This is not the whole answer: [^.]+\. Turn on Return All to read all of them\./;
    expect([part.hints, part.items.length]).toEqual([[expect.stringMatching(said)], 5]);
    const told = await run(many(thisWeek, { limit: 5 }), { isTool: true });
    expect([told.items[0]?.['note'], told.items.length]).toEqual([expect.stringMatching(said), 6]);
  });
});

describe("an agent's call", () => {
  let stage: McpStage;
  let client: Client;
  beforeAll(async () => {
    stage = await McpStage.on(years.sandbox);
    // On a busy machine, the requests may take longer than a call may run.
    const now = Date.now();
    const account = accounts(stage.file, false, { ...fastClock, now: () => now });
    client = await stage.served({ hasOutputSchemas: true, account });
  });
  afterAll(() => stage.close());

  const answered = async (name: string, given: Record<string, unknown>) => {
    const result = await call(client, name, given);
    const { records = [], ...shown } = (result.structuredContent ?? {}) as {
      records?: { id: string }[];
      next_cursor?: string;
      incomplete?: string;
    };
    return { text: textOf(result), ids: records.map(({ id }) => id), ...shown };
  };

  test('"what is on this week" is whole in one call, at most 101 requests and 3,000 tokens for 25 answers; the next page costs no request', async () => {
    const wanted = inThisWeek(years.sandbox, ({ status }) => status !== 'CANCELLED');
    const { text, ids } = await answered('list_bookings', { ...thisWeek, upcoming: true, limit: 50 });
    expect(ids).toEqual(wanted);
    expect(ids.length).toBeGreaterThan(20);
    expect(years.sandbox.requests().length).toBeLessThanOrEqual(101);
    expect(encode(text).length).toBeLessThan(3_000);
    expect(text).toMatch(/This is the end of the list\.[^]*It is now \w+day, 20\S+ \(\S+\)\./);

    const first = await answered('list_bookings', { ...thisWeek, upcoming: true, limit: 15 });
    years.sandbox.forgetRequests();
    const { ids: rest } = await answered('list_bookings', { ...thisWeek, upcoming: true, cursor: first.next_cursor });
    expect([...first.ids, ...rest]).toEqual(wanted);
    expect(pagesAsked(years.sandbox)).toBe(0);
  });

  test('a week that takes more than a call may read says so first, and calls nothing the end or the next page; the same call again completes it', async () => {
    const week = { ...thisWeek, limit: 20 };
    const first = await answered('list_bookings', week);
    expect(first.text).toMatch(
      /^This is not the whole answer: only [\d,]+ bookings were read in the time for one search, and there are more\. Call this again with the same arguments: it continues from there\.\n/,
    );
    expect(first.incomplete).toBe(first.text.split('\n')[0]);
    expect(first.text).not.toContain('end of the list');
    expect([first.ids.length, first.next_cursor]).toEqual([20, undefined]);
    expect(years.sandbox.requests().length).toBeLessThanOrEqual(101);

    const second = await answered('list_bookings', week);
    const third = await answered('list_bookings', { ...week, cursor: second.next_cursor });
    expect([...second.ids, ...third.ids]).toEqual(inThisWeek(years.sandbox));
    expect([second.incomplete, third.incomplete, third.next_cursor]).toEqual([undefined, undefined, undefined]);
    // The last page of the first call is read again.
    expect(pagesAsked(years.sandbox)).toBeLessThanOrEqual(104);
  });

  test("a day begins at the host's midnight, in the zone of the account", async () => {
    const { ids } = await answered('list_bookings', { from: '2030-01-03', to: '2030-01-04', status: 'CONFIRMED', limit: 50 });
    const wanted = startingBetween('2030-01-02T23:00:00Z', '2030-01-03T23:00:00Z')
      .filter(({ status }) => status === 'CONFIRMED')
      .sort((a, b) => a.start_time.localeCompare(b.start_time));
    expect(ids).toEqual(wanted.map(({ id }) => id));
    expect(ids.length).toBeGreaterThan(0);
  });
});

describe('a Zap', () => {
  let stage: Stage;
  beforeAll(async () => (stage = { sandbox: years.sandbox, zapier: await startOn(years.sandbox, startSources) }));
  beforeAll(stopClocks);
  afterAll(async () => {
    jest.restoreAllMocks();
    await stage.zapier.stop();
  });

  const part = 'bookings were read in the time for one search, and there are more.';

  /** The ids of upcoming bookings that are not cancelled, soonest first. */
  const toCome = (isWanted: (booking: Booking) => boolean) =>
    years.sandbox
      .bookings()
      .filter((each) => Date.parse(each.start_time) >= years.sandbox.clock.now() && each.status !== 'CANCELLED' && isWanted(each))
      .sort((a, b) => a.start_time.localeCompare(b.start_time))
      .map(({ id }) => id);

  test('a search of all bookings ends in an error if it read a part, where "nothing found", or which one comes first, depends on the rest', async () => {
    const type = { event_type_id: typeNamed(stage, 'Intro Call') };
    const first = await refused(find(stage, 'booking', type), 'AppError', 'Nobody can tell yet which of these bookings comes first', part);
    expect(first.message).toContain('Add an email, a start or a status to the search, or use the ID.');
    expect(pagesAsked(years.sandbox)).toBeLessThanOrEqual(100);
    const none = find(stage, 'booking', { start_time: '2030-01-02T03:07:00Z' });
    await refused(none, 'AppError', 'Nobody can tell yet whether there is such a booking', part, 'Add an email or a status');
  });

  test('a booking that starts when it was asked for is found for certain, and its first field says that not all were read', async () => {
    // Few bookings await approval, so all of them are among those that were read.
    const [waiting = {}] = await find(stage, 'booking', { status: 'PENDING' });
    expect(Object.keys(waiting)).not.toContain('search_note');
    const [found = {}] = await find(stage, 'booking', { start_time: waiting['start_time'] });
    expect([Object.keys(found)[0], found['id']]).toEqual(['search_note', waiting['id']]);
    expect(found['search_note']).toMatch(
      /^This is not the whole answer: only [\d,]+ bookings .* Add an email or a status to the search, or use the ID\.$/,
    );
  });

  test('a search that is read to the end begins with the next booking, whoever has many', async () => {
    for (const [fields, isWanted] of [
      [{ status: 'CONFIRMED' }, ({ status }: Booking) => status === 'CONFIRMED'],
      [{ email: regular }, ({ invitee_email: email }: Booking) => email === regular],
    ] as const) {
      const found = await find(stage, 'booking', fields);
      const expected = toCome(isWanted);
      expect([found.length, found.slice(0, expected.length).map(({ id }) => id)]).toEqual([25, expected.slice(0, 25)]);
    }
  });

  test('find or create creates nothing if it read a part and found nothing there', async () => {
    const raw = introCall(stage, { invitee_email: regular });
    const before = years.sandbox.bookings().length;
    const made = find(stage, 'booking', raw).then(async ([found]) => found ?? book(stage, raw));
    await refused(made, 'AppError', 'Nobody can tell yet whether there is such a booking: only 1,000', 'use a step that only creates');
    expect(years.sandbox.bookings()).toHaveLength(before);
  });
});
