import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { fetchClient, maxBytes, sendAuthorized, type HttpRequest } from '../../shared/client/httpClient.ts';
import { NetworkFault } from '../../shared/client/transport.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { serve } from '../support/serve.ts';
import { until } from '../support/until.ts';

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
  '/bomb': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000))),
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
const seen: { url: string | undefined; authorization: string | undefined; body: string }[] = [];
beforeEach(async () => {
  seen.length = 0;
  const port = await serve((incoming, response) => {
    let body = '';
    incoming.on('data', (piece: Buffer) => (body += piece.toString()));
    incoming.on('end', () => {
      seen.push({ url: incoming.url, authorization: incoming.headers.authorization, body });
      const answer = answers[incoming.url ?? ''];
      if (answer === undefined) response.end(record);
      else answer(response, incoming.socket);
    });
  });
  origin = `http://127.0.0.1:${port}`;
});

const ask = (path: string, given = AbortSignal.timeout(20_000), request: Partial<HttpRequest> = {}) =>
  fetchClient(fetch)(`${origin}${path}`, { method: 'GET', headers: {}, ...request }, given);
const faultOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  );

it('a request goes out with its query, its body and the token, and its answer comes back parsed', async () => {
  const request = {
    method: 'POST',
    url: `${origin}/bookings`,
    query: { email: 'a&b@example.com' },
    headers: {},
    body: { name: 'Ü' },
  } as const;
  expect(await sendAuthorized(fetchClient(fetch), request, 'token', AbortSignal.timeout(20_000))).toMatchObject({
    status: 200,
    body: { id: 'ü' },
  });
  expect(seen).toEqual([{ url: '/bookings?email=a%26b%40example.com', authorization: 'Bearer token', body: '{"name":"Ü"}' }]);
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

it('a redirect is an answer, and is not followed', async () => {
  expect(await ask('/moved')).toMatchObject({ status: 302, headers: { location: '/elsewhere' } });
  expect(seen.map(({ url }) => url)).toEqual(['/moved']);
});

it.each<[string, string, unknown]>([
  ['an answer that does not end', '/endless', 'EMSGSIZE'],
  ['one that is small until it is unpacked', '/bomb', 'EMSGSIZE'],
  ['one that breaks off', '/half', 'ECONNRESET'],
  ['a connection that breaks before the answer', '/reset', 'ECONNRESET'],
])('%s is no answer: a write counts as sent, and is sent once', async (_, path, code) => {
  const fault = await faultOf(ask(path, undefined, { method: 'POST', body: '{}' }));
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
