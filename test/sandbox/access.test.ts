import { afterEach, describe, expect, it } from '@jest/globals';
import { at, bookingInput, caller, send, start, stopAll } from './support.ts';

afterEach(stopAll);

/** Section 4: every endpoint with its scope, and a request that it accepts. */
const ENDPOINTS: [string, string, string | null][] = [
  ['GET', '/me', null],
  ['GET', '/bookings', 'bookings:read'],
  ['GET', '/bookings/:booking', 'bookings:read'],
  ['POST', '/bookings', 'bookings:write'],
  ['POST', '/bookings/:booking/cancel', 'bookings:write'],
  ['GET', '/event-types', 'event_types:read'],
  ['GET', '/event-types/:eventType', 'event_types:read'],
  ['GET', '/contacts', 'contacts:read'],
  ['GET', '/contacts/:contact', 'contacts:read'],
  ['GET', '/hooks', 'webhooks:manage'],
  ['POST', '/hooks', 'webhooks:manage'],
  ['DELETE', '/hooks/:hook', 'webhooks:manage'],
];
const SCOPES = ['bookings:read', 'bookings:write', 'event_types:read', 'contacts:read', 'webhooks:manage'];

async function ready() {
  const sandbox = await start();
  const url = 'http://127.0.0.1:9/hook';
  const ids: Record<string, string> = {
    ':booking': sandbox.bookings().findLast(({ status }) => status === 'CONFIRMED')?.id ?? '',
    ':eventType': sandbox.eventTypes()[0]?.id ?? '',
    ':contact': sandbox.contacts()[0]?.id ?? '',
    ':hook': sandbox.host.addSecretlessSubscription({ url, events: ['CONTACT_CREATED'] }).id,
  };
  const request = (method: string, path: string, token: string, list = ids) => {
    const body =
      method !== 'POST'
        ? undefined
        : path === '/hooks'
          ? { url, events: ['BOOKING_CREATED'] }
          : path === '/bookings'
            ? bookingInput(sandbox)
            : {};
    return caller(sandbox, token)(
      method,
      path.replace(/:\w+/, (name) => list[name] ?? name),
      body,
    );
  };
  return { sandbox, request };
}

describe.each(ENDPOINTS)('%s /v1%s', (method, path, scope) => {
  it(`answers with ${scope ?? 'any valid scope'}`, async () => {
    const { sandbox, request } = await ready();
    const { status } = await request(method, path, sandbox.issueToken({ scopes: [scope ?? 'contacts:read'] }).access_token);
    expect([200, 201, 204]).toContain(status);
  });

  it('refuses a missing, a wrong and an expired token with 401', async () => {
    const { sandbox, request } = await ready();
    for (const token of ['', 'wrong', sandbox.issueToken({ expiresInSeconds: 0 }).access_token]) {
      const { status, body, headers } = await request(method, path, token);
      expect([status, body]).toEqual([401, { error: 'Unauthorized', code: 'INVALID_TOKEN' }]);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  it('refuses an account without the Pro plan with 403', async () => {
    const { sandbox, request } = await ready();
    const free = sandbox.addAccount({ plan: 'FREE' });
    const { status, body } = await request(method, path, sandbox.issueToken({ accountId: free.id }).access_token);
    expect([status, at(body, 'code')]).toEqual([403, 'PLAN_REQUIRED']);
  });

  if (scope === null) return;
  it(`refuses every scope but ${scope} with 403`, async () => {
    const { sandbox, request } = await ready();
    const { status, body, headers } = await request(
      method,
      path,
      sandbox.issueToken({ scopes: SCOPES.filter((each) => each !== scope) }).access_token,
    );
    expect([status, at(body, 'code')]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(headers.get('www-authenticate')).toContain(`scope="${scope}"`);
  });

  if (!path.includes(':')) return;
  it('answers 404 for an id that is unknown, and for one of another account', async () => {
    const { sandbox, request } = await ready();
    const stranger = sandbox.issueToken({ accountId: sandbox.addAccount().id }).access_token;
    const own = sandbox.issueToken().access_token;
    for (const reply of [await request(method, path, stranger), await request(method, path, own, {})]) {
      expect([reply.status, at(reply.body, 'code')]).toEqual([404, 'NOT_FOUND']);
    }
  });
});

describe('the service', () => {
  it('keeps the lists of accounts apart', async () => {
    const sandbox = await start();
    const call = caller(sandbox, sandbox.issueToken({ accountId: sandbox.addAccount().id }).access_token);
    for (const path of ['/bookings', '/contacts', '/hooks'])
      expect((await call('GET', path)).body).toEqual({ data: [], next_cursor: null });
  });

  it('answers 404 for an unknown path or method', async () => {
    const sandbox = await start();
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['PUT', '/bookings'],
      ['DELETE', '/contacts/x'],
      ['GET', '/bookings/x/cancel'],
    ] as const) {
      const { status, body } = await caller(sandbox)(method, path);
      expect([status, at(body, 'code')]).toEqual([404, 'NOT_FOUND']);
    }
    expect((await send(`${sandbox.origin}/v1/me`)).status).toBe(404);
  });

  it('goes by the current plan: an account that upgrades gets access with the same token', async () => {
    const sandbox = await start();
    const call = caller(sandbox);
    sandbox.host.setPlan('FREE');
    expect((await call('GET', '/me')).status).toBe(403);
    sandbox.host.setPlan('BUSINESS');
    expect((await call('GET', '/me')).status).toBe(200);
  });
});
