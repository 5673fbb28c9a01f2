import { Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';
import { createReceiver, fetchHandler, lambdaHandler, nodeHandler, open, type NodeResponse } from '../../sdk/webhooks/index.ts';
import { incomingOf } from '../../sdk/webhooks/request.ts';
import { bookingBody, headersOf, subscribed } from './deliveries.ts';

/** A delivery: its bytes, its headers by name, and what a parser makes of it. */
interface Given {
  body: string;
  bytes: Buffer;
  headers: Record<string, string>;
  raw: string[];
  parsed: object;
}

function delivery(): Given {
  const body = bookingBody({ notes: 'ü – €' });
  const headers = Object.fromEntries(Object.entries(headersOf({ body })).map(([name, value]) => [name.toLowerCase(), String(value)]));
  return { body, bytes: Buffer.from(body), headers, raw: Object.entries(headers).flat(), parsed: JSON.parse(body) as object };
}

/** A stream as Node.js's requests are, unread or read to its end. */
function stream({ bytes, ...given }: Given, more: object = {}): Readable {
  return Object.assign(
    Readable.from([bytes], { objectMode: false }),
    { method: 'POST', url: '/', rawHeaders: given.raw, headers: given.headers },
    more,
  );
}
const readStream = async (given: Given, more: object = {}): Promise<Readable> => {
  const read = stream(given, more);
  await read.toArray();
  return read;
};

/** Throws for a part that a host does not have, or cannot parse. */
const throwing = <Shape extends object>(shape: Shape, name: string): Shape =>
  Object.defineProperty(shape, name, {
    get() {
      throw new Error('not supported here');
    },
  });

const touched = (): never => {
  throw new Error('not supported here');
};

const foreignBytes = (bytes: Buffer): unknown => runInNewContext('Uint8Array.from(bytes)', { bytes: [...bytes] });
const web = ({ headers, body }: Given): Request => new Request('https://app.example/', { method: 'POST', headers, body });
const event = ({ headers, body }: Given, more: object = {}) => ({
  httpMethod: 'POST',
  path: '/',
  headers,
  body,
  isBase64Encoded: false,
  ...more,
});
const mock = (given: Given, more: object) => ({
  method: 'POST',
  url: '/',
  baseUrl: '/',
  headers: given.headers,
  query: {},
  cookies: {},
  on: () => undefined,
  ...more,
});

type Shape = (given: Given) => unknown;

/** What hosts hand over as a request whose bytes are still known. What Express, Fastify and Hono hand over, they do themselves in servers.test.ts. */
const readable: Readonly<Record<string, Shape>> = {
  'a stream of Node.js': (given) => stream(given),
  'a stream whose raw headers are empty, as with serverless-http': (given) =>
    stream(given, { rawHeaders: [], httpVersionMajor: '1', body: given.bytes }),
  'a stream whose raw headers throw': (given) => throwing(stream(given, { rawHeaders: undefined }), 'rawHeaders'),
  'a stream whose parsed body throws, as on Vercel': (given) => throwing(stream(given), 'body'),
  'a stream beside an empty body, as in Express 4': (given) => stream(given, { body: {} }),
  'a stream beside an empty text': (given) => stream(given, { body: '' }),
  'a stream of text': (given) => stream(given).setEncoding('utf8'),
  'rawBody as bytes of another realm': async (given) => readStream(given, { rawBody: foreignBytes(given.bytes) }),
  'body as an ArrayBuffer': (given) => ({ method: 'POST', headers: given.headers, body: new Uint8Array(given.bytes).buffer }),
  'headers of the Fetch API beside a body as text': (given) => ({ method: 'POST', headers: new Headers(given.headers), body: given.body }),
  "a test's double without a stream": (given) => mock(given, { body: given.bytes }),
  "Fastify's request, unread": (given) => ({ raw: stream(given), server: {}, headers: given.headers, method: 'POST' }),
  "Koa's context, whose body is the answer": (given) => ({
    request: {},
    req: stream(given),
    headers: given.headers,
    method: 'POST',
    body: 'Not Found',
  }),
  "h3's event on Node.js": (given) => ({ node: { req: stream(given) } }),
  'a context with one, as in SvelteKit': (given) => ({ request: web(given), params: {} }),
  'a request of the Fetch API that gives text alone, of a test': ({ headers, body }) => ({
    method: 'POST',
    headers: new Headers(headers),
    text: async () => body,
    json: async () => JSON.parse(body) as unknown,
  }),
  'a request of the Fetch API whose stream gives buffers': ({ headers, bytes }) => ({
    ...{ method: 'POST', headers: new Headers(headers), bodyUsed: false },
    body: new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(bytes).buffer);
        controller.close();
      },
    }),
  }),
  "oak's context": (given) => ({ request: { source: web(given), method: 'POST', body: { json: () => undefined } } }),
  'a context of Azure Functions, with the text beside what was parsed': ({ headers, body, parsed }) => ({
    req: { method: 'POST', url: 'https://app.example/', headers, rawBody: body, body: parsed },
    res: {},
  }),
  "hapi's request, whose method is in lower case": async (given) => ({
    ...{ method: 'post', headers: given.headers, payload: given.bytes },
    raw: { req: await readStream(given) },
  }),
  'headers as pairs': ({ headers, body }) => ({ method: 'POST', headers: Object.entries(headers), body }),
  'headers of which one throws': ({ headers, body }) => ({ method: 'POST', headers: throwing({ ...headers, x: '' }, 'x'), body }),
  "Hono's context": (given) => ({ req: { raw: web(given), method: 'POST' }, body: () => undefined }),
  'a request of the Fetch API without a stream': (given) => ({
    method: 'POST',
    headers: new Headers(given.headers),
    arrayBuffer: async () => given.bytes,
  }),
  'an event of API Gateway, version 2': ({ headers, body }) => ({
    version: '2.0',
    rawPath: '/',
    requestContext: { http: { method: 'POST' } },
    headers,
    body,
    isBase64Encoded: false,
  }),
  'an event in base64': (given) => event(given, { body: given.bytes.toString('base64'), isBase64Encoded: true }),
  'an event in base64 whose flag is text': (given) => event(given, { body: given.bytes.toString('base64'), isBase64Encoded: 'true' }),
  'an event as text whose flag is text': (given) => event(given, { isBase64Encoded: 'false' }),
  'an event of a load balancer': ({ headers, ...given }) =>
    event(
      { headers, ...given },
      { headers: undefined, multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])) },
    ),
};

/** What hosts hand over after something has read the body, and the way out that they have. */
const gone: Readonly<Record<string, [Shape, RegExp]>> = {
  "Next.js's pages": [async (given) => readStream(given, { query: {}, cookies: {}, body: given.parsed }), /bodyParser: false .*Next\.js/],
  'Koa after its parser': [
    async (given) => ({ ctx: {}, req: await readStream(given), headers: given.headers, method: 'POST', body: given.parsed }),
    /Koa .*ctx\.request\.rawBody/,
  ],
  "h3's event that was read": [
    async (given) => ({ node: { req: await readStream(given), res: {} }, context: {} }),
    /In h3, .*readBody\(\)/,
  ],
  'hapi after it has parsed': [
    async (given) => ({ method: 'post', headers: given.headers, payload: given.parsed, raw: { req: await readStream(given) } }),
    /hapi .*parse: false/,
  ],
  'a stream that only says that it cannot be read': [
    (given) => ({ ...mock(given, {}), pipe: () => undefined, readable: false }),
    /request\.rawBody/,
  ],
  'a request of the Fetch API that gives JSON alone': [
    ({ headers, parsed }) => ({ method: 'POST', headers: new Headers(headers), json: async () => parsed }),
    /json\(\), text\(\) or formData\(\)/,
  ],
  'a body that throws when it is touched': [
    ({ headers }) => ({ method: 'POST', headers, body: throwing({}, Symbol.toStringTag as never) }),
    /request\.rawBody/,
  ],
  'bytes that were made JSON': [(given) => event(given, { body: given.bytes.toJSON() }), /event\.rawBody/],
  'a stream of Node.js that was read': [async (given) => readStream(given), /request\.rawBody.*Koa.*Fastify/],
  'a stream in another encoding': [(given) => stream(given).setEncoding('hex'), /setEncoding\(\)/],
  "a test's double with a parsed body": [(given) => mock(given, { body: given.parsed }), /request\.rawBody/],
  'a request of the Fetch API that is being read': [
    (given) => {
      const request = web(given);
      request.body?.getReader();
      return request;
    },
    /request\.clone\(\)/,
  ],
  'an event whose body was parsed': [(given) => event(given, { body: given.parsed }), /event\.rawBody/],
};

const received = async (shape: Shape, given: Given) => {
  const [handled, failures]: [string[], unknown[]] = [[], []];
  const receiver = createReceiver({ subscription: subscribed, bodyMs: 1000, onError: (error) => failures.push(error) });
  receiver.on('BOOKING_CREATED', ({ record }) => void handled.push(String(record['notes'])));
  const { status } = await receiver.receive(incomingOf(await shape(given)));
  return { status, handled, failures };
};

test.each(Object.entries(readable))(
  '%s: a delivery is verified and handled, and another body under the same signature is refused',
  async (_, shape) => {
    const [given, other] = [delivery(), delivery()];
    expect(await received(shape, given)).toEqual({ status: 200, handled: ['ü – €'], failures: [] });
    expect(await received(shape, { ...other, headers: given.headers, raw: given.raw })).toEqual({ status: 401, handled: [], failures: [] });
  },
);

test.each(Object.entries(gone))('%s: the delivery is sent again, and the error says what to do there', async (_, [shape, way]) => {
  const { status, handled, failures } = await received(shape, delivery());
  expect([status, handled]).toEqual([500, []]);
  expect(failures).toEqual([
    expect.objectContaining({ name: 'UnreadableBody', fault: 'readBefore', message: expect.stringMatching(way) as unknown }),
  ]);
});

test('text is decoded as base64 only if the event says so, and a text that is not base64 is refused', async () => {
  const encoded = ({ bytes }: Given): string => bytes.toString('base64');
  expect(await received((given) => event(given, { body: encoded(given) }), delivery())).toMatchObject({ status: 401, failures: [] });
  expect(await received((given) => event(given, { isBase64Encoded: true }), delivery())).toMatchObject({ status: 400, failures: [] });
});

test('an event without a body is refused as unsigned', async () => {
  expect(await received((given) => event(given, { body: null, headers: null }), delivery())).toEqual({
    status: 401,
    handled: [],
    failures: [],
  });
});

test.each<[what: string, given: unknown]>([
  ['nothing', undefined],
  ['something that throws whatever is touched', new Proxy({}, { get: touched, has: touched, ownKeys: touched })],
  [
    'headers that throw whatever is touched',
    event(delivery(), { headers: new Proxy({}, { get: touched, has: touched, ownKeys: touched }) }),
  ],
])('%s in place of a request is refused by every handler, and nothing fails', async (_, given) => {
  const failures: unknown[] = [];
  const receiver = createReceiver({ subscription: subscribed, onError: (error) => failures.push(error) });
  const statuses = [(await lambdaHandler(receiver)(given as never)).statusCode, (await fetchHandler(receiver)(given as never)).status];
  expect([statuses.every((status) => [401, 405].includes(status)), failures]).toEqual([true, []]);
});

test('a handler for Lambda answers in the form of the event, without the header of a connection', async () => {
  const receiver = createReceiver({ subscription: subscribed });
  const given = delivery();
  const plain = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  expect(await lambdaHandler(receiver)(event(given))).toEqual({
    statusCode: 200,
    headers: plain,
    body: 'There is no handler for this event.',
  });
  const several = { multiValueHeaders: { 'content-encoding': ['gzip'] } };
  expect(await lambdaHandler(receiver)(event(given, several))).toMatchObject({
    statusCode: 415,
    headers: { 'accept-encoding': 'identity' },
    multiValueHeaders: { 'accept-encoding': ['identity'] },
  });
});

test("Fastify's reply, and a response beside a request without a stream, get the answer", async () => {
  const receiver = createReceiver({ subscription: subscribed });
  const given = delivery();
  const answers: unknown[] = [];
  const response: NodeResponse = {
    headersSent: false,
    writableEnded: false,
    writeHead: (status) => answers.push(status),
    write: () => undefined,
    end: (text?: string) => answers.push(text),
    on: () => undefined,
  };
  const reply = { raw: response, hijack: () => answers.push('hijacked') };
  await nodeHandler(receiver)({ method: 'POST', url: '/', headers: given.headers, body: given.body } as never, reply);
  expect(answers).toEqual(['hijacked', 200, 'There is no handler for this event.']);
});

test('headers of the Fetch API open a delivery too', async () => {
  const { headers, body } = delivery();
  expect(await open({ rawBody: body, headers: new Headers(headers) as never }, subscribed)).toMatchObject({
    event: { event: 'BOOKING_CREATED' },
  });
});
