import { afterEach, describe, expect, it } from '@jest/globals';
import { virtualClock } from '../../sandbox/service.ts';
import { authorizeUrl, consentTo, decide, exchange, openConsent, usual } from './authorize.ts';
import { caller, inHtml, send, start, stopAll, textAt } from './support.ts';

afterEach(stopAll);

describe('the consent page', () => {
  it('names the platform that asks, where the answer goes, and in words what each requested scope allows', async () => {
    const sandbox = await start();
    const { text } = (await openConsent(authorizeUrl(sandbox, usual(sandbox, { scope: 'bookings:read bookings:write webhooks:manage' }))))
      .reply;
    for (const words of [
      '<strong>n8n at localhost:5678</strong> wants to use your',
      'Your answer goes to <code>http://localhost:5678/rest/oauth2-credential/callback</code>',
      'See your bookings',
      'Create and cancel bookings for you',
      'Get notified when bookings and contacts change',
    ])
      expect(text).toContain(words);
    expect(text).not.toContain('See and search your contacts');
    const { reply } = await openConsent(authorizeUrl(sandbox, usual(sandbox, { redirect_uri: 'http://localhost:9000' })));
    expect(reply.text).toContain(`<strong>${inHtml(sandbox.client.name)} at localhost:9000</strong>`);
  });

  it('cannot be framed, runs no script, is not stored, and may send its form to the redirect address', async () => {
    const sandbox = await start();
    const { headers } = (await openConsent(authorizeUrl(sandbox, usual(sandbox)))).reply;
    for (const directive of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self' http://localhost:5678"])
      expect(headers.get('content-security-policy')).toContain(directive);
    expect([headers.get('x-frame-options'), headers.get('cache-control')]).toEqual(['DENY', 'no-store']);
  });

  it('escapes what it shows', async () => {
    const sandbox = await start();
    const { id } = sandbox.addClient({ name: '<img src=x>', redirectUris: ['http://localhost/x'] });
    const { reply } = await openConsent(authorizeUrl(sandbox, usual(sandbox, { client_id: id, redirect_uri: 'http://localhost/x' })));
    expect([reply.text.includes('<img'), reply.text.includes('&lt;img')]).toEqual([false, true]);
  });

  it('connects the account that was chosen', async () => {
    const sandbox = await start();
    const second = sandbox.addAccount({ name: 'Sam Second', email: 'sam@host.example' });
    const page = await openConsent(authorizeUrl(sandbox, usual(sandbox)));
    expect(page.reply.text).toContain('sam@host.example');
    const back = await decide(sandbox, page, 'approve', { fields: { account: second.id } });
    const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const token = textAt((await exchange(sandbox, code)).body, 'access_token');
    expect(textAt((await caller(sandbox, token)('GET', '/me')).body, 'data', 'email')).toBe('sam@host.example');
  });
});

describe('an answer to the consent page', () => {
  it('leads back with code and state, and keeps the query of the redirect address', async () => {
    const sandbox = await start();
    const redirect_uri = 'http://localhost:7000/back?keep=1';
    sandbox.allowRedirect(redirect_uri);
    const back = await consentTo(sandbox, authorizeUrl(sandbox, usual(sandbox, { redirect_uri, state: 'a b&c' })));
    expect([back.origin, back.searchParams.get('keep'), back.searchParams.get('state')]).toEqual(['http://localhost:7000', '1', 'a b&c']);
    expect(back.searchParams.get('code')).toMatch(/^code_/);
  });

  it('is accepted once, and not ten minutes later', async () => {
    const sandbox = await start({ clock: virtualClock() });
    const [page, other] = [
      await openConsent(authorizeUrl(sandbox, usual(sandbox))),
      await openConsent(authorizeUrl(sandbox, usual(sandbox))),
    ];
    expect((await decide(sandbox, page, 'approve')).status).toBe(303);
    expect((await decide(sandbox, page, 'approve')).status).toBe(400);
    await sandbox.clock.advance(600_000);
    expect((await decide(sandbox, other, 'approve')).status).toBe(400);
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
});

describe('an authorization request', () => {
  const callback = 'http://localhost:5678/rest/oauth2-credential/callback';
  it.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: '' }],
    ['no redirect address', { redirect_uri: '' }],
    ['a longer path', { redirect_uri: `${callback}/more` }],
    ['another query', { redirect_uri: `${callback}?x=1` }],
    ['another port', { redirect_uri: callback.replace('5678', '5679') }],
    ['another case', { redirect_uri: callback.replace('localhost', 'LOCALHOST') }],
    ['user information', { redirect_uri: callback.replace('5678', '5678@evil.example') }],
    ['two redirect addresses, even registered ones', {}],
  ])('with %s ends on a page and redirects nowhere', async (what, more) => {
    const sandbox = await start();
    const twice = what.startsWith('two') ? `&redirect_uri=${encodeURIComponent(sandbox.client.redirectUris[1] ?? '')}` : '';
    const reply = await send(`${authorizeUrl(sandbox, usual(sandbox, more))}${twice}`);
    expect([reply.status, reply.headers.get('location'), reply.text.includes('Cannot connect')]).toEqual([400, null, true]);
  });

  const challenge = 'x'.repeat(43);
  it.each<[string, Record<string, string>, string]>([
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['an unknown scope', { scope: 'bookings:read everything' }, 'invalid_scope'],
    ['an empty scope', { scope: ' ' }, 'invalid_scope'],
    ['a plain challenge', { code_challenge: challenge, code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge without a method', { code_challenge: challenge }, 'invalid_request'],
    ['a challenge that is not a hash', { code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
  ])('with %s is answered to the redirect address, with the state', async (_what, more, error) => {
    const sandbox = await start();
    const { headers } = await send(authorizeUrl(sandbox, usual(sandbox, more)));
    const back = new URL(headers.get('location') ?? '');
    expect([back.href.split('?')[0], back.searchParams.get('error'), back.searchParams.get('state')]).toEqual([callback, error, 'st-1']);
  });
});
