import { ServiceError } from '../../shared/client/errors.ts';
import {
  interactivePolicy,
  activationPolicy,
  faultWaitMs,
  zapierStepPolicy,
  backgroundPolicy,
  Retries,
  waitBefore,
  type RetryPolicy,
} from '../../shared/client/retry.ts';
import type { Clock } from '../../shared/client/transport.ts';

const clockWith = (random: number): Clock => ({ now: () => 0, sleep: async () => undefined, random: () => random });
const wait = (
  attempt: number,
  { seconds, isLimited = false, random = 1 }: { seconds?: number; isLimited?: boolean; random?: number } = {},
) => waitBefore(attempt, seconds, isLimited, clockWith(random));

it('waits what was asked for, and up to a second more so that a crowd does not come back at once (G16)', () => {
  expect(wait(1, { seconds: 20, random: 0 })).toBe(20_000);
  expect(wait(1, { seconds: 20, random: 0.25 })).toBe(20_250);
  expect(wait(1, { seconds: 0, random: 0.5, isLimited: true })).toBe(500);
});

it.each([
  [1, 1000],
  [2, 2000],
  [3, 4000],
  [4, 8000],
  [20, 60_000],
])('after try %d fails, waits anything up to %d ms', (attempt, most) => {
  expect(wait(attempt, { random: 1 })).toBe(most);
  expect(wait(attempt, { random: 0.5 })).toBe(most / 2);
  expect(wait(attempt, { random: 0 })).toBe(0);
});

it.each([
  [1, 8000],
  [2, 16_000],
  [3, 32_000],
  [4, 60_000],
  [20, 60_000],
])('after refusal %d for the rate without a given time, waits from half of %d ms to all of it', (attempt, most) => {
  expect(wait(attempt, { isLimited: true, random: 0 })).toBe(most / 2);
  expect(wait(attempt, { isLimited: true, random: 0.5 })).toBe(most * 0.75);
  expect(wait(attempt, { isLimited: true, random: 1 })).toBe(most);
});

describe('the tries of one request', () => {
  /** The waits between the tries of a request that always ends in this error, in seconds. */
  function waits(error: ConstructorParameters<typeof ServiceError>[1] | object, policy: RetryPolicy, random = 0.5): number[] {
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
      expect(sum(waits({}, policy, random))).toBeLessThanOrEqual(faultWaitMs / 1000);
    }
    expect(waits({}, activationPolicy, random)).toHaveLength(1);
    expect(waits({}, zapierStepPolicy, random)).toHaveLength(1);
  });

  it('wait as the service asks after a server error only if that is short', () => {
    expect(waits({ retryAfterSeconds: 1 }, backgroundPolicy)).toEqual([1.5, 1.5]);
    expect(waits({ retryAfterSeconds: 120 }, backgroundPolicy)).toEqual([]);
  });

  it.each([1, 5, 20])('after a 429 that asks for %p s, go on at least as long as without a time', (retryAfterSeconds) => {
    for (const policy of [backgroundPolicy, activationPolicy, interactivePolicy, { ...backgroundPolicy, totalWaitMs: 20_000 }]) {
      const none = waits({ holdsOthers: true }, policy);
      const small = waits({ holdsOthers: true, retryAfterSeconds }, policy);
      if (retryAfterSeconds * 1000 < policy.totalWaitMs - 1000) expect(small.length).toBeGreaterThanOrEqual(Math.min(none.length, 2));
      expect(sum(small)).toBeLessThanOrEqual(policy.totalWaitMs / 1000);
    }
    expect(waits({ holdsOthers: true, retryAfterSeconds: 1 }, backgroundPolicy)).toEqual([1.5, 6, 12, 24, 45, 45, 45]);
    expect(waits({ holdsOthers: true }, backgroundPolicy)).toEqual([6, 12, 24, 45, 45, 45]);
  });

  it('are few after a 429 about something else than the documented limit', () => {
    expect(sum(waits({ holdsOthers: false, retryAfterSeconds: 3600 }, backgroundPolicy))).toBe(0);
    expect(sum(waits({ holdsOthers: false }, backgroundPolicy))).toBeLessThanOrEqual(3);
  });
});

it('a list that somebody waits for is given up within ten seconds', () => {
  expect(interactivePolicy).toEqual({ ...backgroundPolicy, totalWaitMs: 10_000 });
});

it('setting up a trigger ends well before the 85 seconds after which n8n gives up', () => {
  expect(activationPolicy).toEqual({ ...backgroundPolicy, attempts: 2, totalWaitMs: 45_000 });
});

it('after a lost answer all look at once, and then with growing pauses', () => {
  for (const { readBackMs } of [backgroundPolicy, zapierStepPolicy]) {
    expect(readBackMs[0]).toBe(0);
    expect([...readBackMs]).toEqual([...readBackMs].sort((a, b) => a - b));
  }
  expect(backgroundPolicy).toMatchObject({ attempts: 3, totalWaitMs: 180_000 });
  expect(zapierStepPolicy).toMatchObject({ attempts: 2, totalWaitMs: 1500 });
  expect(zapierStepPolicy.readBackMs.at(-1)).toBeLessThan(14_000);
});
