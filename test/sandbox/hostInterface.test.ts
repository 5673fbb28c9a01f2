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
    expect([booked.status, at(booked.body, 'status'), at(booked.body, 'event_type_name')]).toEqual([201, 'CONFIRMED', 'Intro Call']);
    const id = textAt(booked.body, 'id');
    expect(at((await host('POST', `/bookings/${id}/reschedule`, { start_time: '2027-06-01T10:00:00Z' })).body, 'start_time')).toBe(
      '2027-06-01T10:00:00.000Z',
    );
    expect(at((await host('POST', `/bookings/${id}/cancel`, { reason: 'Ill' })).body, 'cancellation_reason')).toBe('Ill');

    const pending = async () =>
      textAt(
        (await host('POST', '/bookings', { event_type_id: typeNamed(sandbox, 'Design Review'), question_responses: { link: 'x' } })).body,
        'id',
      );
    expect(at((await host('POST', `/bookings/${await pending()}/approve`)).body, 'status')).toBe('CONFIRMED');
    expect(at((await host('POST', `/bookings/${await pending()}/deny`, { reason: 'Full' })).body, 'status')).toBe('CANCELLED');

    const contact = sandbox.contacts()[0];
    expect(at((await host('PATCH', `/contacts/${contact?.id}`, { phone: '+44 20 7946 0000' })).body, 'phone')).toBe('+44 20 7946 0000');
    expect(at((await host('PUT', '/account/plan', { plan: 'FREE' })).body, 'plan')).toBe('FREE');
  });

  it('books into free slots that it chooses itself', async () => {
    const sandbox = await start();
    const starts = Array.from({ length: 60 }, () => sandbox.host.book().start_time);
    expect(new Set(starts).size).toBe(60);
  });

  it('makes and ends subscriptions without their clients, and sends deliveries again', async () => {
    const sandbox = await start();
    const host = hostCaller(sandbox);
    const { body } = await host('POST', '/subscriptions', { url: 'http://127.0.0.1:9/x', events: ['BOOKING_CREATED'] });
    sandbox.host.book();
    await sandbox.settled();
    const deliveries = listAt((await host('GET', '/deliveries')).body);
    expect(deliveries).toEqual([expect.objectContaining({ event: 'BOOKING_CREATED', status: 'pending' })]);
    expect((await host('POST', `/deliveries/${textAt(deliveries, 0, 'id')}/again`)).status).toBe(202);
    expect((await host('DELETE', `/subscriptions/${textAt(body, 'id')}`)).status).toBe(204);
    expect((await host('GET', '/subscriptions')).body).toEqual([]);
    await sandbox.settled();
    expect((await host('POST', `/deliveries/${textAt(deliveries, 0, 'id')}/again`)).status).toBe(404);
  });

  it('shows everything that is kept, and no secret', async () => {
    const sandbox = await start();
    const host = hostCaller(sandbox);
    const created = await caller(sandbox)('POST', '/hooks', { url: 'http://127.0.0.1:9/x', events: ['BOOKING_CREATED'] });
    for (const [path, count] of [
      ['/bookings', sandbox.bookings().length],
      ['/event-types', 8],
      ['/contacts', 30],
      ['/subscriptions', 1],
      ['/deliveries', 0],
    ] as const) {
      const { text, body } = await host('GET', path);
      expect(listAt(body)).toHaveLength(count);
      expect(text).not.toContain(textAt(created.body, 'signing_secret'));
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

  it('refuses bad input with the names of the fields', async () => {
    const host = hostCaller(await start());
    expect((await host('POST', '/bookings', { invitee_email: 'none' })).body).toMatchObject({ details: [{ field: 'invitee_email' }] });
    expect((await host('POST', '/bookings/bkg_nothing/approve')).status).toBe(404);
  });
});

describe('the host interface is closed to', () => {
  it('requests without its header, and those of another site', async () => {
    const sandbox = await start();
    expect((await send(`${sandbox.origin}/host/api/bookings`)).status).toBe(403);
    expect(
      (await send(`${sandbox.origin}/host/api/bookings`, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' })).status,
    ).toBe(403);
    const host = hostCaller(sandbox);
    expect((await host('GET', '/bookings', undefined, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await host('GET', '/bookings', undefined, { origin: 'null' })).status).toBe(403);
    expect((await host('GET', '/bookings', undefined, { origin: sandbox.origin })).status).toBe(200);
  });

  it('a preflight from another site: it names no origin, so the browser does not send the request', async () => {
    const sandbox = await start();
    const { headers } = await send(`${sandbox.origin}/host/api/bookings`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-sandbox-host',
      },
    });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('a name that was made to lead to this machine', async () => {
    const sandbox = await start();
    const status = await new Promise((resolve, reject) => {
      request(`${sandbox.origin}/host/api/bookings`, { headers: { host: 'evil.example', 'x-sandbox-host': '1' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });

  it('the tokens of the public API, just as the public API is closed to its header', async () => {
    const sandbox = await start();
    expect(
      (await send(`${sandbox.origin}/host/api/bookings`, { headers: { authorization: `Bearer ${sandbox.issueToken().access_token}` } }))
        .status,
    ).toBe(403);
    expect((await send(`${sandbox.baseUrl}/bookings`, { headers: { 'x-sandbox-host': '1' } })).status).toBe(401);
  });
});
