import { createServer, type Server, type ServerResponse } from 'node:http';
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
describe.each([
  ['answers after a timeout', (response: ServerResponse) => response.setTimeout(100, () => response.writeHead(503).end('too slow')), 503],
  ['answers before', (response: ServerResponse) => response.writeHead(202).end('mine'), 202],
  [
    'has begun to answer',
    (response: ServerResponse) => response.writeHead(202).write('mine') && setTimeout(() => response.end(), 500),
    202,
  ],
  ['closes the connection after a timeout', (response: ServerResponse) => response.setTimeout(100), undefined],
])('an application on node:http that %s', (_, habit, answered) => {
  let url: string;
  beforeEach(async () => {
    const handle = nodeHandler(receiver());
    let isFirst = true;
    const server = createServer((request, response) => {
      if (isFirst) habit(response);
      isFirst = false;
      void handle(request, response);
    });
    ({ url } = serving = await listening(server.listen(0, '127.0.0.1')));
  });
  /** It still runs, and handles the next delivery. What nobody catches fails the test. */
  afterEach(async () => {
    expect(await deliver(url, { body: bookingBody() })).toMatchObject({ status: 200, text: 'Thank you.' });
  });

  it('is told so, and its answer stays', async () => {
    const { status } = await deliver(url, { body: bookingBody({ notes: '300' }) }).catch(() => ({ status: undefined }));
    expect(status).toBe(answered);
    await until(() => errors.length > 0);
    const told = answered === undefined ? 'The service closed the connection before' : 'Your application had answered a delivery before';
    expect(errors).toEqual([expect.stringContaining(told)]);
  });

  it('outlives a body that stops arriving, and a sender that leaves', async () => {
    await breakOff(url, '{"event":');
    await until(() => errors.length > 0 || refused.includes('brokenOff'));
  });
});

test('headers that are named like members of every object are headers', async () => {
  serving = await listening(createServer((...pair) => void nodeHandler(receiver())(...pair)).listen(0, '127.0.0.1'));
  const text = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n__proto__: a\r\nconstructor: b\r\n\r\n{}';
  expect(statusIn(await raw(serving.url, text))).toBe(401);
  expect(errors).toEqual([]);
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
