import { memoryClaims, memoryStore } from '../../sdk/changes/index.ts';
import { claimsKeepTheirPromises } from './stores.ts';

describe('claims in memory', () => {
  claimsKeepTheirPromises(async () => memoryClaims());

  it('know the last change of the 10,000 things that changed last', async () => {
    const claims = memoryClaims();
    const change = async (thing: number): Promise<string> => {
      const claim = await claims.claimLast(String(thing), 'moved');
      if (claim.state === 'mine') await claim.keep();
      return claim.state;
    };
    for (let thing = 0; thing < 10_000; thing += 1) await change(thing);
    expect(await change(0)).toBe('kept');
    // The first thing changes once more, and is then the one that changed last.
    const again = await claims.claimLast('0', 'moved back');
    if (again.state === 'mine') await again.keep();
    expect(await change(10_000)).toBe('mine');
    expect((await claims.claimLast('0', 'moved back')).state).toBe('kept');
    expect([await change(2), await change(10_000), await change(1)]).toEqual(['kept', 'kept', 'mine']);
  });
});

describe('a store in memory', () => {
  it('keeps what was written, until it is deleted', async () => {
    const store = memoryStore('first');
    expect(await store.read()).toBe('first');
    await store.write('next');
    expect(await store.read()).toBe('next');
    await store.delete();
    expect(await store.read()).toBeUndefined();
  });

  it('does its locked work one after the other, even if one fails', async () => {
    const store = memoryStore();
    const order: string[] = [];
    const work = (name: string) => async (): Promise<string> => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} ends`);
      if (name === 'b') throw new Error('as it happens');
      return name;
    };
    const ends = await Promise.allSettled(['a', 'b', 'c'].map((name) => store.withLock(work(name))));
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });
});
