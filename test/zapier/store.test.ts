import type { ZObject } from 'zapier-platform-core';
import { brand } from '../../shared/brand.ts';
import { claim, claimDelivery, pendingWritesOf, release } from '../../zapier/adapter/store.ts';

/** Zapier's store with its scopes. The return value of a refused "set if absent" is not documented. Like the platform, it refuses a value with an undefined field. */
function storeThatRefusesWith(refusal: boolean | null | undefined) {
  const kept = new Map<string, unknown>();
  const log: string[] = [];
  const named = (key: string, scope: string[] = []) => [key, ...scope].join(' of ');
  const cache = {
    get: async (key: string, scope?: string[]): Promise<unknown> => kept.get(named(key, scope)) ?? null,
    set: async (key: string, value: unknown, _seconds: number, scope?: string[], onlyIfAbsent?: boolean): Promise<unknown> => {
      if (Object.values(Object(value) as object).includes(undefined)) throw new TypeError('A value is undefined');
      if (onlyIfAbsent === true && kept.has(named(key, scope))) return refusal;
      kept.set(named(key, scope), structuredClone(value));
      return true;
    },
    delete: async (key: string, scope?: string[]) => kept.delete(named(key, scope)),
  };
  const z = { cache, console: { log: (line: string) => log.push(line) } } as unknown as ZObject;
  return { z, kept, log, cache };
}

const failing = async () => Promise.reject(new Error('RPC request failed'));

describe('a claim', () => {
  test.each([false, null, undefined])(
    'of a delivery is granted to one of two, for a day and its connection, if the store refuses with %s',
    async (refusal) => {
      const { z, kept, cache } = storeThatRefusesWith(refusal);
      const set = jest.spyOn(cache, 'set');
      expect([await claimDelivery(z, ['one']), await claimDelivery(z, ['one'])]).toEqual([true, false]);
      expect(await claimDelivery(z, ['another'])).toBe(true);
      expect(set).toHaveBeenCalledWith('one', expect.any(String), 86_400, ['auth'], true);
      expect([...kept.keys()]).toEqual(['one of auth', 'another of auth']);
    },
  );

  test.each([null, undefined])('whose key was forgotten between the two requests is granted, if none is %s', async (none) => {
    const { z, cache } = storeThatRefusesWith(null);
    await claimDelivery(z, ['one']);
    cache.get = async () => none;
    expect(await claimDelivery(z, ['one'])).toBe(true);
  });

  test('that is refused leaves nothing behind: the keys it asked for before are free', async () => {
    const { z, kept, cache } = storeThatRefusesWith(null);
    const [asked, deleted] = [jest.spyOn(cache, 'get'), jest.spyOn(cache, 'delete')];
    expect(await claim(z, ['second'], 60)).toBe(true);
    // A claim that was clearly granted is not checked again.
    expect(asked).not.toHaveBeenCalled();
    expect(await claim(z, ['first', 'second', 'third'], 60)).toBe(false);
    expect(deleted.mock.calls.map(([key]) => key)).toEqual(['first']);
    expect([...kept.keys()]).toEqual(['second']);
  });

  test('passes the delivery on if the store cannot be reached, and says so', async () => {
    const { z, log, cache } = storeThatRefusesWith(null);
    cache.set = failing;
    expect(await claimDelivery(z, ['one'])).toBe(true);
    expect(log).toEqual([expect.stringContaining('RPC request failed')]);
  });

  test('that was released is free again; if it cannot be released, the log says so', async () => {
    const { z, log, cache } = storeThatRefusesWith(null);
    expect([await claim(z, ['refresh'], 60), await claim(z, ['refresh'], 60)]).toEqual([true, false]);
    await release(z, 'refresh');
    expect(await claim(z, ['refresh'], 60)).toBe(true);
    cache.delete = failing;
    await release(z, 'refresh');
    expect(log).toEqual([expect.stringContaining('RPC request failed')]);
  });
});

describe('a pending write', () => {
  const start = Date.parse('2030-01-02T08:00:00Z');
  const clock = { now: () => start, sleep: async () => undefined, random: () => 0 };
  const pending = { reason: 'No calendar for Ada', sentAfter: start, sentBefore: start, serviceSentBefore: undefined, holds: 0 };
  const keys = { content: 'create evt_1 2030-01-31 ada@example.com' };

  test('is saved only for its connection, for a day, under a hash and encrypted', async () => {
    const { z, kept, cache } = storeThatRefusesWith(null);
    const set = jest.spyOn(cache, 'set');
    const writes = pendingWritesOf(z);
    expect(await writes.keep(keys, pending, { name: 'Ada' })).toBe(true);
    const hashed = expect.stringMatching(new RegExp(`^${brand.slug}-pending-[0-9a-f]{64}$`)) as string;
    expect(set.mock.calls).toEqual([[hashed, expect.anything(), 86_400, ['auth']]]);
    expect(JSON.stringify([...kept])).not.toMatch(/ada@|Ada|evt_1/);
    const known = { reason: pending.reason, sentAfter: start, sentBefore: start, holds: 0 };
    expect(await pendingWritesOf(z).recall(keys, clock)).toEqual({ pending: known, content: { name: 'Ada' } });
    const [[name, text] = ['', '']] = kept as Iterable<[string, string]>;
    kept.set(name, text.replace(/^.../, 'AAA'));
    expect(await writes.recall(keys, clock)).toBeUndefined();
    expect(await writes.recall({ content: 'another' }, clock)).toBeUndefined();
    await writes.forget(keys);
    expect(kept.size).toBe(0);
  });

  test.each([null, 'text'])('is not relied on if the store accepts it and returns %j', async (returned) => {
    const { z, cache } = storeThatRefusesWith(null);
    cache.get = async () => returned;
    expect(await pendingWritesOf(z).keep(keys, pending, undefined)).toBe(false);
  });

  test.each(['get', 'set', 'delete'] as const)(
    'ends no step if the %s of the store fails, whatever is there, and the log says so',
    async (broken) => {
      const { z, cache, log } = storeThatRefusesWith(null);
      const writes = pendingWritesOf(z);
      await writes.keep(keys, pending, undefined);
      cache[broken] = failing;
      expect(await writes.keep(keys, pending, undefined)).toBe(broken === 'delete');
      expect((await writes.recall(keys, clock)) === undefined).toBe(broken === 'get');
      await writes.forget(keys);
      expect(new Set(log)).toEqual(new Set(['Could not look up what earlier runs left open (RPC request failed).']));
    },
  );
});
