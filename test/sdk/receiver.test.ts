import { createPoller, memoryStore } from '../../sdk/changes/index.ts';
import { createReceiver, eventNames, type Claim, type EventName, type ReceiverOptions, type Refusal } from '../../sdk/webhooks/index.ts';
import { bookingBody, headersOf, subscribed } from './deliveries.ts';

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
    expect(() => on('BOOKING_MADE' as never, () => undefined)).toThrow(
      'There is no event "BOOKING_MADE". The events are BOOKING_CREATED, ',
    );
  });

  test('may be given for every event at once', async () => {
    const told: string[] = [];
    const handlers = Object.fromEntries(eventNames.map((name) => [name, () => told.push(name)])) as Record<EventName, () => number>;
    const receiver = createReceiver({ subscription: subscribed }).onEvery(handlers);
    for (const event of eventNames) {
      const body = bookingBody().replace('BOOKING_CREATED', event);
      expect((await receiver.receive(incoming(body, headersOf({ body, event })))).text).toBe('Thank you.');
    }
    expect(told).toEqual(eventNames);
  });
});

test('an event without a handler, and an unknown one, need no handling', async () => {
  const receiver = createReceiver({ subscription: subscribed });
  for (const event of ['BOOKING_CREATED', 'NEW']) {
    const body = bookingBody().replace('BOOKING_CREATED', event);
    expect(await receiver.receive(incoming(body, headersOf({ body, event })))).toMatchObject({ status: 200 });
  }
});

test('without a secret a delivery is refused; if it cannot be read, the reason is only reported here', async () => {
  const failures: unknown[] = [];
  const receive = (subscription: ReceiverOptions['subscription']) =>
    createReceiver({ subscription, onError: (error) => failures.push(error) }).receive(incoming(bookingBody()));
  const refused = { status: 401, text: expect.stringContaining('keepSubscription') as unknown };
  expect(await receive(undefined)).toMatchObject(refused);
  const answer = await receive(() => Promise.reject(new Error('password of the database')));
  expect([answer.status, answer.text.includes('password'), failures.length]).toEqual([500, false, 1]);
});

test('a receiver answers even if onRefused and onError fail; without them, it prints its failures alone', async () => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const fails = (): never => {
    throw new Error('the log is full');
  };
  const failsLater: () => unknown = async () => fails();
  for (const told of [{ onRefused: fails, onError: failsLater }, {}]) {
    const receiver = createReceiver({ subscription: subscribed, ...told }).on('BOOKING_CREATED', fails);
    expect((await receiver.receive(incoming('x'))).status).toBe(400);
    expect((await receiver.receive(incoming(bookingBody()))).status).toBe(500);
  }
  expect(printed.mock.calls).toEqual(Array(3).fill([new Error('the log is full')]));
  printed.mockRestore();
});

describe('a receiver', () => {
  const received = async (options: Partial<ReceiverOptions>, given: ReturnType<typeof incoming>) => {
    const refusals: Refusal[] = [];
    let handled = 0;
    const receiver = createReceiver({ subscription: subscribed, onRefused: (refusal) => refusals.push(refusal), ...options });
    const answer = await receiver.on('BOOKING_CREATED', () => (handled += 1)).receive(given);
    return { answer, refusals, handled };
  };

  test('that is not also polled claims deliveries alone', async () => {
    const claims = {
      claim: () => ({ state: 'mine' as const, keep: () => undefined, release: () => undefined }),
      claimLast: () => {
        throw new Error('Nobody polls.');
      },
    };
    expect(await received({ claims }, incoming(bookingBody()))).toMatchObject({ handled: 1, answer: { status: 200 } });
  });

  test.each<[string | string[] | undefined, string | undefined]>([
    ['', undefined],
    [[' Identity ,', 'identity'], undefined],
    [['identity, GZIP ', 'br'], 'gzip, br'],
    ['my_own-1<script>\u001b', 'my_own-1script'],
  ])('takes a body with the encoding %j as compressed by: %j', async (encoding, compressed) => {
    const body = bookingBody();
    const { answer, refusals } = await received({}, incoming(body, { ...headersOf({ body }), 'Content-Encoding': encoding }));
    if (compressed === undefined) expect(answer.status).toBe(200);
    else expect(answer.text).toBe(`The body is compressed (${compressed}), but signatures cover the plain body.`);
    expect(answer.headers).toEqual(compressed === undefined ? {} : { 'accept-encoding': 'identity', connection: 'close' });
    expect(refusals.map(({ check, status }) => [check, status])).toEqual(compressed === undefined ? [] : [['encoding', 415]]);
  });
});

/** What a store says to a claim, and what then becomes of it. */
type Says = 'mine' | 'kept' | 'busy' | 'fails' | 'mine, and fails later';

/** A store of the developer's own. */
function storeThat(delivery: Says, change: Says) {
  const settled: string[] = [];
  const claimed = (name: string, says: Says) => {
    const settle = (how: string) => async (): Promise<void> => {
      settled.push(`${name} ${how}`);
      if (says === 'mine, and fails later') throw new Error(`${name} is not ${how}`);
    };
    return async (): Promise<Claim> => {
      if (says === 'fails') throw new Error(`${name} cannot be claimed`);
      return says === 'kept' || says === 'busy' ? { state: says } : { state: 'mine', keep: settle('kept'), release: settle('released') };
    };
  };
  return { settled, claims: { claim: claimed('delivery', delivery), claimLast: claimed('change', change) } };
}

test.each<[Says, Says, outcome: string, status: number, handled: number, settled: string, failures: string]>([
  ['mine', 'mine', 'handles', 200, 1, 'delivery kept, change kept', ''],
  ['mine', 'mine', 'fails', 500, 1, 'delivery released, change released', 'as asked for'],
  ['mine', 'kept', 'handles', 200, 0, 'delivery kept', ''],
  ['mine', 'busy', 'handles', 503, 0, 'delivery released', ''],
  ['mine', 'fails', 'handles', 500, 0, 'delivery released', 'change cannot be claimed'],
  ['kept', 'mine', 'handles', 200, 0, '', ''],
  ['busy', 'mine', 'handles', 503, 0, '', ''],
  ['mine, and fails later', 'mine', 'handles', 200, 1, 'delivery kept, change kept', 'delivery is not kept'],
])('a delivery that is %s, and its change %s: its handler %s', async (delivery, change, outcome, status, ...ends) => {
  const { settled, claims } = storeThat(delivery, change);
  const failures: string[] = [];
  let handled = 0;
  const options: ReceiverOptions = {
    subscription: subscribed,
    claims,
    alsoPolled: true,
    onError: (error) => void failures.push((error as Error).message),
  };
  const receiver = createReceiver(options).on('BOOKING_CREATED', () => {
    handled += 1;
    if (outcome === 'fails') throw new Error('as asked for');
  });
  expect(await receiver.receive(incoming(bookingBody()))).toMatchObject({ status });
  expect([handled, settled.join(', '), failures.join(', ')]).toEqual(ends);
});
