import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { constants, createServer as createHttp2Server } from 'node:http2';
import { connect, type AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import express, { type RequestHandler } from 'express';
import { Hono } from 'hono';
import {
  createReceiver,
  expressHandler,
  fetchHandler,
  nodeHandler,
  type Receiver,
  type ReceiverOptions,
  type Refusal,
  type WebhookEvent,
} from '../../sdk/webhooks/index.ts';
import { until } from '../support/until.ts';
import {
  begin,
  begin2,
  bookingBody,
  breakOff,
  deliver,
  header,
  headersOf,
  idIn,
  raw,
  send,
  signatureOf,
  statusIn,
  subscribed,
} from './deliveries.ts';
import { listening, loopback, serversOfBoth as servers, type Serving } from './servers.ts';

describe.each(servers)('a receiver on %s', (_, start) => {
  let serving: Serving | undefined;
  let events: WebhookEvent[];
  let refusals: Refusal[];
  let failures: unknown[];

  beforeEach(() => void ([events, refusals, failures] = [[], [], []]));
  afterEach(() => serving?.stop());

  const open = async (options: Partial<ReceiverOptions> = {}): Promise<string> => {
    const receiver = createReceiver({
      subscription: subscribed,
      onRefused: (refusal) => refusals.push(refusal),
      onError: (error) => failures.push(error),
      ...options,
    }).on('BOOKING_CREATED', (event) => events.push(event));
    serving = await start(receiver);
    return serving.url;
  };

  it('passes on a verified delivery, with what the service sent', async () => {
    const url = await open();
    const body = bookingBody({ notes: 'ü – €', added_later: [1] });
    const delivered_at = 'Wed, 02 Jan 2030 08:00:00 GMT';
    const answer = await deliver(url, { body, more: { [header('Timestamp')]: delivered_at } });
    expect(answer).toMatchObject({ status: 200, text: 'Thank you.' });
    expect(answer.headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
    expect(events).toMatchObject([
      {
        event: 'BOOKING_CREATED',
        record: { id: idIn(body), notes: 'ü – €', added_later: [1] },
        delivery_id: expect.stringMatching(/^dlv_/) as unknown,
        // A time with a comma, which is one value.
        delivered_at,
        delivery_key: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
        subscription_id: 'sub_1',
      },
    ]);
    expect([refusals, failures]).toEqual([[], []]);
  });

  it('answers 401 for a body that was changed, and for two signatures, even if one or both are valid', async () => {
    const url = await open();
    const body = bookingBody();
    expect((await send(url, { headers: headersOf({ body }), body: `${body} ` })).status).toBe(401);
    for (const other of [signatureOf(body), `sha256=${'0'.repeat(64)}`])
      expect((await deliver(url, { body, signature: [signatureOf(body), other] })).status).toBe(401);
    expect(refusals.map(({ message }) => message).join()).not.toContain('headerPrefix');
    expect(events).toEqual([]);
  });

  it('answers GET and HEAD with 405 and the allowed method', async () => {
    const url = await open();
    for (const [method, text] of [
      ['GET', 'Send deliveries with POST.'],
      ['HEAD', ''],
    ])
      expect(await send(url, { method: String(method), headers: {} })).toMatchObject({ status: 405, headers: { allow: 'POST' }, text });
  });

  it.each([
    ['declares itself too long, before it is sent', '', 1001],
    ['becomes too long', 'a'.repeat(1001), undefined],
  ])('answers 413 for a body that %s, and accepts one that is as long as it may be', async (_, body, length) => {
    const url = await open({ bodyBytes: 1000 });
    expect(await begin(url, body, length)).toBe(413);
    expect(refusals).toMatchObject([{ check: 'tooLong', message: expect.stringContaining('1000 bytes') as unknown }]);
    expect((await deliver(url, { body: bookingBody().padEnd(1000) })).status).toBe(200);
  });

  it('answers 408 for each of several bodies that stop arriving, and accepts one that comes in meanwhile', async () => {
    const url = await open({ bodyMs: 400 });
    const stopped = () => begin(url, '{"event":', 100);
    const first = stopped();
    const [second, whole] = [stopped(), deliver(url, { body: bookingBody() })];
    expect((await whole).status).toBe(200);
    expect(await Promise.all([first, second])).toEqual([408, 408]);
    expect(refusals.map(({ check }) => check)).toEqual(['tooSlow', 'tooSlow']);
  });

  it('says that a body was incomplete if it is broken off in the middle, and accepts the next one', async () => {
    const url = await open();
    await breakOff(url, '{"event":');
    await until(() => refusals.length > 0);
    expect(refusals.map(({ check }) => check)).toEqual(['brokenOff']);
    expect((await deliver(url, { body: bookingBody() })).status).toBe(200);
    expect(failures).toEqual([]);
  });
});

it.each(servers.filter(([name]) => name !== 'Hono'))('if an id or an event comes twice, %s believes neither', async (_, start) => {
  const events: WebhookEvent[] = [];
  const serving = await start(createReceiver({ subscription: subscribed }).on('BOOKING_CREATED', (event) => events.push(event)));
  const body = bookingBody();
  const headers = {
    ...headersOf({ body }),
    [header('Delivery-ID')]: ['dlv_1', 'dlv_2'],
    [header('Event')]: ['BOOKING_CREATED', 'CONTACT_CREATED'],
  };
  const { status } = await send(serving.url, { headers, body });
  await serving.stop();
  expect(status).toBe(200);
  expect(events).toMatchObject([{ event: 'BOOKING_CREATED', delivery_id: null, record: { id: idIn(body) } }]);
});

/** What applications do with a response that the handler answers, too. */
const habits: Record<string, (response: ServerResponse) => unknown> = {
  'has a timeout that answers': (response) => response.setTimeout(100, () => response.writeHead(503).end('too slow')),
  'has a timeout that closes the connection': (response) => response.setTimeout(100),
  'answers before': (response) => response.writeHead(202).end('mine'),
  'has begun to answer': (response) => response.writeHead(202).write('mine') && setTimeout(() => response.end(), 500),
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

describe('an application on node:http', () => {
  let url: string;
  beforeEach(async () => ({ url } = serving = await listening(createServer(behind(nodeHandler(receiver()))).listen(0, '127.0.0.1'))));
  /** It still runs, and handles the next delivery. What nobody catches fails the test. */
  afterEach(async () => {
    expect(await deliver(url, { body: bookingBody() })).toMatchObject({ status: 200, text: 'Thank you.' });
  });
  const delivered = (habit: string) => deliver(`${url}?${encodeURIComponent(habit)}`, { body: slow() });

  test('that has a timeout that answers outlives a body that stops arriving', async () => {
    expect(statusIn(await raw(url, stopped('has a timeout that answers'), { isOpen: true }))).toBe(503);
    await until(() => errors.length > 0 || refused.includes('brokenOff'));
  });

  test.each([
    ['has a timeout that answers', 503, 'too slow'],
    ['answers before', 202, 'mine'],
    ['has begun to answer', 202, 'mine'],
  ])('that %s is told so, and its answer stays', async (habit, status, text) => {
    expect(await delivered(habit)).toMatchObject({ status, text });
    await isTold(answeredBefore);
  });

  test('that has a timeout that closes the connection is told so', async () => {
    await expect(delivered('has a timeout that closes the connection')).rejects.toThrow('socket hang up');
    await isTold(leftBefore);
  });

  test('outlives a sender that leaves after a body that is too long', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await new Promise((resolve) => socket.write(stopped('', 2_000_000), resolve));
    socket.resetAndDestroy();
    await until(() => refused.length === 1);
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
  const behindHono = (receiver: Receiver): Server => {
    const deliveries = fetchHandler(receiver);
    const app = new Hono().post('/deliveries', async ({ req }) => {
      await req.raw.json();
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
    ['on Hono by json()', behindHono, /json\(\), text\(\) or formData\(\)/],
    ['on node:http as text', asText, /setEncoding\(\)/],
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
