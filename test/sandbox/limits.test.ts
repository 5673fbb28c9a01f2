import { afterEach, describe, expect, it } from '@jest/globals';
import { virtualClock, type Forms, type Limits, type Sandbox } from '../../sandbox/service.ts';
import { refresh } from './authorize.ts';
import { at, caller, start, stopAll, textAt, type Call, type Reply } from './support.ts';

afterEach(stopAll);

const MINUTE = 60_000;

async function times(count: number, request: (index: number) => Promise<Reply>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) statuses.push((await request(index)).status);
  return statuses;
}

const hookBody = (index: number) => ({ url: `http://127.0.0.1:9/${index}`, events: ['BOOKING_CREATED'] });

describe('the documented limits', () => {
  it('let 1,000 requests a minute to /v1/* through for an account, over all its tokens', async () => {
    const sandbox = await start({ clock: virtualClock() });
    const calls = [caller(sandbox), caller(sandbox)];
    const me = (index: number) => (calls[index % 2] ?? caller(sandbox))('GET', '/me');
    expect(new Set(await times(1000, me))).toEqual(new Set([200]));
    const over = await me(0);
    expect([over.status, over.body, over.headers.get('retry-after')]).toEqual([
      429,
      { error: 'Rate limit exceeded', code: 'RATE_LIMITED' },
      '60',
    ]);
    const other = caller(sandbox, sandbox.issueToken({ accountId: sandbox.addAccount().id }).access_token);
    expect((await other('GET', '/me')).status).toBe(200);
    await sandbox.clock.advance(MINUTE);
    expect((await me(0)).status).toBe(200);
  });

  it('let 10 subscription requests a minute through, including lists and deletions (G27)', async () => {
    const sandbox = await start({ clock: virtualClock() });
    const call = caller(sandbox);
    const ids: string[] = [];
    for (let index = 0; index < 4; index++) ids.push(textAt((await call('POST', '/hooks', hookBody(index))).body, 'data', 'id'));
    expect(await times(3, () => call('GET', '/hooks'))).toEqual([200, 200, 200]);
    expect(await times(3, (index) => call('DELETE', `/hooks/${ids[index]}`))).toEqual([204, 204, 204]);
    expect((await call('DELETE', `/hooks/${ids[3]}`)).status).toBe(429);
    expect(sandbox.subscriptions()).toHaveLength(1);
    expect((await call('GET', '/me')).status).toBe(200);
    await sandbox.clock.advance(MINUTE);
    expect((await call('DELETE', `/hooks/${ids[3]}`)).status).toBe(204);
  });

  it('let 20 token requests a minute through for a client, including those with a wrong secret', async () => {
    const sandbox = await start({ clock: virtualClock() });
    let { refresh_token } = sandbox.issueToken();
    expect(await times(5, () => refresh(sandbox, refresh_token, { client_secret: 'wrong' }))).toEqual(Array(5).fill(401));
    for (let index = 0; index < 15; index++) refresh_token = textAt((await refresh(sandbox, refresh_token)).body, 'refresh_token');
    const over = await refresh(sandbox, refresh_token);
    expect([over.status, at(over.body, 'code'), over.headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '60']);
    await sandbox.clock.advance(MINUTE);
    expect((await refresh(sandbox, refresh_token)).status).toBe(200);
  });

  it('allow an account 25 active subscriptions, and free the place of a deleted one', async () => {
    const sandbox = await start({ limits: false });
    const call = caller(sandbox);
    expect(new Set(await times(25, (index) => call('POST', '/hooks', hookBody(index))))).toEqual(new Set([201]));
    const over = await call('POST', '/hooks', hookBody(25));
    expect([over.status, over.body]).toEqual([403, { error: 'Subscription limit reached', code: 'SUBSCRIPTION_LIMIT' }]);
    expect(sandbox.subscriptions()).toHaveLength(25);
    await call('DELETE', `/hooks/${sandbox.subscriptions()[7]?.id}`);
    expect((await call('POST', '/hooks', hookBody(25))).status).toBe(201);
  });

  it('do not count requests without a token', async () => {
    const sandbox = await start({ limits: { api: 2 } });
    expect(await times(5, () => caller(sandbox, 'wrong')('GET', '/me'))).toEqual(Array(5).fill(401));
    expect(await times(3, () => caller(sandbox)('GET', '/me'))).toEqual([200, 200, 429]);
  });

  it('can be switched off', async () => {
    const sandbox = await start({ limits: false });
    expect(new Set(await times(30, () => caller(sandbox)('GET', '/hooks')))).toEqual(new Set([200]));
  });
});

describe('the ways to count', () => {
  const limited = async (kind: Limits['kind']): Promise<{ sandbox: Sandbox; call: Call; passed: (count: number) => Promise<number> }> => {
    const sandbox = await start({ clock: virtualClock(), limits: { kind, api: 6 } });
    const call = caller(sandbox);
    return {
      sandbox,
      call,
      passed: async (count) => (await times(count, () => call('GET', '/me'))).filter((status) => status === 200).length,
    };
  };

  it('a fixed window resets everything at its end', async () => {
    const { sandbox, passed } = await limited('fixed');
    expect(await passed(3)).toBe(3);
    await sandbox.clock.advance(50_000);
    expect(await passed(9)).toBe(3);
    await sandbox.clock.advance(10_000);
    expect(await passed(9)).toBe(6);
  });

  it('a sliding log frees only what is more than a minute old', async () => {
    const { sandbox, call, passed } = await limited('sliding');
    expect(await passed(3)).toBe(3);
    await sandbox.clock.advance(50_000);
    expect(await passed(9)).toBe(3);
    expect((await call('GET', '/me')).headers.get('retry-after')).toBe('10');
    await sandbox.clock.advance(10_000);
    expect(await passed(9)).toBe(3);
    await sandbox.clock.advance(50_000);
    expect(await passed(9)).toBe(3);
  });

  it('a bucket fills evenly', async () => {
    const { sandbox, call, passed } = await limited('bucket');
    expect(await passed(9)).toBe(6);
    expect((await call('GET', '/me')).headers.get('retry-after')).toBe('10');
    await sandbox.clock.advance(20_000);
    expect(await passed(9)).toBe(2);
    await sandbox.clock.advance(600_000);
    expect(await passed(9)).toBe(6);
  });
});

describe('when to come back (G16)', () => {
  const now = Date.UTC(2027, 0, 4, 9);
  const forms: [Forms['rateLimit'], string | null, string | null][] = [
    ['retry-after', 'retry-after', '60'],
    ['http-date', 'retry-after', 'Mon, 04 Jan 2027 09:01:00 GMT'],
    ['x-ratelimit-reset', 'x-ratelimit-reset', '60'],
    ['x-ratelimit-reset-epoch', 'x-ratelimit-reset', String(now / 1000 + 60)],
    ['ratelimit-reset', 'ratelimit-reset', '60'],
    ['ratelimit-reset-epoch', 'ratelimit-reset', String(now / 1000 + 60)],
    ['none', null, null],
  ];
  it.each(forms)('can be sent as %s', async (rateLimit, header, value) => {
    const sandbox = await start({ clock: virtualClock(now), forms: { rateLimit }, limits: { api: 1 } });
    const call = caller(sandbox);
    await call('GET', '/me');
    const { status, headers } = await call('GET', '/me');
    const sent = ['retry-after', 'x-ratelimit-reset', 'ratelimit-reset'].filter((name) => headers.has(name));
    expect([status, sent, header === null ? null : headers.get(header)]).toEqual([429, header === null ? [] : [header], value]);
  });
});
