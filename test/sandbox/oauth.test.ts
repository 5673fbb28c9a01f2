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
