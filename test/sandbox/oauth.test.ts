import { afterEach, describe, expect, it } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import { virtualClock, type Sandbox } from '../../sandbox/service.ts';
import { authorizeUrl, consentTo, decide, exchange, newCode, openConsent, refresh, tokenCall, usual } from './authorize.ts';
import { at, caller, send, start, stopAll, textAt } from './support.ts';

afterEach(stopAll);

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
    expect((await caller(sandbox, tokens.access_token)('GET', '/contacts')).status).toBe(200);

    const again = await oauth.refreshTokenGrantRequest(server, client, auth, tokens.refresh_token ?? '', insecure);
    const renewed = await oauth.processRefreshTokenResponse(server, client, again);
    expect(renewed.refresh_token).toEqual(expect.any(String));
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
    expect((await caller(sandbox, renewed.access_token)('GET', '/me')).status).toBe(200);

    await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, auth, renewed.access_token, insecure));
    expect((await caller(sandbox, renewed.access_token)('GET', '/me')).status).toBe(401);
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
    expect(first.status).toBe(200);
    const second = await exchange(sandbox, code);
    expect([second.status, at(second.body, 'error')]).toEqual([400, 'invalid_grant']);
    expect((await caller(sandbox, textAt(first.body, 'access_token'))('GET', '/me')).status).toBe(401);
  });

  it('expires after a minute', async () => {
    const sandbox = await start({ clock: virtualClock() });
    const early = await newCode(sandbox);
    const late = await newCode(sandbox);
    await sandbox.clock.advance(59_999);
    expect((await exchange(sandbox, early)).status).toBe(200);
    await sandbox.clock.advance(1);
    expect(at((await exchange(sandbox, late)).body, 'error')).toBe('invalid_grant');
  });

  it('is refused to another client', async () => {
    const sandbox = await start();
    const other = sandbox.addClient({ redirectUris: sandbox.client.redirectUris });
    const reply = await exchange(sandbox, await newCode(sandbox), { client_id: other.id, client_secret: other.secret });
    expect(at(reply.body, 'error')).toBe('invalid_grant');
  });

  it('is refused with another redirect address, even a registered one', async () => {
    const sandbox = await start();
    const reply = await exchange(sandbox, await newCode(sandbox), { redirect_uri: sandbox.client.redirectUris[1] ?? '' });
    expect(at(reply.body, 'error')).toBe('invalid_grant');
  });

  it('asked for with a challenge is refused without the verifier, and with a wrong one', async () => {
    const sandbox = await start();
    const verifier = oauth.generateRandomCodeVerifier();
    const challenge = { code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' };
    const code = await newCode(sandbox, challenge);
    expect(at((await exchange(sandbox, code)).body, 'error')).toBe('invalid_grant');
    expect(at((await exchange(sandbox, code, { code_verifier: oauth.generateRandomCodeVerifier() })).body, 'error')).toBe('invalid_grant');
    expect(at((await exchange(sandbox, code, { code_verifier: 'short' })).body, 'error')).toBe('invalid_grant');
    expect((await exchange(sandbox, code, { code_verifier: verifier })).status).toBe(200);
  });

  it('asked for without a challenge is refused with a verifier: somebody removed the challenge', async () => {
    const sandbox = await start();
    expect(at((await exchange(sandbox, await newCode(sandbox), { code_verifier: oauth.generateRandomCodeVerifier() })).body, 'error')).toBe(
      'invalid_grant',
    );
  });
});

describe('tokens', () => {
  it('an access token ends after an hour, and a refresh gives the next one', async () => {
    const sandbox = await start({ clock: virtualClock() });
    const tokens = (await exchange(sandbox, await newCode(sandbox))).body;
    const call = caller(sandbox, textAt(tokens, 'access_token'));
    await sandbox.clock.advance(3_599_999);
    expect((await call('GET', '/me')).status).toBe(200);
    await sandbox.clock.advance(1);
    const expired = await call('GET', '/me');
    expect([expired.status, expired.body]).toEqual([401, { error: 'Unauthorized', code: 'INVALID_TOKEN' }]);
    const renewed = await refresh(sandbox, textAt(tokens, 'refresh_token'));
    expect((await caller(sandbox, textAt(renewed.body, 'access_token'))('GET', '/me')).status).toBe(200);
  });

  it('a refresh token works once; the tokens from the first refresh stay valid', async () => {
    const sandbox = await start();
    const { refresh_token } = sandbox.issueToken();
    const first = await refresh(sandbox, refresh_token);
    expect(at((await refresh(sandbox, refresh_token)).body, 'error')).toBe('invalid_grant');
    expect((await caller(sandbox, textAt(first.body, 'access_token'))('GET', '/me')).status).toBe(200);
  });

  it('with family revocation on, a refresh token that is used twice ends everything from its authorization', async () => {
    const sandbox = await start({ revokeFamilyOnReuse: true });
    const { refresh_token } = sandbox.issueToken();
    const first = await refresh(sandbox, refresh_token);
    await refresh(sandbox, refresh_token);
    expect((await caller(sandbox, textAt(first.body, 'access_token'))('GET', '/me')).status).toBe(401);
    expect(at((await refresh(sandbox, textAt(first.body, 'refresh_token'))).body, 'error')).toBe('invalid_grant');
  });

  it('a refresh can ask for fewer scopes and never for more', async () => {
    const sandbox = await start();
    const { refresh_token } = sandbox.issueToken({ scopes: ['bookings:read', 'contacts:read'] });
    expect(at((await refresh(sandbox, refresh_token, { scope: 'bookings:read bookings:write' })).body, 'error')).toBe('invalid_scope');
    const narrowed = await refresh(sandbox, refresh_token, { scope: 'bookings:read' });
    expect(at(narrowed.body, 'scope')).toBe('bookings:read');
    expect((await caller(sandbox, textAt(narrowed.body, 'access_token'))('GET', '/contacts')).status).toBe(403);
  });

  it('a refresh token is not an access token, and an access token refreshes nothing', async () => {
    const sandbox = await start();
    const { access_token, refresh_token } = sandbox.issueToken();
    expect((await caller(sandbox, refresh_token)('GET', '/me')).status).toBe(401);
    expect(at((await refresh(sandbox, access_token)).body, 'error')).toBe('invalid_grant');
  });

  it('revoking either token of a pair ends both', async () => {
    const sandbox = await start();
    for (const which of ['access_token', 'refresh_token'] as const) {
      const pair = sandbox.issueToken();
      const reply = await tokenCall(sandbox, { token: pair[which], token_type_hint: which }, {}, '/api/oauth/revoke');
      expect([reply.status, reply.text]).toEqual([200, '']);
      expect((await caller(sandbox, pair.access_token)('GET', '/me')).status).toBe(401);
      expect(at((await refresh(sandbox, pair.refresh_token)).body, 'error')).toBe('invalid_grant');
    }
  });

  it('a revocation answers 200 for an unknown token, and leaves those of other clients alone', async () => {
    const sandbox = await start();
    const other = sandbox.addClient({ redirectUris: ['http://localhost/x'] });
    const pair = sandbox.issueToken();
    expect((await tokenCall(sandbox, { token: 'nonsense' }, {}, '/api/oauth/revoke')).status).toBe(200);
    expect(
      (await tokenCall(sandbox, { client_id: other.id, client_secret: other.secret, token: pair.access_token }, {}, '/api/oauth/revoke'))
        .status,
    ).toBe(200);
    expect((await caller(sandbox, pair.access_token)('GET', '/me')).status).toBe(200);
  });
});

describe('the token endpoint', () => {
  const refused: [string, Record<string, string>, number, string][] = [
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
    ['an empty secret', { client_secret: '' }, 401, 'invalid_client'],
    ['another grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['no grant type', { grant_type: '' }, 400, 'invalid_request'],
    ['no refresh token', { refresh_token: '' }, 400, 'invalid_request'],
    ['an unknown refresh token', { refresh_token: 'rt_nonsense' }, 400, 'invalid_grant'],
  ];
  it.each(refused)('refuses %s', async (_what, fields, status, error) => {
    const sandbox = await start();
    const reply = await refresh(sandbox, sandbox.issueToken().refresh_token, fields);
    expect([reply.status, at(reply.body, 'error'), reply.headers.get('cache-control')]).toEqual([status, error, 'no-store']);
  });

  it('refuses JSON, a field given twice, and credentials in two places', async () => {
    const sandbox = await start();
    const url = `${sandbox.origin}/api/oauth/token`;
    const { id, secret } = sandbox.client;
    const form = `grant_type=refresh_token&refresh_token=x&client_id=${id}&client_secret=${secret}`;
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const basic = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
    const replies = [
      await send(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }),
      await send(url, { method: 'POST', headers: type, body: `${form}&grant_type=refresh_token` }),
      await send(url, { method: 'POST', headers: { ...type, ...basic }, body: form }),
    ];
    expect(replies.map(({ status, body }) => [status, at(body, 'error')])).toEqual(Array(3).fill([400, 'invalid_request']));
  });
});
