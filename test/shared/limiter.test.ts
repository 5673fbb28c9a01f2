import { accountLimiter, type Limiter } from '../../shared/client/limiter.ts';
import type { Clock } from '../../shared/client/transport.ts';

/** Time that only advances by sleeping and by `jump`. */
function virtual(): Clock & { jump(milliseconds: number): void } {
  let now = 1_000_000;
  return {
    now: () => now,
    sleep: async (milliseconds) => void (now += milliseconds),
    random: () => 0.5,
    jump: (milliseconds) => void (now += milliseconds),
  };
}

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
  expect(await times(limiterOf(3, 1000), virtual(), 8)).toEqual([0, 0, 0, 1000, 1000, 1000, 2000, 2000]);
});

it('counts a window from each request and not from the first', async () => {
  const clock = virtual();
  const limiter = limiterOf(2, 1000);
  await limiter.pass(clock);
  clock.jump(600);
  await limiter.pass(clock);
  clock.jump(399);
  expect(await times(limiter, clock, 2)).toEqual([1, 601]);
});

it('allows by default 20 less than the 1,000 a minute of section 8, and half a second more than a minute', async () => {
  const passed = await times(accountLimiter().for('person'), virtual(), 981);
  expect(passed[979]).toBe(0);
  expect(passed[980]).toBe(60_500);
});

it('keeps its count over a thousand requests and more', async () => {
  const passed = await times(limiterOf(700, 1000), virtual(), 2900);
  for (const [index, at] of passed.entries()) expect(at).toBe(Math.floor(index / 700) * 1000);
});

it('lets requests pass in the order in which they came', async () => {
  const clock = virtual();
  const limiter = limiterOf(1, 100);
  const order: number[] = [];
  await Promise.all(
    [0, 1, 2, 3].map(async (place) => {
      await limiter.pass(clock);
      order.push(place);
    }),
  );
  expect(order).toEqual([0, 1, 2, 3]);
});

it('makes everybody wait as long as the service asked, and a shorter pause does not shorten a longer one', async () => {
  const clock = virtual();
  const limiter = limiterOf(1000, 60_000);
  limiter.pause(5000, clock);
  limiter.pause(1000, clock);
  expect((await times(limiter, clock, 1))[0]).toBe(5000);
});

it('sends requests at twice the fair distance after a refusal, and slowly returns to the fair distance', async () => {
  const clock = virtual();
  const limiter = limiterOf(100, 10_000);
  limiter.pause(1000, clock);
  const passed = await times(limiter, clock, 60);
  const gaps = passed.slice(1).map((at, index) => at - (passed[index] ?? 0));
  expect(gaps[0]).toBeGreaterThanOrEqual(200);
  expect(gaps[0]).toBeLessThanOrEqual(201);
  expect(gaps.at(-1)).toBeLessThan(gaps[0] ?? 0);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100);
});

it.each([
  ['at the beginning', 0],
  ['long after it began', 500_000],
])(
  '%s, doubles the distance if the next refusal comes within half a window, and allows bursts two windows after the last',
  async (_, age) => {
    const gapAfter = async (secondRefusalAfterMs: number | undefined, quietMs = 0) => {
      const clock = virtual();
      const limiter = limiterOf(1000, 10_000);
      await limiter.pass(clock);
      clock.jump(age);
      // Refusals that arrive during a pause say nothing new.
      for (let refusal = 0; refusal < 5; refusal += 1) limiter.pause(10, clock);
      await limiter.pass(clock);
      if (secondRefusalAfterMs !== undefined) {
        clock.jump(secondRefusalAfterMs);
        limiter.pause(10, clock);
      }
      clock.jump(quietMs);
      return gap(limiter, clock);
    };
    expect(await gapAfter(undefined)).toBe(20);
    expect(await gapAfter(4999)).toBe(40);
    expect(await gapAfter(5000)).toBe(20);
    expect(await gapAfter(1000, 20_000)).toBe(40);
    expect(await gapAfter(1000, 20_001)).toBe(0);
  },
);

it('never makes the distance longer than a fifteenth of the window', async () => {
  const clock = virtual();
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
  const clock = virtual();
  const limiter = limiterOf(2, 1000);
  await times(limiter, clock, 2);
  clock.jump(-3_600_000);
  const passed = await times(limiter, clock, 1);
  expect(passed[0]).toBeLessThanOrEqual(1000);
});

describe('the limits of an account', () => {
  let clock: ReturnType<typeof virtual>;
  let limiter: Limiter;
  beforeEach(() => ([clock, limiter] = [virtual(), accountLimiter().for('person')]));

  it('let subscription requests pass until the service refuses one, and from then on keep its 10 a minute (G27)', async () => {
    expect(await times(limiter, clock, 11, 'GET hooks')).toEqual(Array(11).fill(0));
    limiter.pause(1000, clock, 'GET hooks');
    expect(await times(limiter, clock, 15, 'GET hooks')).toEqual([...Array<number>(10).fill(60_500), ...Array<number>(5).fill(121_000)]);
  });

  it('send subscription requests further apart if one is refused early, because others subscribe too', async () => {
    await times(limiter, clock, 3, 'GET hooks');
    limiter.pause(1000, clock, 'GET hooks');
    const paced = await times(limiter, clock, 5, 'GET hooks');
    for (const [index, time] of paced.entries()) expect(time - (paced[index - 1] ?? -Infinity)).toBeGreaterThanOrEqual(6_050);
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
});

describe('a wait that is too long', () => {
  const long = { asked: 3_600_000, patience: 180_000 };
  let clock: ReturnType<typeof virtual>;
  let limiter: Limiter;
  beforeEach(() => ([clock, limiter] = [virtual(), accountLimiter().for('person')]));

  it('makes nobody wait: each is told at once how many seconds are left, and passes when they are over', async () => {
    limiter.pause(long.asked, clock);
    expect(await limiter.pass(clock, undefined, long.patience)).toBe(3600);
    clock.jump(1_800_500);
    expect(await limiter.pass(clock, undefined, long.patience)).toBe(1799);
    clock.jump(1_799_500);
    expect(await limiter.pass(clock, undefined, long.patience)).toBeUndefined();
  });

  it('is waited for by callers with enough patience, to the last millisecond', async () => {
    limiter.pause(5000, clock);
    expect(await limiter.pass(clock, undefined, 4999)).toBe(5);
    expect(await limiter.pass(clock, undefined, 5000)).toBeUndefined();
    expect(await limiter.pass(clock)).toBeUndefined();
  });

  it('can also be a minute that is asked for again and again with nothing accepted in between', async () => {
    const ends: (number | undefined)[] = [];
    for (let minute = 0; minute < 4; minute += 1) {
      limiter.pause(60_000, clock);
      ends.push(await limiter.pass(clock, undefined, long.patience));
    }
    expect(ends).toEqual([undefined, undefined, undefined, 60]);
    limiter.taken();
    expect(await limiter.pass(clock, undefined, long.patience)).toBeUndefined();
  });

  it('holds only the endpoint that was refused if it is longer than two of the documented minutes', async () => {
    limiter.pause(121_001, clock, 'POST bookings');
    expect(await limiter.pass(clock, 'GET bookings')).toBeUndefined();
    expect(await limiter.pass(clock, 'POST bookings', 121_000)).toBe(121);
    expect(await limiter.pass(clock, 'POST bookings', 121_001)).toBeUndefined();
    limiter.pause(121_000, clock, 'POST bookings');
    expect(await limiter.pass(clock, 'GET bookings', 120_999)).toBe(121);
  });

  it('for subscription requests is reported only to those', async () => {
    limiter.pause(long.asked, clock, 'GET hooks');
    expect(await limiter.pass(clock, 'GET hooks', long.patience)).toBe(3600);
    expect(await limiter.pass(clock, 'GET bookings', long.patience)).toBeUndefined();
    limiter.pause(long.asked, clock, 'GET bookings');
    limiter.taken('GET bookings');
    expect(await limiter.pass(clock, 'GET bookings', long.patience)).toBe(3600);
    expect(await limiter.pass(clock, 'GET contacts', long.patience)).toBeUndefined();
  });

  it.each([
    ['GET hooks', 'GET hooks', undefined],
    ['GET hooks', 'GET bookings', 60],
    ['GET bookings', 'GET bookings', undefined],
    ['GET bookings', 'GET hooks', undefined],
  ])(
    'refusals of %s no longer add up once a request to %s was accepted, if that counts towards the same limit',
    async (refused, taken, told) => {
      for (let minute = 0; minute < 3; minute += 1) {
        limiter.pause(60_000, clock, refused);
        expect(await limiter.pass(clock, refused, long.patience)).toBeUndefined();
      }
      limiter.taken(taken);
      limiter.pause(60_000, clock, refused);
      expect(await limiter.pass(clock, refused, long.patience)).toBe(told);
    },
  );
});
