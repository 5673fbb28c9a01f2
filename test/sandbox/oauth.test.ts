import { afterEach, describe, expect, it } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import { virtualClock, type Sandbox } from '../../sandbox/service.ts';
import { authorizeUrl, consentTo, decide, exchange, newCode, openConsent, refresh, tokenCall, usual } from './authorize.ts';
import { at, caller, send, start, stopAll, textAt, type Reply } from './support.ts';

afterEach(stopAll);

const statusOf = async (sandbox: Sandbox, token: string, path = '/me') => (await caller(sandbox, token)('GET', path)).status;
const errorIn = ({ body }: Reply) => at(body, 'error');
const revoke = (sandbox: Sandbox, fields: Record<string, string>) => tokenCall(sandbox, fields, { path: '/api/oauth/revoke' });
/** Another application with the same redirect addresses, as the fields of a call. */
const otherClient = (sandbox: Sandbox) => {
  const { id, secret } = sandbox.addClient({ redirectUris: sandbox.client.redirectUris });
  return { client_id: id, client_secret: secret };
};

const insecure = { [oauth.allowInsecureRequests]: true };
const metadata = ({ origin }: Sandbox): oauth.AuthorizationServer => ({
  issuer: origin,
  authorization_endpoint: `${origin}/oauth/authorize`,
  token_endpoint: `${origin}/api/oauth/token`,
  revocation_endpoint: `${origin}/api/oauth/revoke`,
});

describe('judged by a strict independent client', () => {
  it.each([
    ['the body', oauth.ClientSecretPost],
    ['HTTP Basic', oauth.ClientSecretBasic],
  ])('connects with PKCE, calls the API, refreshes and revokes, with client credentials in %s', async (_where, authentication) => {
    const sandbox = await start();
    const server = metadata(sandbox);
    const client: oauth.Client = { client_id: sandbox.client.id };
    const auth = authentication(sandbox.client.secret);
    const redirectUri = sandbox.client.redirectUris[0] ?? '';
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const back = await consentTo(
      sandbox,
      authorizeUrl(
        sandbox,
        usual(sandbox, {
          state,
          scope: 'bookings:read contacts:read',
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }),
      ),
    );

    const parameters = oauth.validateAuthResponse(server, client, back, state);
    const answer = await oauth.authorizationCodeGrantRequest(server, client, auth, parameters, redirectUri, verifier, insecure);
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer);
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'bookings:read contacts:read' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await statusOf(sandbox, tokens.access_token, '/contacts')).toBe(200);

    const again = await oauth.refreshTokenGrantRequest(server, client, auth, tokens.refresh_token ?? '', insecure);
    const renewed = await oauth.processRefreshTokenResponse(server, client, again);
    expect(renewed.refresh_token).toEqual(expect.any(String));
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
    expect(await statusOf(sandbox, renewed.access_token)).toBe(200);

    await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, auth, renewed.access_token, insecure));
    expect(await statusOf(sandbox, renewed.access_token)).toBe(401);
    const dead = await oauth.refreshTokenGrantRequest(server, client, auth, renewed.refresh_token ?? '', insecure);
    await expect(oauth.processRefreshTokenResponse(server, client, dead)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('reports a refusal at the consent page as access_denied with the state', async () => {
    const sandbox = await start();
    const reply = await decide(sandbox, await openConsent(authorizeUrl(sandbox, usual(sandbox))), 'deny');
    const back = new URL(reply.headers.get('location') ?? '');
    expect(() => oauth.validateAuthResponse(metadata(sandbox), { client_id: sandbox.client.id }, back, 'st-1')).toThrow(
      expect.objectContaining({ error: 'access_denied' }),
    );
  });
});

describe('an authorization code', () => {
  it('works once, and its second use revokes the tokens of the first', async () => {
    const sandbox = await start();
    const code = await newCode(sandbox);
    const first = await exchange(sandbox, code);
    const second = await exchange(sandbox, code);
    expect([first.status, second.status, errorIn(second)]).toEqual([200, 400, 'invalid_grant']);
    expect(await statusOf(sandbox, textAt(first.body, 'access_token'))).toBe(401);
  });

  it('expires after a minute', async () => {
    const sandbox = await start({ clock: virtualClock() });
    const [early, late] = [await newCode(sandbox), await newCode(sandbox)];
    await sandbox.clock.advance(59_999);
    expect((await exchange(sandbox, early)).status).toBe(200);
    await sandbox.clock.advance(1);
    expect(errorIn(await exchange(sandbox, late))).toBe('invalid_grant');
  });

  it('is refused to another client, and with another redirect address, even a registered one', async () => {
    const sandbox = await start();
    const code = await newCode(sandbox);
    expect(errorIn(await exchange(sandbox, code, otherClient(sandbox)))).toBe('invalid_grant');
    expect(errorIn(await exchange(sandbox, code, { redirect_uri: sandbox.client.redirectUris[1] ?? '' }))).toBe('invalid_grant');
    expect((await exchange(sandbox, code)).status).toBe(200);
  });

  it('needs the verifier of its challenge, and none without a challenge: then somebody removed it', async () => {
    const sandbox = await start();
    const [verifier, other] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomCodeVerifier()];
    const code_challenge = await oauth.calculatePKCECodeChallenge(verifier);
    const code = await newCode(sandbox, { code_challenge, code_challenge_method: 'S256' });
    for (const wrong of [{}, { code_verifier: other }, { code_verifier: 'short' }, { code_verifier: code_challenge }])
      expect(errorIn(await exchange(sandbox, code, wrong))).toBe('invalid_grant');
    expect((await exchange(sandbox, code, { code_verifier: verifier })).status).toBe(200);
    expect(errorIn(await exchange(sandbox, await newCode(sandbox), { code_verifier: other }))).toBe('invalid_grant');
  });
});

describe('tokens', () => {
  it('an access token ends after an hour, and a refresh gives the next one', async () => {
    const sandbox = await start({ clock: virtualClock() });
    const { body } = await exchange(sandbox, await newCode(sandbox));
    const token = textAt(body, 'access_token');
    await sandbox.clock.advance(3_599_999);
    expect(await statusOf(sandbox, token)).toBe(200);
    await sandbox.clock.advance(1);
    expect(await caller(sandbox, token)('GET', '/me')).toMatchObject({
      status: 401,
      body: { error: 'Unauthorized', code: 'INVALID_TOKEN' },
    });
    const renewed = await refresh(sandbox, textAt(body, 'refresh_token'));
    expect(await statusOf(sandbox, textAt(renewed.body, 'access_token'))).toBe(200);
  });

  it.each([
    ['the tokens from its first use stay valid', false, 200],
    ['with family revocation on, everything from its authorization ends', true, 401],
  ])('a refresh token works once; %s', async (_words, revokeFamilyOnReuse, status) => {
    const sandbox = await start({ revokeFamilyOnReuse });
    const { refresh_token } = sandbox.issueToken();
    const first = await refresh(sandbox, refresh_token);
    expect(errorIn(await refresh(sandbox, refresh_token))).toBe('invalid_grant');
    expect(await statusOf(sandbox, textAt(first.body, 'access_token'))).toBe(status);
    expect((await refresh(sandbox, textAt(first.body, 'refresh_token'))).status).toBe(status === 200 ? 200 : 400);
  });

  it('a refresh can ask for fewer scopes and never for more', async () => {
    const sandbox = await start();
    const { refresh_token } = sandbox.issueToken({ scopes: ['bookings:read', 'contacts:read'] });
    expect(errorIn(await refresh(sandbox, refresh_token, { scope: 'bookings:read bookings:write' }))).toBe('invalid_scope');
    const { body } = await refresh(sandbox, refresh_token, { scope: 'bookings:read' });
    expect(at(body, 'scope')).toBe('bookings:read');
    expect(await statusOf(sandbox, textAt(body, 'access_token'), '/contacts')).toBe(403);
  });

  it('a refresh token is not an access token, and an access token refreshes nothing', async () => {
    const sandbox = await start();
    const { access_token, refresh_token } = sandbox.issueToken();
    expect(await statusOf(sandbox, refresh_token)).toBe(401);
    expect(errorIn(await refresh(sandbox, access_token))).toBe('invalid_grant');
  });

  it.each(['access_token', 'refresh_token'] as const)('revoking the %s of a pair ends both, and no other client can', async (which) => {
    const sandbox = await start();
    const pair = sandbox.issueToken();
    for (const fields of [{ token: 'nonsense' }, { token: pair[which], ...otherClient(sandbox) }])
      expect((await revoke(sandbox, fields)).status).toBe(200);
    expect(await statusOf(sandbox, pair.access_token)).toBe(200);
    expect(await revoke(sandbox, { token: pair[which], token_type_hint: which })).toMatchObject({ status: 200, text: '' });
    expect(await statusOf(sandbox, pair.access_token)).toBe(401);
    expect(errorIn(await refresh(sandbox, pair.refresh_token))).toBe('invalid_grant');
  });
});

describe('the token endpoint', () => {
  it.each<[string, Record<string, string>, number, string]>([
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
    ['an empty secret', { client_secret: '' }, 401, 'invalid_client'],
    ['another grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['no grant type', { grant_type: '' }, 400, 'invalid_request'],
    ['no refresh token', { refresh_token: '' }, 400, 'invalid_request'],
    ['an unknown refresh token', { refresh_token: 'rt_nonsense' }, 400, 'invalid_grant'],
  ])('refuses %s', async (_what, fields, status, error) => {
    const sandbox = await start();
    const reply = await refresh(sandbox, sandbox.issueToken().refresh_token, fields);
    expect([reply.status, errorIn(reply), reply.headers.get('cache-control')]).toEqual([status, error, 'no-store']);
  });

  it('refuses JSON, a field given twice, and credentials in two places', async () => {
    const sandbox = await start();
    const { id, secret } = sandbox.client;
    const form = `grant_type=refresh_token&refresh_token=x&client_id=${id}&client_secret=${secret}`;
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    for (const [headers, body] of [
      [{ 'content-type': 'application/json' }, '{}'],
      [type, `${form}&grant_type=refresh_token`],
      [{ ...type, authorization }, form],
    ] as [Record<string, string>, string][]) {
      const reply = await send(`${sandbox.origin}/api/oauth/token`, { method: 'POST', headers, body });
      expect([reply.status, errorIn(reply)]).toEqual([400, 'invalid_request']);
    }
  });
});

describe('the consent page', () => {
  it('names the platform that asks, escaped, where the answer goes, and in words what each requested scope allows', async () => {
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
    const { id } = sandbox.addClient({ name: '<img src=x>', redirectUris: ['http://localhost:7000/x'] });
    const { reply } = await openConsent(authorizeUrl(sandbox, usual(sandbox, { client_id: id, redirect_uri: 'http://localhost:7000/x' })));
    expect(reply.text).toContain('<strong>&lt;img src=x&gt; at localhost:7000</strong>');
    expect(reply.text).not.toContain('<img src=x');
  });

  it('cannot be framed, runs no script, is not stored, and may send its form to the redirect address', async () => {
    const sandbox = await start();
    const { headers } = (await openConsent(authorizeUrl(sandbox, usual(sandbox)))).reply;
    for (const directive of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self' http://localhost:5678"])
      expect(headers.get('content-security-policy')).toContain(directive);
    expect([headers.get('x-frame-options'), headers.get('cache-control')]).toEqual(['DENY', 'no-store']);
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
    ['no redirect address', { redirect_uri: '' }],
    ['another query', { redirect_uri: `${callback}?x=1` }],
    ['another port', { redirect_uri: callback.replace('5678', '5679') }],
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
    ['a challenge without a method', { code_challenge: challenge }, 'invalid_request'],
    ['a plain challenge', { code_challenge: challenge, code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge that is not a hash', { code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
  ])('with %s is answered to the redirect address, with the state', async (_what, more, error) => {
    const sandbox = await start();
    const { headers } = await send(authorizeUrl(sandbox, usual(sandbox, more)));
    const back = new URL(headers.get('location') ?? '');
    expect([back.href.split('?')[0], back.searchParams.get('error'), back.searchParams.get('state')]).toEqual([callback, error, 'st-1']);
  });
});
