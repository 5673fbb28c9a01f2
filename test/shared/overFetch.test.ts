import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exchange, sendByFetch } from '../../shared/api/overFetch.ts';
import { NetworkFault } from '../../shared/api/transport.ts';
import { freePort } from '../../tools/process/freePort.ts';

/** Sends as fast as the client reads, and does not stop. */
function endless(response: ServerResponse): void {
  const more = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(1_000_000, 32)));
  };
  response.on('drain', more);
  more();
}

let server: Server;
let origin: string;
const seen: { url: string | undefined; authorization: string | undefined }[] = [];
beforeAll(async () => {
  server = createServer(({ url, headers: { authorization } }, response) => {
    seen.push({ url, authorization });
    if (url === '/moved') response.writeHead(302, { location: '/elsewhere' }).end();
    else if (url === '/endless') endless(response);
    else if (url !== '/never') response.end('{"id":"ü"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (path: string, given = AbortSignal.timeout(20_000)) =>
  exchange(fetch, `${origin}${path}`, { method: 'GET', headers: {} }, given);
const faultOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  );

it('a request goes out with its query and the token, and its answer comes back parsed', async () => {
  const request = { method: 'GET', url: `${origin}/bookings`, query: { email: 'a&b@example.com' }, headers: {} } as const;
  expect(await sendByFetch(fetch, request, 'token', AbortSignal.timeout(20_000))).toMatchObject({ status: 200, body: { id: 'ü' } });
  expect(seen.at(-1)).toEqual({ url: '/bookings?email=a%26b%40example.com', authorization: 'Bearer token' });
});

it('a request whose time is over counts as sent: it may have been carried out', async () => {
  const fault = await faultOf(ask('/never', AbortSignal.timeout(50)));
  expect(fault).toBeInstanceOf(NetworkFault);
  expect(fault).toMatchObject({ sent: true, code: 'ETIMEDOUT' });
});

it('an endless answer is cut off', async () => {
  expect(await faultOf(ask('/endless'))).toMatchObject({ sent: true, code: 'EMSGSIZE' });
});

it('a redirect is an answer, and is not followed', async () => {
  expect(await ask('/moved')).toMatchObject({ status: 302 });
  expect(seen.at(-1)?.url).toBe('/moved');
});

it('a connection that was never made is reported as that', async () => {
  const nobody = `http://127.0.0.1:${await freePort()}/`;
  expect(await faultOf(exchange(fetch, nobody, { method: 'POST', headers: {} }, AbortSignal.timeout(20_000)))).toMatchObject({
    sent: false,
  });
});
