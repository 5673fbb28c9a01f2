import { latestCommit } from '../../shared/assumptions.ts';
import { attended, brisk, hurried, patient, waitBefore } from '../../shared/api/retry.ts';
import type { Clock } from '../../shared/api/transport.ts';

const clockWith = (random: number): Clock => ({ now: () => 0, sleep: async () => undefined, random: () => random });
const wait = (
  attempt: number,
  { seconds, isLimited = false, random = 1 }: { seconds?: number; isLimited?: boolean; random?: number } = {},
) => waitBefore(attempt, seconds, isLimited, clockWith(random));

it('waits what was asked for, and up to a second more so that a crowd does not come back at once (G16)', () => {
  expect(wait(1, { seconds: 20, random: 0 })).toBe(20_000);
  expect(wait(1, { seconds: 20, random: 0.25 })).toBe(20_250);
  expect(wait(4, { seconds: 0, random: 0.5, isLimited: true })).toBe(500);
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

it('a list that somebody waits for is given up within ten seconds', () => {
  expect(attended).toEqual({ ...patient, attempts: 3, totalWaitMs: 10_000 });
});

it("a trigger's life cycle is as patient, and tries a request twice, because its host repeats the whole cycle", () => {
  expect(brisk).toEqual({ ...patient, attempts: 2 });
});

it('the patient callers look after the latest moment at which a booking can appear (G29), and only they ask again', () => {
  expect(patient.readBackMs.at(-1)).toBeGreaterThan(latestCommit.seconds * 1000);
  expect([...patient.readBackMs]).toEqual([...patient.readBackMs].sort((a, b) => a - b));
  expect(patient).toMatchObject({ attempts: 5, totalWaitMs: 180_000 });
  expect(hurried).toMatchObject({ attempts: 2, totalWaitMs: 1500 });
  expect(hurried.readBackMs.at(-1)).toBeLessThan(14_000);
});
