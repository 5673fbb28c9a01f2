import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeClaims, Claim, Claims, SqlOptions, SqlStores } from '../../sdk/stores/index.ts';

/** Stands for one process. Two calls with the same database give two that know nothing of each other. */
type OpenStores = (options?: SqlOptions) => Promise<SqlStores>;

const mine = (claim: Claim): Extract<Claim, { state: 'mine' }> => {
  if (claim.state !== 'mine') throw new Error(`The delivery is ${claim.state}.`);
  return claim;
};
const states = async (claims: Claims, key: string, times: number): Promise<string[]> =>
  (await Promise.all(Array.from({ length: times }, async () => await claims.claim(key)))).map(({ state }) => state).sort();

/** What every place for claims promises. */
export function claimsKeepTheirPromises(open: () => Promise<ChangeClaims>): void {
  let claims: ChangeClaims;
  beforeAll(async () => (claims = await open()));

  it('of fifty that claim a delivery at once, one gets it; what was kept stays kept, what was released is free for one', async () => {
    expect(await states(claims, randomUUID(), 50)).toEqual([...Array<string>(49).fill('busy'), 'mine']);
    const [kept, released] = [randomUUID(), randomUUID()];
    await mine(await claims.claim(kept)).keep();
    await mine(await claims.claim(released)).release();
    expect(await states(claims, kept, 2)).toEqual(['kept', 'kept']);
    expect(await states(claims, released, 2)).toEqual(['busy', 'mine']);
  });

  describe('for events that happen to one thing repeatedly', () => {
    const change = async (thing: string, key: string): Promise<string> => {
      const claim = await claims.claimLast(thing, key);
      if (claim.state === 'mine') await claim.keep();
      return claim.state;
    };

    it('the last change is recognised, and a change there, back and there again counts as three', async () => {
      const thing = randomUUID();
      const states = [];
      for (const key of ['there', 'there', 'back', 'there', 'there']) states.push(await change(thing, key));
      expect(states).toEqual(['mine', 'kept', 'mine', 'mine', 'kept']);
      expect(await change(randomUUID(), 'there')).toBe('mine');
    });

    it('one of fifty gets it, for the first change and for the next', async () => {
      const thing = randomUUID();
      for (const key of ['first', 'next']) {
        const all = await Promise.all(Array.from({ length: 50 }, async () => await claims.claimLast(thing, key)));
        expect(all.map(({ state }) => state).sort()).toEqual([...Array<string>(49).fill('busy'), 'mine']);
        for (const claim of all) if (claim.state === 'mine') await claim.keep();
      }
    });

    it('a caller whose knowledge is older than the kept change is told to wait, unless it is the same change', async () => {
      const thing = randomUUID();
      expect(await change(thing, 'told')).toBe('mine');
      expect((await claims.claimLast(thing, 'read before', 60_000)).state).toBe('busy');
      expect((await claims.claimLast(thing, 'told', 60_000)).state).toBe('kept');
      await mine(await claims.claimLast(thing, 'read afterwards', 0)).release();
      await mine(await claims.claimLast(thing, 'delivered')).release();
    });

    it('a change that is released leaves the change before it known', async () => {
      const thing = randomUUID();
      expect(await change(thing, 'first')).toBe('mine');
      await mine(await claims.claimLast(thing, 'next')).release();
      expect(await change(thing, 'first')).toBe('kept');
      expect(await change(thing, 'next')).toBe('mine');
    });
  });
}

/** What a database promises in addition: to every process, and after the death of one. */
export function storesKeepTheirPromises(open: OpenStores): void {
  claimsKeepTheirPromises(async () => (await open()).claims);

  it('two processes share their claims, create their tables at the same time, and forget what was handled after its days', async () => {
    let now = Date.parse('2030-01-02T08:00:00Z');
    const options = { prefix: `made_${randomUUID().slice(0, 8)}`, now: () => now, keepDays: 2 };
    const [one, other] = [await open(options), await open(options)];
    const both = await Promise.all([one.claims.claim('key'), other.claims.claim('key')]);
    expect(both.map(({ state }) => state).sort()).toEqual(['busy', 'mine']);
    for (const claim of both) if (claim.state === 'mine') await claim.keep();
    now += 47 * 3_600_000;
    expect((await other.claims.claim('key')).state).toBe('kept');
    now += 2 * 3_600_000;
    await mine(await other.claims.claim('key')).release();
  });

  describe('a process that works on a delivery', () => {
    let now: number;
    const later = (seconds: number): void => {
      now += seconds * 1000;
      jest.advanceTimersByTime(seconds * 1000);
    };
    beforeEach(() => {
      now = Date.parse('2030-01-02T08:00:00Z');
      // Only what repeats: drivers wait, too.
      jest.useFakeTimers({
        doNotFake: ['Date', 'performance', 'queueMicrotask', 'nextTick', 'setImmediate', 'setTimeout', 'clearTimeout'],
      });
    });
    afterEach(() => jest.useRealTimers());

    it('keeps it until it has finished, however long that takes', async () => {
      const { claims } = await open({ now: () => now, leaseSeconds: 60 });
      const key = randomUUID();
      const claim = mine(await claims.claim(key));
      for (let minutes = 0; minutes < 2; minutes += 0.5) {
        expect((await claims.claim(key)).state).toBe('busy');
        later(30);
        // What extends the claim is on its way to the database.
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
      await claim.release();
      await mine(await claims.claim(key)).keep();
      expect(jest.getTimerCount()).toBe(0);
    });

    it('loses it after its time if it dies or is stopped, and then takes nothing from its successor', async () => {
      const [stopped, next] = [await open({ now: () => now, leaseSeconds: 60 }), await open({ now: () => now, leaseSeconds: 60 })];
      const key = randomUUID();
      const claim = mine(await stopped.claims.claim(key));
      now += 59_000;
      expect((await next.claims.claim(key)).state).toBe('busy');
      now += 2_000;
      const taken = mine(await next.claims.claim(key));
      later(20);
      await claim.release();
      expect((await stopped.claims.claim(key)).state).toBe('busy');
      await taken.keep();
      later(20);
      expect((await stopped.claims.claim(key)).state).toBe('kept');
    });
  });

  it('keeps tokens and subscriptions for the next start, and distinguishes names', async () => {
    const { tokens, subscription } = await open();
    await tokens('ada').write({ access_token: 'a1', refresh_token: 'r1', expires_in: 3600, scope: 'bookings:read' });
    await tokens('ada').write({ access_token: 'a2', refresh_token: "r'2", connection: 'c' });
    await subscription('ada').write({ id: 'sub_1', signing_secret: 'whsec_ü' });
    const later = await open();
    // Which connection they belong to as well: what was begun with another one is not continued with them.
    expect(await later.tokens('ada').read()).toEqual({ access_token: 'a2', refresh_token: "r'2", connection: 'c' });
    expect(await later.subscription('ada').read()).toEqual({ id: 'sub_1', signing_secret: 'whsec_ü' });
    expect([await later.tokens().read(), await later.subscription().read()]).toEqual([undefined, undefined]);
    await later.tokens('ada').delete();
    expect(await tokens('ada').read()).toBeUndefined();
  });

  it('two processes do their locked work one after the other, even if one fails', async () => {
    const [one, other] = [await open(), await open()];
    let inside = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      expect(inside).toBe(1);
      await sleep(5);
      inside -= 1;
    };
    const name = randomUUID();
    const fails = one.tokens(name).withLock(() => Promise.reject(new Error('as it happens')));
    await expect(fails).rejects.toThrow('as it happens');
    await Promise.all([one, other, one, other].map((stores) => stores.tokens(name).withLock(work)));
    expect(inside).toBe(0);
  });
}
