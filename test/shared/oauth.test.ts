import fc from 'fast-check';
import { type ErrorKind, ServiceError } from '../../shared/serviceError.ts';
import { brand } from '../../shared/brand.ts';
import { tokenCall } from '../../shared/assumptions.ts';
import { connectionLabel, oauthEndpoints, readTokens, refreshExchange, tokenFailure } from '../../shared/oauth/oauth.ts';
import { checkBaseUrl } from '../../shared/client/baseUrl.ts';
import { refusalOf, serve, refusal } from '../support/service.ts';
import { notRenewed, TokenRefresher } from '../../shared/oauth/tokenRefresher.ts';
import { VirtualTime } from '../../bench/virtualTime.ts';
import { errorOf } from '../support/wire.ts';

afterEach(() => void jest.restoreAllMocks());

it.each([
  ['http://127.0.0.1:4010/api/v1', 'http://127.0.0.1:4010/api/v1'],
  ['http://[::1]:4010/api/v1', 'http://[::1]:4010/api/v1'],
  ['https://example.com/eu/api/v1', 'https://example.com/eu/api/v1'],
  ['\u00a0https://example.com/api/v1\n', 'https://example.com/api/v1'],
  ['https://example.com/api/v1\u200b', 'https://example.com/api/v1'],
  ['\u201chttps://example.com/api/v1/\u201d\r\n', 'https://example.com/api/v1'],
  ["'https://example.com'", 'https://example.com/api/v1'],
  [' http://127.0.0.1:4010/ ', 'http://127.0.0.1:4010/api/v1'],
])('takes the base URL %s', (given, base) => {
  expect(checkBaseUrl(given)).toBe(base);
});

it.each([
  ['http://example.com/api/v1', 'it must begin with https://'],
  ['https://user@example.com/api/v1', 'it must not contain a user name or a password'],
  ['https://example.com/api/v1?a=b', 'it must not contain a query or a fragment'],
  ['https://example.com/api/v2', 'it must end in /api/v1'],
  ['example.com/api/v1', 'it is not a URL'],
])('refuses the base URL %p', async (given, why) => {
  expect(await refusalOf(() => checkBaseUrl(given))).toMatchObject({
    kind: 'invalid',
    message: `The base URL cannot be used: ${why}.`,
    fields: [{ field: 'base_url', message: why }],
  });
});

it('takes nothing as a base URL but HTTPS or this machine, without a user, ending in /api/v1', () => {
  const part = fc.constantFrom;
  const ipv6 = fc.ipV6().map((ip) => `[${ip}]`);
  const host = fc.oneof(fc.domain(), fc.ipV4Extended(), ipv6, part('localhost', '127.0.0.1', '[::1]', 'bücher.example', '%6cocalhost'));
  const ends = part('/api/v1', '/eu/api/v1', '/../api/v1', '/api/v1/', '/api/v2', '/api/v1?a=b', '/api/v1#x', '?x=/api/v1');
  const parts = [part('http://', 'https://', 'ftp://'), part('', '', 'user@', ':pass@'), host, part('', ':4010'), ends];
  const text = fc.tuple(...parts).map((all) => all.join(''));
  let taken = 0;
  const check = (given: string): void => {
    let url: URL;
    try {
      url = new URL(checkBaseUrl(given));
    } catch (error) {
      return expect(error).toBeInstanceOf(ServiceError);
    }
    taken += 1;
    expect(url.protocol === 'https:' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)).toBe(true);
    expect([url.username, url.password, url.search, url.hash, url.pathname.endsWith('/api/v1')]).toEqual(['', '', '', '', true]);
    for (const address of Object.values(oauthEndpoints(url.href)) as string[]) expect(new URL(address).origin).toBe(url.origin);
  };
  fc.assert(fc.property(text, check), { numRuns: 2_000 });
  expect(taken).toBeGreaterThan(100);
});

it.each([
  [{ name: 'Maya', email: 'maya@example.com', id: '1' }, 'Maya (maya@example.com)'],
  [{ name: 'Maya', id: '1' }, 'Maya'],
])('labels a connection of %j as %s', (user, label) => {
  expect(connectionLabel(user)).toBe(label);
});

it('authenticates the client by HTTP Basic if the one setting says so (G14)', async () => {
  const { sandbox } = await serve({ forms: { clientAuth: 'basic' } });
  const { refresh_token } = sandbox.issueToken();
  const refreshed = async () => {
    const client = { baseUrl: sandbox.baseUrl, clientId: sandbox.client.id, clientSecret: sandbox.client.secret };
    const { method, url, headers, form } = refreshExchange(client, refresh_token);
    const answer = await fetch(url, { method, headers, body: new URLSearchParams(form) });
    return readTokens({ status: answer.status, headers: {}, body: await answer.json() });
  };
  await expect(refreshed()).rejects.toThrow(/does not accept the client id and secret/);
  jest.replaceProperty(tokenCall, 'clientAuthentication', 'basic');
  expect(await refreshed()).toHaveProperty('access_token');
});

// Servers differ in whether they decode it, and some clients encode hyphens, too (findings/oauth-servers-that-do-not-decode-basic.sh).
it('sends a client id with hyphens as it stands in HTTP Basic, and encodes what has to be (G14)', () => {
  const client = { baseUrl: 'https://api.example.com', clientId: '5f2c-4a_b.c', clientSecret: 'a+b/c==', authentication: 'basic' } as const;
  expect(refreshExchange(client, 'r').headers.authorization).toBe(`Basic ${btoa('5f2c-4a_b.c:a%2Bb%2Fc%3D%3D')}`);
});

it.each([null, '', 17])('a rotated refresh token replaces the old one, and %p does not', (nothing) => {
  const answer = (refresh_token: unknown) => ({ status: 200, headers: {}, body: { access_token: 'new', refresh_token } });
  expect(readTokens(answer('rotated'), 'old')).toEqual({ access_token: 'new', refresh_token: 'rotated' });
  expect(readTokens(answer(nothing), 'old')).toEqual({ access_token: 'new', refresh_token: 'old' });
  expect(readTokens(answer(nothing))).toEqual({ access_token: 'new' });
});

it('keeps the scopes and the lifetime of a token if they are told, and nothing else', () => {
  const read = (body: object) => readTokens({ status: 200, headers: {}, body: { access_token: 'new', ...body } });
  const told = { scope: 'bookings:read', expires_in: 60 };
  expect(read({ ...told, token_type: 'bearer', error: '' })).toEqual({ access_token: 'new', ...told });
  // Some services write the number as text.
  for (const expires_in of ['3600', ' 3600 ']) expect(read({ expires_in })).toEqual({ access_token: 'new', expires_in: 3600 });
  for (const expires_in of ['soon', '', null, [60]])
    expect(read({ scope: ['bookings:read'], expires_in })).toEqual({ access_token: 'new' });
});

it('refuses a token answer without a token, naming only its keys', () => {
  expect(() => readTokens({ status: 200, headers: {}, body: { id_token: 'secret-value' } })).toThrow(
    /without an access_token. It sent: id_token/,
  );
});

describe('a refused token call', () => {
  const refused = (status: number, body: unknown = '', headers = {}): ServiceError => {
    const failure = tokenFailure({ status, headers, body });
    if (failure === undefined) throw new Error('It was not refused.');
    return failure;
  };

  it.each<[number, unknown]>([
    [200, { error: 'invalid_grant' }],
    [400, { error: 'invalid_grant', error_description: 'rt_123 was used before' }],
    [401, errorOf('Unauthorized', 'INVALID_TOKEN')],
    [400, { error: { code: 'invalid_grant', message: 'rt_123 was used before' } }],
    [200, { error: 'bad_refresh_token' }],
    [200, { error: { code: 'invalid_grant', message: 'rt_123 was used before' } }],
    [200, { success: false, code: 'INVALID_GRANT' }],
    [400, { error: 'interaction_required' }],
    [401, { error: 'invalid_token' }],
  ])('asks to reconnect if the grant is no longer valid: %i %j', (status, body) => {
    const error = refused(status, body);
    expect(error.kind).toBe('unauthenticated');
    expect(error.sentence).toBe(`The connection to ${brand.name} has expired or was revoked. Reconnect the account.`);
  });

  it('says of a code that there is no connection yet', () => {
    const body = { error: 'invalid_grant', error_description: 'The redirect address is another one' };
    const exchanged = () => readTokens({ status: 400, headers: {}, body });
    expect(exchanged).toThrow(
      `${brand.name} did not accept the code of its own consent page. ${brand.name} says: "The redirect address is another one".`,
    );
  });

  it.each<[number, unknown, string, string]>([
    [302, '', 'redirected', 'Correct the base URL'],
    [500, '', 'server', 'could not answer the token request (status 500)'],
    [400, { error: 'e'.repeat(50) }, 'invalid', `refused the token request (status 400, ${'e'.repeat(40)}).`],
    [403, errorOf('Pro plan required', 'PLAN_REQUIRED'), 'plan', 'Upgrade'],
    [401, errorOf('Unauthorized', 'INVALID_CLIENT'), 'invalid', 'does not accept the client id and secret'],
    [404, errorOf('Not Found', 'CLIENT_NOT_FOUND'), 'invalid', 'does not accept the client id and secret'],
    [401, { error: 'Unauthorized', message: 'Client authentication failed' }, 'invalid', 'says: "Client authentication failed"'],
    [400, { error: 'Bad Request', message: 'The refresh token is missing' }, 'invalid', 'refused the token request'],
    [400, { error: 'invalid_request' }, 'invalid', 'refused the token request (status 400, invalid_request).'],
    [400, '<html>', 'unreadable', 'Something between here and the service answered'],
    [400, { error: 'temporarily_unavailable' }, 'server', 'could not answer'],
    [200, { error: 'temporarily_unavailable' }, 'server', 'could not answer the token request (temporarily_unavailable).'],
    [400, { error: 'server_error' }, 'server', 'could not answer the token request (status 400, server_error).'],
    // What a framework, a gateway or the application's own mistake answers says nothing about the connection.
    ...[
      { error: 'Unauthorized' },
      { error: 'Unauthorized', message: 'Invalid or expired token' },
      { message: 'Unauthenticated.' },
      { statusCode: 401, message: 'Unauthorized' },
      { detail: 'Authentication credentials were not provided.' },
      { name: 'UnauthorizedError', message: 'No authorization token was found' },
      { timestamp: '2030-01-01T00:00:00.000+00:00', status: 401, error: 'Unauthorized', path: '/api/oauth/token' },
      { type: 'https://tools.ietf.org/html/rfc9110#section-15.5.2', title: 'Unauthorized', status: 401 },
      { error: 'access_denied', error_description: 'Unauthorized' },
      '',
    ].map((body): [number, unknown, string, string] => [401, body, 'invalid', 'refused to renew the connection (status 401']),
    [400, { error: 'unauthorized_client' }, 'invalid', 'does not accept the client id and secret'],
    [401, { error: 'unauthorized_client', error_description: 'No refresh token grant' }, 'invalid', 'client id and secret'],
    [400, { error: 'invalid_request', error_description: 'refresh_token not found in the body' }, 'invalid', 'refused the token request'],
    [429, {}, 'rateLimited', 'for token requests has been reached. Try again in about a minute; the limit is 20 token requests a minute.'],
  ])('does not ask for a reconnect that would not help: %i %j is %s', (status, body, kind, words) => {
    const error = refused(status, body);
    expect(error.kind).toBe(kind);
    expect(error.sentence).toContain(words);
    expect(error.sentence.replaceAll(brand.name, '')).not.toContain('<');
  });

  it.each<[number, unknown, string]>([
    [400, { error: 'invalid_grant', error_description: 'The user account is disabled' }, 'The user account is disabled'],
    [400, { error: 'invalid_request', error_description: 'Your trial has ended' }, 'Your trial has ended'],
    [403, errorOf('Forbidden', 'ACCOUNT_DISABLED'), 'Forbidden: ACCOUNT_DISABLED'],
    [503, { error: 'maintenance', message: 'Back at six' }, 'Back at six'],
  ])("shows the service's words: %i %j", (status, body, words) => {
    expect(refused(status, body).message).toContain(` ${brand.name} says: "${words}".`);
  });

  it.each<[number, unknown, advice: string]>([
    // An authorization server that refuses an unknown session so, or another refresh at the same moment.
    [400, { error: 'invalid_request', error_description: 'session not found' }, 'Try again. If this goes on, reconnect the account.'],
    [409, { error: 'concurrent_refresh' }, 'Try again. If this goes on, reconnect the account.'],
    [404, { message: 'Cannot POST /oauth/token' }, 'Check the base URL in the connection, then try again.'],
  ])('%i %j, which does not say that the grant is over, says what helps if it is', (status, body, advice) => {
    expect(refused(status, body).advice).toBe(advice);
  });

  it.each([
    { title: 'Invalid grant', status: 400, detail: 'The refresh token has expired' },
    errorOf('Bad Request', 'REFRESH_TOKEN_EXPIRED'),
    errorOf('Forbidden', 'TOKEN_REVOKED'),
    { error: 'invalid_refresh_token' },
    errorOf('Bad Request', 'VALIDATION_ERROR', { message: 'The refresh token is invalid or has expired' }),
    { error: 'invalid_request', error_description: 'Unknown refresh token for this client id' },
    errorOf('Bad Request', 'InvalidGrant'),
    { error: 'unauthorized_client', error_description: 'refresh_token is invalid' },
    { error: { type: 'invalid_grant', message: 'Sign in again' } },
    { error: 'invalid_grant', error_description: 'Client authentication is from another client id' },
  ])('asks to reconnect in whatever form the end of the grant is named: %j', (body) => {
    for (const status of [400, 403])
      expect(refused(status, body)).toMatchObject({ kind: 'unauthenticated', advice: 'Reconnect the account.' });
  });

  it.each([400, 401, 403, 503])('at status %i shows no words that may contain a token', (status) => {
    for (const token of ['rt_123', 'aB3dE5', 'abcdefghijKLMNOPQRST', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjF9'])
      expect(refused(status, { error: 'blocked', error_description: `The token "${token}" is blocked` }).sentence).not.toContain(token);
  });

  it.each([429, 503])('at status %i says how long to wait, in seconds or by the date of the answer itself (G16)', (status) => {
    expect(refused(status, '', { 'retry-after': '9' }).retryAfterSeconds).toBe(9);
    const date = 'Wed, 02 Jan 2030 08:00:00 GMT';
    expect(refused(status, '', { date, 'retry-after': 'Wed, 02 Jan 2030 08:00:07 GMT' }).retryAfterSeconds).toBe(7);
    expect(refused(status, '', { 'retry-after': date }).retryAfterSeconds).toBeUndefined();
  });
});

describe('one refresh of a token at a time', () => {
  let time: VirtualTime;
  let refresher: TokenRefresher;
  let begun: number;
  beforeEach(() => {
    time = new VirtualTime(1);
    begun = time.now();
    refresher = new TokenRefresher({
      now: () => time.now(),
      sleep: (ms, ended) => Promise.race([time.sleep(ms), ...(ended === undefined ? [] : [aborted(ended)])]),
    });
  });

  const aborted = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));
  const passed = () => time.now() - begun;
  const failing = (kind: ErrorKind): ServiceError => new ServiceError(kind, { message: `It was ${kind}.`, advice: 'Do this.' });
  const never = () => new Promise<void>(() => undefined);
  const refresh = (work: () => Promise<void>) => time.during(refresher.refresh('a', work));
  const failedBy = (work: () => Promise<void>, connection = 'a') => time.during(refusal(refresher.refresh(connection, work)));
  const pass = (milliseconds: number) => time.during(time.sleep(milliseconds));

  /** Tries with the given results, one after another, a second each. The last result also applies to all later tries. */
  function tries(...ends: (ErrorKind | 'refreshed' | 'silence')[]) {
    const work = jest.fn(async () => {
      const end = ends[Math.min(work.mock.calls.length, ends.length) - 1] ?? 'refreshed';
      if (end === 'silence') await never();
      await time.sleep(1000);
      if (end !== 'refreshed' && end !== 'silence') throw failing(end);
    });
    return work;
  }

  describe('a failed refresh', () => {
    it('is reported as "not carried out" with the reason, and keeps what to do and when', () => {
      const kept = { advice: 'Try later.', status: 503, code: 'busy', retryAfterSeconds: 7 };
      const error = notRenewed(new ServiceError('server', { message: 'It was busy.', ...kept }));
      const message = `Nothing was done, because the connection to ${brand.name} could not be renewed: It was busy.`;
      expect(error).toMatchObject({ kind: 'notRenewed', message, ...kept });
      expect(notRenewed(error)).toBe(error);
    });

    it('asks to reconnect if the grant was refused, and in no other case', () => {
      const revoked = failing('unauthenticated');
      expect(notRenewed(revoked)).toBe(revoked);
      for (const kind of ['server', 'unreachable', 'unreadable', 'rateLimited', 'invalid', 'forbidden'] as const)
        expect(notRenewed(failing(kind)).sentence).not.toMatch(/reconnect/i);
    });

    it('says to come again after a minute if there were too many token requests and no time was given', () => {
      expect(notRenewed(failing('rateLimited')).retryAfterSeconds).toBe(60);
      expect(notRenewed(failing('server')).retryAfterSeconds).toBeUndefined();
    });
  });

  describe('a refresh', () => {
    it('is done once for all who wait, again for later callers, and separately for each connection', async () => {
      const work = tries('refreshed');
      await time.during(Promise.all(['a', 'a', 'a', 'b'].map((connection) => refresher.refresh(connection, work))));
      expect([work.mock.calls.length, passed()]).toEqual([2, 1000]);
      await refresh(work);
      expect(work).toHaveBeenCalledTimes(3);
    });

    it.each(['server', 'unreachable'] as const)('is tried again after 1 and 3 seconds if it was %s', async (kind) => {
      const work = tries(kind, kind, 'refreshed');
      await refresh(work);
      expect(work).toHaveBeenCalledTimes(3);
      expect(passed()).toBe(7000);
    });

    it.each([
      ['server', 3],
      ['unauthenticated', 1],
      ['rateLimited', 1],
      ['invalid', 1],
    ] as const)('that always ends in %s is given up after %i tries', async (kind, count) => {
      const work = tries(kind);
      const error = await failedBy(work);
      expect(error.message).toContain(`It was ${kind}.`);
      expect(work).toHaveBeenCalledTimes(count);
    });

    it('that failed is remembered for 30 seconds, only for its connection', async () => {
      const work = tries('invalid');
      const first = await failedBy(work);
      await pass(29_999);
      expect(await failedBy(work)).toBe(first);
      expect(work).toHaveBeenCalledTimes(1);
      await failedBy(work, 'b');
      expect(work).toHaveBeenCalledTimes(2);
      await pass(1);
      await failedBy(work);
      expect(work).toHaveBeenCalledTimes(3);
    });

    it('that is not answered holds nobody for more than 20 seconds, and later callers for less', async () => {
      const work = tries('silence');
      const late = async () => {
        await time.sleep(15_000);
        await refusal(refresher.refresh('a', work));
        return passed();
      };
      const [error, ended] = await time.during(Promise.all([refusal(refresher.refresh('a', work)), late()]));
      expect(error.message).toContain('did not answer the token request (within 20 seconds)');
      expect(ended).toBe(20_000);
      expect(passed()).toBe(20_000);
      // The next caller is not held, and asks again once the failure is forgotten.
      await failedBy(work);
      expect(passed()).toBe(20_000);
      await pass(30_000);
      await failedBy(work);
      expect(work).toHaveBeenCalledTimes(2);
      expect(passed()).toBe(70_000);
    });

    it('that succeeds after its deadline counts for the next caller', async () => {
      const work = jest.fn(() => time.sleep(25_000));
      await failedBy(work);
      await pass(5_001);
      await refresh(async () => void work.mockClear());
      expect(work).not.toHaveBeenCalled();
    });

    it('is not tried again once its deadline is past', async () => {
      const work = jest.fn(async () => {
        await time.sleep(21_000);
        throw failing('server');
      });
      await failedBy(work);
      await pass(10_000);
      expect(work).toHaveBeenCalledTimes(1);
    });

    it('passes on an error that is not from the core, and remembers it as well', async () => {
      const work = jest.fn(async () => {
        throw new Error('the database is locked');
      });
      await expect(refresher.refresh('a', work)).rejects.toThrow('the database is locked');
      await expect(refresher.refresh('a', work)).rejects.toThrow('the database is locked');
      expect(work).toHaveBeenCalledTimes(1);
    });
  });

  describe('a run that is cancelled', () => {
    it('is freed at once, and the others keep waiting', async () => {
      const work = tries('refreshed');
      const stop = new AbortController();
      const others = refresher.refresh('a', work);
      const cancelled = refresher.refresh('a', work, stop.signal);
      stop.abort(new Error('stopped by hand'));
      await expect(cancelled).rejects.toThrow('stopped by hand');
      await time.during(others);
      expect(work).toHaveBeenCalledTimes(1);
    });

    it('and thereby fails its own refresh says nothing to the others: they refresh for themselves', async () => {
      const stop = new AbortController();
      const own = jest.fn(async () => {
        await time.sleep(1000);
        stop.abort(new Error('stopped by hand'));
        throw new Error('aborted');
      });
      const first = refresher.refresh('a', own, stop.signal);
      first.catch(() => undefined);
      const work = tries('refreshed');
      await time.during(Promise.all([refresher.refresh('a', work), refresher.refresh('a', work)]));
      await expect(first).rejects.toThrow('stopped by hand');
      expect([own.mock.calls.length, work.mock.calls.length]).toEqual([1, 1]);
    });

    it('is freed at once if it was cancelled before it came', async () => {
      const signal = AbortSignal.abort('no error');
      await expect(refresher.refresh('a', never, signal)).rejects.toThrow('The run was cancelled.');
    });
  });
});
