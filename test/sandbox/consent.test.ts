import { afterEach, describe, expect, it } from '@jest/globals';
import { virtualClock } from '../../sandbox/service.ts';
import { authorizeUrl, decide, exchange, openConsent, usual } from './authorize.ts';
import { caller, inHtml, send, start, stopAll, textAt } from './support.ts';

afterEach(stopAll);

describe('the consent page', () => {
  it('names the application and says in words what each scope allows', async () => {
    const sandbox = await start();
    const { reply } = await openConsent(
      authorizeUrl(sandbox, usual(sandbox, { scope: 'bookings:read bookings:write event_types:read contacts:read webhooks:manage' })),
    );
    expect(reply.status).toBe(200);
    for (const words of [
      inHtml(sandbox.client.name),
      'See your bookings',
      'Create and cancel bookings for you',
      'See your event types',
      'See and search your contacts',
      'Get notified when bookings and contacts change',
    ]) {
      expect(reply.text).toContain(words);
    }
  });

  it('says nothing of scopes that were not asked for', async () => {
    const sandbox = await start();
    const { reply } = await openConsent(authorizeUrl(sandbox, usual(sandbox)));
    expect(reply.text).toContain('See your bookings');
    expect(reply.text).not.toContain('contacts');
  });

  it('cannot be framed, runs no script, is not stored, and may send its form to the redirect address', async () => {
    const sandbox = await start();
    const { headers } = (await openConsent(authorizeUrl(sandbox, usual(sandbox)))).reply;
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' http://localhost:5678");
    expect([headers.get('x-frame-options'), headers.get('cache-control')]).toEqual(['DENY', 'no-store']);
  });

  it('names the platform that asks, its host, and where the answer goes', async () => {
    const sandbox = await start();
    const { text } = (await openConsent(authorizeUrl(sandbox, usual(sandbox)))).reply;
    expect(text).toContain('<strong>n8n at localhost:5678</strong> wants to use your');
    expect(text).toContain('Your answer goes to <code>http://localhost:5678/rest/oauth2-credential/callback</code>');
    const { reply } = await openConsent(authorizeUrl(sandbox, usual(sandbox, { redirect_uri: 'http://localhost:9000' })));
    expect(reply.text).toContain(`<strong>${inHtml(sandbox.client.name)} at localhost:9000</strong>`);
  });

  it('escapes what it shows', async () => {
    const sandbox = await start();
    const client = sandbox.addClient({ name: '<img src=x>', redirectUris: ['http://localhost/x'] });
    const { reply } = await openConsent(
      authorizeUrl(sandbox, usual(sandbox, { client_id: client.id, redirect_uri: 'http://localhost/x' })),
    );
    expect(reply.text).not.toContain('<img');
    expect(reply.text).toContain('&lt;img');
  });

  it('connects the account that was chosen', async () => {
    const sandbox = await start();
    const second = sandbox.addAccount({ name: 'Sam Second', email: 'sam@host.example' });
    const page = await openConsent(authorizeUrl(sandbox, usual(sandbox)));
    expect(page.reply.text).toContain('sam@host.example');
    const back = await decide(sandbox, page, 'approve', { fields: { account: second.id } });
    const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const tokens = (await exchange(sandbox, code)).body;
    const me = await caller(sandbox, textAt(tokens, 'access_token'))('GET', '/me');
    expect(textAt(me.body, 'data', 'email')).toBe('sam@host.example');
  });
});

describe('an answer to the consent page', () => {
  it('leads back with code and state, and keeps the query of the redirect address', async () => {
    const sandbox = await start();
    sandbox.allowRedirect('http://localhost:7000/back?keep=1');
    const page = await openConsent(
      authorizeUrl(sandbox, usual(sandbox, { redirect_uri: 'http://localhost:7000/back?keep=1', state: 'a b&c' })),
    );
    const back = new URL((await decide(sandbox, page, 'approve')).headers.get('location') ?? '');
    expect([back.origin, back.searchParams.get('keep'), back.searchParams.get('state')]).toEqual(['http://localhost:7000', '1', 'a b&c']);
    expect(back.searchParams.get('code')).toMatch(/^code_/);
  });

  it('is accepted once', async () => {
    const sandbox = await start();
    const page = await openConsent(authorizeUrl(sandbox, usual(sandbox)));
    expect((await decide(sandbox, page, 'approve')).status).toBe(303);
    expect((await decide(sandbox, page, 'approve')).status).toBe(400);
  });

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['another browser', { cookie: 'sandbox_browser=another' }],
    ['no browser', { cookie: '' }],
  ])('from %s is refused, and no code is given', async (_who, headers) => {
    const sandbox = await start();
    const reply = await decide(sandbox, await openConsent(authorizeUrl(sandbox, usual(sandbox))), 'approve', { headers });
    expect([reply.status, reply.headers.get('location')]).toEqual([400, null]);
  });

  it('is refused ten minutes later', async () => {
    const sandbox = await start({ clock: virtualClock() });
    const page = await openConsent(authorizeUrl(sandbox, usual(sandbox)));
    await sandbox.clock.advance(600_000);
    expect((await decide(sandbox, page, 'approve')).status).toBe(400);
  });
});

describe('an authorization request', () => {
  it.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: '' }],
    ['no redirect address', { redirect_uri: '' }],
    ['an unregistered redirect address', { redirect_uri: 'https://evil.example/' }],
    ['a longer path', { redirect_uri: 'http://localhost:5678/rest/oauth2-credential/callback/more' }],
    ['another query', { redirect_uri: 'http://localhost:5678/rest/oauth2-credential/callback?x=1' }],
    ['another port', { redirect_uri: 'http://localhost:5679/rest/oauth2-credential/callback' }],
    ['another case', { redirect_uri: 'http://LOCALHOST:5678/rest/oauth2-credential/callback' }],
    ['user information', { redirect_uri: 'http://localhost:5678@evil.example/rest/oauth2-credential/callback' }],
  ])('with %s ends on a page and redirects nowhere', async (_what, more) => {
    const sandbox = await start();
    const reply = await send(authorizeUrl(sandbox, usual(sandbox, more)));
    expect([reply.status, reply.headers.get('location')]).toEqual([400, null]);
    expect(reply.text).toContain('Cannot connect');
  });

  it('with two redirect addresses ends on a page, even if both are registered', async () => {
    const sandbox = await start();
    const reply = await send(
      `${authorizeUrl(sandbox, usual(sandbox))}&redirect_uri=${encodeURIComponent(sandbox.client.redirectUris[1] ?? '')}`,
    );
    expect([reply.status, reply.headers.get('location')]).toEqual([400, null]);
  });

  it.each([
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['an unknown scope', { scope: 'bookings:read everything' }, 'invalid_scope'],
    ['an empty scope', { scope: ' ' }, 'invalid_scope'],
    ['a plain challenge', { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge without a method', { code_challenge: 'x'.repeat(43) }, 'invalid_request'],
    ['a challenge that is not a hash', { code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
  ])('with %s is answered to the redirect address, with the state', async (_what, more: Record<string, string>, error) => {
    const sandbox = await start();
    const reply = await send(authorizeUrl(sandbox, usual(sandbox, more)));
    const back = new URL(reply.headers.get('location') ?? '');
    expect([back.pathname, back.searchParams.get('error'), back.searchParams.get('state')]).toEqual([
      '/rest/oauth2-credential/callback',
      error,
      'st-1',
    ]);
  });
});
