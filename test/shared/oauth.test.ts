import { brand } from '../../shared/brand.ts';
import { tokenCall } from '../../shared/assumptions.ts';
import { ServiceError } from '../../shared/client/errors.ts';
import type { ApiResponse } from '../../shared/client/transport.ts';
import {
  allScopes,
  checkBaseUrl,
  codeExchange,
  connectionLabel,
  noRefreshToken,
  oauthEndpoints,
  readTokens,
  refreshExchange,
  revocation,
  type TokenRequest,
} from '../../shared/oauth/oauth.ts';
import { refusalOf, serve, type TestService } from '../support/service.ts';

it.each([
  [brand.baseUrl, brand.baseUrl],
  [`${brand.baseUrl}/`, brand.baseUrl],
  ['http://127.0.0.1:4010/api/v1', 'http://127.0.0.1:4010/api/v1'],
  ['http://localhost:4010/api/v1//', 'http://localhost:4010/api/v1'],
  ['http://[::1]:4010/api/v1', 'http://[::1]:4010/api/v1'],
  ['http://127.0.10.100/api/v1', 'http://127.0.10.100/api/v1'],
  ['https://example.com/eu/api/v1', 'https://example.com/eu/api/v1'],
  ['\u00a0https://example.com/api/v1\n', 'https://example.com/api/v1'],
])('takes the base URL %s', (given, base) => {
  expect(checkBaseUrl(given)).toBe(base);
});

it.each([
  ['http://example.com/api/v1', 'it must begin with https://'],
  ['http://127.0.0.1.example.com/api/v1', 'it must begin with https://'],
  ['http://localhost.example.com/api/v1', 'it must begin with https://'],
  ['http://mylocalhost/api/v1', 'it must begin with https://'],
  ['ftp://localhost/api/v1', 'it must begin with https://'],
  ['http://localhost@example.com/api/v1', 'it must begin with https://'],
  ['http://[::ffff:169.254.169.254]/api/v1', 'it must begin with https://'],
  ['http://0.0.0.0/api/v1', 'it must begin with https://'],
  ['javascript:alert(1)//api/v1', 'it must begin with https://'],
  ['https://user:pass@example.com/api/v1', 'it must not contain a user name or a password'],
  ['https://user@example.com/api/v1', 'it must not contain a user name or a password'],
  ['https://:pass@example.com/api/v1', 'it must not contain a user name or a password'],
  ['https://example.com/api/v1#x', 'it must not contain a query or a fragment'],
  ['https://example.com/api/v1?x=1', 'it must not contain a query or a fragment'],
  ['https://example.com/api/v2', 'it must end in /api/v1'],
  ['https://example.com', 'it must end in /api/v1'],
  ['example.com/api/v1', 'it is not a URL'],
  ['', 'it is not a URL'],
])('refuses the base URL %p', async (given, why) => {
  expect(await refusalOf(() => checkBaseUrl(given))).toMatchObject({
    kind: 'invalid',
    message: `The base URL cannot be used: ${why}.`,
    fields: [{ field: 'base_url', message: why }],
  });
});

it('uses the published paths with the origin of the base URL (G25)', () => {
  expect(oauthEndpoints('https://example.com/eu/api/v1')).toEqual({
    authorizeUrl: 'https://example.com/oauth/authorize',
    tokenUrl: 'https://example.com/api/oauth/token',
    revokeUrl: 'https://example.com/api/oauth/revoke',
  });
  expect(allScopes).toBe('bookings:read bookings:write event_types:read contacts:read webhooks:manage');
});

it("uses the addresses of brand.json, but only with the maker's own service", () => {
  const own = {
    authorizeUrl: 'https://login.example.com/a',
    tokenUrl: 'https://login.example.com/t',
    revokeUrl: 'https://login.example.com/r',
  };
  const published = oauthEndpoints(brand.baseUrl);
  expect(published.tokenUrl).toBe(`${new URL(brand.baseUrl).origin}/api/oauth/token`);
  Object.assign(brand.oauth, own);
  try {
    expect(oauthEndpoints(brand.baseUrl)).toEqual(own);
    expect(oauthEndpoints('https://sandbox.example.com/api/v1').tokenUrl).toBe('https://sandbox.example.com/api/oauth/token');
  } finally {
    for (const key of Object.keys(own)) Reflect.deleteProperty(brand.oauth, key);
  }
  expect(oauthEndpoints(brand.baseUrl)).toEqual(published);
});

describe('a token call', () => {
  const client = { baseUrl: 'https://example.com/api/v1', clientId: 'id', clientSecret: 'secret' };
  const registered = { client_id: 'id', client_secret: 'secret' };

  it.each<[string, TokenRequest, string, Record<string, string>]>([
    [
      'the exchange of a code',
      codeExchange(client, { code: 'c', redirectUri: 'https://host.example/r' }),
      'token',
      { grant_type: 'authorization_code', code: 'c', redirect_uri: 'https://host.example/r' },
    ],
    [
      'the exchange of a code with PKCE',
      codeExchange(client, { code: 'c', redirectUri: 'https://host.example/r', codeVerifier: 'v' }),
      'token',
      { grant_type: 'authorization_code', code: 'c', redirect_uri: 'https://host.example/r', code_verifier: 'v' },
    ],
    ['a refresh', refreshExchange(client, 'rt'), 'token', { grant_type: 'refresh_token', refresh_token: 'rt' }],
    ['a revocation', revocation(client, 'at', 'access_token'), 'revoke', { token: 'at', token_type_hint: 'access_token' }],
  ])('for %s is a form with the client in it', (_, request, path, fields) => {
    expect(request).toEqual({
      method: 'POST',
      url: `https://example.com/api/oauth/${path}`,
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      form: { ...fields, ...registered },
    });
  });
});

it.each([
  [{ name: 'Maya', email: 'maya@example.com', id: '1' }, 'Maya (maya@example.com)'],
  [{ email: 'maya@example.com', id: '1' }, 'maya@example.com'],
  [{ name: 'Maya', id: '1' }, 'Maya'],
  [{ id: '1' }, '1'],
])('labels a connection of %j as %s', (user, label) => {
  expect(connectionLabel(user)).toBe(label);
});

describe('against the sandbox', () => {
  let service: TestService;
  const begin = async (options: Parameters<typeof serve>[0] = {}) => (service = await serve(options));

  const send = async ({ method, url, headers, form }: TokenRequest): Promise<ApiResponse> => {
    const response = await fetch(url, { method, headers, body: new URLSearchParams(form) });
    const text = await response.text();
    return { status: response.status, headers: {}, body: text === '' ? '' : (JSON.parse(text) as unknown) };
  };
  const client = () => ({
    baseUrl: service.sandbox.baseUrl,
    clientId: service.sandbox.client.id,
    clientSecret: service.sandbox.client.secret,
  });

  it('authenticates the client by HTTP Basic if the one setting says so (G14)', async () => {
    await begin({ forms: { clientAuth: 'basic' } });
    const { refresh_token } = service.sandbox.issueToken();
    const inBody = await send(refreshExchange(client(), refresh_token));
    expect(() => readTokens(inBody)).toThrow(/does not accept the client id and secret/);
    tokenCall.clientAuthentication = 'basic';
    try {
      expect(readTokens(await send(refreshExchange(client(), refresh_token)))).toHaveProperty('access_token');
    } finally {
      tokenCall.clientAuthentication = 'body';
    }
  });
});

it.each([[null], [''], [undefined], [17]])('keeps the old refresh token if the new one is %p', (refresh) => {
  expect(readTokens({ status: 200, headers: {}, body: { access_token: 'new', refresh_token: refresh } }, 'old')).toEqual({
    access_token: 'new',
    refresh_token: 'old',
  });
  expect(readTokens({ status: 200, headers: {}, body: { access_token: 'new', refresh_token: refresh } })).toEqual({ access_token: 'new' });
});

it('keeps the scopes and the lifetime of a token if they are told, and nothing else', () => {
  const read = (body: object) => readTokens({ status: 200, headers: {}, body: { access_token: 'new', ...body } });
  expect(read({ scope: 'bookings:read', expires_in: 60, token_type: 'bearer' })).toEqual({
    access_token: 'new',
    scope: 'bookings:read',
    expires_in: 60,
  });
  expect(read({ scope: ['bookings:read'], expires_in: '60' })).toEqual({ access_token: 'new' });
});

it('accepts a token although there is also an error', () => {
  expect(readTokens({ status: 200, headers: {}, body: { access_token: 'new', error: '' } })).toEqual({ access_token: 'new' });
});

it('says to reconnect if there is no refresh token', () => {
  expect(noRefreshToken().sentence).toBe(`The connection to ${brand.name} has expired or was revoked. Reconnect the account.`);
});

it('says that a page came without a token, and shows nothing of the page', () => {
  const read = () => readTokens({ status: 200, headers: {}, body: '<html>Down for maintenance</html>' });
  expect(read).toThrow(new RegExp(`^${brand.name} answered the token request without an access_token.$`));
});

it('refuses a token answer without a token, naming only its keys', () => {
  expect(() => readTokens({ status: 200, headers: {}, body: { id_token: 'secret-value' } })).toThrow(
    /without an access_token. It sent: id_token/,
  );
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`key${index}`, 1]));
  expect(() => readTokens({ status: 200, headers: {}, body: many })).toThrow(/It sent: (key\d, ){9}key9\.$/);
});

describe('a refused token call', () => {
  const refused = (status: number, body: unknown = '', headers = {}): ServiceError => {
    try {
      readTokens({ status, headers, body });
    } catch (error) {
      if (error instanceof ServiceError) return error;
    }
    throw new Error('It was not refused.');
  };

  it.each<[number, unknown]>([
    [400, { error: 'invalid_grant' }],
    [200, { error: 'invalid_grant' }],
    [200, { error: 'invalid_grant', access_token: '' }],
    [400, { error: 'invalid_grant', error_description: 'rt_123 was used before' }],
    [401, { error: 'Unauthorized', code: 'INVALID_TOKEN' }],
    [403, { error: 'Unauthorized', code: 'INVALID_TOKEN' }],
    [400, { error: 'Bad Request', code: 'INVALID_GRANT' }],
    [400, { error: 'Refresh token was revoked', code: 'INVALID_TOKEN' }],
    [400, { error: 'Invalid grant' }],
    [400, { error: { code: 'invalid_grant', message: 'rt_123 was used before' } }],
  ])('asks to reconnect if the grant is no longer valid: %i %j', (status, body) => {
    const error = refused(status, body);
    expect(error.kind).toBe('unauthenticated');
    expect(error.sentence).toBe(`The connection to ${brand.name} has expired or was revoked. Reconnect the account.`);
  });

  it.each<[number, unknown, string, string]>([
    [302, '', 'redirected', 'Correct the base URL'],
    [300, { access_token: 'never' }, 'redirected', 'redirected the token request (status 300)'],
    [500, '', 'server', 'could not answer the token request (status 500)'],
    [400, { error: 'e'.repeat(50) }, 'invalid', `refused the token request (status 400, ${'e'.repeat(40)}).`],
    [403, '<html>blocked</html>', 'forbidden', 'did not allow this'],
    [403, { error: 'Pro plan required', code: 'PLAN_REQUIRED' }, 'plan', 'Upgrade'],
    [404, {}, 'invalid', 'refused the token request (status 404). Check the base URL'],
    [401, { error: 'Unauthorized', code: 'INVALID_CLIENT' }, 'invalid', 'does not accept the client id and secret'],
    [400, { error: 'invalid_request' }, 'invalid', 'refused the token request (status 400, invalid_request).'],
    [400, '<html>', 'invalid', 'refused the token request (status 400).'],
    [408, {}, 'server', 'could not answer'],
    [400, { error: 'temporarily_unavailable' }, 'server', 'could not answer'],
    [503, '<html>', 'server', 'could not answer the token request (status 503)'],
    [200, { error: 'temporarily_unavailable' }, 'server', 'could not answer the token request (temporarily_unavailable).'],
    [0, undefined, 'invalid', 'refused the token request. Check'],
    [0, { error: 'x', code: 'RATE_LIMITED' }, 'rateLimited', 'for token requests has been reached'],
    [400, { error: 'server_error' }, 'server', 'could not answer the token request (status 400, server_error).'],
    [200, { error: 'slow_down' }, 'invalid', 'refused the token request (slow_down).'],
    [429, {}, 'rateLimited', 'for token requests has been reached. Try again in about a minute; the limit is 20 token requests a minute.'],
  ])('does not ask for a reconnect that would not help: %i %j is %s', (status, body, kind, words) => {
    const error = refused(status, body);
    expect(error.kind).toBe(kind);
    expect(error.sentence).toContain(words);
    expect(error.sentence.replaceAll(brand.name, '')).not.toContain('<');
  });

  it.each<[number, unknown, string]>([
    [400, { error: 'invalid_grant', error_description: 'The user account is disabled' }, 'The user account is disabled'],
    [401, { title: 'Unauthorized', detail: 'Revoked by the user.' }, 'Revoked by the user'],
    [400, { error: 'invalid_request', error_description: 'Your trial has ended' }, 'Your trial has ended'],
    [403, { error: 'Forbidden', code: 'ACCOUNT_DISABLED' }, 'Forbidden: ACCOUNT_DISABLED'],
    [403, { error: 'Forbidden', code: 'PLAN_REQUIRED', message: 'Your trial has ended' }, 'Your trial has ended'],
    [400, { error: 'Bad Request', code: 'REFRESH_TOKEN_EXPIRED' }, 'Bad Request: REFRESH_TOKEN_EXPIRED'],
    [503, { error: 'maintenance', message: 'Back at six' }, 'Back at six'],
  ])("shows the service's words: %i %j", (status, body, words) => {
    expect(refused(status, body).message).toContain(` ${brand.name} says: "${words}".`);
  });

  it.each([
    { title: 'Invalid grant', status: 400, detail: 'The refresh token has expired' },
    { error: 'Bad Request', code: 'REFRESH_TOKEN_EXPIRED' },
    { error: 'Forbidden', code: 'TOKEN_REVOKED' },
    { error: 'invalid_refresh_token' },
  ])('asks to reconnect in whatever form the end of the grant is named: %j', (body) => {
    for (const status of [400, 403])
      expect(refused(status, body)).toMatchObject({ kind: 'unauthenticated', advice: 'Reconnect the account.' });
  });

  it.each([400, 401, 403, 503])('at status %i shows no words that may contain a token', (status) => {
    for (const token of ['rt_123', 'aB3dE5', 'abcdefghijKLMNOPQRST', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjF9'])
      expect(refused(status, { error: 'blocked', error_description: `The token "${token}" is blocked` }).sentence).not.toContain(token);
  });

  it("names the service's own error only if it named one", () => {
    expect(refused(400, { error: 'invalid_request' }).code).toBe('invalid_request');
    expect(refused(400, '<html>').code).toBeUndefined();
  });

  it.each([429, 503])('at status %i says how long to wait, in seconds or by the date of the answer itself (G16)', (status) => {
    expect(refused(status, '', { 'retry-after': '9' }).retryAfterSeconds).toBe(9);
    const date = 'Wed, 02 Jan 2030 08:00:00 GMT';
    expect(refused(status, '', { date, 'retry-after': 'Wed, 02 Jan 2030 08:00:07 GMT' }).retryAfterSeconds).toBe(7);
    expect(refused(status, '', { 'retry-after': date }).retryAfterSeconds).toBeUndefined();
  });
});
