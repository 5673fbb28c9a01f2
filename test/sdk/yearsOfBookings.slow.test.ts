import { runProgram } from '../../sdk/cli/program.ts';
import { createClient } from '../../sdk/index.ts';
import { inThisWeek, pagesAsked, thisWeek, withYears, type Years } from '../support/years.ts';

/** The package at an account with ten thousand bookings, in no order. */
let years: Years;
beforeAll(async () => (years = await withYears({ order: 'none' })));
beforeEach(() => years.sandbox.forgetRequests());
afterAll(() => years.end());

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
  const [begin, end] = ['2030-01-02T23:00:00Z', '2030-01-03T23:00:00Z'];
  const count = years.sandbox.bookings().filter(({ start_time: start }) => start >= begin && start < end).length;
  expect([code, JSON.parse(printed.join('')), said[0]]).toMatchObject([0, { length: count }, '100 requests so far; Ctrl-C stops this.']);
  expect(pagesAsked(years.sandbox)).toBeLessThanOrEqual(103);
});
