import { afterEach, describe, expect, it } from '@jest/globals';
import { virtualClock, type Limits } from '../../sandbox/service.ts';
import { refresh } from './authorize.ts';
import { caller, start, stopAll, textAt, type Reply } from './support.ts';

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

/** For each way to count six a minute: how many of so many pass after these times, and the seconds to wait after the last. */
const WAYS: [Limits['kind'], [afterMs: number, sent: number, pass: number, wait: string][]][] = [
  [
    'fixed',
    [
      [0, 3, 3, ''],
      [50_000, 9, 3, '10'],
      [10_000, 9, 6, '60'],
    ],
  ],
  [
    'sliding',
    [
      [0, 3, 3, ''],
      [50_000, 9, 3, '10'],
      [10_000, 9, 3, '50'],
      [50_000, 9, 3, '10'],
    ],
  ],
  [
    'bucket',
    [
      [0, 9, 6, '10'],
      [20_000, 9, 2, '10'],
      [600_000, 9, 6, '10'],
    ],
  ],
];
it.each(WAYS)('a %s window lets through what it says, and says when to come back', async (kind, steps) => {
  const sandbox = await start({ clock: virtualClock(), limits: { kind, api: 6 } });
  const call = caller(sandbox);
  for (const [afterMs, sent, pass, wait] of steps) {
    await sandbox.clock.advance(afterMs);
    const replies = await Promise.all(Array.from({ length: sent }, () => call('GET', '/me')));
    expect([replies.filter(({ status }) => status === 200).length, replies.at(-1)?.headers.get('retry-after') ?? '']).toEqual([pass, wait]);
  }
});
