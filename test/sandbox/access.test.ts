import { afterEach, describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../sandbox/guard.ts';
import type { Sandbox } from '../../sandbox/service.ts';
import { bookingInput, caller, send, start, stopAll, type Reply } from './support.ts';

afterEach(stopAll);

/** Section 4: every endpoint with its scope, and a body that it accepts. */
const ENDPOINTS: [method: string, path: string, scope: string | null, body?: (sandbox: Sandbox) => unknown][] = [
  ['GET', '/me', null],
  ['GET', '/bookings', 'bookings:read'],
  ['GET', '/bookings/:booking', 'bookings:read'],
  ['POST', '/bookings', 'bookings:write', (sandbox) => bookingInput(sandbox)],
  ['POST', '/bookings/:booking/cancel', 'bookings:write', () => ({})],
  ['GET', '/event-types', 'event_types:read'],
  ['GET', '/event-types/:eventType', 'event_types:read'],
  ['GET', '/contacts', 'contacts:read'],
  ['GET', '/contacts/:contact', 'contacts:read'],
  ['GET', '/hooks', 'webhooks:manage'],
  ['POST', '/hooks', 'webhooks:manage', () => ({ url: 'http://127.0.0.1:9/hook', events: ['BOOKING_CREATED'] })],
  ['DELETE', '/hooks/:hook', 'webhooks:manage'],
];

describe.each(ENDPOINTS)('%s /v1%s', (method, path, scope, body) => {
  async function ready() {
    const sandbox = await start();
    const ids: Record<string, string> = {
      ':booking': sandbox.bookings().findLast(({ status }) => status === 'CONFIRMED')?.id ?? '',
      ':eventType': sandbox.eventTypes()[0]?.id ?? '',
      ':contact': sandbox.contacts()[0]?.id ?? '',
      ':hook': sandbox.host.addSecretlessSubscription({ url: 'http://127.0.0.1:9/', events: ['CONTACT_CREATED'] }).id,
    };
    const request = (token: string, id = (name: string) => ids[name] ?? name): Promise<Reply> =>
      caller(sandbox, token)(method, path.replace(/:\w+/, id), body?.(sandbox));
    return { sandbox, request };
  }

  it(`answers a valid token with ${scope ?? 'any scope'}, and refuses a missing, a wrong and an expired one with 401`, async () => {
    const { sandbox, request } = await ready();
    for (const token of ['', 'wrong', sandbox.issueToken({ expiresInSeconds: 0 }).access_token]) {
      const reply = await request(token);
      expect(reply).toMatchObject({ status: 401, body: { error: 'Unauthorized', code: 'INVALID_TOKEN' } });
      expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
    expect([200, 201, 204]).toContain((await request(sandbox.issueToken({ scopes: [scope ?? 'contacts:read'] }).access_token)).status);
  });

  it(`refuses an account without the Pro plan with 403${scope === null ? '' : `, and every scope but ${scope}`}`, async () => {
    const { sandbox, request } = await ready();
    const accountId = sandbox.addAccount({ plan: 'FREE' }).id;
    expect(await request(sandbox.issueToken({ accountId }).access_token)).toMatchObject({ status: 403, body: { code: 'PLAN_REQUIRED' } });
    if (scope === null) return;
    const reply = await request(sandbox.issueToken({ scopes: Object.keys(SCOPES).filter((each) => each !== scope) }).access_token);
    expect(reply).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE' } });
    expect(reply.headers.get('www-authenticate')).toContain(`scope="${scope}"`);
  });

  if (!path.includes(':')) return;
  it('answers 404 for an id that is unknown, and for one of another account', async () => {
    const { sandbox, request } = await ready();
    const notFound = { status: 404, body: { code: 'NOT_FOUND' } };
    expect(await request(sandbox.issueToken().access_token, (name) => name)).toMatchObject(notFound);
    expect(await request(sandbox.issueToken({ accountId: sandbox.addAccount().id }).access_token)).toMatchObject(notFound);
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
      ['GET', '/bookings/x/cancel'],
    ] as const)
      expect(await caller(sandbox)(method, path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
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
