import { Readable } from 'node:stream';
import { NodeApiError, NodeOperationError, UserError, type IExecuteFunctions, type IHttpRequestOptions, type INode } from 'n8n-workflow';
import { credentialType } from '../../n8n/adapter/names.ts';
import { refreshError } from '../../n8n/adapter/refreshErrors.ts';
import { accountOf, hostTransport } from '../../n8n/adapter/transport.ts';
import { NotSent } from '../../shared/client/ports.ts';
import { harmlessRequest } from '../../shared/oauth/tokenRefresher.ts';

afterEach(() => jest.restoreAllMocks());

const base = 'https://example.com/api/v1';
let credentials = 0;

const answerOf = (statusCode: number, more: object = {}) => ({ statusCode, headers: {}, body: {}, ...more });
const thrown = (more: object, message = 'x') => Object.assign(new Error(message), more);

interface Over {
  cancelled?: AbortSignal;
  id?: string;
  /** Whether n8n's HTTP client has the request before n8n's helper answers. */
  isFormed?: boolean;
  tokens?: object;
}

/**
 * A transport whose requests n8n's helper answers like this.
 *
 * @param answer its argument says whether it is the request with which n8n refreshes the token
 */
function over(answer: (renewing: boolean) => unknown, { cancelled, id, isFormed = true, tokens = { access_token: 'x' } }: Over = {}) {
  const sent: string[] = [];
  const own = id ?? `credential ${(credentials += 1)}`;
  const host = {
    getNode: () => ({ id: 'node-1', credentials: { [credentialType]: { id: own, name: 'Account' } } }),
    getCredentials: async () => ({ oauthTokenData: tokens }),
    getExecutionCancelSignal: () => cancelled,
    helpers: {
      httpRequestWithAuthentication: async (_: string, request: IHttpRequestOptions) => {
        const { method, url, ignoreHttpStatusErrors } = request;
        if (isFormed) expect(request.timeout).toBe(30_000);
        const renewing = ignoreHttpStatusErrors !== true;
        sent.push(`${method} ${url.replace(base, '')}${renewing ? ' renewing' : ''}`);
        return answer(renewing);
      },
    },
  } as unknown as IExecuteFunctions;
  const send = hostTransport(host, harmlessRequest(base));
  return { sent, send: () => send({ method: 'POST', url: `${base}/bookings`, headers: {}, body: {} }) };
}

it("the answer's headers are read whatever their case, as texts, numbers and lists, and its body as JSON", async () => {
  const headers = { 'Retry-After': 30, 'set-cookie': ['a=1', 'b=2'], 'X-Nothing': undefined, 'x-odd': {} };
  const body = Readable.from([Buffer.from('\uFEFF{"error":"Gr\u00f6'), Buffer.from('\u00dfe"}')]);
  expect(await over(() => answerOf(429, { headers, body })).send()).toEqual({
    status: 429,
    headers: { 'retry-after': '30', 'set-cookie': 'a=1,b=2' },
    body: { error: 'Größe' },
  });
});

it('an answer that never ends is cut off at 20 MB, and its connection is closed', async () => {
  let bytes = 0;
  const body = Readable.from(
    (function* () {
      for (;;) {
        bytes += 1_000_000;
        yield Buffer.alloc(1_000_000, ' ');
      }
    })(),
  );
  await expect(over(() => answerOf(200, { body })).send()).rejects.toMatchObject({ name: 'NetworkFault', code: 'EMSGSIZE' });
  expect(bytes).toBeLessThan(40_000_000);
  expect(body.destroyed).toBe(true);
});

it('an answer that stops in the middle is given up after half a minute', async () => {
  const limit = new AbortController();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  const body = new Readable({ read: () => undefined });
  body.push('{"data":');
  const fault = over(() => answerOf(200, { body }))
    .send()
    .catch((error: unknown) => error);
  setTimeout(() => limit.abort(), 100);
  expect(await fault).toMatchObject({ name: 'NetworkFault', code: 'ETIMEDOUT', sent: true });
  expect(timeout).toHaveBeenCalledWith(30_000);
  expect(body.destroyed).toBe(true);
});

const node = { name: 'Node' } as INode;

it.each([
  ["a network's code", thrown({ code: 'ECONNRESET' })],
  ["n8n's own error that has the code as its status", thrown({ httpCode: 'ECONNRESET' })],
  ['an error of its HTTP client that nobody knows', new NodeApiError(node, new Error('socket closed') as never)],
])('%s counts as a lost answer', async (_, error) => {
  await expect(over(() => Promise.reject(error)).send()).rejects.toMatchObject({ name: 'NetworkFault', sent: true });
});

it("a request that n8n's HTTP client cannot form, such as with a wrong address of a proxy, was certainly not sent", async () => {
  const told = await over(() => Promise.reject(thrown({ code: 'ERR_INVALID_URL' }, 'Invalid URL')))
    .send()
    .catch((error: unknown) => error);
  expect(told).toEqual(new NotSent('n8n could not form the request: Invalid URL. Check the proxy that n8n is told to use.'));
});

describe('what n8n throws before it sends a request', () => {
  const unsent = (error: unknown, more: Over = {}) => {
    const throwing = () => {
      throw error as Error;
    };
    return over(throwing, { isFormed: false, ...more }).send();
  };

  it.each([
    new NodeOperationError(node, 'The credential "Account" needs to be reconnected.'),
    new UserError('OAuth credentials not connected'),
    new NodeApiError(node, new UserError('OAuth credentials not connected') as never),
  ])('keeps its words: %p', async (own) => {
    for (const isFormed of [true, false]) await expect(unsent(own, { isFormed })).rejects.toBe(own);
  });

  it.each([
    ['a failure of its own', new NodeApiError(node, new Error('The vault is sealed') as never), 'The vault is sealed'],
    ["a failure of its own with a network's code", thrown({ code: 'ECONNREFUSED' }, 'The database is down'), 'The database is down'],
    ['no error at all', { reason: { message: 'locked' } }, 'locked'],
    ['an error whose words are an object', new Error('[object Object]'), 'Error'],
    ['nothing', undefined, 'no reason given'],
  ])('is not taken for a lost answer: %s', async (_, error, words) => {
    const told = await unsent(error).catch((given: unknown) => given);
    expect(told).toBeInstanceOf(NotSent);
    expect((told as Error).message).toBe(`n8n did not send the request: ${words}`);
  });

  it.each([{}, { refresh_token: 'x' }, { access_token: '' }, { error: 'invalid_grant' }, null, 'text'])(
    'says to connect the credential if n8n has no token for it: %j',
    async (tokens) => {
      for (const error of [new Error('Unable to sign without access token'), new UserError('OAuth credentials not connected')])
        await expect(unsent(new NodeApiError(node, error as never), { tokens: tokens as never })).rejects.toMatchObject({
          kind: 'unauthenticated',
          sentence: expect.stringMatching(/^The credential "Account" is not connected .*\. Connect the credential: /) as string,
        });
    },
  );
});

it('the account of a dynamic credential is that of its token, which the name does not show; any other is that of its id', async () => {
  const account = (token: string, usesDynamicCredentials?: boolean) =>
    accountOf({
      getNode: () => ({ id: 'node-1', credentials: { [credentialType]: { id: 'shared', name: 'Account' } } }),
      getCredentials: async () => ({ oauthTokenData: { access_token: token } }),
      ...(usesDynamicCredentials !== undefined && { getExecutionContext: () => ({ usesDynamicCredentials }) }),
    } as unknown as IExecuteFunctions);
  expect([await account('ada'), await account('bob', false)]).toEqual(['shared', 'shared']);
  const [ada, again, bob] = [await account('ada', true), await account('ada', true), await account('bob', true)];
  expect(again).toBe(ada);
  expect(new Set([ada, bob, 'shared']).size).toBe(3);
  expect(ada).not.toContain('ada');
});

describe('a token that has expired', () => {
  const refused = () => Promise.reject(thrown({ status: 400, code: 'ESTATUS' }));

  it('is refreshed by a harmless request and never by a write, which is sent again after it', async () => {
    const { sent, send } = over((renewing) => answerOf(renewing ? 200 : 401));
    expect(await send()).toMatchObject({ status: 401 });
    expect(sent).toEqual(['POST /bookings', 'GET /me renewing', 'POST /bookings']);
  });

  it('and cannot be refreshed is told also if a gateway refuses it for the service', async () => {
    const { send } = over((renewing) =>
      renewing ? refused() : answerOf(401, { headers: { 'x-amzn-errortype': 'UnauthorizedException' } }),
    );
    await expect(send()).rejects.toMatchObject({ kind: 'notRenewed' });
  });

  it('and cannot be refreshed is told to every item of a run, and to the next run, after one try', async () => {
    const failing = over((renewing) => (renewing ? refused() : answerOf(401)), { id: 'failing' });
    for (let item = 0; item < 5; item += 1) await expect(failing.send()).rejects.toMatchObject({ kind: 'notRenewed' });
    expect(failing.sent.filter((line) => line.endsWith('renewing'))).toHaveLength(1);
    const next = over(() => answerOf(401), { id: 'failing' });
    await expect(next.send()).rejects.toMatchObject({ kind: 'notRenewed' });
    expect(next.sent).toEqual(['POST /bookings']);
  });

  it('counts as refreshed if another process has refreshed it meanwhile, although n8n failed to', async () => {
    let isFresh = false;
    const { send } = over((renewing) => {
      if (!renewing) return answerOf(isFresh ? 200 : 401);
      isFresh = true;
      return refused();
    });
    expect(await send()).toMatchObject({ status: 200 });
  });

  it("and cannot be refreshed because of n8n itself is told in n8n's words", async () => {
    const own = new UserError('Node does not have credential type');
    const { send } = over((renewing) => (renewing ? Promise.reject(own) : answerOf(401)));
    await expect(send()).rejects.toBe(own);
  });

  it('holds no run that is cancelled while the token call is not answered', async () => {
    const stop = new AbortController();
    const { send } = over((renewing) => (renewing ? new Promise(() => undefined) : answerOf(401)), { cancelled: stop.signal });
    setTimeout(() => stop.abort(new Error('stopped by hand')), 50);
    await expect(send()).rejects.toThrow('stopped by hand');
  });
});

// What n8n's cores do throw is in cores.slow.test.ts.
describe('why a token could not be refreshed, by what n8n may throw', () => {
  const behind = (more: object, message?: string) => thrown({ cause: thrown(more, message) });
  const refusedGrant = { error: 'invalid_grant' };

  it.each<[string, unknown, string, RegExp]>([
    [
      "n8n's own word that names the credential",
      thrown({ failure: { cause: 'credential-invalid' }, description: 'Open it.' }, 'The credential "Account" needs to be reconnected.'),
      'unauthenticated',
      /^The credential "Account" needs to be reconnected\. Open it\.$/,
    ],
    ['a status behind an empty response', thrown({ response: {}, cause: thrown({ status: 503 }) }), 'server', /status 503/],
    ['a body that n8n has read', behind({ response: { status: 400, data: refusedGrant } }), 'unauthenticated', /Reconnect/],
    ['words that could hold anything', thrown({ httpCode: 'EAUTH' }, 'the token rt_123 is bad'), 'invalid', /^(?!.*rt_123)/],
    ['anything else', 'text', 'unreachable', /no reason given/],
  ])('%s', (_, error, kind, words) => {
    const { kind: given, sentence } = refreshError(error, {}) ?? {};
    expect([given, sentence]).toEqual([kind, expect.stringMatching(words)]);
  });

  it('an error that came with status 200 is found in what n8n stored', () => {
    const why = (httpCode: string, tokenData: object) => refreshError(thrown({ httpCode }), tokenData)?.kind;
    expect(why('401', { error: 'temporarily_unavailable' })).toBe('server');
    expect(why('401', refusedGrant)).toBe('unauthenticated');
    expect(why('401', { access_token: 'x' })).toBe('invalid');
    expect(why('503', refusedGrant)).toBe('server');
  });
});
