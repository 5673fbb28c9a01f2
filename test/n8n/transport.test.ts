import { Readable } from 'node:stream';
import { NodeApiError, NodeOperationError, UserError, type IExecuteFunctions, type IHttpRequestOptions, type INode } from 'n8n-workflow';
import { credentialType } from '../../n8n/adapter/identity.ts';
import { accountOf, hostTransport } from '../../n8n/adapter/transport.ts';
import { renewingRequest } from '../../shared/oauth/tokenRefresher.ts';

afterEach(() => jest.restoreAllMocks());

const base = 'https://example.com/api/v1';
let credentials = 0;

/** A transport whose requests n8n's helper answers like this. `renewing` is the request with which n8n refreshes the token. */
function over(answer: (renewing: boolean, request: IHttpRequestOptions) => Promise<unknown>) {
  const host = {
    getNode: () => ({ id: 'node-1', credentials: { [credentialType]: { id: `transport ${(credentials += 1)}`, name: 'Account' } } }),
    getCredentials: async () => ({ oauthTokenData: {} }),
    helpers: {
      httpRequestWithAuthentication: (_: string, request: IHttpRequestOptions) => answer(request.ignoreHttpStatusErrors !== true, request),
    },
  } as unknown as IExecuteFunctions;
  const send = hostTransport(host, renewingRequest(base));
  return () => send({ method: 'GET', url: `${base}/bookings`, headers: {} });
}
const answerOf = (statusCode: number, more: object = {}) => ({ statusCode, headers: {}, body: {}, ...more });

it("the answer's headers are read whatever their case, as texts, numbers and lists, and its body as JSON", async () => {
  const headers = {
    'Retry-After': 30,
    Date: 'Mon, 07 Jan 2030 08:00:00 GMT',
    'set-cookie': ['a=1', 'b=2'],
    'X-Nothing': undefined,
    'x-odd': {},
  };
  const send = over(async () =>
    answerOf(429, { headers, body: Readable.from([Buffer.from('\uFEFF{"error":"Gr\u00f6'), Buffer.from('\u00dfe"}')]) }),
  );
  expect(await send()).toEqual({
    status: 429,
    headers: { 'retry-after': '30', date: 'Mon, 07 Jan 2030 08:00:00 GMT', 'set-cookie': 'a=1,b=2' },
    body: { error: 'Größe' },
  });
});

it('an answer that never ends is cut off at 20 MB, and its connection is closed', async () => {
  let sent = 0;
  const pieces = Readable.from(
    (function* () {
      for (;;) {
        sent += 1_000_000;
        yield Buffer.alloc(1_000_000, ' ');
      }
    })(),
  );
  await expect(over(async () => answerOf(200, { body: pieces }))()).rejects.toMatchObject({ name: 'NetworkFault', code: 'EMSGSIZE' });
  expect(sent).toBeLessThan(40_000_000);
  expect(pieces.destroyed).toBe(true);
});

it.each([
  ['that comes too slowly', (pieces: Readable) => void setInterval(() => pieces.push(' '), 10).unref()],
  ['that stops in the middle', (pieces: Readable) => void pieces.push('{"data":')],
])('an answer %s is given up after half a minute', async (_, begin) => {
  const limit = new AbortController();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  const pieces = new Readable({ read: () => undefined });
  begin(pieces);
  const fault = over(async () => answerOf(200, { body: pieces }))().catch((error: unknown) => error);
  setTimeout(() => limit.abort(), 100);
  expect(await fault).toMatchObject({ name: 'NetworkFault', code: 'ETIMEDOUT', sent: true });
  expect(timeout).toHaveBeenCalledWith(30_000);
  expect(pieces.destroyed).toBe(true);
});

it('an answer that breaks off is a lost one', async () => {
  const pieces = new Readable({ read: () => undefined });
  pieces.push('{"data":');
  setImmediate(() => pieces.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })));
  await expect(over(async () => answerOf(200, { body: pieces }))()).rejects.toMatchObject({ name: 'NetworkFault', code: 'ECONNRESET' });
});

it.each([
  ["a network's code", { code: 'ECONNRESET' }],
  ["n8n's own error that has the code as its status", { httpCode: 'ECONNRESET' }],
])('a request whose answer was lost is told apart from one that was refused: %s', async (_, more) => {
  const send = over(() => Promise.reject(Object.assign(new Error('x'), more)));
  await expect(send()).rejects.toMatchObject({ name: 'NetworkFault', code: 'ECONNRESET' });
});

it('an error of its HTTP client that nobody knows counts as a lost answer', async () => {
  const unknown = new NodeApiError({ name: 'Node' } as INode, new Error('socket closed') as never);
  await expect(over(() => Promise.reject(unknown))()).rejects.toMatchObject({ name: 'NetworkFault', sent: true });
});

it.each([
  new NodeOperationError({ name: 'Node' } as INode, 'The credential "Account" needs to be reconnected.'),
  new UserError('OAuth credentials not connected'),
  new NodeApiError({ name: 'Node' } as INode, new UserError('OAuth credentials not connected') as never),
])('an error of n8n itself keeps its words: %p', async (own) => {
  await expect(over(() => Promise.reject(own))()).rejects.toBe(own);
});

it('the account of a dynamic credential is that of its token, which the name does not show; any other is that of its id', async () => {
  const account = (token: string, usesDynamicCredentials?: boolean) =>
    accountOf({
      getNode: () => ({ id: 'node-1', credentials: { [credentialType]: { id: 'shared', name: 'Account' } } }),
      getCredentials: async () => ({ oauthTokenData: { access_token: token } }),
      ...(usesDynamicCredentials !== undefined && { getExecutionContext: () => ({ usesDynamicCredentials }) }),
    } as unknown as IExecuteFunctions);
  expect([await account('ada'), await account('bob'), await account('bob', false)]).toEqual(['shared', 'shared', 'shared']);
  const [ada, again, bob] = [await account('ada', true), await account('ada', true), await account('bob', true)];
  expect(again).toBe(ada);
  expect(new Set([ada, bob, 'shared']).size).toBe(3);
  expect(ada).not.toContain('ada');
});

describe('a token that has expired', () => {
  const refused = Object.assign(new Error('x'), { status: 400, code: 'ESTATUS' });

  it('is refreshed if another process has refreshed it meanwhile, although n8n failed to', async () => {
    let isFresh = false;
    const send = over(async (renewing) => {
      if (renewing) {
        isFresh = true;
        throw refused;
      }
      return answerOf(isFresh ? 200 : 401);
    });
    expect(await send()).toMatchObject({ status: 200 });
  });

  it('that could not be refreshed is reported for the first reason, also if nothing can be checked after it', async () => {
    let hasFailed = false;
    const send = over(async (renewing) => {
      if (hasFailed) throw Object.assign(new Error('x'), { code: 'ECONNRESET' });
      if (!renewing) return answerOf(401);
      hasFailed = true;
      throw refused;
    });
    await expect(send()).rejects.toThrow('status 400');
  });
});
