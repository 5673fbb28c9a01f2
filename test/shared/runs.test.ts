import { Runs } from '../../shared/writes/runs.ts';
import { testStart } from '../support/service.ts';

let now: number;
const clock = { now: () => now, sleep: async () => undefined, random: () => 0 };
beforeEach(() => (now = testStart));

const tenMinutes = 600_000;
const done = [{ id: 'bkg_1' }];

it('a run that is repeated knows what its items did, and no other run does', () => {
  const runs = new Runs();
  const first = runs.begin('one', clock);
  first.keep('0', done);
  runs.end(first, clock, false);
  expect(runs.begin('one', clock).outcomeOf('0')).toBe(done);
  expect(runs.begin('one', clock).outcomeOf('1')).toBeUndefined();
  expect(runs.begin('two', clock).outcomeOf('0')).toBeUndefined();
});

it('is forgotten after its success, unless a try is still running', () => {
  const runs = new Runs();
  const [first, second] = [runs.begin('one', clock), runs.begin('one', clock)];
  expect(second).toBe(first);
  first.keep('0', done);
  runs.end(first, clock, true);
  expect(runs.begin('one', clock).outcomeOf('0')).toBe(done);
  runs.end(first, clock, true);
  runs.end(first, clock, true);
  expect(runs.begin('one', clock).outcomeOf('0')).toBeUndefined();
});

it('is forgotten ten minutes after its end, to the millisecond, and never while it is running', () => {
  const runs = new Runs();
  const [ended, working] = [runs.begin('ended', clock), runs.begin('working', clock)];
  for (const run of [ended, working]) run.keep('0', done);
  runs.end(ended, clock, false);
  now += tenMinutes;
  expect(runs.begin('ended', clock).outcomeOf('0')).toBe(done);
  runs.end(ended, clock, false);
  now += tenMinutes + 1;
  expect(runs.begin('another', clock).outcomeOf('0')).toBeUndefined();
  expect(runs.begin('ended', clock).outcomeOf('0')).toBeUndefined();
  expect(runs.begin('working', clock).outcomeOf('0')).toBe(done);
});
