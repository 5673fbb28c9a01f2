import { accountLimiter, type Limiter } from '../../shared/client/limiter.ts';
import { VirtualTime } from '../../tools/rigs/simulation/virtualTime.ts';

describe('runs of many items', () => {
  /** The moments, from now on, at which this many passed. All of them ask at once. */
  async function crowd(time: VirtualTime, limiter: Limiter, count: number): Promise<number[]> {
    const begun = time.now();
    const passed: number[] = [];
    await Promise.all(
      Array.from({ length: count }, async () => {
        await limiter.pass(time);
        passed.push(time.now() - begun);
      }),
    );
    return passed;
  }

  it('burst until nine tenths of a window are used, continue slowly to its last 20 places, and start again after it', async () => {
    const time = new VirtualTime(1);
    const passed = await time.during(crowd(time, accountLimiter().for('bulk'), 1900));
    // And the first of the slow ones.
    expect(passed.filter((at) => at === 0)).toHaveLength(883);
    const slow = passed.filter((at) => at > 0 && at < 60_500);
    expect(slow).toHaveLength(77);
    for (const [place, at] of slow.entries()) expect(at - (slow[place - 1] ?? 0)).toBeGreaterThanOrEqual(place === 0 ? 0 : 775);
    expect(passed.filter((at) => at >= 60_500 && at < 121_000)).toHaveLength(940);
  });

  it('burst as much after requests of people, as long as there are places', async () => {
    const time = new VirtualTime(1);
    const limiter = accountLimiter();
    expect(await time.during(crowd(time, limiter.for('person'), 60))).toEqual(Array.from({ length: 60 }, () => 0));
    const passed = await time.during(crowd(time, limiter.for('bulk'), 900));
    expect(passed.filter((at) => at === 0)).toHaveLength(883);
  });

  it('use 95 % of the limit, minute after minute', async () => {
    const time = new VirtualTime(1);
    const passed = await time.during(crowd(time, accountLimiter().for('bulk'), 9600));
    for (let minute = 0; minute < 9; minute += 1)
      expect(passed.filter((at) => at >= minute * 60_500 && at < (minute + 1) * 60_500).length * (60_000 / 60_500)).toBeGreaterThanOrEqual(
        950,
      );
  });

  it.each(['person', 'single'] as const)('let a %s pass within a second, whenever it comes', async (sender) => {
    const time = new VirtualTime(1);
    const limiter = accountLimiter();
    const click = async (at: number) => {
      await time.sleep(at);
      const asked = time.now();
      await limiter.for(sender).pass(time);
      return time.now() - asked;
    };
    const clicks = Promise.all(Array.from({ length: 90 }, (_, place) => click(100 + place * 3000)));
    const work = crowd(time, limiter.for('bulk'), 5000);
    expect(Math.max(...(await time.during(clicks)))).toBeLessThanOrEqual(1000);
    await time.during(work);
  });

  it('leave the next place to a person even while requests are spread because others use the account', async () => {
    const time = new VirtualTime(1);
    const limiter = accountLimiter();
    limiter.for('bulk').pause(100, time);
    const work = crowd(time, limiter.for('bulk'), 300);
    const persons = time.sleep(5000).then(async () => {
      const asked = time.now();
      await Promise.all([1, 2, 3].map(() => limiter.for('person').pass(time)));
      return time.now() - asked;
    });
    // Three places at twice the fair distance of 62 ms.
    expect(await time.during(persons)).toBeLessThanOrEqual(3 * 124);
    await time.during(work);
  });

  it('include a crowd of single runs: nobody else waits behind those either', async () => {
    const time = new VirtualTime(1);
    const limiter = accountLimiter();
    const work = crowd(time, limiter.for('single'), 2000);
    const person = time.sleep(10_000).then(async () => {
      const asked = time.now();
      await limiter.for('person').pass(time);
      return time.now() - asked;
    });
    expect(await time.during(person)).toBeLessThanOrEqual(1000);
    await time.during(work);
  });

  it('never exceed the limit together with all others', async () => {
    const time = new VirtualTime(1);
    const limiter = accountLimiter();
    const begun = time.now();
    const at: number[] = [];
    const send = async (sender: 'person' | 'single' | 'bulk', after: number) => {
      await time.sleep(after);
      await limiter.for(sender).pass(time);
      at.push(time.now() - begun);
    };
    await time.during(
      Promise.all(
        Array.from({ length: 3000 }, (_, place) => send((['person', 'bulk', 'single', 'bulk'] as const)[place % 4] ?? 'bulk', place * 7)),
      ),
    );
    at.sort((a, b) => a - b);
    for (const [place, moment] of at.entries()) if (place >= 980) expect(moment - (at[place - 980] ?? 0)).toBeGreaterThanOrEqual(60_500);
  });
});

describe('an account', () => {
  it('is busy while somebody waits, and while the service has asked for a pause', async () => {
    const time = new VirtualTime(1);
    const limiter = accountLimiter();
    expect(limiter.isBusy(time)).toBe(false);
    limiter.for('person').pause(1000, time);
    expect(limiter.isBusy(time)).toBe(true);
    await time.during(time.sleep(1000));
    expect(limiter.isBusy(time)).toBe(false);
    limiter.for('person').pause(1000, time, 'hooks');
    expect(limiter.isBusy(time)).toBe(true);
    await time.during(time.sleep(1000));
    const waiting = [limiter.for('bulk').pass(time)];
    expect(limiter.isBusy(time)).toBe(true);
    await time.during(Promise.all(waiting));
    expect(limiter.isBusy(time)).toBe(false);
  });
});
