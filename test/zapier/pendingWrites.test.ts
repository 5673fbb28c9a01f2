import type { ZObject } from 'zapier-platform-core';
import { brand } from '../../shared/brand.ts';
import { pendingWritesOf } from '../../zapier/adapter/pendingWrites.ts';

const start = Date.parse('2030-01-02T08:00:00Z');
const clock = { now: () => start, sleep: async () => undefined, random: () => 0 };
const pending = { reason: 'No calendar for Ada', sentAfter: start, sentBefore: start, serviceSentBefore: undefined, holds: 0 };
const keys = { content: 'create evt_1 2030-01-31 ada@example.com' };

/** Zapier's store with its scopes. Like the platform, it refuses a value with an undefined field. */
function connection() {
  const kept = new Map<string, unknown>();
  const log: string[] = [];
  const calls: unknown[][] = [];
  const named = (key: string, scope: string[]) => `${key} of ${scope.join()}`;
  const cache = {
    get: async (key: string, scope: string[]) => kept.get(named(key, scope)) ?? null,
    set: async (key: string, value: object, seconds: number, scope: string[]) => {
      calls.push([key, seconds, scope]);
      if (Object.values(value).includes(undefined)) throw new TypeError('A value is undefined');
      kept.set(named(key, scope), structuredClone(value));
      return true;
    },
    delete: async (key: string, scope: string[]) => kept.delete(named(key, scope)),
  };
  return {
    kept,
    log,
    calls,
    cache,
    writes: pendingWritesOf({ cache, console: { log: (line: string) => log.push(line) } } as unknown as ZObject),
  };
}

test('a pending write is saved only for its connection, for a day, under a hash and without what was sent', async () => {
  const { kept, calls, writes } = connection();
  expect(await writes.keep(keys, pending, { name: 'Ada' })).toBe(true);
  expect(calls).toEqual([[expect.stringMatching(new RegExp(`^${brand.slug}-pending-[0-9a-f]{64}$`)) as string, 86_400, ['auth']]]);
  expect(JSON.stringify([...kept])).not.toMatch(/ada@|Ada|evt_1/);
  expect(await writes.recall(keys, clock)).toEqual({ pending: { reason: '', sentAfter: start, sentBefore: start, holds: 0 } });
  expect(await writes.recall({ content: 'another' }, clock)).toBeUndefined();
  await writes.forget(keys);
  expect(kept.size).toBe(0);
});

test('a store that accepts a value and does not return it is not relied on', async () => {
  const { cache, writes } = connection();
  cache.get = async () => null;
  expect(await writes.keep(keys, pending, undefined)).toBe(false);
  cache.get = async () => 'text';
  expect(await writes.keep(keys, pending, undefined)).toBe(false);
});

test.each(['get', 'set', 'delete'] as const)('a store whose %s fails ends no step, and the log says so', async (broken) => {
  const { cache, log, writes } = connection();
  cache[broken] = async () => Promise.reject(new Error('RPC request failed'));
  expect(await writes.keep(keys, pending, undefined)).toBe(broken === 'delete');
  if (broken !== 'delete') expect(await writes.recall(keys, clock)).toBeUndefined();
  await writes.forget(keys);
  expect(log.length).toBeGreaterThan(0);
  for (const line of log) expect(line).toBe('Could not look up what earlier runs left open (RPC request failed).');
});

test('a set that fails does not read the value back, whatever is there', async () => {
  const { cache, kept, writes } = connection();
  await writes.keep(keys, pending, undefined);
  cache.set = async () => Promise.reject(new Error('RPC request failed'));
  expect(kept.size).toBe(1);
  expect(await writes.keep(keys, pending, undefined)).toBe(false);
});
