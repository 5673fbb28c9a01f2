import type { RequestListener } from 'node:http';
import { createServer as createHttpsServer, globalAgent } from 'node:https';
import { nodeExchange } from '../../sdk/node/exchange.ts';
import { certificate } from '../support/certificate.ts';
import { serve } from '../support/serve.ts';
import { Stage } from './stage.ts';

const exchange = nodeExchange('somebody');
const soon = () => AbortSignal.timeout(20_000);

describe('a dead connection that was kept', () => {
  /** Answers the first request of each connection, and breaks it at the second. */
  async function once(): Promise<{ url: string; methods: string[] }> {
    const methods: string[] = [];
    const served = new WeakSet();
    const port = await serve((request, response) => {
      methods.push(request.method ?? '');
      request.resume();
      if (served.has(request.socket)) request.socket.resetAndDestroy();
      else response.end('{}');
      served.add(request.socket);
    });
    return { url: `http://127.0.0.1:${port}/`, methods };
  }

  test('is replaced for a read, which nobody notices', async () => {
    const { url, methods } = await once();
    for (let count = 0; count < 3; count += 1)
      expect(await exchange(url, { method: 'GET', headers: {} }, soon())).toMatchObject({ status: 200 });
    expect(methods).toEqual(['GET', 'GET', 'GET', 'GET', 'GET']);
  });

  test.each(['POST', 'DELETE'])('is reported for a %s, which is sent once and may have been carried out', async (method) => {
    const { url, methods } = await once();
    await exchange(url, { method: 'GET', headers: {} }, soon());
    await expect(exchange(url, { method, headers: {}, body: '{}' }, soon())).rejects.toMatchObject({ code: 'ECONNRESET', sent: true });
    expect(methods).toEqual(['GET', method]);
  });

  test('is reported for a read as well if the new connection breaks too', async () => {
    const port = await serve((request) => request.socket.resetAndDestroy());
    await expect(exchange(`http://127.0.0.1:${port}/`, { method: 'GET', headers: {} }, soon())).rejects.toMatchObject({ sent: true });
  });
});

test('a request that was given up before it began is not sent', async () => {
  let requests = 0;
  const port = await serve(() => (requests += 1));
  const asked = exchange(`http://127.0.0.1:${port}/`, { method: 'POST', headers: {} }, AbortSignal.abort());
  await expect(asked).rejects.toMatchObject({ code: 'ETIMEDOUT', sent: false });
  expect(requests).toBe(0);
});

describe('over HTTPS', () => {
  const listener: RequestListener = (_, response) => void response.end('{"id":"a"}');
  const start = () => serve(listener, createHttpsServer(certificate, listener));
  afterEach(() => {
    delete globalAgent.options.ca;
    globalAgent.destroy();
  });

  test('the answer of a server with a trusted certificate is read', async () => {
    globalAgent.options.ca = certificate.cert;
    expect(await exchange(`https://127.0.0.1:${await start()}/`, { method: 'GET', headers: {} }, soon())).toMatchObject({
      body: { id: 'a' },
    });
  });

  test('nothing is sent to a server with an untrusted certificate', async () => {
    const asked = exchange(`https://127.0.0.1:${await start()}/`, { method: 'POST', headers: {}, body: '{}' }, soon());
    await expect(asked).rejects.toMatchObject({ sent: false });
  });
});

describe('a client on Node.js', () => {
  let stage: Stage;
  beforeAll(async () => void (stage = await Stage.open()));
  afterAll(() => stage.close());

  test('sends its requests with the given fetch, if there is one', async () => {
    const sent: string[] = [];
    const client = stage.client({
      fetch: (address, init) => {
        sent.push(address);
        return fetch(address, init);
      },
    });
    await client.users.current();
    expect(sent).toHaveLength(1);
  });
});
