import { afterEach, describe, expect, it } from '@jest/globals';
import { at, caller, listAt, start, stopAll, textAt } from './support.ts';

afterEach(stopAll);

const hook = { url: 'http://127.0.0.1:9/hook', events: ['BOOKING_CREATED'] };

describe('subscriptions', () => {
  it('show their signing secret at creation and never again', async () => {
    const lines: string[] = [];
    const sandbox = await start({ log: (line) => lines.push(line) });
    const call = caller(sandbox);
    const created = await call('POST', '/hooks', hook);
    const secret = textAt(created.body, 'signing_secret');
    expect(created.body).toEqual({
      data: { id: expect.stringMatching(/^sub_/), ...hook, active: true, created_at: expect.any(String) },
      signing_secret: expect.stringMatching(/^whsec_.{43}$/),
    });
    const list = await call('GET', '/hooks');
    expect(listAt(list.body, 'data')).toEqual([at(created.body, 'data')]);
    for (const shown of [list.text, JSON.stringify(sandbox.subscriptions()), JSON.stringify(sandbox.requests()), lines.join('\n')])
      expect(shown).not.toContain(secret);
  });

  it('are deleted once; the second time they are not found', async () => {
    const sandbox = await start();
    const call = caller(sandbox);
    const id = textAt((await call('POST', '/hooks', hook)).body, 'data', 'id');
    expect(await call('DELETE', `/hooks/${id}`)).toMatchObject({ status: 204, text: '' });
    expect((await call('DELETE', `/hooks/${id}`)).status).toBe(404);
  });

  it('are 25 at most (section 8), counted while they are active', async () => {
    const sandbox = await start({ limits: false });
    const call = caller(sandbox);
    const subscribe = async () => (await call('POST', '/hooks', hook)).status;
    for (let count = 0; count < 25; count += 1) expect(await subscribe()).toBe(201);
    expect(await call('POST', '/hooks', hook)).toMatchObject({
      status: 403,
      body: { error: 'Subscription limit reached', code: 'SUBSCRIPTION_LIMIT' },
    });
    const [first, second] = sandbox.subscriptions().map(({ id }) => id);
    sandbox.host.setActive(first ?? '', false);
    expect([await subscribe(), await subscribe()]).toEqual([201, 403]);
    expect(() => sandbox.host.setActive(first ?? '', true)).toThrow('maximum of 25 active');
    await call('DELETE', `/hooks/${second}`);
    expect([await subscribe(), await subscribe()]).toEqual([201, 403]);
  });

  const wrong: [string, Record<string, unknown>, string][] = [
    ['no address', { url: undefined }, 'url'],
    ['an invalid address', { url: 'hook' }, 'url'],
    ['a file', { url: 'file:///etc/passwd' }, 'url'],
    ['user information in the address', { url: 'http://a:b@127.0.0.1/' }, 'url'],
    ['no events', { events: undefined }, 'events'],
    ['an empty list of events', { events: [] }, 'events'],
    ['an unknown event', { events: ['BOOKING_MOVED'] }, 'events.0'],
    ['an event twice', { events: ['BOOKING_CREATED', 'BOOKING_CREATED'] }, 'events'],
    ['events as a text', { events: 'BOOKING_CREATED' }, 'events'],
    ['a field that there is not', { secret: 'x' }, 'secret'],
    ...[
      'https://example.com/hook',
      'http://192.168.1.2/',
      'http://169.254.169.254/latest',
      'http://[::ffff:169.254.169.254]/',
      'http://localhost.example.com/',
      'http://0.0.0.0/',
      'http://127.0.0.1.example.com/',
      'http://10.0.0.1#127.0.0.1',
    ].map((url): [string, Record<string, unknown>, string] => [`${url}, which is elsewhere`, { url }, 'url']),
  ];
  it.each(wrong)('are refused with %s', async (what, more, field) => {
    const sandbox = await start();
    const reply = await caller(sandbox)('POST', '/hooks', { ...hook, ...more });
    expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', details: [{ field }] } });
    if (what.endsWith('elsewhere')) expect(reply.text).toContain('--allow-non-loopback');
    expect(sandbox.subscriptions()).toEqual([]);
  });

  it.each([
    'http://localhost:9/x',
    'http://127.0.0.1/',
    'http://127.8.9.10:99/x?y=1',
    'http://[::1]:9/',
    'https://localhost/',
    'http://2130706433/',
  ])('are accepted at %s, which is this machine', async (url) => {
    const reply = await caller(await start())('POST', '/hooks', { ...hook, url });
    expect(reply).toMatchObject({ status: 201, body: { data: { url } } });
  });

  it('are accepted on other machines if the sandbox is told to', async () => {
    const sandbox = await start({ allowNonLoopback: true });
    expect((await caller(sandbox)('POST', '/hooks', { ...hook, url: 'https://example.com/hook' })).status).toBe(201);
  });
});
