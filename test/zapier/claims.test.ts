import type { ZObject } from 'zapier-platform-core';
import { claim, release } from '../../zapier/adapter/claims.ts';

/** Zapier's store, with the answer that a refused "set if absent" gives: what it is stands in no document. */
function storeThatRefusesWith(refusal: boolean | null | undefined) {
  const kept = new Map<string, unknown>();
  const log: string[] = [];
  const cache = {
    get: async (key: string) => kept.get(key) ?? null,
    set: async (key: string, value: unknown, _seconds: number, _scope: unknown, onlyIfAbsent: boolean) => {
      if (onlyIfAbsent && kept.has(key)) return refusal;
      kept.set(key, value);
      return true;
    },
    delete: async (key: string) => kept.delete(key),
  };
  const z = { cache, console: { log: (line: string) => log.push(line) } } as unknown as ZObject;
  return { z, kept, log, cache };
}

test.each([false, null, undefined])('of two that claim a delivery one gets it, when the store refuses with %s', async (refusal) => {
  const { z } = storeThatRefusesWith(refusal);
  expect(await claim(z, ['sub_1:dlv_1', 'sub_1:hash'])).toBe(true);
  expect(await claim(z, ['sub_1:dlv_1', 'sub_1:hash'])).toBe(false);
  expect(await claim(z, ['sub_1:dlv_2', 'sub_1:hash'])).toBe(false);
  expect(await claim(z, ['sub_2:dlv_1', 'sub_2:hash'])).toBe(true);
});

test('a store that answers nothing to a successful "set if absent" loses no delivery', async () => {
  const { z, cache } = storeThatRefusesWith(null);
  const set = cache.set;
  cache.set = async (...args) => {
    await set(...args);
    return null;
  };
  expect(await claim(z, ['sub_1:dlv_1'])).toBe(true);
  expect(await claim(z, ['sub_1:dlv_1'])).toBe(false);
});

test('a key that was forgotten between the two questions passes the delivery on', async () => {
  const { z, kept, cache } = storeThatRefusesWith(null);
  await claim(z, ['sub_1:dlv_1']);
  cache.get = async () => {
    kept.clear();
    return null;
  };
  expect(await claim(z, ['sub_1:dlv_1'])).toBe(true);
});

test('a delivery is remembered for a day', async () => {
  const { z, cache } = storeThatRefusesWith(null);
  const set = jest.spyOn(cache, 'set');
  await claim(z, ['sub_1:dlv_1']);
  expect(set).toHaveBeenCalledWith('sub_1:dlv_1', expect.any(String), 86_400, undefined, true);
});

test('a delivery without any key passes', async () => {
  expect(await claim(storeThatRefusesWith(null).z, [])).toBe(true);
});

test('a store that cannot be asked passes the delivery on, and says so', async () => {
  const { z, log, cache } = storeThatRefusesWith(null);
  cache.set = async () => Promise.reject(new Error('RPC request failed'));
  expect(await claim(z, ['sub_1:dlv_1'])).toBe(true);
  expect(log).toEqual([expect.stringContaining('RPC request failed')]);
});

test('a claim that was given back is free again; where it cannot be given back, the log says so', async () => {
  const { z, log, cache } = storeThatRefusesWith(null);
  expect(await claim(z, ['refresh'], 60)).toBe(true);
  expect(await claim(z, ['refresh'], 60)).toBe(false);
  await release(z, 'refresh');
  expect(await claim(z, ['refresh'], 60)).toBe(true);
  cache.delete = async () => Promise.reject(new Error('RPC request failed'));
  await release(z, 'refresh');
  expect(log).toEqual([expect.stringContaining('RPC request failed')]);
});
