import { afterEach, describe, expect, it } from '@jest/globals';
import { virtualClock, type Limits } from '../../sandbox/service.ts';
import { refresh } from './authorize.ts';
import { caller, send, start, stopAll, textAt, type Reply } from './support.ts';

afterEach(stopAll);

const MINUTE = 60_000;
const limited = { status: 429, body: { error: 'Rate limit exceeded', code: 'RATE_LIMITED' } };

/** How many of so many requests get each status. */
async function statuses(count: number, request: (index: number) => Promise<Reply>): Promise<Record<number, number>> {
  const seen: Record<number, number> = {};
  for (let index = 0; index < count; index++) {
    const { status } = await request(index);
    seen[status] = (seen[status] ?? 0) + 1;
  }
  return seen;
}

describe('the documented limits', () => {
  it('let 1,000 requests a minute to /v1/* through for an account, over all its tokens', async () => {
    const sandbox = await start({ clock: virtualClock() });
    const [one, two] = [caller(sandbox), caller(sandbox)];
    expect(await statuses(1000, (index) => (index % 2 === 0 ? one : two)('GET', '/me'))).toEqual({ 200: 1000 });
    const over = await one('GET', '/me');
    expect(over).toMatchObject(limited);
    expect(over.headers.get('retry-after')).toBe('60');
    const other = caller(sandbox, sandbox.issueToken({ accountId: sandbox.addAccount().id }).access_token);
    expect((await other('GET', '/me')).status).toBe(200);
    await sandbox.clock.advance(MINUTE);
    expect((await two('GET', '/me')).status).toBe(200);
  });

  it('let 10 subscription requests a minute through, including lists and deletions (G27)', async () => {
    const sandbox = await start({ clock: virtualClock() });
    const call = caller(sandbox);
    const ids: string[] = [];
    for (let index = 0; index < 4; index++) {
      const { body } = await call('POST', '/hooks', { url: 'http://127.0.0.1:9/', events: ['BOOKING_CREATED'] });
      ids.push(textAt(body, 'data', 'id'));
    }
    expect(await statuses(3, () => call('GET', '/hooks'))).toEqual({ 200: 3 });
    expect(await statuses(4, (index) => call('DELETE', `/hooks/${ids[index]}`))).toEqual({ 204: 3, 429: 1 });
    expect([sandbox.subscriptions().length, (await call('GET', '/me')).status]).toEqual([1, 200]);
    await sandbox.clock.advance(MINUTE);
    expect((await call('DELETE', `/hooks/${ids[3]}`)).status).toBe(204);
  });

  it('let 20 token requests a minute through for a client, including those with a wrong secret', async () => {
    const sandbox = await start({ clock: virtualClock() });
    let { refresh_token } = sandbox.issueToken();
    expect(await statuses(5, () => refresh(sandbox, refresh_token, { client_secret: 'wrong' }))).toEqual({ 401: 5 });
    for (let index = 0; index < 15; index++) refresh_token = textAt((await refresh(sandbox, refresh_token)).body, 'refresh_token');
    expect(await refresh(sandbox, refresh_token)).toMatchObject(limited);
    await sandbox.clock.advance(MINUTE);
    expect((await refresh(sandbox, refresh_token)).status).toBe(200);
  });

  it('do not count requests without a token, and can be switched off', async () => {
    const sandbox = await start({ limits: { api: 2 } });
    expect(await statuses(5, () => caller(sandbox, 'wrong')('GET', '/me'))).toEqual({ 401: 5 });
    expect(await statuses(3, () => caller(sandbox)('GET', '/me'))).toEqual({ 200: 2, 429: 1 });
    const free = await start({ limits: false });
    expect(await statuses(30, () => caller(free)('GET', '/hooks'))).toEqual({ 200: 30 });
  });
});

/** For each way to count six a minute: how many pass of three at once, of nine after 50 seconds and after a minute, and how long to wait then. */
it.each<[Limits['kind'], number[], string]>([
  ['fixed', [3, 3, 6], '60'],
  ['sliding', [3, 3, 3], '50'],
  ['bucket', [3, 6, 1], '10'],
])('a %s window lets through what it says, and says when to come back', async (kind, expected, wait) => {
  const sandbox = await start({ clock: virtualClock(), limits: { kind, api: 6 } });
  const call = caller(sandbox);
  const passed: (number | undefined)[] = [];
  let last: string | null | undefined;
  for (const [afterMs, sent] of [
    [0, 3],
    [50_000, 9],
    [10_000, 9],
  ] as const) {
    await sandbox.clock.advance(afterMs);
    passed.push(
      (
        await statuses(sent, async () => {
          const reply = await call('GET', '/me');
          last = reply.headers.get('retry-after');
          return reply;
        })
      )[200],
    );
  }
  expect([passed, last]).toEqual([expected, wait]);
});

it('the virtual clock wakes sleepers in order at their own times, and at once when their signal aborts', async () => {
  const clock = virtualClock(1000);
  const woken: [string, number][] = [];
  const sleep = async (name: string, ms: number, signal?: AbortSignal) => {
    await clock.sleep(ms, signal);
    woken.push([name, clock.now()]);
  };
  const stop = new AbortController();
  void sleep('late', 500);
  void sleep('early', 100).then(() => sleep('chained', 100));
  void sleep('stopped', 9000, stop.signal);
  await clock.advance(1000);
  stop.abort();
  await sleep('stopped before', 9000, stop.signal);
  expect(woken).toEqual([
    ['early', 1100],
    ['chained', 1200],
    ['late', 1500],
    ['stopped', 2000],
    ['stopped before', 2000],
  ]);
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
