import type { RequestListener, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import fastify from 'fastify';
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
import { serve } from '../support/serve.ts';
import { timersOf } from '../support/timersOf.ts';
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

/** As far as it is used here, its types are those of Express 5. */
const express4 = jest.requireActual<typeof express>('express-4');

const urlAt = async (listener: RequestListener): Promise<string> => `http://127.0.0.1:${await serve(listener)}/deliveries`;

const onNode = (receiver: Receiver): Promise<string> => urlAt((...pair) => void nodeHandler(receiver)(...pair));

const onFetch = (receiver: Receiver, before: (request: Request) => unknown = () => undefined): Promise<string> => {
  const deliveries = fetchHandler(receiver);
  const app = new Hono().all('/deliveries', async ({ req }) => {
    await before(req.raw);
    return deliveries(req.raw);
  });
  return urlAt((...pair) => void getRequestListener(app.fetch)(...pair));
};

const onHttp2 = async (receiver: Receiver): Promise<string> => {
  const deliveries = nodeHandler(receiver);
  const server = createHttp2Server((request, response) => void deliveries(request, response)).listen(0, '127.0.0.1');
  ends.push(() => server.close());
  await once(server, 'listening');
  return `h2c://127.0.0.1:${(server.address() as AddressInfo).port}/deliveries`;
};

/** @param before what reads the body first */
const onExpress = (receiver: Receiver, before?: RequestHandler, make = express): Promise<string> => {
  const app = make();
  if (before !== undefined) app.use(before);
  return urlAt(app.all('/deliveries', expressHandler(receiver)).use(express.json()));
};

const onFastify = async (receiver: Receiver): Promise<string> => {
  const app = fastify();
  app.all('/deliveries', nodeHandler(receiver));
  ends.push(() => app.close());
  return `${await app.listen({ port: 0, host: '127.0.0.1' })}/deliveries`;
};

const ends: (() => unknown)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

let events: WebhookEvent[];
let refusals: Refusal[];
let failures: string[];
beforeEach(() => void ([events, refusals, failures] = [[], [], []]));

const receiver = (options: Partial<ReceiverOptions> = {}): Receiver =>
  createReceiver({
    subscription: subscribed,
    onRefused: (refusal) => refusals.push(refusal),
    onError: (error) => failures.push(String(error)),
    ...options,
  }).on('BOOKING_CREATED', (event) => events.push(event));

describe.each([
  ['node:http', onNode],
  ['node:http2', onHttp2],
  ['a server with fetch', onFetch],
])('a receiver on %s', (_, start) => {
  const open = (options?: Partial<ReceiverOptions>): Promise<string> => start(receiver(options));

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
        subscription_id: 'sub_1',
      },
    ]);
    expect([refusals, failures]).toEqual([[], []]);
  });

  it('answers 401 for two signatures of which one is valid, and 405 with the allowed method for GET and HEAD', async () => {
    const url = await open();
    const body = bookingBody();
    const [valid, other] = [signatureOf(body), `sha256=${'0'.repeat(64)}`];
    for (const signature of [
      [valid, other],
      [other, valid],
      [other, other],
    ])
      expect((await deliver(url, { body, signature })).status).toBe(401);
    for (const [method = '', text] of [
      ['GET', 'Send deliveries with POST.'],
      ['HEAD', ''],
    ])
      expect(await send(url, { method, headers: {} })).toMatchObject({ status: 405, headers: { allow: 'POST' }, text });
    expect(events).toEqual([]);
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
    const bodyMs = 59_999;
    const { ends, restore } = timersOf(bodyMs);
    const url = await open({ bodyMs });
    const stopped = [1, 2].map(() => begin(url, '{"event":', 100));
    await until(() => ends.length === 2);
    expect((await deliver(url, { body: bookingBody() })).status).toBe(200);
    for (const end of ends.slice(0, 2)) end();
    expect(await Promise.all(stopped)).toEqual([408, 408]);
    restore();
    expect(refusals.map(({ check }) => check)).toEqual(['tooSlow', 'tooSlow']);
  });

  it('says of a body that is broken off that it was incomplete, and accepts the next one', async () => {
    const url = await open();
    await breakOff(url, '{"event":');
    await until(() => refusals.length > 0);
    expect(refusals.map(({ check }) => check)).toEqual(['brokenOff']);
    expect((await deliver(url, { body: bookingBody() })).status).toBe(200);
    expect(failures).toEqual([]);
  });
});

it('if an id or an event comes twice, neither is believed', async () => {
  const url = await onNode(receiver());
  const body = bookingBody();
  const twice = { [header('Delivery-ID')]: ['dlv_1', 'dlv_2'], [header('Event')]: ['BOOKING_CREATED', 'CONTACT_CREATED'] };
  expect((await send(url, { headers: { ...headersOf({ body }), ...twice }, body })).status).toBe(200);
  expect(events).toMatchObject([{ event: 'BOOKING_CREATED', delivery_id: null, record: { id: idIn(body) } }]);
});

it('headers that are named like members of every object are headers', async () => {
  const url = await onNode(receiver());
  const text = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n__proto__: a\r\nconstructor: b\r\n\r\n{}';
  expect(statusIn(await raw(url, text))).toBe(401);
  expect(failures).toEqual([]);
});

it.each<[string, (response: ServerResponse) => unknown, number | undefined, string]>([
  ['answers meanwhile', (response) => response.writeHead(503).end('too slow'), 503, 'Your application had answered a delivery before'],
  ['has begun to answer', (response) => response.writeHead(202).write('mine'), 202, 'Your application had answered a delivery before'],
  [
    'closes the connection meanwhile',
    (response) => once(response.destroy(), 'close'),
    undefined,
    'The service closed the connection before',
  ],
])(
  'an application on node:http that %s is told so, its answer stays, and it handles the next delivery',
  async (_, habit, answered, told) => {
    let first: ServerResponse | undefined;
    const subscription = subscribed;
    const handle = nodeHandler(
      createReceiver({ subscription, onError: (error) => failures.push(String(error)) }).on('BOOKING_CREATED', async (event) => {
        if (events.push(event) === 1 && first !== undefined) await habit(first);
      }),
    );
    const url = await urlAt((request, response) => {
      first ??= response;
      void handle(request, response);
    });
    const delivered = deliver(url, { body: bookingBody() }).catch(() => ({ status: undefined }));
    await until(() => failures.length > 0);
    first?.end();
    expect((await delivered).status).toBe(answered);
    expect(failures).toEqual([expect.stringContaining(told)]);
    expect(await deliver(url, { body: bookingBody() })).toMatchObject({ status: 200, text: 'Thank you.' });
  },
);

describe('a body that something else reads first', () => {
  const keeping = (keep: (bytes: Buffer) => unknown) =>
    express.json({ verify: (request, _response, bytes) => void Object.assign(request, { rawBody: keep(bytes) }) });

  test.each<[string, RequestHandler]>([
    ['express.raw()', express.raw({ type: '*/*' })],
    ['express.text()', express.text({ type: '*/*' })],
    ['express.json() with verify', keeping((bytes) => bytes)],
    ['express.json() with verify and toString()', keeping(String)],
  ])('%s keeps it, in Express 4 and 5', async (_, reader) => {
    for (const make of [express, express4]) {
      const url = await onExpress(receiver(), reader, make);
      expect((await deliver(url, { body: bookingBody() })).text).toBe('Thank you.');
    }
    expect([events.length, failures]).toEqual([2, []]);
  });

  test.each<[string, (receiver: Receiver) => Promise<string>, RegExp]>([
    ['express.json()', (each) => onExpress(each, express.json()), /express\.json\(\) .* put the delivery route before it/],
    ['express.json() of Express 4', (each) => onExpress(each, express4.json(), express4), /put the delivery route before it/],
    ['Fastify', onFastify, /register fastify-raw-body/],
    ['json() on Hono', (each) => onFetch(each, (request) => request.json()), /json\(\), text\(\) or formData\(\)/],
  ])('%s does not: the error names it, and the delivery is sent again', async (_, start, named) => {
    const url = await start(receiver());
    const { status, text } = await deliver(url, { body: bookingBody() });
    expect([status, text, events]).toEqual([500, 'The delivery could not be received here. Send it again.', []]);
    expect(failures).toEqual([expect.stringMatching(named)]);
  });
});
