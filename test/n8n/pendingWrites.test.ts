import { pendingWritesHere } from '../../n8n/adapter/pendingWrites.ts';
import { openForMs, type Pending } from '../../shared/api/pendingWrites.ts';
import { testStart } from '../support/service.ts';

let now: number;
const clock = { now: () => now, sleep: async () => undefined, random: () => 0 };
beforeEach(() => {
  now = testStart;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

const pending: Pending = { reason: 'ECONNRESET', sentAt: testStart, waitedMs: 32_000, resent: 0, holds: 0 };
const item = { run: 'run 1', name: '0' };

it('an open write is known to the next try in this process, with what was sent, and no message promises that', async () => {
  const writes = pendingWritesHere();
  expect(await writes.keep({ content: 'nine', item }, pending, { name: 'Ada' }, clock)).toEqual({ isKept: false });
  expect(await writes.recall({ content: 'ten', item }, clock)).toMatchObject({ reason: 'ECONNRESET', content: { name: 'Ada' } });
  expect(await writes.recall({ content: 'nine' }, clock)).toMatchObject({ holds: 1 });
  await writes.forget({ content: 'nine', item });
  expect(await writes.recall({ content: 'nine', item }, clock)).toBeUndefined();
});

it('it is forgotten a day after it was last saved, and never to make room', async () => {
  const writes = pendingWritesHere();
  const known = async (content: string) => (await writes.recall({ content }, clock)) !== undefined;
  await writes.keep({ content: 'first' }, pending, undefined, clock);
  await writes.keep({ content: 'second' }, pending, undefined, clock);
  now += openForMs - 1;
  await writes.keep({ content: 'first' }, pending, undefined, clock);
  for (let index = 0; index < 5_000; index += 1) await writes.keep({ content: `another ${index}` }, pending, undefined, clock);
  expect([await known('first'), await known('second')]).toEqual([true, true]);
  now += 1;
  expect([await known('first'), await known('second')]).toEqual([true, false]);
});

it('an account is busy while a write is open', async () => {
  const writes = pendingWritesHere();
  expect(writes.isBusy).toBe(false);
  await writes.keep({ content: 'one' }, pending, undefined, clock);
  expect(writes.isBusy).toBe(true);
  now += openForMs;
  expect(writes.isBusy).toBe(false);
  await writes.keep({ content: 'two' }, pending, undefined, clock);
  expect(writes.isBusy).toBe(true);
  await writes.forget({ content: 'two' });
  expect(writes.isBusy).toBe(false);
});
