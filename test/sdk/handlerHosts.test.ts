import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { constants, createServer as createHttp2Server } from 'node:http2';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { serve } from '@hono/node-server';
import express, { type RequestHandler } from 'express';
import { Hono } from 'hono';
import { createReceiver, expressHandler, fetchHandler, nodeHandler, type Receiver } from '../../sdk/webhooks/index.ts';
import { until } from '../support/until.ts';
import { begin2, bookingBody, deliver, headersOf, raw, statusIn, subscribed } from './deliveries.ts';
import { listening, loopback, type Serving } from './servers.ts';

/** What applications do with a response that the handler answers, too. */
const habits: Record<string, (response: ServerResponse) => unknown> = {
  'has a timeout that answers': (response) => response.setTimeout(100, () => response.writeHead(503).end('too slow')),
  'has a timer that answers': (response) => setTimeout(() => response.headersSent || response.writeHead(503).end('too slow'), 100),
  'has a timeout that closes the connection': (response) => response.setTimeout(100),
  'answers before': (response) => response.writeHead(202).end('mine'),
  'has begun to answer': (response) => response.writeHead(202).write('mine') && setTimeout(() => response.end(), 500),
  'gives up responses': (response) => setTimeout(() => response.destroy(), 100),
};

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

const behind =
  (handle: Handle): Handle =>
  (request, response) => {
    habits[decodeURIComponent(request.url ?? '').split('?')[1] ?? '']?.(response);
    return handle(request, response);
  };

let serving: Serving | undefined;
let errors: string[];
let refused: string[];
let handled: number;
beforeEach(() => ([errors, refused, handled] = [[], [], 0]));
afterEach(async () => serving?.stop());

/** Its handler takes as long as the notes say. */
const receiver = (): Receiver =>
  createReceiver({
    subscription: subscribed,
    bodyMs: 400,
    onRefused: ({ check }) => refused.push(check),
    onError: (error) => errors.push(String(error)),
  }).on('BOOKING_CREATED', async ({ record }) => {
    handled += 1;
    await new Promise((resolve) => setTimeout(resolve, Number(record.notes ?? 0)));
  });
const slow = (): string => bookingBody({ notes: '300' });

const answeredBefore = expect.stringContaining('Your application had answered a delivery before') as unknown;
const leftBefore = expect.stringContaining('The service closed the connection before') as unknown;
const isTold = async (words: unknown): Promise<void> => {
  await until(() => errors.length > 0);
  expect(errors).toEqual([words]);
};

/** A request that goes on after this. */
const request = (habit: string, length: number, more = ''): string =>
  `POST /deliveries?${encodeURIComponent(habit)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${length}\r\n${more}\r\n`;
const stopped = (habit: string, length = 100): string => `${request(habit, length)}{"event":`;

/** A signed delivery, without the end of its connection. */
function signed(body: string): string {
  const headers = Object.entries(headersOf({ body })).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  return request('', Buffer.byteLength(body), headers.join('')) + body;
}

describe('an application on node:http', () => {
  let url: string;
  beforeEach(async () => ({ url } = serving = await listening(createServer(behind(nodeHandler(receiver()))).listen(0, '127.0.0.1'))));
  /** It still runs, and handles the next delivery. What nobody catches fails the test. */
  afterEach(async () => {
    expect(await deliver(url, { body: bookingBody() })).toMatchObject({ status: 200, text: 'Thank you.' });
  });
  const delivered = (habit: string) => deliver(`${url}?${encodeURIComponent(habit)}`, { body: slow() });
  const written = async (text: string): Promise<Socket> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    await new Promise((resolve) => socket.write(text, resolve));
    return socket;
  };

  test.each(['has a timeout that answers', 'has a timer that answers'])('that %s outlives a body that stops arriving', async (habit) => {
    expect(statusIn(await raw(url, stopped(habit), { isOpen: true }))).toBe(503);
    await until(() => errors.length > 0 || refused.includes('brokenOff'));
  });

  test.each([
    ['has a timeout that answers', 503, 'too slow'],
    ['has a timer that answers', 503, 'too slow'],
    ['answers before', 202, 'mine'],
    ['has begun to answer', 202, 'mine'],
  ])('that %s is told so, and its answer stays', async (habit, status, text) => {
    expect(await delivered(habit)).toMatchObject({ status, text });
    await isTold(answeredBefore);
  });

  test.each(['has a timeout that closes the connection', 'gives up responses'])('that %s is told so', async (habit) => {
    await expect(delivered(habit)).rejects.toThrow('socket hang up');
    await isTold(leftBefore);
  });

  test('is told if the service leaves while a delivery is handled', async () => {
    const socket = await written(signed(slow()));
    await until(() => handled > 0);
    socket.destroy();
    await isTold(leftBefore);
  });

  test('outlives a sender that leaves in the middle of a body, or after a body that is too long', async () => {
    for (const text of [stopped(''), stopped('', 2_000_000)]) (await written(text)).resetAndDestroy();
    await until(() => refused.length === 2);
    expect(errors).toEqual([]);
  });

  test('outlives headers that are named like members of every object', async () => {
    const text = `${request('', 2, '__proto__: a\r\nconstructor: b\r\n')}{}`;
    expect(statusIn(await raw(url, text))).toBe(401);
    expect(errors).toEqual([]);
  });
});

test('an application over HTTP/2 outlives its own answer and a sender that leaves, and is told', async () => {
  const handle = nodeHandler(receiver());
  const server = createHttp2Server((request, response) => {
    // Without a cast: the types of both fit.
    const own = (): Promise<void> => handle(request, response);
    void behind(own)(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `h2c://127.0.0.1:${(server.address() as AddressInfo).port}/deliveries`;
  expect(await deliver(`${url}?${encodeURIComponent('has begun to answer')}`, { body: slow() })).toMatchObject({
    status: 202,
    text: 'mine',
  });
  await isTold(answeredBefore);
  [errors, handled] = [[], 0];
  const body = slow();
  const { stream, answer } = begin2(url, 'POST', headersOf({ body }));
  stream.end(body);
  await until(() => handled > 0);
  stream.close(constants.NGHTTP2_CANCEL);
  expect(await answer).toMatchObject({ status: 0, text: '' });
  await isTold(leftBefore);
  expect(await deliver(url, { body: bookingBody() })).toMatchObject({ status: 200, text: 'Thank you.' });
  server.close();
});

/** A body that something else reads first, such as a body parser. */
describe('a body that was read before', () => {
  const behindExpress =
    (before: RequestHandler) =>
    (receiver: Receiver): Server =>
      express().use(before).post('/deliveries', expressHandler(receiver)).listen(0, '127.0.0.1');
  const behindHono =
    (read: (request: Request) => Promise<unknown>) =>
    (receiver: Receiver): Server => {
      const deliveries = fetchHandler(receiver);
      const app = new Hono().post('/deliveries', async ({ req }) => {
        await read(req.raw);
        return deliveries(req.raw);
      });
      return serve({ fetch: app.fetch, ...loopback }) as Server;
    };
  const asText = (receiver: Receiver): Server => {
    const deliveries = nodeHandler(receiver);
    return createServer((request, response) => void deliveries(request.setEncoding('utf8'), response)).listen(0, '127.0.0.1');
  };
  const keeping = express.json({ verify: (request, _response, bytes) => void Object.assign(request, { rawBody: bytes }) });

  test.each<[string, (receiver: Receiver) => Server, RegExp | undefined]>([
    ['by express.json()', behindExpress(express.json()), /express\.json\(\) .* Put the delivery route before it/],
    ['by express.text()', behindExpress(express.text({ type: '*/*' })), /express\.json\(\) .* Put the delivery route before it/],
    ['on Hono by json()', behindHono((request) => request.json()), /json\(\), text\(\) or formData\(\)/],
    ['on node:http as text', asText, /setEncoding\(\)/],
    ['on Hono through a clone', behindHono((request) => request.clone().json()), undefined],
    ['and kept by express.raw()', behindExpress(express.raw({ type: '*/*' })), undefined],
    ['and kept by express.json() with verify', behindExpress(keeping), undefined],
  ])('%s: is handled if its bytes were kept, else an error names the reader, and it is sent again', async (_, start, named) => {
    serving = await listening(start(receiver()));
    const { status, text } = await deliver(serving.url, { body: bookingBody() });
    if (named === undefined) expect([status, text, handled, errors]).toEqual([200, 'Thank you.', 1, []]);
    else {
      expect([status, text, handled]).toEqual([500, 'The delivery could not be received here. Send it again.', 0]);
      expect(errors).toEqual([expect.stringMatching(named)]);
    }
  });
});
