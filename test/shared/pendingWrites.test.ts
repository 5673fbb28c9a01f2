import { memoryStore, PendingWrites } from '../../shared/writes/index.ts';
import type { Clock } from '../../shared/client/ports.ts';

const day = 24 * 60 * 60 * 1000;
const hour = 60 * 60 * 1000;
let now: number;
const clock: Clock = { now: () => now, sleep: () => Promise.resolve(), random: () => 0.5 };
beforeEach(() => (now = Date.UTC(2059, 0, 1)));

const pendingAt = (at: number) => ({ reason: 'No answer.', sentAfter: at, sentBefore: at, holds: 0 });
const open = () => new PendingWrites(memoryStore(() => now, 'Try again.'));
const [first, second] = [
  { content: 'booking 1', item: 'run 1 item 0' },
  { content: 'booking 2', item: undefined },
];

it('a write is pending for a day under its item and its content, and then leaves nothing behind', async () => {
  const writes = open();
  expect(await writes.keep(first, pendingAt(now), { notes: 'a' })).toBe(true);
  now += hour;
  expect(await writes.keep(second, pendingAt(now), { notes: 'b' })).toBe(true);
  now += day - hour;
  expect(await writes.recall({ content: 'other', item: first.item }, clock)).toMatchObject({ content: { notes: 'a' } });
  expect(await writes.recall({ content: first.content, item: undefined }, clock)).toMatchObject({ content: { notes: 'a' } });
  expect(await writes.recall({ content: second.content, item: first.item }, clock)).toMatchObject({ content: { notes: 'a' } });
  now += 1;
  expect([await writes.recall(first, clock), writes.isBusy]).toEqual([undefined, true]);
  expect(await writes.recall(second, clock)).toMatchObject({ content: { notes: 'b' } });
  await writes.forget(second);
  expect([await writes.recall(second, clock), writes.isBusy]).toEqual([undefined, false]);
});

it('a write that is kept again is pending for a day from then, and nothing else lasts longer for it', async () => {
  const writes = open();
  await writes.keep(first, pendingAt(now), {});
  await writes.keep(second, pendingAt(now), {});
  now += hour;
  await writes.keep(first, pendingAt(now), {});
  now += day - hour;
  expect(await writes.recall(second, clock)).toBeDefined();
  now += hour - 1;
  expect([(await writes.recall(first, clock)) !== undefined, writes.isBusy]).toEqual([true, true]);
  now += 1;
  expect(writes.isBusy).toBe(false);
});

it('without a key nothing is kept, and the next try will not find it', async () => {
  const writes = open();
  expect([await writes.keep(undefined, pendingAt(now), {}), await writes.recall(undefined, clock), writes.isBusy]).toEqual([
    false,
    undefined,
    false,
  ]);
});

it.each([
  undefined,
  null,
  'text',
  {},
  { pending: null },
  { pending: 'text' },
  { pending: { ...pendingAt(Date.UTC(2059, 0, 1)), reason: 1 } },
  ...['sentAfter', 'sentBefore', 'holds'].map((name) => ({ pending: { ...pendingAt(Date.UTC(2059, 0, 1)), [name]: 'x' } })),
])('what a store holds in another form counts as absent: %j', async (value) => {
  const store = memoryStore(() => now, '');
  await store.set('booking 2', value);
  expect(await new PendingWrites(store).recall(second, clock)).toBeUndefined();
});

it('a record belongs to the write that made it for an hour', async () => {
  const writes = open();
  const assigned = () => Promise.all(['bkg_1', 'bkg_2', 'bkg_3'].map((id) => writes.isAssigned(id)));
  await writes.assign('bkg_1', 'a write', clock);
  now += hour;
  await writes.assign('bkg_2', 'a write', clock);
  expect(await assigned()).toEqual([true, true, false]);
  // Its own later try must find it: the process may have ended before anybody was told.
  expect(await Promise.all(['a write', 'another'].map((by) => writes.isAssigned('bkg_1', by)))).toEqual([false, true]);
  now += 1;
  await writes.assign('bkg_3', 'a write', clock);
  expect(await assigned()).toEqual([false, true, true]);
});

it('a record that one process assigns belongs to it for all that share its coordination; if that cannot be said, nothing fails', async () => {
  const { store, coordination } = open();
  const [one, other] = [new PendingWrites(store, coordination), new PendingWrites(store, coordination)];
  await one.assign('bkg_1', 'a write', clock);
  expect(await other.isAssigned('bkg_1')).toBe(true);
  coordination.assign = () => Promise.reject(new Error('down'));
  await one.assign('bkg_2', 'a write', clock);
});

it('writes with one key run one after another, also after one that failed; one that was given up while it waited does not run', async () => {
  const writes = open();
  const ran: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string, key: string, by = clock) =>
    writes.coordination.run(key, by, async () => {
      ran.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      if (name === 'fails') throw new Error('failed');
    });
  const givenUp: Clock = { ...clock, sleep: () => Promise.reject(new Error('given up')) };
  const all = [run('fails', 'a'), run('never', 'a', givenUp), run('last', 'a'), run('other', 'b')];
  const settled = Promise.allSettled(all);
  expect(ran).toEqual(['fails', 'other']);
  ends.get('other')?.();
  ends.get('fails')?.();
  await Promise.allSettled(all.slice(0, 2));
  await new Promise(setImmediate);
  expect([ran, writes.isBusy]).toEqual([['fails', 'other', 'last'], true]);
  ends.get('last')?.();
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled']);
  expect(writes.isBusy).toBe(false);
});
