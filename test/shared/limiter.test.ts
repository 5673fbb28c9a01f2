import { getCurrentUser } from '../../shared/operations/index.ts';
import type { ServiceError } from '../../shared/serviceError.ts';
import { accountLimiter, type Limiter, type Sender } from '../../shared/client/limiter.ts';
import type { Clock, Transport } from '../../shared/client/ports.ts';
import { brand } from '../../shared/brand.ts';
import { backgroundPolicy, interactivePolicy } from '../../shared/client/retry.ts';
import { judgeWrite } from '../../shared/writes/judge.ts';
import { clientOver, stillClock } from '../support/service.ts';
import { LimitedAccount, limitKinds, VirtualTime } from '../../bench/virtualTime.ts';
import { errorOf, oneOf } from '../support/wire.ts';

const gap = async (limiter: Limiter, clock: Clock): Promise<number> => {
  const [first = 0, second = 0] = await times(limiter, clock, 2);
  return second - first;
};
const limiterOf = (requests = 980, windowMs = 60_500): Limiter => accountLimiter({ requests, windowMs }).for('person');

async function times(limiter: Limiter, clock: Clock, count: number, endpoint?: string): Promise<number[]> {
  const passed: number[] = [];
  const begun = clock.now();
  for (let request = 0; request < count; request += 1) {
    await limiter.pass(clock, endpoint);
    passed.push(clock.now() - begun);
  }
  return passed;
}

it('lets a burst pass at once, and the next ones exactly a window later', async () => {
  expect(await times(limiterOf(3, 1000), stillClock(), 8)).toEqual([0, 0, 0, 1000, 1000, 1000, 2000, 2000]);
});

it('makes everybody wait as long as the service asked, and a shorter pause does not shorten a longer one', async () => {
  const clock = stillClock();
  const limiter = limiterOf(1000, 60_000);
  limiter.pause(5000, clock);
  limiter.pause(1000, clock);
  expect((await times(limiter, clock, 1))[0]).toBe(5000);
});

it('sends requests at twice the fair distance after a refusal, and slowly returns to the fair distance', async () => {
  const clock = stillClock();
  const limiter = limiterOf(100, 10_000);
  limiter.pause(1000, clock);
  const passed = await times(limiter, clock, 60);
  const gaps = passed.slice(1).map((at, index) => at - (passed[index] ?? 0));
  expect(gaps[0]).toBeGreaterThanOrEqual(200);
  expect(gaps[0]).toBeLessThanOrEqual(201);
  expect(gaps.at(-1)).toBeLessThan(gaps[0] ?? 0);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100);
});

it('doubles the distance if the next refusal comes within half a window, and allows bursts two windows after the last', async () => {
  const gapAfter = async (secondRefusalAfterMs: number | undefined, quietMs = 0) => {
    const clock = stillClock();
    const limiter = limiterOf(1000, 10_000);
    await limiter.pass(clock);
    // Refusals that arrive during a pause say nothing new.
    for (let refusal = 0; refusal < 5; refusal += 1) limiter.pause(10, clock);
    await limiter.pass(clock);
    if (secondRefusalAfterMs !== undefined) {
      clock.at += secondRefusalAfterMs;
      limiter.pause(10, clock);
    }
    clock.at += quietMs;
    return gap(limiter, clock);
  };
  expect(await gapAfter(undefined)).toBe(20);
  expect(await gapAfter(4999)).toBe(40);
  expect(await gapAfter(5000)).toBe(20);
  expect(await gapAfter(1000, 20_000)).toBe(40);
  expect(await gapAfter(1000, 20_001)).toBe(0);
});

it('never makes the distance longer than a fifteenth of the window', async () => {
  const clock = stillClock();
  const limiter = limiterOf(1000, 15_000);
  for (let refusal = 0; refusal < 20; refusal += 1) {
    limiter.pause(10, clock);
    await limiter.pass(clock);
  }
  const widest = await gap(limiter, clock);
  expect(widest).toBeGreaterThan(950);
  expect(widest).toBeLessThanOrEqual(1000);
});

it('makes nobody wait for the hour by which a clock was set back', async () => {
  const clock = stillClock();
  const limiter = limiterOf(2, 1000);
  await times(limiter, clock, 2);
  clock.at -= 3_600_000;
  const passed = await times(limiter, clock, 1);
  expect(passed[0]).toBeLessThanOrEqual(1000);
});

describe('the limits of an account', () => {
  let clock: ReturnType<typeof stillClock>;
  let limiter: Limiter;
  beforeEach(() => ([clock, limiter] = [stillClock(), accountLimiter().for('person')]));

  it('let subscription requests pass until the service refuses one, and from then on keep its 10 a minute (G27)', async () => {
    expect(await times(limiter, clock, 11, 'GET hooks')).toEqual(Array(11).fill(0));
    limiter.pause(1000, clock, 'GET hooks');
    expect(await times(limiter, clock, 15, 'GET hooks')).toEqual([...Array<number>(10).fill(60_500), ...Array<number>(5).fill(121_000)]);
  });

  it('tell at once how long subscription requests have to wait for their minute if nobody can wait that long', async () => {
    await times(limiter, clock, 10, 'GET hooks');
    limiter.pause(1000, clock, 'GET hooks');
    expect(await limiter.pass(clock, 'POST hooks', 45_000)).toBe(60);
    expect(await limiter.pass(clock, 'POST hooks', 60_500)).toBeUndefined();
  });

  it('make nobody else wait if a subscription request was refused, nor the other way round', async () => {
    limiter.pause(7000, clock, 'GET hooks');
    expect((await times(limiter, clock, 1, 'GET bookings'))[0]).toBe(0);
    expect((await times(limiter, clock, 1, 'GET hooks'))[0]).toBe(7000);
    limiter.pause(9000, clock, 'GET bookings');
    expect((await times(limiter, clock, 1, 'GET bookings'))[0]).toBe(9000);
  });

  describe('hold only the endpoint that was refused if the service asks for more than the documented minute', () => {
    const day = 86_400_000;
    const held = (sender: Limiter, patience?: number) => sender.pass(clock, 'POST bookings', patience);
    beforeEach(() => limiter.pause(day, clock, 'POST bookings'));

    it('for that minute: whoever cannot wait is told how much of it is left', async () => {
      expect(await limiter.pass(clock, 'GET bookings', 0)).toBeUndefined();
      expect(await held(limiter, 10_000)).toBe(60);
      clock.at += 50_000;
      expect(await held(limiter, 10_000)).toBe(10);
      clock.at += 10_500;
      expect(await held(limiter, 0)).toBeUndefined();
    });

    it('and a wait that is a second longer, so that a crowd does not come back at once, is the minute', async () => {
      limiter.pause(61_000, clock, 'GET contacts');
      expect(await limiter.pass(clock, 'GET event-types', 60_999)).toBe(61);
    });

    it('and if that one is refused as well, nobody waits for a second minute, after which one asks again', async () => {
      await held(limiter);
      expect(await held(limiter, 1_000)).toBe(10);
      limiter.pause(day, clock, 'POST bookings');
      expect([await held(limiter), await held(limiter)]).toEqual([60, 60]);
      clock.at += 60_500;
      expect(await held(limiter)).toBeUndefined();
      expect(await held(limiter, 0)).toBe(10);
    });

    it('and if that one has no answer, the next one asks after ten seconds', async () => {
      await held(limiter);
      const begun = clock.now();
      expect(await held(limiter)).toBeUndefined();
      expect(clock.now() - begun).toBe(10_000);
    });

    it('however many earlier requests are still answered', async () => {
      limiter.answered('POST bookings');
      expect(await held(limiter, 0)).toBe(60);
    });
  });

  const long = { patience: 180_000 };

  it.each([
    ['nothing', 60],
    ['GET hooks', undefined],
    ['GET bookings', 60],
  ])('are a minute that is asked for again and again: three are waited for, unless %s was accepted meanwhile', async (taken, told) => {
    for (let minute = 0; minute < 3; minute += 1) {
      limiter.pause(60_000, clock, 'GET hooks');
      expect(await limiter.pass(clock, 'GET hooks', long.patience)).toBeUndefined();
    }
    if (taken !== 'nothing') limiter.answered(taken);
    limiter.pause(60_000, clock, 'GET hooks');
    expect(await limiter.pass(clock, 'GET hooks', long.patience)).toBe(told);
  });
});

describe('the senders of an account', () => {
  let time: VirtualTime;
  let begun: number;
  let account: ReturnType<typeof accountLimiter>;
  beforeEach(() => {
    time = new VirtualTime(3);
    begun = time.now();
    account = accountLimiter();
  });

  /** How long it takes a request to pass that comes at this time. */
  async function wait(limiter: Limiter, at = 0): Promise<number> {
    await time.sleep(at);
    const asked = time.now();
    await limiter.pass(time);
    return time.now() - asked;
  }
  /** The waits of this many requests that come at once. */
  const crowd = (limiter: Limiter, count: number) => Promise.all(Array.from({ length: count }, () => wait(limiter)));
  const clientOf = (limiter: Limiter, transport: Transport, retryPolicy = backgroundPolicy) =>
    clientOver(transport, { clock: time, retryPolicy, limiter });

  describe('runs of many items', () => {
    it('include a crowd of single runs: nobody else waits behind those either', async () => {
      const work = crowd(account.for('single'), 2000);
      expect(await time.during(wait(account.for('person'), 10_000))).toBeLessThanOrEqual(1000);
      await time.during(work);
    });

    it('burst until nine tenths of a window are used, continue slowly to its last 20 places, and start again after it', async () => {
      const passed = await time.during(crowd(account.for('bulk'), 1900));
      // And the first of the slow ones.
      expect(passed.filter((at) => at === 0)).toHaveLength(883);
      const slow = passed.filter((at) => at > 0 && at < 60_500);
      expect(slow).toHaveLength(77);
      for (const [place, at] of slow.entries()) expect(at - (slow[place - 1] ?? 0)).toBeGreaterThanOrEqual(place === 0 ? 0 : 775);
      expect(passed.filter((at) => at >= 60_500 && at < 121_000)).toHaveLength(940);
    });
  });

  it('an account is busy while somebody waits, and while the service has asked for a pause', async () => {
    const isBusy = () => account.isBusy(time);
    expect(isBusy()).toBe(false);
    for (const endpoint of [undefined, 'hooks']) {
      account.for('person').pause(1000, time, endpoint);
      expect(isBusy()).toBe(true);
      await time.during(time.sleep(1000));
      expect(isBusy()).toBe(false);
    }
    const waiting = account.for('bulk').pass(time);
    expect(isBusy()).toBe(true);
    await time.during(waiting);
    expect(isBusy()).toBe(false);
  });

  describe.each(limitKinds)('while ten bulk runs work in one process, and the limit is counted as %s', (kind) => {
    it('a click waits at most 5 seconds, nothing is refused, and bulk uses 95 % of the limit', async () => {
      const minutes = 4;
      const end = begun + minutes * 60_500;
      const service = new LimitedAccount(kind, time);
      const ask = async (sender: Sender): Promise<number> => {
        const asked = time.now();
        const policy = sender === 'person' ? interactivePolicy : backgroundPolicy;
        await getCurrentUser.run(clientOf(account.for(sender), service.transport, policy), {}, {});
        return time.now() - asked;
      };
      let bulk = 0;
      const worker = async () => {
        for (; time.now() < end; bulk += 1) await ask('bulk');
      };
      const waits: number[] = [];
      const clicks = async (sender: Sender, everyMs: number) => {
        for (await time.sleep(everyMs / 3); time.now() < end; await time.sleep(everyMs))
          waits.push(...(await Promise.all([ask(sender), ask(sender)])));
      };
      // Twelve requests of a run at a time, like the node.
      await time.during(Promise.all([clicks('person', 7_000), clicks('single', 4_000), ...Array.from({ length: 10 * 12 }, worker)]));
      expect(waits.length).toBeGreaterThan(150);
      expect(Math.max(...waits)).toBeLessThanOrEqual(5_000);
      expect(service.refused).toBe(0);
      expect((bulk + waits.length) / minutes).toBeGreaterThanOrEqual(950);
    });
  });

  describe('a run whose requests are refused for the rate', () => {
    const refused = (seconds: number) => ({ status: 429, headers: { 'retry-after': String(seconds) } });

    /** How many requests, twelve at a time, were done or refused, and how many were sent. Each takes 100 ms. */
    async function many(count: number, answer: (sent: number) => { status: number; headers?: Record<string, string> }) {
      let sent = 0;
      const client = clientOf(account.for('bulk'), async () => {
        sent += 1;
        const { status, headers = {} } = answer(sent);
        await time.sleep(100);
        return { status, headers, body: status === 200 ? oneOf({ id: '1', email: 'ada@example.com' }) : undefined };
      });
      const errors: ServiceError[] = [];
      let [left, firstAfter] = [count, Infinity];
      const worker = async () => {
        while (left > 0) {
          left -= 1;
          await getCurrentUser.run(client, {}, {}).catch((error: ServiceError) => {
            firstAfter = Math.min(firstAfter, time.now() - begun);
            errors.push(error);
          });
        }
      };
      await time.during(Promise.all(Array.from({ length: 12 }, worker)));
      return { sent, errors, firstAfter, endedAfter: time.now() - begun };
    }

    it.each([
      ['an hour', 3600, '60 minutes'],
      ['milliseconds by mistake', 30_000, '9 hours'],
      ['a day', 86_400, '24 hours'],
    ])(
      'asks once more after a minute if it is told to wait %s, and then stops: only who was refused is told of it',
      async (_, seconds, words) => {
        const { sent, errors, endedAfter } = await many(500, () => refused(seconds));
        expect(sent).toBeLessThanOrEqual(13);
        expect(errors).toHaveLength(500);
        expect(new Set(errors.map(({ kind }) => kind))).toEqual(new Set(['rateLimited']));
        expect(errors.filter(({ advice }) => advice === `Try again in ${words}; the limit is 1,000 requests a minute.`)).toHaveLength(sent);
        expect(errors.at(-1)?.advice).toMatch(/^Try again in \d\d seconds; the limit/);
        expect(endedAfter).toBeLessThan(65_000);
      },
    );

    it('continues after a minute if only the wait was wrong: all others are done', async () => {
      const { sent, errors, endedAfter } = await many(500, (count) => (count <= 12 ? refused(30_000) : { status: 200 }));
      expect([sent, errors.length]).toEqual([500, 12]);
      expect(endedAfter).toBeLessThan(68_000);
    });

    it.each([
      ['that is over after one', 0],
      ['that is meant', 120_000],
    ])('that is told to wait two minutes asks again after one, and is done after a wait %s', async (_, meantMs) => {
      const answer = (sent: number) => (sent === 1 || time.now() - begun < meantMs ? refused(120 - 60 * (sent - 1)) : { status: 200 });
      const { errors, endedAfter } = await many(1, answer);
      expect(errors).toEqual([]);
      expect(endedAfter).toBeLessThan(meantMs + (meantMs === 0 ? 62_500 : 5_000));
    });

    it('of 5,000 ends within minutes if the service keeps asking for a minute, with its first error about as soon', async () => {
      const { sent, errors, firstAfter, endedAfter } = await many(5000, () => refused(60));
      expect(errors).toHaveLength(5000);
      expect(firstAfter).toBeLessThanOrEqual(185_000);
      expect(endedAfter).toBeLessThanOrEqual(300_000);
      expect(sent).toBeLessThanOrEqual(60);
    });

    it('lets each item ask for itself if the service has a reason of its own, and holds nobody else', async () => {
      const words = 'Daily limit of bookings for this event type reached';
      const headers = { 'retry-after': '5400' };
      const client = clientOf(account.for('bulk'), async ({ method }) =>
        method === 'POST' ? { status: 429, headers, body: errorOf(words, 'RATE_LIMITED') } : { status: 200, headers: {}, body: {} },
      );
      const call = { path: ['bookings'], scope: 'bookings:write', resourceName: 'booking' } as const;
      for (let item = 0; item < 3; item += 1) {
        const sent = await client.write({ method: 'POST', ...call }, judgeWrite);
        expect(sent.state === 'rejected' && sent.error.sentence).toBe(
          `${brand.name} does not accept this for now. ${brand.name} says: "${words}". Try again in 90 minutes.`,
        );
      }
      expect(account.isBusy(time)).toBe(false);
      expect(await client.read({ method: 'GET', ...call })).toMatchObject({ body: {} });
    });
  });
});
