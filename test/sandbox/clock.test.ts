import { afterEach, expect, it } from '@jest/globals';
import { realClock, virtualClock } from '../../sandbox/service.ts';
import { caller, send, start, stopAll } from './support.ts';

afterEach(stopAll);

it('the virtual clock stands still until it is advanced, and wakes sleepers in order at their own times', async () => {
  const clock = virtualClock(1000);
  const woken: [string, number][] = [];
  const sleep = async (name: string, ms: number) => {
    await clock.sleep(ms);
    woken.push([name, clock.now()]);
  };
  void sleep('late', 500);
  void sleep('early', 100).then(() => sleep('chained', 100));
  void sleep('never', 9000);
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

it.each([
  ['virtual', virtualClock],
  ['real', realClock],
])('a sleep of the %s clock ends when it is advanced past it, and when the signal aborts', async (_name, make) => {
  const clock = make();
  const before = clock.now();
  const sleeping = clock.sleep(1_000_000);
  await clock.advance(1_000_000);
  await sleeping;
  expect(clock.now()).toBeGreaterThanOrEqual(before + 1_000_000);
  const stop = new AbortController();
  const stopped = clock.sleep(1_000_000, stop.signal);
  stop.abort();
  await Promise.all([stopped, clock.sleep(1_000_000, stop.signal)]);
});

it('the real clock sleeps in real time, and not at all if the time has already come', async () => {
  const warned: string[] = [];
  const note = ({ name }: Error): void => void warned.push(name);
  process.on('warning', note);
  const before = Date.now();
  await realClock().sleep(30);
  expect(Date.now() - before).toBeGreaterThanOrEqual(25);
  await realClock().sleep(-1000);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', note);
  // Node warns of a negative time.
  expect(warned).toEqual([]);
});

it("the header Date shows the sandbox's time in every answer, unless a fault names another", async () => {
  const clock = virtualClock(Date.UTC(2031, 4, 6, 7, 8, 9));
  const sandbox = await start({ clock });
  await clock.advance(60_000);
  const call = caller(sandbox);
  const answers = [await call('GET', '/me'), await call('GET', '/bookings/unknown'), await call('GET', '/nowhere')];
  answers.push(await send(sandbox.origin), await send(`${sandbox.origin}/host`));
  for (const kind of ['status', 'wrong-type', 'empty'] as const) {
    sandbox.faults.add({ route: 'GET /v1/me', kind });
    answers.push(await call('GET', '/me'));
  }
  const inProcess = await sandbox.fetch(new Request(`${sandbox.baseUrl}/me`));
  expect(new Set([...answers, inProcess].map(({ headers }) => headers.get('date')))).toEqual(new Set(['Tue, 06 May 2031 07:09:09 GMT']));
  const date = 'Mon, 01 Jan 2001 00:00:00 GMT';
  sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', headers: { Date: date } });
  expect((await call('GET', '/me')).headers.get('date')).toBe(date);
});
