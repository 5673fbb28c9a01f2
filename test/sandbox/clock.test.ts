import { describe, expect, it } from '@jest/globals';
import { realClock, virtualClock } from '../../sandbox/service.ts';

describe('the virtual clock', () => {
  it('stands still until it is advanced, and wakes sleepers in their order at their own times', async () => {
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
    expect(woken).toEqual([['early', 1100], ['chained', 1200], ['late', 1500]]);
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

  it('can be put forward past a sleep', async () => {
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

  it('does not sleep for what is due already, and Node has nothing to warn of', async () => {
    const warned: string[] = [];
    const note = ({ name }: Error): void => void warned.push(name);
    process.on('warning', note);
    await realClock().sleep(-1000);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(warned).toEqual([]);
  });
});
