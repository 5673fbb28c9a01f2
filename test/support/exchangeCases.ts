import { getEventListeners } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { mostBytes, type HttpClient, type FetchRequest } from '../../shared/api/overFetch.ts';
import { NetworkFault } from '../../shared/api/transport.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { certificate } from './certificate.ts';
import { serve } from './serve.ts';
import { until } from './until.ts';

const record = '{"id":"ü"}';

/** Sends as fast as the client reads, and does not stop. */
function endless(response: ServerResponse, piece: Buffer): void {
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more);
  more();
}

const answers: Record<string, (response: ServerResponse, socket: Socket) => void> = {
  '/moved': (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  '/endless': (response) => endless(response, Buffer.alloc(1_000_000, 32)),
  '/bomb': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000))),
  '/never': () => undefined,
  '/half': (response, socket) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('{"id"', () => socket.destroy());
  },
  '/half-packed': (response, socket) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': 100 });
    response.write(gzipSync(record).subarray(0, 12), () => socket.destroy());
  },
  '/not-packed': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(record),
  '/gzip': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(record)),
  '/deflate': (response) => response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync(record)),
  '/br': (response) => response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(record)),
  '/reset': (_, socket) => socket.resetAndDestroy(),
  '/other-protocol': (response, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n');
    response.destroy();
  },
  '/text': (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
  '/nothing': (response) => response.writeHead(204).end(),
  '/hints': (response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    response.end(record);
  },
  '/identity': (response) => response.writeHead(200, { 'content-encoding': 'identity' }).end(record),
  '/other-form': (response) => response.writeHead(200, { 'content-encoding': 'GZIP ' }).end(gzipSync(record)),
  '/packed-twice': (response) => response.writeHead(200, { 'content-encoding': 'gzip, br' }).end(brotliCompressSync(gzipSync(record))),
  '/packed-by-two': (response) => response.setHeader('content-encoding', ['gzip', 'identity']).end(gzipSync(record)),
  '/old-name': (response) => response.writeHead(200, { 'content-encoding': 'x-gzip' }).end(gzipSync(record)),
  '/character-set': (response) => response.writeHead(200, { 'content-encoding': 'utf-8' }).end(record),
  '/cut-packed': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(record).subarray(0, 12)),
  '/longest': (response) => response.end(Buffer.alloc(mostBytes, 'x')),
  '/longest-packed': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(mostBytes, 'x'))),
  '/empty-packed': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(),
  '/pieces': (response) => {
    response.write(record.slice(0, 5));
    setTimeout(() => response.end(record.slice(5)), 20);
  },
  '/twice': (response) => response.setHeader('retry-after', ['7', '9']).writeHead(429).end(record),
};

/** What must hold for each way to send requests. @param exchange sends them with the user agent `somebody` */
export function exchangeHolds(exchange: HttpClient): void {
  let server: Server;
  let origin: string;
  const seen: { url: string | undefined; headers: IncomingHttpHeaders; body: string; port: number | undefined }[] = [];
  beforeAll(async () => {
    server = createServer((incoming, response) => {
      let body = '';
      incoming.on('data', (piece: Buffer) => (body += piece.toString()));
      incoming.on('end', () => {
        seen.push({ url: incoming.url, headers: incoming.headers, body, port: incoming.socket.remotePort });
        const answer = answers[incoming.url ?? ''];
        if (answer === undefined) response.end(record);
        else answer(response, incoming.socket);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Some containers have no IPv6. */
  const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

  (hasIpv6 ? test : test.skip)('a service at an IPv6 address is reached, with its port, its query and the name of its host', async () => {
    const there = createServer((incoming, response) => response.end(JSON.stringify([incoming.headers.host, incoming.url])));
    await new Promise<void>((resolve) => there.listen(0, '::1', resolve));
    const { port } = there.address() as AddressInfo;
    try {
      const { body } = await exchange(`http://[::1]:${port}/a%20b?c=d`, { method: 'GET', headers: {} }, AbortSignal.timeout(20_000));
      expect(body).toEqual([`[::1]:${port}`, '/a%20b?c=d']);
    } finally {
      there.closeAllConnections();
      there.close();
    }
  });

  const ask = (path: string, given = AbortSignal.timeout(20_000), request: Partial<FetchRequest> = {}) =>
    exchange(`${origin}${path}`, { method: 'GET', headers: {}, ...request }, given);
  const faultOf = (asked: Promise<unknown>): Promise<unknown> =>
    asked.then(
      () => undefined,
      (error: unknown) => error,
    );

  test('a request is sent as given, with its length, and says who sends it', async () => {
    const body = '{"name":"Ü"}';
    expect(await ask('/', undefined, { method: 'POST', headers: { authorization: 'Bearer token' }, body })).toMatchObject({
      status: 200,
      body: { id: 'ü' },
    });
    expect(seen.at(-1)).toMatchObject({ url: '/', body, headers: { authorization: 'Bearer token', 'content-length': '13' } });
    expect(seen.at(-1)?.headers['user-agent']).toBe('somebody');
  });

  test('connections are kept for the next requests', async () => {
    for (const path of ['/', '/nothing', '/', '/', '/nothing', '/']) await ask(path);
    // One client may not use a connection again in the same moment.
    expect(new Set(seen.slice(-6).map(({ port }) => port)).size).toBeLessThanOrEqual(2);
  });

  test.each(['/gzip', '/deflate', '/br'])('a compressed answer is unpacked: %s', async (path) => {
    expect(await ask(path)).toMatchObject({ status: 200, body: { id: 'ü' } });
  });

  test('a page is returned as text, and an empty answer as nothing', async () => {
    expect(await ask('/text')).toMatchObject({ status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' });
    expect(await ask('/nothing')).toMatchObject({ status: 204, body: '' });
  });

  test.each([
    ['comes in pieces', '/pieces', { id: 'ü' }],
    ['says that it is not packed', '/identity', { id: 'ü' }],
    ['writes its packing in capitals, with a space', '/other-form', { id: 'ü' }],
    ['is packed twice', '/packed-twice', { id: 'ü' }],
    ['names its packing in two headers', '/packed-by-two', { id: 'ü' }],
    ['calls its packing by its old name', '/old-name', { id: 'ü' }],
    ['names a character set where its packing belongs', '/character-set', { id: 'ü' }],
    ['is packed and empty', '/empty-packed', ''],
  ])('an answer that %s is read', async (_, path, body) => {
    expect(await ask(path)).toMatchObject({ status: 200, body });
  });

  test.each(['/longest', '/longest-packed'])('an answer as long as is allowed is read whole: %s', async (path) => {
    const { body } = await ask(path);
    expect(String(body).length).toBe(mostBytes);
  });

  test('neither an answer nor a fault leaves anything that listens to the signal', async () => {
    const asked = new AbortController();
    await ask('/', asked.signal);
    await faultOf(ask('/half', asked.signal));
    expect(getEventListeners(asked.signal, 'abort')).toEqual([]);
  });

  test('hints before the answer are not the answer', async () => {
    const { status, headers, body } = await ask('/hints');
    expect({ status, body }).toEqual({ status: 200, body: { id: 'ü' } });
    expect(headers).not.toHaveProperty('link');
  });

  test('of a wait that is given twice, the first counts', async () => {
    expect(await ask('/twice')).toMatchObject({ status: 429, headers: { 'retry-after': '7' } });
  });

  test('a redirect is an answer, and is not followed', async () => {
    expect(await ask('/moved')).toMatchObject({ status: 302, headers: { location: '/elsewhere' } });
    expect(seen.at(-1)?.url).toBe('/moved');
  });

  test.each([
    ['an answer that does not end', '/endless', 'EMSGSIZE'],
    ['one that is small until it is unpacked', '/bomb', 'EMSGSIZE'],
    ['one that breaks off', '/half', 'ECONNRESET'],
    ['one that breaks off and is packed', '/half-packed', expect.any(String)],
    ['one that is packed and incomplete', '/cut-packed', 'Z_BUF_ERROR'],
    ['one that is not packed though it says so', '/not-packed', 'Z_DATA_ERROR'],
    ['a connection that breaks before the answer', '/reset', 'ECONNRESET'],
    ['an answer that changes the protocol', '/other-protocol', 'ECONNRESET'],
  ])('%s is no answer, and counts as sent', async (_, path, code) => {
    const fault = await faultOf(ask(path));
    expect(fault).toBeInstanceOf(NetworkFault);
    expect(fault).toMatchObject({ sent: true, code: code as string });
  });

  test('a request whose time is over counts as sent: it may have been carried out', async () => {
    const [before, asked] = [seen.length, new AbortController()];
    const fault = faultOf(ask('/never', asked.signal));
    await until(() => seen.length > before);
    asked.abort();
    expect(await fault).toMatchObject({ sent: true, code: 'ETIMEDOUT' });
  });

  test('bytes that are not HTTP count as sent', async () => {
    const other = createTcpServer((socket) => socket.once('data', () => socket.end('no HTTP at all\r\n\r\n')));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    try {
      const fault = await faultOf(exchange(address, { method: 'POST', headers: {}, body: '{}' }, AbortSignal.timeout(20_000)));
      expect(fault).toBeInstanceOf(NetworkFault);
      expect(fault).toMatchObject({ sent: true });
    } finally {
      other.close();
    }
  });

  test('a connection that was never made is reported as that', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}/`;
    expect(await faultOf(exchange(nobody, { method: 'POST', headers: {} }, AbortSignal.timeout(20_000)))).toMatchObject({ sent: false });
  });

  test('and so is one that was still being made when its time was over', async () => {
    const already = new AbortController();
    const asked = exchange('http://127.0.0.1:9/', { method: 'POST', headers: {} }, already.signal);
    already.abort();
    expect(await faultOf(asked)).toMatchObject({ sent: false, code: 'ETIMEDOUT' });
  });

  test('a request that was given up before it began is not sent', async () => {
    const before = seen.length;
    expect(await faultOf(ask('/', AbortSignal.abort(), { method: 'POST' }))).toMatchObject({ sent: false, code: 'ETIMEDOUT' });
    expect(seen).toHaveLength(before);
  });

  test('and no connection is made for it', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}/`;
    expect(await faultOf(exchange(nobody, { method: 'GET', headers: {} }, AbortSignal.abort()))).toMatchObject({ code: 'ETIMEDOUT' });
  });

  test.each([
    ['whose time is over', () => undefined, 'ETIMEDOUT'],
    ['whose answer is too long', answers['/endless'], 'EMSGSIZE'],
  ])('the connection of a request %s is closed', async (_, answer, code) => {
    const [asked, closed] = [new AbortController(), jest.fn()];
    const port = await serve((request, response) => {
      request.socket.once('close', closed);
      answer?.(response, request.socket);
      if (code === 'ETIMEDOUT') asked.abort();
    });
    const fault = faultOf(exchange(`http://127.0.0.1:${port}/`, { method: 'GET', headers: {} }, asked.signal));
    expect(await fault).toMatchObject({ code });
    await until(() => closed.mock.calls.length > 0);
  });

  test.each(['a new', 'a kept'])(
    'a request that is given up in the moment in which it gets %s connection has not arrived if it counts as not sent',
    async (kind) => {
      const arrived: (string | undefined)[] = [];
      const port = await serve(({ method }, response) => (arrived.push(method), response.end(record)));
      const address = `http://127.0.0.1:${port}/`;
      const read = () => exchange(address, { method: 'GET', headers: {} }, AbortSignal.timeout(20_000));
      if (kind === 'a kept') await read();
      const asked = new AbortController();
      const given = faultOf(exchange(address, { method: 'POST', headers: {}, body: '{}' }, asked.signal));
      asked.abort();
      const { code, sent } = (await given) as NetworkFault;
      expect(code).toBe('ETIMEDOUT');
      // What had been sent would have arrived by then.
      for (let count = 0; count < 5; count += 1) await read();
      expect(arrived.filter((method) => method === 'POST').length).toBeLessThanOrEqual(sent ? 1 : 0);
    },
  );

  test.each(['POST', 'DELETE'])('a %s whose kept connection breaks is sent once, and counts as sent', async (method) => {
    await ask('/');
    const before = seen.length;
    expect(await faultOf(ask('/reset', undefined, { method, body: '{}' }))).toMatchObject({ sent: true, code: 'ECONNRESET' });
    expect(seen.slice(before).map(({ url }) => url)).toEqual(['/reset']);
  });

  test('nothing is sent to a server with an untrusted certificate', async () => {
    let requests = 0;
    const other = createSecureServer(certificate, () => (requests += 1));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = `https://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    try {
      const asked = exchange(address, { method: 'POST', headers: {}, body: '{}' }, AbortSignal.timeout(20_000));
      expect(await faultOf(asked)).toMatchObject({ sent: false });
      expect(requests).toBe(0);
    } finally {
      other.close();
    }
  });
}
