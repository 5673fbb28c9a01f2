import { describe, expect, it } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import { virtualClock, type Sandbox } from '../../sandbox/service.ts';
import {
  at,
  authorizeUrl,
  caller,
  consentTo,
  decide,
  exchange,
  inHtml,
  newCode,
  openConsent,
  refresh,
  type Reply,
  send,
  start,
  textAt,
  tokenCall,
} from './support.ts';
import { recordIn } from '../support/wire.ts';

const statusOf = async (sandbox: Sandbox, token: string, path = '/me') => (await caller(sandbox, token)('GET', path)).status;
const errorIn = ({ body }: Reply) => at(body, 'error');
const revoke = (sandbox: Sandbox, fields: Record<string, string>) => tokenCall(sandbox, fields, '/api/oauth/revoke');
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
    ['the client credentials in the body', oauth.ClientSecretPost],
    ['the client credentials in HTTP Basic', oauth.ClientSecretBasic],
    ['the id of a public client alone', () => oauth.None()],
  ])('connects with PKCE, calls the API, refreshes and revokes, with %s', async (way, authentication) => {
    const sandbox = await start();
    const server = metadata(sandbox);
    const redirectUri = sandbox.client.redirectUris[0] ?? '';
    const { id, secret } = way.includes('public') ? sandbox.addClient({ redirectUris: [redirectUri], secret: '' }) : sandbox.client;
    const client: oauth.Client = { client_id: id };
    const auth = authentication(secret);
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const back = await consentTo(
      authorizeUrl(sandbox, {
        state,
        client_id: id,
        scope: 'bookings:read contacts:read',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }),
    );

    const parameters = oauth.validateAuthResponse(server, client, back, state);
    const answer = await oauth.authorizationCodeGrantRequest(server, client, auth, parameters, redirectUri, verifier, insecure);
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer);
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'bookings:read contacts:read' });
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
});

it('a public client must use PKCE, because nothing else shows that it has asked for a code', async () => {
  const sandbox = await start();
  const [redirectUri = ''] = sandbox.client.redirectUris;
  const { id } = sandbox.addClient({ redirectUris: [redirectUri], secret: '' });
  const { headers } = await send(authorizeUrl(sandbox, { client_id: id }));
  expect(new URL(headers.get('location') ?? '').searchParams.get('error_description')).toMatch(/^code_challenge is missing/);
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
    for (const wrong of [{}, { code_verifier: other }, { code_verifier: code_challenge }])
      expect(errorIn(await exchange(sandbox, code, wrong))).toBe('invalid_grant');
    expect((await exchange(sandbox, code, { code_verifier: verifier })).status).toBe(200);
    expect(errorIn(await exchange(sandbox, await newCode(sandbox), { code_verifier: other }))).toBe('invalid_grant');
  });
});

describe('tokens', () => {
  it('a code ends after a minute and an access token after an hour; a refresh gives the next one', async () => {
    const sandbox = await start({ clock: virtualClock() });
    const [early, late] = [await newCode(sandbox), await newCode(sandbox)];
    await sandbox.clock.advance(59_999);
    const { body } = await exchange(sandbox, early);
    await sandbox.clock.advance(1);
    expect(errorIn(await exchange(sandbox, late))).toBe('invalid_grant');
    const token = textAt(body, 'access_token');
    await sandbox.clock.advance(3_599_998);
    expect(await statusOf(sandbox, token)).toBe(200);
    await sandbox.clock.advance(1);
    expect(await statusOf(sandbox, token)).toBe(401);
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

  it('a refresh can ask for fewer scopes and never for more, and an access token refreshes nothing', async () => {
    const sandbox = await start();
    const { access_token, refresh_token } = sandbox.issueToken({ scopes: ['bookings:read', 'contacts:read'] });
    expect(errorIn(await refresh(sandbox, refresh_token, { scope: 'bookings:read bookings:write' }))).toBe('invalid_scope');
    const { body } = await refresh(sandbox, refresh_token, { scope: 'bookings:read' });
    expect(at(body, 'scope')).toBe('bookings:read');
    expect(await statusOf(sandbox, textAt(body, 'access_token'), '/contacts')).toBe(403);
    expect([await statusOf(sandbox, refresh_token), errorIn(await refresh(sandbox, access_token))]).toEqual([401, 'invalid_grant']);
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

it('the token endpoint refuses wrong credentials and fields, JSON, a field given twice, and credentials in two places', async () => {
  const sandbox = await start();
  const { refresh_token } = sandbox.issueToken();
  for (const [fields, status, error] of [
    [{ client_secret: 'wrong' }, 401, 'invalid_client'],
    [{ client_id: 'nobody' }, 401, 'invalid_client'],
    [{ client_secret: '' }, 401, 'invalid_client'],
    [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
    [{ refresh_token: '' }, 400, 'invalid_request'],
    [{ refresh_token: 'rt_nonsense' }, 400, 'invalid_grant'],
  ] as const) {
    const reply = await refresh(sandbox, refresh_token, fields);
    expect([fields, reply.status, errorIn(reply), reply.headers.get('cache-control')]).toEqual([fields, status, error, 'no-store']);
  }
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

describe('the consent page', () => {
  it('names the application that asks, escaped, where the answer goes, and what the endpoints of each requested scope do', async () => {
    const sandbox = await start();
    const { reply } = await openConsent(authorizeUrl(sandbox, { scope: 'bookings:read bookings:write webhooks:manage' }));
    for (const words of [
      `<strong>${inHtml(sandbox.client.name)} at localhost:5678</strong> wants to use your`,
      'Your answer goes to <code>http://localhost:5678/rest/oauth2-credential/callback</code>',
      'List bookings, get one booking',
      'Create a booking',
      'cancel a booking',
      'List subscriptions, create a subscription, delete a subscription',
    ])
      expect(reply.text).toContain(words);
    expect(reply.text).not.toContain('contacts');
    const { id } = sandbox.addClient({ name: '<img src=x>', redirectUris: ['http://localhost:7000/x'] });
    const other = await openConsent(authorizeUrl(sandbox, { client_id: id, redirect_uri: 'http://localhost:7000/x' }));
    expect(other.reply.text).toContain('<strong>&lt;img src=x&gt; at localhost:7000</strong>');
    expect(other.reply.text).not.toContain('<img src=x');
    // It cannot be framed, runs no script, is not stored, and may send its form to the redirect address.
    for (const directive of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self' http://localhost:5678"])
      expect(reply.headers.get('content-security-policy')).toContain(directive);
    expect([reply.headers.get('x-frame-options'), reply.headers.get('cache-control')]).toEqual(['DENY', 'no-store']);
  });

  it('connects the account that was chosen, and leads back with code and state, keeping the query of the redirect address', async () => {
    const sandbox = await start();
    const redirect_uri = 'http://localhost:7000/back?keep=1';
    sandbox.allowRedirect(redirect_uri);
    const second = sandbox.addAccount({ name: 'Sam Second', email: 'sam@host.example' });
    const page = await openConsent(authorizeUrl(sandbox, { redirect_uri, state: 'a b&c' }));
    expect(page.reply.text).toContain('sam@host.example');
    const answer = await decide(page, 'approve', { fields: { account: second.id } });
    const back = new URL(answer.headers.get('location') ?? '');
    expect([back.origin, back.searchParams.get('keep'), back.searchParams.get('state')]).toEqual(['http://localhost:7000', '1', 'a b&c']);
    const { body } = await exchange(sandbox, back.searchParams.get('code') ?? '', { redirect_uri });
    const me = await caller(sandbox, textAt(body, 'access_token'))('GET', '/me');
    expect(textAt(recordIn(me.body), 'email')).toBe('sam@host.example');
  });

  it('accepts an answer from itself alone, and tells the application that it was denied', async () => {
    const sandbox = await start();
    const page = await openConsent(authorizeUrl(sandbox));
    for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'null', '']) {
      const reply = await decide(page, 'approve', { headers: { origin } });
      expect([origin, reply.status, reply.headers.get('location')]).toEqual([origin, 400, null]);
    }
    const denied = new URL((await decide(page, 'deny')).headers.get('location') ?? '').searchParams;
    expect([denied.get('error'), denied.get('state'), denied.get('code')]).toEqual(['access_denied', 'st-1', null]);
  });
});

describe('an authorization request', () => {
  const callback = 'http://localhost:5678/rest/oauth2-credential/callback';
  it('that is not certain who asks and where the answer goes ends on a page and redirects nowhere', async () => {
    const sandbox = await start();
    for (const more of [
      { client_id: 'nobody' },
      { redirect_uri: '' },
      { redirect_uri: `${callback}?x=1` },
      { redirect_uri: callback.replace('5678', '5679') },
      { redirect_uri: callback.replace('5678', '5678@evil.example') },
    ] as Record<string, string>[]) {
      const reply = await send(authorizeUrl(sandbox, more));
      expect([more, reply.status, reply.headers.get('location')]).toEqual([more, 400, null]);
    }
    const twice = `&redirect_uri=${encodeURIComponent(sandbox.client.redirectUris[1] ?? '')}`;
    const reply = await send(`${authorizeUrl(sandbox)}${twice}`);
    expect([reply.status, reply.headers.get('location'), reply.text.includes('Cannot connect')]).toEqual([400, null, true]);
  });

  it('that is wrong otherwise is answered to the redirect address, with the state', async () => {
    const sandbox = await start();
    const code_challenge = 'x'.repeat(43);
    for (const [more, error] of [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ scope: 'bookings:read everything' }, 'invalid_scope'],
      [{ scope: ' ' }, 'invalid_scope'],
      [{ code_challenge }, 'invalid_request'],
      [{ code_challenge, code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
    ] as [Record<string, string>, string][]) {
      const { headers } = await send(authorizeUrl(sandbox, more));
      const back = new URL(headers.get('location') ?? '');
      expect([more, back.href.split('?')[0], back.searchParams.get('error')]).toEqual([more, callback, error]);
      expect(back.searchParams.get('state')).toBe('st-1');
    }
  });
});
