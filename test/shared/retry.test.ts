import { ServiceError } from '../../shared/client/errors.ts';
import {
  activationPolicy,
  backgroundPolicy,
  interactivePolicy,
  Retries,
  waitBefore,
  zapierStepPolicy,
  type RetryPolicy,
} from '../../shared/client/retry.ts';
import type { Clock } from '../../shared/client/transport.ts';

const clockWith = (random: number): Clock => ({ now: () => 0, sleep: async () => undefined, random: () => random });

it.each<[number, number | undefined, boolean, [number, number, number]]>([
  // What was asked for, and up to a second more so that a crowd does not come back at once (G16).
  [1, 20, false, [20_000, 20_500, 21_000]],
  [1, 0, true, [0, 500, 1_000]],
  // Anything up to a limit that doubles.
  [1, undefined, false, [0, 500, 1_000]],
  [2, undefined, false, [0, 1_000, 2_000]],
  [4, undefined, false, [0, 4_000, 8_000]],
  [20, undefined, false, [0, 30_000, 60_000]],
  // After a refusal for the rate, at least half of it.
  [1, undefined, true, [4_000, 6_000, 8_000]],
  [2, undefined, true, [8_000, 12_000, 16_000]],
  [4, undefined, true, [30_000, 45_000, 60_000]],
  [20, undefined, true, [30_000, 45_000, 60_000]],
])('after try %d fails, asked to wait %p s, for the rate: %p, waits %j ms by chance', (attempt, seconds, isLimited, waits) => {
  expect([0, 0.5, 1].map((random) => waitBefore(attempt, seconds, isLimited, clockWith(random)))).toEqual(waits);
});

describe('the tries of one request', () => {
  /** The waits between the tries of a request that always ends in this error, in seconds. */
  function waits(error: object, policy: RetryPolicy, random = 0.5): number[] {
    const cause = new ServiceError('server', { message: 'A.', advice: 'B.', ...error });
    const retries = new Retries(policy, clockWith(random));
    const all: number[] = [];
    for (;;) {
      const wait = retries.waitAfter(cause);
      if (!retries.allows(wait, cause)) return all;
      all.push(wait / 1000);
    }
  }
  const sum = (all: number[]) => all.reduce((total, wait) => total + wait, 0);

  it.each([0, 0.5, 1])('end within three seconds after a server error or without an answer, with chance at %p', (random) => {
    for (const policy of [backgroundPolicy, interactivePolicy]) {
      expect(waits({}, policy, random)).toHaveLength(2);
      expect(sum(waits({}, policy, random))).toBeLessThanOrEqual(3);
    }
    for (const policy of [activationPolicy, zapierStepPolicy]) expect(waits({}, policy, random)).toHaveLength(1);
  });

  it.each<[string, object, number[]]>([
    ['after a server error as the service asks, if that is short', { retryAfterSeconds: 1 }, [1.5, 1.5]],
    ['after a server error not at all, if that is long', { retryAfterSeconds: 120 }, []],
    ['after a 429 as it asks, and longer each time', { holdsOthers: true, retryAfterSeconds: 1 }, [1.5, 6, 12, 24, 45, 45, 45]],
    ['after a 429 without a time', { holdsOthers: true }, [6, 12, 24, 45, 45, 45]],
    ['after a 429 about something else not at all', { holdsOthers: false, retryAfterSeconds: 3600 }, []],
  ])('wait %s', (_, error, all) => {
    expect(waits(error, backgroundPolicy)).toEqual(all);
  });

  it.each([1, 5, 20])('after a 429 that asks for %p s, go on at least as long as without a time', (retryAfterSeconds) => {
    for (const policy of [backgroundPolicy, activationPolicy, interactivePolicy, { ...backgroundPolicy, totalWaitMs: 20_000 }]) {
      const none = waits({ holdsOthers: true }, policy);
      const small = waits({ holdsOthers: true, retryAfterSeconds }, policy);
      if (retryAfterSeconds * 1000 < policy.totalWaitMs - 1000) expect(small.length).toBeGreaterThanOrEqual(Math.min(none.length, 2));
      expect(sum(small)).toBeLessThanOrEqual(policy.totalWaitMs / 1000);
    }
  });
});

it('a list that somebody waits for is given up within ten seconds, a trigger before the 85 of n8n, a Zap within its half minute', () => {
  expect([interactivePolicy.totalWaitMs, activationPolicy.totalWaitMs, zapierStepPolicy.totalWaitMs]).toEqual([10_000, 45_000, 1_500]);
  expect(zapierStepPolicy.readBackMs.at(-1)).toBeLessThan(14_000);
});
