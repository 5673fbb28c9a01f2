import { setTimeout as sleep } from 'node:timers/promises';
import { GivenUp } from '../../mcp/adapter/calls.ts';
import { most, Turns } from '../../mcp/adapter/turns.ts';

const all = most.underWay + most.waiting;
const nobodyLeaves = new AbortController().signal;

/** A clock that only advances when it is told to. */
class Clock {
  time = 0;
  #over: (() => void)[] = [];
  now = (): number => this.time;
  pause = (): Promise<void> => new Promise((resolve) => this.#over.push(resolve));
  async reach(time: number): Promise<void> {
    this.time = time;
    for (const over of this.#over.splice(0)) over();
    await sleep(0);
  }
}

/** Calls that begin when it is their turn, and end when they are told to. */
class Crowd {
  readonly clock = new Clock();
  readonly begun: number[] = [];
  readonly refused: [call: number, why: unknown][] = [];
  readonly done: number[] = [];
  underWay = 0;
  mostAtOnce = 0;
  readonly #turns = new Turns(this.clock);
  readonly #ends = new Map<number, () => void>();

  call(name: number, { left = nobodyLeaves, until = 1_000 } = {}): void {
    const work = async (): Promise<number> => {
      this.begun.push(name);
      this.underWay += 1;
      this.mostAtOnce = Math.max(this.mostAtOnce, this.underWay);
      await new Promise<void>((resolve) => this.#ends.set(name, resolve));
      this.underWay -= 1;
      return name;
    };
    this.#turns.take(left, until, work).then(
      () => this.done.push(name),
      (why: unknown) => this.refused.push([name, why]),
    );
  }

  async end(name: number): Promise<void> {
    this.#ends.get(name)?.();
    await sleep(0);
  }
}

const inOrder = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('of ten thousand calls at once a few run, some wait in order, and the others are told that they were not started', async () => {
  const crowd = new Crowd();
  for (const name of inOrder(10_000)) crowd.call(name);
  await sleep(0);
  expect(crowd.begun).toEqual(inOrder(most.underWay));
  expect(crowd.refused).toHaveLength(10_000 - all);
  expect(crowd.refused[0]).toEqual([all, expect.objectContaining({ kind: 'rateLimited' })]);
  expect((crowd.refused[0]?.[1] as Error).message).toContain('was not started, and nothing was sent');
  for (const name of inOrder(all)) await crowd.end(name);
  expect(crowd.begun).toEqual(inOrder(all));
  expect(crowd.done).toHaveLength(all);
  expect(crowd.mostAtOnce).toBe(most.underWay);
});

test('a call that is given up while it waits leaves the queue, and the next one takes its place', async () => {
  const crowd = new Crowd();
  const impatience = new AbortController();
  for (const name of inOrder(most.underWay)) crowd.call(name);
  crowd.call(100, { left: impatience.signal });
  crowd.call(101);
  await sleep(0);
  impatience.abort();
  await sleep(0);
  expect(crowd.refused).toEqual([[100, expect.any(GivenUp)]]);
  await crowd.end(0);
  expect(crowd.begun).toEqual([...inOrder(most.underWay), 101]);
});

test('a call that was given up before it arrived is not started', async () => {
  const crowd = new Crowd();
  crowd.call(0, { left: AbortSignal.abort() });
  await sleep(0);
  expect([crowd.begun, crowd.refused]).toEqual([[], [[0, expect.any(GivenUp)]]]);
});

test('a call whose time runs out while it waits is told so, and those behind it keep waiting', async () => {
  const crowd = new Crowd();
  for (const name of inOrder(most.underWay)) crowd.call(name);
  crowd.call(100, { until: 500 });
  crowd.call(101, { until: 600 });
  await crowd.clock.reach(499);
  expect(crowd.refused).toEqual([]);
  await crowd.clock.reach(500);
  expect(crowd.refused.map(([name]) => name)).toEqual([100]);
  expect((crowd.refused[0]?.[1] as Error).message).toContain('its turn did not come in time');
  await crowd.end(0);
  expect(crowd.begun.at(-1)).toBe(101);
  // Later callers are watched as well.
  crowd.call(102, { until: 700 });
  await crowd.clock.reach(699);
  await crowd.clock.reach(700);
  expect(crowd.refused.map(([name]) => name)).toEqual([100, 102]);
});

test('no call whose time has run out is started, even if a place becomes free before the clock is checked', async () => {
  const crowd = new Crowd();
  for (const name of inOrder(most.underWay)) crowd.call(name);
  crowd.call(100, { until: 500 });
  crowd.call(101, { until: 600 });
  await sleep(0);
  crowd.clock.time = 550;
  await crowd.end(0);
  expect([crowd.begun.at(-1), crowd.refused.map(([name]) => name)]).toEqual([101, [100]]);
});

test('a place that nobody waits for becomes free again, also after work that failed', async () => {
  const turns = new Turns(new Clock());
  for (let count = 0; count < most.underWay * 2; count += 1)
    await expect(turns.take(nobodyLeaves, 1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.take(nobodyLeaves, 1, async () => 'done')).toBe('done');
});
