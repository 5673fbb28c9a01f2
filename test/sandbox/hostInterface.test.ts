import { request } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { virtualClock } from '../../sandbox/service.ts';
import { at, caller, hostCaller, listAt, send, start, stopAll, textAt, typeNamed } from './support.ts';

afterEach(stopAll);

describe('the host interface', () => {
  it('books, reschedules, cancels, approves, denies and edits', async () => {
    const sandbox = await start({ clock: virtualClock() });
    const host = hostCaller(sandbox);
    const booked = await host('POST', '/bookings', { invitee_name: 'Lea Host', invitee_email: 'lea@example.com' });
    expect(booked).toMatchObject({ status: 201, body: { status: 'CONFIRMED', event_type_name: 'Intro Call' } });
    const pending = async () => {
      const input = { event_type_id: typeNamed(sandbox, 'Design Review'), question_responses: { link: 'x' } };
      return textAt((await host('POST', '/bookings', input)).body, 'id');
    };
    const path = `/bookings/${textAt(booked.body, 'id')}`;
    for (const [method, action, body, shown] of [
      ['POST', `${path}/reschedule`, { start_time: '2027-06-01T10:00:00Z' }, { start_time: '2027-06-01T10:00:00.000Z' }],
      ['POST', `${path}/cancel`, { reason: 'Ill' }, { cancellation_reason: 'Ill' }],
      ['POST', `/bookings/${await pending()}/approve`, undefined, { status: 'CONFIRMED' }],
      ['POST', `/bookings/${await pending()}/deny`, { reason: 'Full' }, { status: 'CANCELLED' }],
      ['PATCH', `/contacts/${sandbox.contacts()[0]?.id}`, { phone: '+44 20 7946 0000' }, { phone: '+44 20 7946 0000' }],
      ['PUT', '/account/plan', { plan: 'FREE' }, { plan: 'FREE' }],
    ] as const)
      expect((await host(method, action, body)).body).toMatchObject(shown);
    expect((await host('POST', '/bookings', { invitee_email: 'none' })).body).toMatchObject({ details: [{ field: 'invitee_email' }] });
    expect((await host('POST', '/bookings/bkg_nothing/approve')).status).toBe(404);
  });

  it('books into free slots that it chooses itself', async () => {
    const sandbox = await start();
    expect(new Set(Array.from({ length: 60 }, () => sandbox.host.book().start_time)).size).toBe(60);
  });

  it('makes and ends subscriptions without their clients, and sends deliveries again', async () => {
    const sandbox = await start();
    const host = hostCaller(sandbox);
    const { body } = await host('POST', '/subscriptions', { url: 'http://127.0.0.1:9/x', events: ['BOOKING_CREATED'] });
    sandbox.host.book();
    await sandbox.settled();
    const deliveries = listAt((await host('GET', '/deliveries')).body);
    expect(deliveries).toMatchObject([{ event: 'BOOKING_CREATED', status: 'pending' }]);
    const again = `/deliveries/${textAt(deliveries, 0, 'id')}/again`;
    expect((await host('POST', again)).status).toBe(202);
    expect((await host('DELETE', `/subscriptions/${textAt(body, 'id')}`)).status).toBe(204);
    expect((await host('GET', '/subscriptions')).body).toEqual([]);
    await sandbox.settled();
    expect((await host('POST', again)).status).toBe(404);
  });

  it('shows everything that is kept, and no secret', async () => {
    const sandbox = await start();
    const host = hostCaller(sandbox);
    const created = await caller(sandbox)('POST', '/hooks', { url: 'http://127.0.0.1:9/x', events: ['BOOKING_CREATED'] });
    const counts = { bookings: 42, 'event-types': 8, contacts: 30, subscriptions: 1, deliveries: 0 };
    for (const [path, count] of Object.entries(counts)) {
      const { text, body } = await host('GET', `/${path}`);
      expect([path, listAt(body).length, text.includes(textAt(created.body, 'signing_secret'))]).toEqual([path, count, false]);
    }
    expect(textAt((await host('GET', '/account')).body, 'email')).toBe(sandbox.account.email);
    expect((await host('GET', '/requests')).text).not.toMatch(/Bearer at_/);
  });

  it('advances the clock', async () => {
    const sandbox = await start();
    const call = caller(sandbox);
    await hostCaller(sandbox)('POST', '/clock/advance', { ms: 3_600_000 });
    expect((await call('GET', '/me')).status).toBe(401);
  });

  it.each([
    ['lists', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['objects', '{"a":'.repeat(8_000) + '1' + '}'.repeat(8_000)],
  ])('still lists the requests after one with thousands of nested %s, whose body it keeps as text', async (_, body) => {
    const sandbox = await start();
    const shallow = { question_responses: { services: [{ of: [['a']] }] } };
    for (const each of [body, shallow]) await caller(sandbox)('POST', '/bookings', each);
    const shown = listAt((await hostCaller(sandbox)('GET', '/requests')).body);
    expect(shown.map((each) => at(each, 'body')).slice(0, 2)).toEqual([body, shallow]);
  });
});

describe('the host interface is closed to', () => {
  it('requests without its header, with a token of the public API instead, and those of another site', async () => {
    const sandbox = await start();
    const url = `${sandbox.origin}/host/api/bookings`;
    const plain = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' };
    const authorization = `Bearer ${sandbox.issueToken().access_token}`;
    for (const init of [{}, plain, { headers: { authorization } }]) expect((await send(url, init)).status).toBe(403);
    const from = async (origin: string) => (await hostCaller(sandbox)('GET', '/bookings', undefined, { origin })).status;
    expect([await from('https://evil.example'), await from('null'), await from(sandbox.origin)]).toEqual([403, 403, 200]);
    expect((await send(`${sandbox.baseUrl}/bookings`, { headers: { 'x-sandbox-host': '1' } })).status).toBe(401);
  });

  it('a preflight from another site: it names no origin, so the browser does not send the request', async () => {
    const sandbox = await start();
    const headers = {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-sandbox-host',
    };
    const reply = await send(`${sandbox.origin}/host/api/bookings`, { method: 'OPTIONS', headers });
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('a name that was made to lead to this machine', async () => {
    const sandbox = await start();
    const headers = { host: 'evil.example', 'x-sandbox-host': '1' };
    const status = await new Promise((resolve, reject) => {
      request(`${sandbox.origin}/host/api/bookings`, { headers }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });
});
