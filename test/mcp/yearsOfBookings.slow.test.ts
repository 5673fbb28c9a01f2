import type { Client } from '@modelcontextprotocol/client';
import { encode } from 'gpt-tokenizer';
import { accounts } from '../../mcp/program.ts';
import { inThisWeek, pagesAsked, thisWeek, withYears, type Years } from '../support/years.ts';
import { call, fastClock, Stage, textOf } from './stage.ts';

/** An agent's call at an account with ten thousand bookings, in no order. */
let years: Years;
let stage: Stage;
let client: Client;
beforeAll(async () => {
  years = await withYears({ order: 'none' });
  stage = await Stage.on(years.sandbox);
  // On a machine with other work, the requests may take longer than a call has time for.
  const now = Date.now();
  const account = accounts(stage.file, false, { ...fastClock, now: () => now });
  client = await stage.served({ hasOutputSchemas: true, account });
});
beforeEach(() => years.sandbox.forgetRequests());
afterAll(async () => {
  await stage.close();
  await years.end();
});

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
    /^This is not the whole answer: only [\d,]+ bookings were read in the time for one search, and there are more\. Call this again with the same arguments: it reads on from there\.\n/,
  );
  expect(first.incomplete).toBe(first.text.split('\n')[0]);
  expect(first.text).not.toContain('end of the list');
  expect([first.ids.length, first.next_cursor]).toEqual([20, undefined]);
  expect(years.sandbox.requests().length).toBeLessThanOrEqual(101);

  const second = await answered('list_bookings', week);
  const third = await answered('list_bookings', { ...week, cursor: second.next_cursor });
  expect([...second.ids, ...third.ids]).toEqual(inThisWeek(years.sandbox));
  expect([second.incomplete, third.incomplete, third.next_cursor]).toEqual([undefined, undefined, undefined]);
  // The page that was read last is read once more.
  expect(pagesAsked(years.sandbox)).toBeLessThanOrEqual(104);
});

test("a day begins at the host's midnight, in the zone of the account", async () => {
  const { ids } = await answered('list_bookings', { from: '2030-01-03', to: '2030-01-04', status: 'CONFIRMED', limit: 50 });
  const [begin, end] = ['2030-01-02T23:00:00Z', '2030-01-03T23:00:00Z'];
  const wanted = years.sandbox
    .bookings()
    .filter(({ start_time, status }) => start_time >= begin && start_time < end && status === 'CONFIRMED')
    .sort((a, b) => a.start_time.localeCompare(b.start_time));
  expect(ids).toEqual(wanted.map(({ id }) => id));
  expect(ids.length).toBeGreaterThan(0);
});
