import { afterEach, describe, expect, it } from '@jest/globals';
import { realClock, virtualClock } from '../../sandbox/service.ts';
import { caller, send, start, stopAll } from './support.ts';

afterEach(stopAll);

describe('the virtual clock', () => {
  it('stands still until it is advanced, and wakes sleepers in order at their own times', async () => {
    const clock = virtualClock(1000);
    const woken: [string, number][] = [];
    const sleep = async (name: string, ms: number) => {
      await clock.sleep(ms);
      woken.push([name, clock.now()]);
    };
    void sleep('late', 500);
    void sleep('early', 100).then(() => sleep('chained', 100));
    void sleep('never', 9000);
    expect(clock.now()).toBe(1000);
    await clock.advance(99);
    expect(woken).toEqual([]);
    await clock.advance(901);
    expect(woken).toEqual([
      ['early', 1100],
      ['chained', 1200],
      ['late', 1500],
    ]);
    expect(clock.now()).toBe(2000);
  });
});

describe.each([
  ['the virtual clock', virtualClock],
  ['the real clock', realClock],
])('%s', (_name, make) => {
  it('ends a sleep early when the signal aborts', async () => {
    const stop = new AbortController();
    const sleeping = make().sleep(1_000_000, stop.signal);
    stop.abort();
    await expect(sleeping).resolves.toBeUndefined();
    await expect(make().sleep(1_000_000, stop.signal)).resolves.toBeUndefined();
  });

  it('can be advanced past a sleep', async () => {
    const clock = make();
    const before = clock.now();
    const sleeping = clock.sleep(1_000_000);
    await clock.advance(1_000_000);
    await sleeping;
    expect(clock.now()).toBeGreaterThanOrEqual(before + 1_000_000);
  });
});

describe('the real clock', () => {
  it('sleeps in real time', async () => {
    const clock = realClock();
    const before = Date.now();
    await clock.sleep(30);
    expect(Date.now() - before).toBeGreaterThanOrEqual(25);
  });

  it('does not sleep if the time has already come, and Node has nothing to warn about', async () => {
    const warned: string[] = [];
    const note = ({ name }: Error): void => void warned.push(name);
    process.on('warning', note);
    await realClock().sleep(-1000);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(warned).toEqual([]);
  });
});

describe('the header Date', () => {
  it("shows the sandbox's time: in an answer, a refusal, a page, an answer that a fault spoils, and in this process", async () => {
    const clock = virtualClock(Date.UTC(2031, 4, 6, 7, 8, 9));
    const sandbox = await start({ clock });
    const call = caller(sandbox);
    const told = async (method: string, path: string) => (await call(method, path)).headers.get('date');
    expect(await told('GET', '/me')).toBe('Tue, 06 May 2031 07:08:09 GMT');
    await clock.advance(60_000);
    const later = 'Tue, 06 May 2031 07:09:09 GMT';
    expect(await told('GET', '/bookings/bkg_unknown')).toBe(later);
    expect(await told('GET', '/nowhere')).toBe(later);
    expect((await send(sandbox.origin)).headers.get('date')).toBe(later);
    expect((await send(`${sandbox.origin}/host`)).headers.get('date')).toBe(later);
    for (const kind of ['status', 'wrong-type', 'empty'] as const) {
      sandbox.faults.add({ route: 'GET /v1/me', kind });
      expect([kind, await told('GET', '/me')]).toEqual([kind, later]);
    }
    expect((await sandbox.fetch(new Request(`${sandbox.baseUrl}/me`))).headers.get('date')).toBe(later);
  });

  it('of a fault is the one that the fault names', async () => {
    const sandbox = await start();
    const date = 'Mon, 01 Jan 2001 00:00:00 GMT';
    sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', headers: { Date: date } });
    expect((await caller(sandbox)('GET', '/me')).headers.get('date')).toBe(date);
  });
});
