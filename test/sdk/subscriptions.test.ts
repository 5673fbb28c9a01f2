import { DatabaseSync } from 'node:sqlite';
import { sqliteStores, type Store } from '../../sdk/stores/index.ts';
import { createReceiver, endSubscription, keepSubscription, type Subscribed, type WebhookEvent } from '../../sdk/webhooks/index.ts';
import type { Client } from '../../sdk/index.ts';
import { until } from '../support/until.ts';
import { servers, type Serving } from './servers.ts';
import { failureOf, Stage } from './stage.ts';

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
  const first = await keepSubscription(client, { url, store });
  expect(first.signing_secret).not.toBe('');
  const all = await Promise.all([1, 2, 3].map(() => keepSubscription(stage.client(), { url, store })));
  expect(all).toEqual([first, first, first]);
  expect(there()).toEqual([[first.id, url]]);
  expect(await store.read()).toEqual(first);
});

it('processes that start at the same time end up with one subscription that all of them know', async () => {
  const all = await Promise.all([1, 2, 3, 4].map(() => keepSubscription(stage.client(), { url, store })));
  expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  expect(there()).toEqual([[all[0]?.id, url]]);
});

it('creates it again if its secret was lost, its events are others, or somebody deleted it; and leaves other addresses alone', async () => {
  const other = await client.subscriptions.create({ url: 'http://127.0.0.1:9/other', events: ['BOOKING_CREATED'] });
  const first = await keepSubscription(client, { url, store });
  await store.delete();
  const second = await keepSubscription(client, { url, store });
  expect(second.id).not.toBe(first.id);
  const third = await keepSubscription(client, { url, store, events: ['CONTACT_CREATED'] });
  expect(stage.sandbox.subscriptions().find(({ id }) => id === third.id)?.events).toEqual(['CONTACT_CREATED']);
  await client.subscriptions.delete({ subscription_id: third.id });
  const fourth = await keepSubscription(client, { url, store });
  expect(there().sort()).toEqual(
    [
      [fourth.id, url],
      [other.id, 'http://127.0.0.1:9/other'],
    ].sort(),
  );
});

it('at a service that shows no addresses leaves none behind whose secret it replaces', async () => {
  await stage.close();
  stage = await Stage.open({ forms: { hookField: 'absent' } });
  client = stage.client();
  await keepSubscription(client, { url, store });
  const made = await keepSubscription(client, { url, store, events: ['CONTACT_CREATED'] });
  expect(await keepSubscription(client, { url, store, events: ['CONTACT_CREATED'] })).toEqual(made);
  expect(there()).toEqual([[made.id, url]]);
});

it('ends it at the service and here, even if it is already gone; if the service does not confirm it, it stays known', async () => {
  await keepSubscription(client, { url, store });
  stage.sandbox.faults.add({ route: 'DELETE /v1/hooks/:id', kind: 'status', status: 403 });
  expect(await failureOf(endSubscription(client, store))).toMatchObject({ name: 'ServiceError' });
  const known = await store.read();
  expect(known).toBeDefined();
  await client.subscriptions.delete({ subscription_id: known?.id ?? '' });
  await endSubscription(client, store);
  await endSubscription(client, store);
  expect([there(), await store.read()]).toEqual([[], undefined]);
});

it('refuses a client that this package did not make, in a sentence', async () => {
  await expect(keepSubscription({} as Client, { url, store })).rejects.toThrow('Pass a client made by createClient.');
});

describe.each(servers)('with %s', (_, start) => {
  let serving: Serving;
  afterEach(() => serving.stop());

  it('a booking comes back as a delivery with the record that get gives', async () => {
    const events: WebhookEvent[] = [];
    const receiver = createReceiver({ subscription: () => store.read() }).on('BOOKING_CREATED', (event) => events.push(event));
    serving = await start(receiver);
    await keepSubscription(client, { url: serving.url, store });
    const booked = await client.bookings.create(stage.wanted);
    await until(() => events.length > 0);
    expect(events).toMatchObject([{ event: 'BOOKING_CREATED', subscription_id: there()[0]?.[0] }]);
    expect(events[0]?.record).toEqual(await client.bookings.get({ booking_id: booked.id }));
  });

  it('a delivery whose handler failed is sent again by the service, and handled then', async () => {
    let tries = 0;
    const receiver = createReceiver({ subscription: () => store.read(), onError: () => undefined }).on('BOOKING_CREATED', () => {
      tries += 1;
      if (tries === 1) throw new Error('The database is gone.');
    });
    serving = await start(receiver);
    await keepSubscription(client, { url: serving.url, store });
    await client.bookings.create(stage.wanted);
    await until(async () => {
      if (tries === 1) await stage.sandbox.clock.advance(60_000);
      return tries === 2;
    });
  });
});
