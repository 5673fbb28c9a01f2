import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { hostTransport } from '../../n8n/adapter/transport.ts';
import { refreshError } from '../../n8n/adapter/renewal.ts';
import { credentialType } from '../../n8n/adapter/identity.ts';
import { renewingRequest } from '../../shared/oauth/tokenRefresher.ts';

let credentials = 0;

/** A host whose API answers 401 to requests that resolve for every status. `renewing` is what the throwing request does. */
function hostWith(
  renewing: () => Promise<unknown>,
  { cancelled = undefined as AbortSignal | undefined, id = `credential ${(credentials += 1)}` } = {},
) {
  const sent: string[] = [];
  const host = {
    getNode: () => ({ id: 'node-1', credentials: { [credentialType]: { id, name: 'Account' } } }),
    getCredentials: async () => ({ oauthTokenData: {} }),
    getExecutionCancelSignal: () => cancelled,
    helpers: {
      httpRequestWithAuthentication: async (_: string, { method, url, ignoreHttpStatusErrors }: IHttpRequestOptions) => {
        sent.push(`${method} ${new URL(url).pathname}${ignoreHttpStatusErrors === true ? '' : ' renewing'}`);
        return ignoreHttpStatusErrors === true ? { statusCode: 401, headers: {}, body: {} } : renewing();
      },
    },
  } as unknown as IExecuteFunctions;
  const send = hostTransport(host, renewingRequest('https://example.com/api/v1'));
  return { sent, book: () => send({ method: 'POST', url: 'https://example.com/api/v1/bookings', headers: {}, body: {} }) };
}

it('a write never refreshes the token: a harmless request does, and the write is sent again after it', async () => {
  const { sent, book } = hostWith(async () => ({ statusCode: 200, headers: {}, body: {} }));
  expect(await book()).toMatchObject({ status: 401 });
  expect(sent).toEqual(['POST /api/v1/bookings', 'GET /api/v1/me renewing', 'POST /api/v1/bookings']);
});

it('a run whose refresh failed is told so at every item, and does not try again', async () => {
  const { sent, book } = hostWith(() => Promise.reject(Object.assign(new Error('x'), { status: 400, code: 'ESTATUS' })));
  for (let item = 0; item < 5; item += 1) await expect(book()).rejects.toMatchObject({ kind: 'notRenewed' });
  expect(sent.filter((line) => line.endsWith('renewing'))).toHaveLength(1);
});

it('the next run of the same account gets the failure without asking again', async () => {
  const failing = () => Promise.reject(Object.assign(new Error('x'), { status: 400, code: 'ESTATUS' }));
  await expect(hostWith(failing, { id: 'failing' }).book()).rejects.toMatchObject({ kind: 'notRenewed' });
  const next = hostWith(failing, { id: 'failing' });
  await expect(next.book()).rejects.toMatchObject({ kind: 'notRenewed' });
  expect(next.sent).toEqual(['POST /api/v1/bookings']);
});

it("a status of the token endpoint is reported although there is also a network's code", async () => {
  const { book } = hostWith(() =>
    Promise.reject(
      Object.assign(new Error('x'), {
        cause: Object.assign(new Error('y'), { code: 'ERR_BAD_RESPONSE', response: { status: 404, data: '' } }),
      }),
    ),
  );
  await expect(book()).rejects.toThrow(/status 404/);
});

it('cancelling a run frees what waits for a token call that is not answered, and no other run', async () => {
  const stop = new AbortController();
  const id = 'held';
  const ended: string[] = [];
  const token = Promise.withResolvers<unknown>();
  const unanswered = () => token.promise;
  const cancelled = hostWith(unanswered, { cancelled: stop.signal, id })
    .book()
    .catch((error: Error) => ended.push(error.message));
  const other = hostWith(unanswered, { cancelled: new AbortController().signal, id });
  const waiting = other.book().catch(() => ended.push('the other'));
  setTimeout(() => stop.abort(new Error('stopped by hand')), 50);
  await cancelled;
  expect(ended).toEqual(['stopped by hand']);
  // One refresh serves both.
  expect(other.sent).toEqual(['POST /api/v1/bookings']);
  token.resolve({ statusCode: 200, headers: {}, body: {} });
  await waiting;
});

describe('why a token could not be refreshed, by what n8n throws', () => {
  const why = (error: unknown, tokenData: unknown = {}) => refreshError(error, tokenData);
  const thrown = (more: object, message = 'x') => Object.assign(new Error(message), more);

  it.each<[string, unknown, string, RegExp]>([
    [
      "n8n's own word that names the credential",
      thrown({ failure: { cause: 'credential-invalid' }, description: 'Open it.' }, 'The credential "Account" needs to be reconnected.'),
      'unauthenticated',
      /^The credential "Account" needs to be reconnected\. Open it\.$/,
    ],
    ['no refresh token', thrown({}, 'OAuth access token expired and no refresh token is available.'), 'unauthenticated', /Reconnect/],
    ['no refresh token in older n8n', thrown({}, 'refreshToken is required'), 'unauthenticated', /Reconnect/],
    ['a page', thrown({ cause: thrown({ status: 200, body: '<html>', code: 'ESTATUS' }) }), 'unreadable', /without an access_token/],
    ['a status', thrown({ cause: thrown({ status: 404, body: '<html>', code: 'ESTATUS' }) }), 'invalid', /status 404/],
    [
      'a status of the HTTP client',
      thrown({ cause: thrown({ code: 'ERR_BAD_RESPONSE' }, 'Request failed with status code 503') }),
      'server',
      /status 503/,
    ],
    ['a failure of another cause', thrown({ failure: { cause: 'other' }, httpCode: '503' }), 'server', /status 503/],
    [
      'a status behind two errors',
      thrown({ cause: thrown({ cause: thrown({}, 'Request failed with status code 503') }) }),
      'server',
      /status 503/,
    ],
    [
      'a response without a status, and a status behind it',
      thrown({ response: {}, cause: thrown({ status: 503 }) }),
      'server',
      /status 503/,
    ],
    [
      'a body that n8n has read',
      thrown({ cause: thrown({ response: { status: 400, data: { error: 'invalid_grant' } } }) }),
      'unauthenticated',
      /Reconnect/,
    ],
    ['a body that is text', thrown({ cause: thrown({ status: 400, body: '{"error":"invalid_grant"}' }) }), 'unauthenticated', /Reconnect/],
    ['a response of the HTTP client', thrown({ cause: thrown({ response: { status: 502, data: '{}' } }) }), 'server', /status 502/],
    ['a status in older n8n', thrown({ httpCode: '503' }), 'server', /status 503/],
    ['a name', thrown({ cause: thrown({ code: 'EAUTH', body: { error: 'invalid_grant' } }) }), 'unauthenticated', /Reconnect/],
    [
      "RFC 6749's sentence for a name",
      thrown({ httpCode: 'EAUTH' }, 'The provided authorization grant (e.g., a code) is invalid'),
      'unauthenticated',
      /Reconnect/,
    ],
    [
      "RFC 6749's sentence for the client",
      thrown({ httpCode: 'EAUTH' }, 'Client authentication failed (e.g., unknown client)'),
      'invalid',
      /client id and secret/,
    ],
    [
      'its sentence for an outage',
      thrown({ httpCode: 'EAUTH' }, 'The authorization server is currently unable to handle the request'),
      'server',
      /temporarily_unavailable/,
    ],
    ['a name that has no sentence', thrown({ httpCode: 'EAUTH' }, 'slow_down'), 'invalid', /\(slow_down\)/],
    ['words that could hold anything', thrown({ httpCode: 'EAUTH' }, 'the token rt_123 is bad'), 'invalid', /^(?!.*rt_123)/],
    ['the limit of token requests', thrown({ httpCode: 'EAUTH' }, 'Too many requests'), 'rateLimited', /20 token requests a minute/],
    ['a broken connection', thrown({ cause: thrown({ code: 'ECONNRESET' }) }), 'unreachable', /ECONNRESET/],
    ['a broken connection in older n8n', thrown({ httpCode: 'ECONNREFUSED' }), 'unreachable', /ECONNREFUSED/],
    ['anything else', 'text', 'unreachable', /no reason given/],
  ])('%s', (_, error, kind, words) => {
    expect(why(error)).toMatchObject({ kind });
    expect(why(error).sentence).toMatch(words);
  });

  it('an error that is its own cause is handled as well', () => {
    const circular = thrown({});
    expect(why(Object.assign(circular, { cause: circular })).kind).toBe('unreachable');
  });

  it('an error that came with status 200 is found in what n8n stored', () => {
    const refusedByTheApi = thrown({ httpCode: '401' });
    expect(why(refusedByTheApi, { error: 'temporarily_unavailable' }).kind).toBe('server');
    expect(why(refusedByTheApi, { error: 'invalid_grant' }).kind).toBe('unauthenticated');
    expect(why(refusedByTheApi, { access_token: 'x' }).kind).toBe('unauthenticated');
    expect(why(thrown({ httpCode: '503' }), { error: 'invalid_grant' }).kind).toBe('server');
  });
});
