import { encode } from 'gpt-tokenizer';
import { Stage } from './stage.ts';

const aDay = 86_400_000;

let stage: Stage;
beforeAll(async () => void (stage = await Stage.open()));
afterAll(() => stage.close());

const textOf = ({ content }: { content?: unknown }): string => (content as { text: string }[]).map(({ text }) => text).join('\n');

test('"what is on this week" among 300 bookings costs one call and at most 3,000 tokens, soonest first, with the time that it is now', async () => {
  const { sandbox } = stage;
  const now = sandbox.clock.now();
  for (let day = 30; sandbox.bookings().length < 300; day += 1)
    for (const hour of [8, 9, 10, 11, 13, 14, 15, 16])
      sandbox.host.book({ start_time: new Date(Math.ceil(now / aDay) * aDay + day * aDay + hour * 3_600_000).toISOString() });
  const window = { from: new Date(now).toISOString(), to: new Date(now + 7 * aDay).toISOString() };
  const agent = await stage.served();
  const told = await agent.callTool({ name: 'list_bookings', arguments: { ...window, upcoming: true, limit: 50 } });
  const { records } = told.structuredContent as { records: { id: string; start_time: string }[] };
  const wanted = sandbox
    .bookings()
    .filter(({ start_time, status }) => start_time >= window.from && start_time < window.to && status !== 'CANCELLED')
    .sort((a, b) => a.start_time.localeCompare(b.start_time));
  expect(records.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
  expect(records.length).toBeGreaterThan(3);
  expect(textOf(told)).toMatch(/It is now \w+day, 20\S+ \(Europe\/Madrid\)\./);
  expect(encode(textOf(told)).length).toBeLessThan(3_000);
});

test('the times that are taken in the same week cost at most 1,000 tokens, with their zone, and what is not known', async () => {
  const now = stage.sandbox.clock.now();
  const window = { from: new Date(now).toISOString(), to: new Date(now + 7 * aDay).toISOString() };
  const agent = await stage.served();
  const told = await agent.callTool({ name: 'get_busy_times', arguments: window });
  const { records } = told.structuredContent as { records: { weekday: string; timezone: string; booking_count: number }[] };
  expect(records.length).toBeGreaterThan(3);
  expect(new Set(records.map(({ timezone }) => timezone))).toEqual(new Set(['Europe/Madrid']));
  expect(textOf(told)).toMatch(/\d+ bookings are in this window, of 30\d that were read\.[^]*not certainly free\.\nIt is now \w+day/);
  expect(textOf(told)).not.toContain('Their ids');
  expect(encode(textOf(told)).length).toBeLessThan(1_000);
});

test('the account says what time it is, and so does a refusal about a time; a start that has passed is refused unsent', async () => {
  const agent = await stage.served();
  expect(textOf(await agent.callTool({ name: 'get_current_user', arguments: {} }))).toMatch(/It is now \w+day/);
  const sent = stage.sandbox.requests().length;
  for (const start_time of ['2020-01-01T09:00:00Z', '2020-01-01T09:00', new Date(stage.sandbox.clock.now() - 3_600_000).toISOString()]) {
    const told = textOf(await agent.callTool({ name: 'create_booking', arguments: { ...stage.wanted, start_time } }));
    expect(told).toMatch(/start_time \S+ has passed: nothing was sent\. Ask for a time in the future\.[^]*It is now \w+day/);
  }
  expect(stage.sandbox.requests()).toHaveLength(sent);
  const refused = await agent.callTool({ name: 'list_bookings', arguments: { from: 'Monday' } });
  expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringMatching(/^"from" is not a date .*\nIt is now \w+day/s)]);
});
