import { inspect } from 'node:util';
import fc from 'fast-check';
import { fetchClient, type HttpRequest, maxBytes, sendAuthorized } from '../../shared/client/httpClient.ts';
import { parsed } from '../../shared/values.ts';
import type { Call } from '../../shared/call.ts';
import { pathSegment } from '../../shared/client/path.ts';
import { judgeWrite } from '../../shared/writes/judge.ts';
import { Retries, waitBefore } from '../../shared/client/retry.ts';
import { activationPolicy, backgroundPolicy, interactivePolicy, zapierStepPolicy, type RetryPolicy } from '../../shared/client/index.ts';
import { NetworkFault, networkFault, ServiceError, type ApiResponse, type Clock } from '../../shared/client/index.ts';
import { noTokenAnswer, notRenewed } from '../../shared/oauth/tokenRefresher.ts';
import { answered, refusal, refusalOf } from '../support/service.ts';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { freePort } from '../../tools/process/freePort.ts';
import { serve } from '../support/serve.ts';
import { until } from '../support/until.ts';
import { errorOf } from '../support/wire.ts';

const write: Call = {
  method: 'POST',
  path: ['bookings', { id: 'bkg 1' }, 'cancel'],
  scope: 'bookings:write',
  resourceName: 'booking',
  body: { a: 1 },
};
const read: Call = {
  method: 'GET',
  path: ['bookings'],
  scope: 'bookings:read',
  resourceName: 'bookings',
  query: { email: 'a', status: undefined },
};
const lost = new NetworkFault('ECONNRESET', true);
const tooLong = new NetworkFault('EMSGSIZE', true);
const never = (code: string, at?: [string, string]) => new NetworkFault(code, false, at);
const unsent = never('ECONNREFUSED');
const deadProxy = never('ECONNREFUSED', ['127.0.0.1', '3128']);
const unknownProxy = never('ENOTFOUND', ['proxy.corp', '']);
const page = { status: 200, body: '<!doctype html><title>Home</title>' };
const unrefreshed = notRenewed(noTokenAnswer('ECONNRESET'));
const signal = new Error('refresh the token');
const movedTo = (location: string) => ({ status: 301, headers: { location } });

it('a call becomes a request with its own parts only', async () => {
  const { client, asked } = answered([{ body: { id: 'a' } }]);
  await client.read(read);
  await client.write(write, judgeWrite);
  expect(asked).toStrictEqual([
    { method: 'GET', url: 'https://example.com/api/v1/bookings', headers: { accept: 'application/json' }, query: { email: 'a' } },
    {
      method: 'POST',
      url: 'https://example.com/api/v1/bookings/bkg%201/cancel',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: { a: 1 },
    },
  ]);
});

it.each<[string, Partial<ApiResponse> | Error, object]>([
  ['with a record is done', { status: 201, body: { id: 'a' } }, { state: 'succeeded' }],
  ['in plain text is done', { status: 200, body: 'Created' }, { state: 'succeeded' }],
  ['with a web page is unknown', page, { state: 'unknown', isServiceError: false }],
  ['that was cut off is unknown', { status: 200, body: '{"data": {' }, { state: 'unknown', isServiceError: false }],
  ["of 500 in the service's form is unknown", { status: 500, body: { error: 'No' } }, { state: 'unknown', isServiceError: true }],
  ["of 500 in the service's words is unknown", { status: 500, body: 'The calendar is off' }, { state: 'unknown', isServiceError: true }],
  ['of 500 that only names its status is unknown', { status: 500, body: 'Internal Server Error' }, { isServiceError: false }],
  ['of 500 that only has a number is unknown', { status: 500, body: 'error code: 1020' }, { isServiceError: false }],
  ['of 503 by a gateway is unknown', { status: 503, body: 'upstream connect error or disconnect' }, { isServiceError: false }],
  ['of 502 with a page is unknown', { status: 502, body: '<html>' }, { state: 'unknown', isServiceError: false }],
  ['of 302 is unknown: some servers act first', { status: 302 }, { state: 'unknown', error: { kind: 'redirected' } }],
  ['of 199 is rejected', { status: 199, body: { id: 'a' } }, { state: 'rejected', error: { kind: 'invalid' } }],
  ['of 400 is rejected', { status: 400 }, { state: 'rejected', error: { kind: 'invalid' } }],
  ['that was lost is unknown', lost, { state: 'unknown', error: { kind: 'unreachable' } }],
  ['that never ends is unknown', tooLong, { state: 'unknown', error: { kind: 'unreadable' } }],
  ['to a request that never left is rejected', unsent, { state: 'rejected', error: { kind: 'unreachable' } }],
  ['instead of which the token was not refreshed is rejected', unrefreshed, { state: 'rejected', error: { kind: 'notRenewed' } }],
])('to a write, an answer %s', async (_, answer, end) => {
  const { client, asked } = answered([answer]);
  expect(await client.write(write, judgeWrite)).toMatchObject(end);
  // What never left was not carried out.
  expect(asked).toHaveLength(answer === unsent ? 3 : 1);
});

it.each<[Partial<ApiResponse> | Error, string, number]>([
  ...[500, 502, 503, 504].map((status): [Partial<ApiResponse>, string, number] => [{ status }, 'server', 3]),
  [{ status: 408 }, 'server', 3],
  [lost, 'unreachable', 3],
  [unsent, 'unreachable', 3],
  [tooLong, 'unreadable', 1],
  [page, 'unreadable', 1],
  [{ status: 303 }, 'redirected', 1],
  [{ status: 200, body: { success: false, error: 'Trial over' } }, 'invalid', 1],
  [{ status: 200, body: errorOf('Trial over', 'PLAN_REQUIRED') }, 'plan', 1],
  [{ status: 400 }, 'invalid', 1],
  [{ status: 401 }, 'unauthenticated', 1],
  [{ status: 403, body: { error: 'Forbidden' } }, 'forbidden', 1],
  [{ status: 403 }, 'unreadable', 1],
])('a read that is answered by %p ends as "%s" after %i tries', async (answer, kind, tries) => {
  const { client, asked } = answered([answer]);
  expect((await refusal(client.read(read))).kind).toBe(kind);
  expect(asked).toHaveLength(tries);
});

it.each([
  ['a redirect says what to correct', { status: 302 }, 'redirected the request (status 302)', 'Correct the base URL'],
  ['one to another record names it', movedTo('/api/v1/bookings/bkg_2'), 'the booking "bkg_1" to "bkg_2" (status 301)', 'use that ID'],
  ['one to a slash does too', movedTo('/api/v1/bookings/bkg_1/'), 'redirected the request (status 301)', 'Correct the base URL'],
  ['no connection names the host', unsent, 'could not be reached at example.com (ECONNREFUSED)', 'Check the address'],
  [
    'a certificate that is not trusted names the setting',
    never('SELF_SIGNED_CERT_IN_CHAIN'),
    'The certificate of example.com is not trusted here, so nothing was sent',
    'set NODE_EXTRA_CA_CERTS to the file with its certificate',
  ],
  ['a certificate that has expired says so', never('CERT_HAS_EXPIRED'), 'certificate of example.com has expired', "this machine's clock"],
  [
    'a proxy that asks for a password names the setting',
    never('PROXY_407'),
    'did not let the request through',
    'into HTTPS_PROXY, as in http://name:password@proxy:3128',
  ],
  ['a proxy is named', deadProxy, 'The proxy at 127.0.0.1:3128 could not be reached (ECONNREFUSED)', 'Check HTTPS_PROXY'],
  ['also without an address', unknownProxy, 'The proxy at proxy.corp could not be reached (ENOTFOUND)', 'Check HTTPS_PROXY'],
  ['where only a proxy leads out, the setting is named', unsent, 'could not be reached at example.com', 'set HTTPS_PROXY'],
  ['no answer names the host', lost, 'at example.com did not answer (ECONNRESET)', 'Check the address'],
])('%s', async (_, answer, message, advice) => {
  const error = await refusal(
    answered([answer]).client.read({ ...read, path: ['bookings', { id: 'bkg_1' }], resourceName: 'booking', id: 'bkg_1' }),
  );
  expect(error.message).toContain(message);
  expect(error.advice).toContain(advice);
});

describe('a 429', () => {
  const busy = (seconds: number) => ({ status: 429, headers: { 'retry-after': String(seconds) } });

  it('is waited for as long as it asks, and no longer than the platform has patience', async () => {
    const { client, slept } = answered([busy(20), busy(20), {}]);
    await client.read(read);
    expect(slept()).toBeGreaterThanOrEqual(40_000);
    expect(slept()).toBeLessThan(45_000);
    expect(await refusal(answered([busy(3000)]).client.read(read))).toMatchObject({ kind: 'rateLimited', retryAfterSeconds: 3000 });
  });

  it('is not waited for longer than the host has left', async () => {
    const { client, asked, slept } = answered([busy(10), {}], 10_500);
    expect((await refusal(client.read(read))).kind).toBe('rateLimited');
    expect([asked.length, slept()]).toEqual([1, 0]);
    const patientOne = answered([busy(10), { body: { id: 'a' } }], 10_501);
    expect(await patientOne.client.read(read)).toMatchObject({ body: { id: 'a' } });
    expect(patientOne.slept()).toBe(10_500);
  });
});

it('passes on what the platform itself throws, unchanged', async () => {
  await expect(answered([signal]).client.read(read)).rejects.toBe(signal);
  await expect(answered([signal]).client.write(write, judgeWrite)).rejects.toBe(signal);
});

describe('an id in an address', () => {
  it('is one encoded segment of the path, whatever it contains, or refused', () => {
    const hard = fc.constantFrom(
      '..%2f',
      '%2e%2e',
      'a/../b',
      'x?y=1',
      'x#y',
      '//evil.example',
      '@evil.example',
      'x\r\nHost: evil',
      '\uff0e',
    );
    const check = (id: string): void => {
      const mayBeAnId = id !== '' && id.length <= 512 && id !== '.' && id !== '..' && !/[/\\\p{Cc}\p{Cs}]/u.test(id);
      if (!mayBeAnId) return expect(() => pathSegment(id, 'booking')).toThrow(ServiceError);
      const { origin, pathname, search, hash } = new URL(`https://example.com/v1/${pathSegment(id, 'booking')}/cancel`);
      expect([origin, search, hash]).toEqual(['https://example.com', '', '']);
      expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'v1', id, 'cancel']);
    };
    // Also lone surrogates. The library's own unit for all of Unicode takes a second to build.
    const unit = fc.integer({ min: 0, max: 0xff_ff }).map((code) => String.fromCharCode(code));
    const examples: [string][] = [['.'], ['..'], ['a/b'], ['a\\b']];
    fc.assert(fc.property(fc.oneof(fc.string({ unit, maxLength: 40 }), hard), check), { numRuns: 2_000, examples });
  });

  it('that is refused is shown shortened', async () => {
    const why = `"${'x'.repeat(60)}" cannot be an id.`;
    const sentence = `The id of the booking cannot be used. ${why} Enter the id alone, without an address around it.`;
    expect(await refusalOf(() => pathSegment('x'.repeat(513), 'booking'))).toMatchObject({
      kind: 'invalid',
      sentence,
      fields: [{ field: 'id', message: why }],
    });
  });
});

describe('an error of an HTTP client', () => {
  const caused = (code: string, more: object = {}) =>
    Object.assign(new Error('x'), { cause: Object.assign(new Error('y'), { code, ...more }) });
  const tried = (...syscalls: string[]) => caused('ETIMEDOUT', { errors: syscalls.map((syscall) => ({ syscall })) });
  const ofNodeFetch = (why: string) => Object.assign(new Error(`failed, reason: ${why}`), { code: 'ETIMEDOUT', type: 'system' });

  it.each<[unknown, string, boolean]>([
    ...['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'].map((code): [unknown, string, boolean] => [caused(code), code, false]),
    [caused('ETIMEDOUT', { syscall: 'connect' }), 'ETIMEDOUT', false],
    [caused('ETIMEDOUT'), 'ETIMEDOUT', true],
    // Several addresses of a host, such as where IPv6 leads nowhere.
    [tried('connect', 'connect'), 'ETIMEDOUT', false],
    [tried('connect', 'read'), 'ETIMEDOUT', true],
    ...['connect ETIMEDOUT ::1:443', ''].map((why): [unknown, string, boolean] => [ofNodeFetch(why), 'ETIMEDOUT', false]),
    [ofNodeFetch('read ETIMEDOUT'), 'ETIMEDOUT', true],
    [caused('ECONNRESET', { syscall: 'connect' }), 'ECONNRESET', true],
    [caused('ERR_SSL_BAD_RECORD_TYPE'), 'ERR_SSL_BAD_RECORD_TYPE', true],
    [{ cause: { code: 'UND_ERR_SOCKET' } }, 'ECONNRESET', true],
    [Object.assign(new Error('read EIO'), { code: 'EIO', syscall: 'read' }), 'EIO', true],
    [new TypeError('fetch failed', { cause: new Error('something new') }), 'fetch failed', true],
    [Object.assign(new Error('Proxy answered'), { code: 502 }), 'Proxy answered', true],
    [undefined, 'no reason given', true],
    [caused('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', false],
    [caused('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', false],
    [{ cause: { message: 'Proxy response (407) !== 200 when HTTP Tunneling', code: 'UND_ERR_ABORTED' } }, 'PROXY_407', false],
    [Object.assign(new Error('Proxy tunneling failed: 403'), { code: 'ERR_PROXY_TUNNEL' }), 'PROXY_403', false],
    [Object.assign(new Error('Proxy tunneling failed'), { code: 'ERR_PROXY_TUNNEL' }), 'PROXY', false],
  ])('such as %p is %s, and the request may have been sent: %p', (error, code, sent) => {
    expect(networkFault(error)).toMatchObject({ code, sent });
  });

  it.each([
    [caused('ECONNREFUSED', { address: '127.0.0.1', port: 3128 }), ['127.0.0.1', '3128']],
    [caused('ECONNREFUSED', { errors: ['::1', '127.0.0.1'].map((address) => ({ address, port: 443 })) }), ['::1', '443']],
    [caused('ENOTFOUND', { hostname: 'proxy.corp' }), ['proxy.corp', '']],
    [caused('ECONNREFUSED'), undefined],
  ])('such as %p says where nobody answered: %j', (error, at) => {
    expect(networkFault(error)?.at).toEqual(at);
  });

  it('shows nothing of the request that it carries, such as the token', () => {
    const carried = { config: { headers: { authorization: 'Bearer at_1' } }, request: { _header: 'authorization: Bearer at_1' } };
    const fault = networkFault(Object.assign(new Error('socket hang up', { cause: carried }), { code: 'ECONNRESET', ...carried }));
    expect(inspect(fault, { depth: 9, showHidden: true })).not.toContain('at_1');
  });

  it.each(['ERR_INVALID_URL', 'ERR_INVALID_CHAR', 'ERR_UNESCAPED_CHARACTERS', 'UND_ERR_INVALID_ARG'])(
    'about a request that could not be formed (%s) stays as it is: the mistake is in the program',
    (code) => {
      expect(networkFault(caused(code))).toBeUndefined();
    },
  );
});

describe('the retry policies', () => {
  const clockWith = (random: number): Clock => ({ now: () => 0, sleep: async () => undefined, random: () => random });

  it.each<[number, number | undefined, boolean, [number, number, number]]>([
    // What was asked for, and up to a second more so that a crowd does not come back at once (G16).
    [1, 20, false, [20_000, 20_500, 21_000]],
    [1, 0, true, [0, 500, 1_000]],
    // Anything up to a limit that doubles.
    [1, undefined, false, [0, 500, 1_000]],
    [4, undefined, false, [0, 4_000, 8_000]],
    // After a refusal for the rate, at least half of it.
    [1, undefined, true, [4_000, 6_000, 8_000]],
    [4, undefined, true, [30_000, 45_000, 60_000]],
  ])('after try %d fails, asked to wait %p s, for the rate: %p, waits %j ms by chance', (attempt, seconds, isLimited, waits) => {
    expect([0, 0.5, 1].map((random) => waitBefore(attempt, seconds, isLimited, clockWith(random)))).toEqual(waits);
  });

  describe('the tries of one request', () => {
    /** The waits between the tries of a request that always ends in this error, in seconds. */
    function waits(error: object, policy: RetryPolicy, random = 0.5): number[] {
      const cause = new ServiceError('server', { message: 'A.', advice: 'B.', ...error });
      const retries = new Retries(policy, clockWith(random));
      const all: number[] = [];
      for (;;) {
        const wait = retries.waitAfter(cause);
        if (!retries.allows(wait, cause)) return all;
        all.push(wait / 1000);
      }
    }
    const sum = (all: number[]) => all.reduce((total, wait) => total + wait, 0);

    it.each([0, 0.5, 1])('end within three seconds after a server error or without an answer, with chance at %p', (random) => {
      for (const policy of [backgroundPolicy, interactivePolicy]) {
        expect(waits({}, policy, random)).toHaveLength(2);
        expect(sum(waits({}, policy, random))).toBeLessThanOrEqual(3);
      }
      for (const policy of [activationPolicy, zapierStepPolicy]) expect(waits({}, policy, random)).toHaveLength(1);
    });

    it.each<[string, object, number[]]>([
      ['after a server error as the service asks, if that is short', { retryAfterSeconds: 1 }, [1.5, 1.5]],
      ['after a server error not at all, if that is long', { retryAfterSeconds: 120 }, []],
      ['after a 429 as it asks, and longer each time', { holdsOthers: true, retryAfterSeconds: 1 }, [1.5, 6, 12, 24, 45, 45, 45]],
      ['after a 429 without a time', { holdsOthers: true }, [6, 12, 24, 45, 45, 45]],
      ['after a 429 about something else not at all', { holdsOthers: false, retryAfterSeconds: 3600 }, []],
    ])('wait %s', (_, error, all) => {
      expect(waits(error, backgroundPolicy)).toEqual(all);
    });
  });
});

describe('over fetch', () => {
  const record = '{"id":"ü"}';

  /** Sends as fast as the client reads, and does not stop. */
  function endless(response: ServerResponse): void {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(1_000_000, 32)));
    };
    response.on('drain', more);
    more();
  }

  const answers: Record<string, (response: ServerResponse, socket: Socket) => void> = {
    '/moved': (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
    '/endless': endless,
    '/bomb': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(maxBytes + 1))),
    '/longest': (response) => response.end(Buffer.alloc(maxBytes, 'x')),
    '/half': (response, socket) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{"id"', () => socket.destroy());
    },
    '/gzip': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(record)),
    '/reset': (_, socket) => socket.resetAndDestroy(),
    '/text': (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
    '/nothing': (response) => response.writeHead(204).end(),
    '/letter-in-pieces': (response) => {
      response.write(Buffer.from('"\u00fc"').subarray(0, 2), () => setTimeout(() => response.end(Buffer.from('"\u00fc"').subarray(2)), 20));
    },
  };

  let origin: string;
  const seen: (string | undefined)[] = [];
  beforeEach(async () => {
    seen.length = 0;
    const port = await serve((incoming, response) => {
      seen.push(incoming.url);
      incoming.resume();
      incoming.on('end', () => answers[incoming.url ?? '']?.(response, incoming.socket));
    });
    origin = `http://127.0.0.1:${port}`;
  });

  const ask = (path: string, request: Partial<HttpRequest> = {}) =>
    fetchClient(fetch)(`${origin}${path}`, { method: 'GET', headers: {}, ...request }, AbortSignal.timeout(20_000));
  const faultOf = (asked: Promise<unknown>): Promise<unknown> =>
    asked.then(
      () => undefined,
      (error: unknown) => error,
    );

  it.each(['to\u200bk\nen', ' bearer\ttoken'])('a token that was copied (%j) is sent without what came along', async (copied) => {
    const sent: unknown[] = [];
    const noting: typeof fetch = async (_, init) => (sent.push(new Headers(init?.headers).get('authorization')), new Response('{}'));
    const request = { method: 'GET', url: `${origin}/bookings`, headers: {} } as const;
    await sendAuthorized(fetchClient(noting), request, copied, AbortSignal.timeout(20_000));
    expect(sent).toEqual(['Bearer token']);
  });

  it.each<[string, number, unknown]>([
    ['/gzip', 200, { id: 'ü' }],
    ['/text', 502, '<h1>Bad gateway</h1>'],
    ['/nothing', 204, ''],
    ['/letter-in-pieces', 200, 'ü'],
    ['/longest', 200, 'x'.repeat(maxBytes)],
  ])('an answer is read whole: %s', async (path, status, body) => {
    const answer = await ask(path);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual(body);
  });

  it('JSON is read behind a byte order mark, which a platform may leave in the text', () => {
    expect(parsed(`\ufeff${record}`)).toEqual({ id: 'ü' });
  });

  it('a redirect is an answer, and is not followed', async () => {
    expect(await ask('/moved')).toMatchObject({ status: 302, headers: { location: '/elsewhere' } });
    expect(seen).toEqual(['/moved']);
  });

  it.each<[string, string, unknown]>([
    ['an answer that does not end', '/endless', 'EMSGSIZE'],
    ['one that is small until it is unpacked', '/bomb', 'EMSGSIZE'],
    ['one that breaks off', '/half', 'ECONNRESET'],
    ['a connection that breaks before the answer', '/reset', 'ECONNRESET'],
  ])('%s is no answer: a write counts as sent, and is sent once', async (_, path, code) => {
    const fault = await faultOf(ask(path, { method: 'POST', body: '{}' }));
    expect(fault).toBeInstanceOf(NetworkFault);
    expect(fault).toMatchObject({ sent: true, code });
    expect(seen).toHaveLength(1);
  });

  it('a request whose time is over counts as sent, and its connection is closed', async () => {
    const [asked, closed] = [new AbortController(), jest.fn()];
    const port = await serve((request) => {
      request.socket.once('close', closed);
      asked.abort();
    });
    const fault = await faultOf(fetchClient(fetch)(`http://127.0.0.1:${port}/`, { method: 'POST', headers: {} }, asked.signal));
    expect(fault).toMatchObject({ sent: true, code: 'ETIMEDOUT' });
    await until(() => closed.mock.calls.length > 0);
  });

  it('a connection that was never made is reported as that', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}/`;
    const asked = fetchClient(fetch)(nobody, { method: 'POST', headers: {} }, AbortSignal.timeout(20_000));
    expect(await faultOf(asked)).toMatchObject({ sent: false, code: 'ECONNREFUSED' });
  });
});
