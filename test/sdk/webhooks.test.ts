import { createHash, createHmac } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { createPoller, memoryStore } from '../../sdk/changes/index.ts';
import { plainSha256, sha256 } from '../../sdk/crypto.ts';
import type { Client } from '../../sdk/index.ts';
import { sqliteStores, type Store } from '../../sdk/stores/index.ts';
import { forgedDeliveries, signedDelivery, type TestDelivery } from '../../sdk/testing/index.ts';
import {
  createReceiver,
  endSubscription,
  eventNames,
  explainSignature,
  fetchHandler,
  keepSubscription,
  open,
  verify,
  type Claim,
  type EventName,
  type ReceiverOptions,
  type Refusal,
  type Subscribed,
  type WebhookEvent,
} from '../../sdk/webhooks/index.ts';
import { sign } from '../../sdk/webhooks/open.ts';
import { nodeCrypto, sign as signInCore } from '../../shared/webhooks/nodeCrypto.ts';
import { checkSignature } from '../../shared/webhooks/signature.ts';
import { bookingBody, headersOf, signatureOf, subscribed } from './deliveries.ts';
import { failureOf, Stage } from './stage.ts';
import { delivered, listOf } from '../support/wire.ts';

const incoming = (body: string, headers: Record<string, string | string[] | undefined> = headersOf({ body })) => ({
  method: 'POST',
  url: '/',
  headers,
  body: async () => Buffer.from(body),
});

test('a receiver and a poller take each event once, and only known ones', () => {
  const made = [createReceiver({ subscription: subscribed }), createPoller({ client: {}, store: memoryStore() })];
  for (const { on } of made as unknown as { on: (names: string | string[], handler: () => undefined) => unknown }[]) {
    on(['BOOKING_CREATED', 'BOOKING_CANCELLED'], () => undefined);
    expect(() => on('BOOKING_CANCELLED', () => undefined)).toThrow('BOOKING_CANCELLED already has a handler. Call your other code');
    expect(() => on('BOOKING_MADE', () => undefined)).toThrow('There is no event "BOOKING_MADE". The events are BOOKING_CREATED, ');
  }
});

test('an event without a handler, and an unknown one, need no handling', async () => {
  const receiver = createReceiver({ subscription: subscribed });
  for (const event of ['BOOKING_CREATED', 'NEW']) {
    const body = bookingBody().replace('BOOKING_CREATED', event);
    expect(await receiver.receive(incoming(body, headersOf({ body, event })))).toMatchObject({ status: 200 });
  }
});

test('if the subscription cannot be read, the reason is only reported here', async () => {
  const failures: unknown[] = [];
  const subscription = () => Promise.reject(new Error('password of the database'));
  const receiver = createReceiver({ subscription, onError: (error) => failures.push(error) });
  const answer = await receiver.receive(incoming(bookingBody()));
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
    const claims = { ...storeThat('mine', 'fails').claims };
    expect(await received({ claims }, incoming(bookingBody()))).toMatchObject({ handled: 1, answer: { status: 200 } });
  });

  test.each<[string | string[] | undefined, number]>([
    [undefined, 200],
    ['', 200],
    [[' Identity ,', 'identity'], 200],
    [['identity, GZIP ', 'br'], 415],
  ])('answers a body with the encoding %j with %d', async (encoding, status) => {
    const body = bookingBody();
    const { answer, refusals } = await received({}, incoming(body, { ...headersOf({ body }), 'Content-Encoding': encoding }));
    expect([answer.status, answer.headers]).toEqual([status, status === 200 ? {} : { 'accept-encoding': 'identity', connection: 'close' }]);
    expect(refusals.map(({ check }) => check)).toEqual(status === 200 ? [] : ['encoding']);
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
  ['mine', 'fails', 'handles', 500, 0, 'delivery released', 'change cannot be claimed'],
  ['kept', 'mine', 'handles', 200, 0, '', ''],
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

it('the package and the core agree about any body, signature and secret', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.string({ maxLength: 100 })),
      fc.string({ minLength: 1, maxLength: 200 }),
      fc.constantFrom('right', 'other', 'short', 'none', 'capitals'),
      async (body, ends, kind) => {
        const key = `k${ends}k`;
        const right = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
        const given = {
          right,
          other: `sha256=${'0'.repeat(64)}`,
          short: right.slice(0, 70),
          none: undefined,
          capitals: right.toUpperCase(),
        }[kind];
        const expected = checkSignature(body, given, key, nodeCrypto);
        expect(await explainSignature(body, given, key)).toBe(expected);
        expect(await verify(body, given, key)).toBe(kind === 'right');
        expect(sign(body, key)).toBe(signInCore(body, key));
      },
    ),
    { numRuns: 200 },
  );
});

describe('the shortest use lets nothing in', () => {
  const body = bookingBody();
  it('`if (await verify(...))` without a signature, and without a secret', async () => {
    for (const signature of [undefined, null, '']) expect(await verify(body, signature, 'a secret')).toBe(false);
    for (const secret of [undefined, '']) expect(await verify(body, signatureOf(body, ''), secret)).toBe(false);
  });

  it('`if (await open(...))` with a delivery that is refused, and with an event that nobody knows', async () => {
    const forged = headersOf({ body, signature: signatureOf(body, 'another') });
    await expect(open({ rawBody: body, headers: forged }, subscribed)).rejects.toThrow('The signature does not match');
    for (const unknown of [undefined, []])
      await expect(open({ rawBody: body, headers: headersOf({ body }) }, unknown)).rejects.toThrow(/^No signing secret is known here/);
    for (const parsed of [undefined, JSON.parse(body) as never])
      await expect(open({ rawBody: parsed, headers: headersOf({ body }) }, subscribed)).rejects.toMatchObject({
        status: 400,
        check: 'raw-body',
      });
    const unknown = JSON.stringify(delivered('BOOKING_PONDERED', { id: 'x' }));
    expect(await open({ rawBody: unknown, headers: headersOf({ body: unknown, event: 'BOOKING_PONDERED' }) }, subscribed)).toBeUndefined();
  });
});

it.each(['hex', 'base64url'] as const)('the hashes of keys are the same without Node.js, in %s', (form) => {
  for (const text of ['', 'Grüße, 東京 😀', 'b'.repeat(10_000)]) {
    const right = createHash('sha256').update(text).digest(form);
    expect([plainSha256(text, form), sha256(text, form)]).toEqual([right, right]);
  }
});

describe('a delivery for a test', () => {
  const secret = 'whsec_of-a-test';
  let received: WebhookEvent[];
  let deliver: (delivery: TestDelivery) => Promise<number>;
  beforeEach(() => {
    received = [];
    const handlers = Object.fromEntries(eventNames.map((name) => [name, (event: WebhookEvent) => received.push(event)]));
    const receiver = createReceiver({ subscription: { id: 'sub_1', signing_secret: secret } });
    const handle = fetchHandler(receiver.onEvery(handlers as Record<EventName, () => number>));
    deliver = async ({ headers, body }) =>
      (await handle(new Request('https://app.example/deliveries', { method: 'POST', headers, body }))).status;
  });

  it('a signed delivery of each event is accepted, with a whole record', async () => {
    for (const event of eventNames) expect(await deliver(await signedDelivery(event, secret))).toBe(200);
    expect(received.map(({ event, record }) => [event, typeof record.id])).toEqual(eventNames.map((event) => [event, 'string']));
  });

  it('each delivery is a new event, also of one record, at one time and within one second; with one id it is repeated', async () => {
    const at = new Date('2031-01-02T08:00:00Z');
    for (const options of [{}, {}, { record: { id: 'con_1' } }, { record: { id: 'con_1' } }, { at }, { at }])
      expect(await deliver(await signedDelivery('CONTACT_UPDATED', secret, options))).toBe(200);
    expect(received).toHaveLength(6);
    expect(new Set(received.map(({ record }) => record.id)).size).toBe(5);
    const repeated = { deliveryId: 'dlv_1' };
    await deliver(await signedDelivery('CONTACT_UPDATED', secret, repeated));
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await deliver(await signedDelivery('CONTACT_UPDATED', secret, repeated));
    expect(received).toHaveLength(7);
  });

  it('each delivery is a new event for a receiver whose changes are also polled', async () => {
    let handled = 0;
    const receiver = createReceiver({ subscription: { id: 'sub_1', signing_secret: secret }, alsoPolled: true });
    const handle = fetchHandler(receiver.on('BOOKING_CREATED', () => (handled += 1)));
    for (let sent = 0; sent < 2; sent += 1)
      await handle(new Request('https://app.example/', { method: 'POST', ...(await signedDelivery('BOOKING_CREATED', secret)) }));
    expect(handled).toBe(2);
  });

  it('a secret that was copied with a line end signs and verifies like the secret', async () => {
    expect(await deliver(await signedDelivery('CONTACT_CREATED', `${secret}\n`))).toBe(200);
  });

  it('a test sets fields of the record, the time and the id; the same delivery again is handled once, and another one is', async () => {
    const at = new Date('2031-01-02T08:00:00Z');
    const options = { record: { invitee_email: 'grace@example.com' }, deliveryId: 'dlv_1', at };
    const delivery = await signedDelivery('BOOKING_CREATED', secret, options);
    expect([await deliver(delivery), await deliver(delivery)]).toEqual([200, 200]);
    expect(await deliver(await signedDelivery('CONTACT_UPDATED', secret))).toBe(200);
    expect(received).toHaveLength(2);
    expect(received[0]).toMatchObject({
      delivery_id: 'dlv_1',
      delivered_at: '2031-01-02T08:00:00Z',
      record: { invitee_email: 'grace@example.com', status: 'CONFIRMED' },
    });
  });

  it('every forged delivery is refused, and each is as good as the real one but for what it says', async () => {
    const forged = await forgedDeliveries('BOOKING_CREATED', secret);
    expect(Object.keys(forged)).toHaveLength(4);
    for (const [what, delivery] of Object.entries(forged)) expect([what, await deliver(delivery)]).toEqual([what, 401]);
    expect(received).toEqual([]);
  });
});

describe('a kept subscription', () => {
  const url = 'http://127.0.0.1:9/deliveries';
  let stage: Stage;
  let client: Client;
  let store: Store<Subscribed>;

  beforeEach(async () => {
    stage = await Stage.open();
    client = stage.client();
    store = sqliteStores(new DatabaseSync(':memory:')).subscription();
  });
  afterEach(() => stage.close());

  const there = () => stage.sandbox.subscriptions().map(({ id, url: at }) => [id, at]);

  it('subscribes once, however often and from however many processes it is asked to', async () => {
    const keepAll = () => Promise.all([1, 2, 3, 4].map(() => keepSubscription(stage.client(), { url, store })));
    const [first, ...others] = [...(await keepAll()), ...(await keepAll())];
    expect(first?.signing_secret).not.toBe('');
    expect(others).toEqual(Array(7).fill(first));
    expect(there()).toEqual([[first?.id, url]]);
    expect(await store.read()).toEqual(first);
  });

  it('at a service that shows addresses cut knows its own by the address that was sent, and leaves none behind that it replaces', async () => {
    const wanted = { url, store, events: ['BOOKING_CREATED'] as const };
    const { id } = await keepSubscription(client, wanted);
    const list = listOf([{ id, url: 'http://127.0.0.1:9/***', events: wanted.events }]);
    stage.sandbox.faults.add({ route: 'GET /v1/hooks', kind: 'status', status: 200, times: 'always', body: list });
    expect(await keepSubscription(client, wanted)).toMatchObject({ id });
    await expect(keepSubscription(client, { ...wanted, events: [] })).rejects.toThrow('"events" must contain at least one event.');
    const made = await keepSubscription(client, { ...wanted, events: ['CONTACT_CREATED'] });
    expect(made.id).not.toBe(id);
    expect(there()).toEqual([[made.id, url]]);
  });

  it('after another account was connected: a start subscribes there and says which account has the former one, an end keeps it', async () => {
    const said: string[] = [];
    const wanted = { url, store, onWarning: (message: string) => said.push(message) };
    const first = await keepSubscription(client, wanted);
    const { id: accountId } = stage.sandbox.addAccount({ email: 'grace@example.com' });
    const other = stage.client({ auth: stage.token({ accountId }) });
    const words = `The webhook subscription "${first.id}" for ${url} is still in the account "morgan@host.example"`;
    expect(await failureOf(endSubscription(other, store))).toMatchObject({ message: expect.stringContaining(words) as string });
    expect(await store.read()).toEqual(first);
    const second = await keepSubscription(other, wanted);
    expect(said).toEqual([expect.stringContaining(words)]);
    expect(there()).toEqual([first, second].map(({ id }) => [id, url]));
    expect(await keepSubscription(other, wanted)).toEqual(second);
    expect(said).toHaveLength(1);
  });

  it('ends it at the service and here, even if it is already gone; if the service does not confirm it, it stays known', async () => {
    // An application may have put something around the client that watches it.
    await keepSubscription(new Proxy(client, {}), { url, store });
    stage.sandbox.faults.add({ route: 'DELETE /v1/hooks/:id', kind: 'status', status: 403 });
    expect(await failureOf(endSubscription(client, store))).toMatchObject({ name: 'ServiceError' });
    const known = await store.read();
    expect(known).toBeDefined();
    await client.subscriptions.delete({ subscription_id: known?.id ?? '' });
    await endSubscription(client, store);
    await endSubscription(client, store);
    expect([there(), await store.read()]).toEqual([[], undefined]);
    await expect(keepSubscription({}, { url, store })).rejects.toThrow('Pass a client made by createClient or createClientOf.');
  });
});
