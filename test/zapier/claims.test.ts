import type { ZObject } from 'zapier-platform-core';
import { claim, claimDelivery, release } from '../../zapier/adapter/claims.ts';

/** Zapier's store, with the return value of a refused "set if absent", which is not documented. */
function storeThatRefusesWith(refusal: boolean | null | undefined) {
  const kept = new Map<string, unknown>();
  const log: string[] = [];
  const named = (key: string, scope: string[] = []) => [key, ...scope].join(' of ');
  const cache = {
    get: async (key: string, scope?: string[]): Promise<unknown> => kept.get(named(key, scope)) ?? null,
    set: async (key: string, value: unknown, _seconds: number, scope: string[] | undefined, onlyIfAbsent: boolean) => {
      if (onlyIfAbsent && kept.has(named(key, scope))) return refusal;
      kept.set(named(key, scope), value);
      return true;
    },
    delete: async (key: string, scope?: string[]) => kept.delete(named(key, scope)),
  };
  const z = { cache, console: { log: (line: string) => log.push(line) } } as unknown as ZObject;
  return { z, kept, log, cache };
}

test.each([false, null, undefined])('of two that claim a delivery one gets it, if the store refuses with %s', async (refusal) => {
  const { z } = storeThatRefusesWith(refusal);
  expect(await claimDelivery(z, ['one'])).toBe(true);
  expect(await claimDelivery(z, ['one'])).toBe(false);
  expect(await claimDelivery(z, ['another'])).toBe(true);
});

test('a store that returns nothing for a successful "set if absent" loses no delivery', async () => {
  const { z, cache } = storeThatRefusesWith(null);
  const set = cache.set;
  cache.set = async (...args) => {
    await set(...args);
    return null;
  };
  expect(await claimDelivery(z, ['one'])).toBe(true);
  expect(await claimDelivery(z, ['one'])).toBe(false);
});

test.each([null, undefined])('a key that was forgotten between the two requests passes the delivery on, if none is %s', async (none) => {
  const { z, kept, cache } = storeThatRefusesWith(null);
  await claimDelivery(z, ['one']);
  cache.get = async () => {
    kept.clear();
    return none;
  };
  expect(await claimDelivery(z, ['one'])).toBe(true);
});

test.each([false, null])(
  'a claim that is refused (with %s) leaves nothing behind: the keys it asked for before are free',
  async (refusal) => {
    const { z, kept, cache } = storeThatRefusesWith(refusal);
    const [asked, deleted] = [jest.spyOn(cache, 'get'), jest.spyOn(cache, 'delete')];
    expect(await claim(z, ['second'])).toBe(true);
    // A claim that was clearly granted is not checked again.
    expect(asked).not.toHaveBeenCalled();
    expect(await claim(z, ['first', 'second', 'third'])).toBe(false);
    expect(deleted.mock.calls.map(([key]) => key)).toEqual(['first']);
    expect([...kept.keys()]).toEqual(['second']);
    expect(await claim(z, ['first', 'third'])).toBe(true);
  },
);

test('a delivery is remembered for a day, only for its connection', async () => {
  const { z, cache, kept } = storeThatRefusesWith(null);
  const set = jest.spyOn(cache, 'set');
  await claimDelivery(z, ['one']);
  expect(set).toHaveBeenCalledWith('one', expect.any(String), 86_400, ['auth'], true);
  expect([...kept.keys()]).toEqual(['one of auth']);
});

test('a delivery without any key passes', async () => {
  expect(await claimDelivery(storeThatRefusesWith(null).z, [])).toBe(true);
});

test('a store that cannot be reached passes the delivery on, and says so', async () => {
  const { z, log, cache } = storeThatRefusesWith(null);
  cache.set = async () => Promise.reject(new Error('RPC request failed'));
  expect(await claimDelivery(z, ['one'])).toBe(true);
  expect(log).toEqual([expect.stringContaining('RPC request failed')]);
});

test('a claim that was released is free again; if it cannot be released, the log says so', async () => {
  const { z, log, cache } = storeThatRefusesWith(null);
  expect(await claim(z, ['refresh'], 60)).toBe(true);
  expect(await claim(z, ['refresh'], 60)).toBe(false);
  await release(z, 'refresh');
  expect(await claim(z, ['refresh'], 60)).toBe(true);
  cache.delete = async () => Promise.reject(new Error('RPC request failed'));
  await release(z, 'refresh');
  expect(log).toEqual([expect.stringContaining('RPC request failed')]);
});
