import { createPoller, memoryStore } from '../../sdk/changes/index.ts';
import { createReceiver, eventNames, fetchHandler, type EventName, type ReceiverOptions, type Refusal } from '../../sdk/webhooks/index.ts';
import { Gathered } from '../../sdk/webhooks/body.ts';
import { bookingBody, header, headersOf, signatureOf, subscribed } from './deliveries.ts';

const incoming = (body: string, headers: Record<string, string | string[] | undefined> = headersOf({ body })) => ({
  method: 'POST',
  url: '/',
  headers,
  body: async () => Buffer.from(body),
});

describe('handlers', () => {
  const made = (): [string, { on: (names: never, handler: () => unknown) => unknown; onEvery: (all: never) => unknown }][] => [
    ['a receiver', createReceiver({ subscription: subscribed })],
    ['a poller', createPoller({ client: {} as never, store: memoryStore() })],
  ];

  test.each(made())('%s takes each event once, and only known ones', (_, { on }) => {
    on(['BOOKING_CREATED', 'BOOKING_CANCELLED'] as never, () => undefined);
    expect(() => on('BOOKING_CANCELLED' as never, () => undefined)).toThrow(
      'BOOKING_CANCELLED already has a handler. Call your other code',
    );
    expect(() => on('BOOKING_MADE' as never, () => undefined)).toThrow('There is no event "BOOKING_MADE". There are BOOKING_CREATED, ');
  });

  test('may be given for every event at once', async () => {
    const told: string[] = [];
    const handlers = Object.fromEntries(eventNames.map((name) => [name, () => told.push(name)])) as Record<EventName, () => number>;
    const receiver = createReceiver({ subscription: subscribed }).onEvery(handlers);
    for (const name of eventNames) {
      const body = bookingBody().replace('BOOKING_CREATED', name);
      expect(await receiver.receive(incoming(body, headersOf({ body, event: name })))).toMatchObject({ status: 200, text: 'Thank you.' });
    }
    expect(told).toEqual(eventNames);
    expect(() => receiver.on('BOOKING_CREATED', () => undefined)).toThrow('already has a handler');
  });
});

describe('a receiver without anybody to tell', () => {
  test('prints its failures, and nothing about what it refuses', async () => {
    const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const receiver = createReceiver({ subscription: subscribed }).on('BOOKING_CREATED', () => Promise.reject(new Error('as asked for')));
    expect(await receiver.receive({ ...incoming(''), method: 'GET' })).toMatchObject({ status: 405 });
    expect(printed).not.toHaveBeenCalled();
    expect(await receiver.receive(incoming(bookingBody()))).toMatchObject({ status: 500 });
    expect(printed.mock.calls).toEqual([[new Error('as asked for')]]);
    printed.mockRestore();
  });
});

describe('a receiver', () => {
  const received = async (options: Partial<ReceiverOptions>, given: ReturnType<typeof incoming>) => {
    const refusals: Refusal[] = [];
    let handled = 0;
    const receiver = createReceiver({ subscription: subscribed, onRefused: (refusal) => refusals.push(refusal), ...options });
    const answer = await receiver.on('BOOKING_CREATED', () => (handled += 1)).receive(given);
    return { answer, refusals, handled };
  };

  test('refuses deliveries that say they are too old, if it is told an age', async () => {
    const body = bookingBody();
    expect(await received({ maximumAgeSeconds: 60 }, incoming(body))).toMatchObject({ handled: 0, refusals: [{ check: 'age' }] });
    expect(await received({}, incoming(body))).toMatchObject({ handled: 1, refusals: [] });
  });

  test('that is not also polled claims deliveries alone', async () => {
    const claims = {
      claim: () => ({ state: 'mine' as const, keep: () => undefined, release: () => undefined }),
      claimLast: () => {
        throw new Error('Nobody polls.');
      },
    };
    expect(await received({ claims }, incoming(bookingBody()))).toMatchObject({ handled: 1, answer: { status: 200 } });
    expect(await received({ claims: { claim: claims.claim } }, incoming(bookingBody()))).toMatchObject({ handled: 1 });
  });

  test.each<[string | string[] | undefined, string | undefined]>([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    [' Identity ,', undefined],
    [['identity', 'identity'], undefined],
    ['identity, GZIP ', 'gzip'],
    [['br', 'gzip'], 'br, gzip'],
    ['my_own-1<script>\u001b', 'my_own-1script'],
    ['a'.repeat(41), 'a'.repeat(40)],
  ])('takes a body with the encoding %j as compressed by: %j', async (encoding, compressed) => {
    const body = bookingBody();
    for (const name of ['content-encoding', 'Content-Encoding']) {
      const { answer, refusals } = await received({}, incoming(body, { ...headersOf({ body }), [name]: encoding }));
      if (compressed === undefined) expect(answer.status).toBe(200);
      else expect(answer.text).toBe(`The body is compressed (${compressed}), but signatures cover the plain body.`);
      expect(answer.headers).toEqual(compressed === undefined ? {} : { 'accept-encoding': 'identity', connection: 'close' });
      expect(refusals.map(({ check, status }) => [check, status])).toEqual(compressed === undefined ? [] : [['encoding', 415]]);
    }
  });
});

describe('a handler for the Fetch API', () => {
  const open = (options: Partial<ReceiverOptions> = {}) => {
    const failures: string[] = [];
    const onError = (error: unknown) => void failures.push((error as Error).message);
    const receiver = createReceiver({ subscription: subscribed, onError, ...options }).on('BOOKING_CREATED', () => undefined);
    return { handle: fetchHandler(receiver), failures };
  };
  const requested = (body: string | ReadableStream | null, signature: string, more: Record<string, string> = {}): Request => {
    const headers = { [header('Signature')]: signature, [header('Event')]: 'BOOKING_CREATED', ...more };
    return new Request('https://app.example/deliveries', { method: 'POST', headers, body, duplex: 'half' });
  };
  const inPieces = (text: string, ends: (controller: ReadableStreamDefaultController) => void): ReadableStream => {
    const bytes = new TextEncoder().encode(text);
    return new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 20) controller.enqueue(bytes.slice(at, at + 20));
        ends(controller);
      },
    });
  };

  test('reads a body in pieces, and answers in plain text that nobody keeps', async () => {
    const body = bookingBody({ notes: 'ü' });
    const response = await open().handle(
      requested(
        inPieces(body, (controller) => controller.close()),
        signatureOf(body),
      ),
    );
    expect([response.status, await response.text()]).toEqual([200, 'Thank you.']);
    expect(Object.fromEntries(response.headers)).toEqual({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  });

  test('answers 400 to a body that breaks off, or is missing', async () => {
    const { handle } = open();
    const broken = inPieces(bookingBody(), (controller) => controller.error(new Error('gone')));
    const response = await handle(requested(broken, 'sha256='));
    expect([response.status, await response.text()]).toEqual([400, 'The body was incomplete.']);
    expect((await handle(requested(null, signatureOf('')))).status).toBe(400);
  });

  test('answers 413 to a body that is or becomes too long, and takes one that is as long as it may be', async () => {
    const body = bookingBody();
    const length = Buffer.byteLength(body);
    const status = async (bodyBytes: number, more: Record<string, string> = {}): Promise<number> =>
      (
        await open({ bodyBytes }).handle(
          requested(
            inPieces(body, (controller) => controller.close()),
            signatureOf(body),
            more,
          ),
        )
      ).status;
    expect([await status(length), await status(length - 1)]).toEqual([200, 413]);
    expect([await status(length, { 'content-length': `${length}` }), await status(length - 1, { 'content-length': `${length}` })]).toEqual([
      200, 413,
    ]);
  });

  test('answers 408 to a body that stops arriving', async () => {
    const response = await open({ bodyMs: 20 }).handle(
      requested(
        inPieces('{', () => undefined),
        'sha256=',
      ),
    );
    expect([response.status, await response.text()]).toEqual([408, 'The body was not received within 0.02 seconds.']);
  });

  test('a body that was read before is a failure on this side, which names what to do', async () => {
    const { handle, failures } = open();
    const body = bookingBody();
    const request = requested(body, signatureOf(body));
    await request.text();
    expect((await handle(request)).status).toBe(500);
    expect(failures).toEqual([expect.stringContaining('Pass the request on before anything calls json()')]);
  });
});

test('a body in pieces is the same in a runtime without buffers', () => {
  const whole = (): Uint8Array => {
    const gathered = new Gathered({ bodyBytes: 5, bodyMs: 1 });
    for (const piece of [[1, 2], [], [3, 4, 5]]) gathered.add(Uint8Array.from(piece));
    return gathered.bytes;
  };
  const withBuffers = Array.from(whole());
  const usual = Object.getOwnPropertyDescriptor(globalThis, 'Buffer') ?? {};
  Object.defineProperty(globalThis, 'Buffer', { value: undefined, configurable: true });
  let without: Uint8Array;
  try {
    without = whole();
  } finally {
    Object.defineProperty(globalThis, 'Buffer', usual);
  }
  expect([withBuffers, Array.from(without)]).toEqual([
    [1, 2, 3, 4, 5],
    [1, 2, 3, 4, 5],
  ]);
});
