import { afterEach, describe, expect, it } from '@jest/globals';
import { at, caller, listAt, start, stopAll, textAt } from './support.ts';

afterEach(stopAll);

const url = 'http://127.0.0.1:9/hook';

describe('subscriptions', () => {
  it('show their signing secret at creation and never again', async () => {
    const lines: string[] = [];
    const sandbox = await start({ log: (line) => lines.push(line) });
    const call = caller(sandbox);
    const created = await call('POST', '/hooks', { url, events: ['BOOKING_CREATED', 'CONTACT_UPDATED'] });
    const secret = textAt(created.body, 'signing_secret');
    expect(created.body).toEqual({
      data: {
        id: expect.stringMatching(/^sub_/),
        url,
        events: ['BOOKING_CREATED', 'CONTACT_UPDATED'],
        active: true,
        created_at: expect.any(String),
      },
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
    const id = textAt((await call('POST', '/hooks', { url, events: ['BOOKING_CREATED'] })).body, 'data', 'id');
    const gone = await call('DELETE', `/hooks/${id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await call('DELETE', `/hooks/${id}`)).status).toBe(404);
    expect(sandbox.subscriptions()).toEqual([]);
  });

  it('count towards the 25 of section 8 only while they are active', async () => {
    const sandbox = await start({ limits: { hooks: 1000 } });
    const subscribe = () => caller(sandbox)('POST', '/hooks', { url, events: ['BOOKING_CREATED'] });
    for (let count = 0; count < 25; count += 1) expect((await subscribe()).status).toBe(201);
    expect(await subscribe()).toMatchObject({ status: 403, body: { code: 'SUBSCRIPTION_LIMIT' } });
    const [first] = sandbox.subscriptions();
    sandbox.host.setActive(first?.id ?? '', false);
    expect((await subscribe()).status).toBe(201);
    expect((await subscribe()).status).toBe(403);
    expect(() => sandbox.host.setActive(first?.id ?? '', true)).toThrow('maximum of 25 active');
    expect(sandbox.subscriptions()).toHaveLength(26);
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
  ];
  it.each(wrong)('are refused with %s', async (_what, more, field) => {
    const sandbox = await start();
    const { status, body } = await caller(sandbox)('POST', '/hooks', { url, events: ['BOOKING_CREATED'], ...more });
    expect([status, at(body, 'code'), at(body, 'details', 0, 'field')]).toEqual([400, 'VALIDATION_ERROR', field]);
    expect(sandbox.subscriptions()).toEqual([]);
  });
});

describe('delivery addresses', () => {
  const elsewhere = [
    'https://example.com/hook',
    'http://192.168.1.2/',
    'http://169.254.169.254/latest',
    'http://[::ffff:169.254.169.254]/',
    'http://localhost.example.com/',
    'http://0.0.0.0/',
    'http://127.0.0.1.example.com/',
    'http://10.0.0.1#127.0.0.1',
  ];
  it.each(elsewhere)('%s is refused, with a sentence that names the option', async (target) => {
    const sandbox = await start({ forms: { errorMessage: 'present' } });
    const { status, body } = await caller(sandbox)('POST', '/hooks', { url: target, events: ['BOOKING_CREATED'] });
    expect(status).toBe(400);
    expect(textAt(body, 'message')).toContain('--allow-non-loopback');
  });

  it.each([
    'http://localhost:9/x',
    'http://127.0.0.1/',
    'http://127.8.9.10:99/x?y=1',
    'http://[::1]:9/',
    'https://localhost/',
    'http://2130706433/',
  ])('%s is this machine', async (target) => {
    const { status, body } = await caller(await start())('POST', '/hooks', { url: target, events: ['BOOKING_CREATED'] });
    expect([status, at(body, 'data', 'url')]).toEqual([201, target]);
  });

  it('on other machines are accepted if the sandbox is told to', async () => {
    const sandbox = await start({ allowNonLoopback: true });
    expect((await caller(sandbox)('POST', '/hooks', { url: 'https://example.com/hook', events: ['BOOKING_CREATED'] })).status).toBe(201);
  });
});
