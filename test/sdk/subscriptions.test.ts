import { DatabaseSync } from 'node:sqlite';
import { sqliteStores, type Store } from '../../sdk/stores/index.ts';
import { endSubscription, keepSubscription, type Subscribed } from '../../sdk/webhooks/index.ts';
import type { Client } from '../../sdk/index.ts';
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
  const keepAll = () => Promise.all([1, 2, 3, 4].map(() => keepSubscription(stage.client(), { url, store })));
  const [first, ...others] = [...(await keepAll()), ...(await keepAll())];
  expect(first?.signing_secret).not.toBe('');
  expect(others).toEqual(Array(7).fill(first));
  expect(there()).toEqual([[first?.id, url]]);
  expect(await store.read()).toEqual(first);
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

it('at a service that shows addresses cut knows its own by the address that was sent, and leaves none behind that it replaces', async () => {
  const wanted = { url, store, events: ['BOOKING_CREATED'] as const };
  const { id } = await keepSubscription(client, wanted);
  const list = { data: [{ id, url: 'http://127.0.0.1:9/***', events: wanted.events }] };
  stage.sandbox.faults.add({ route: 'GET /v1/hooks', kind: 'status', status: 200, times: 'always', body: list });
  expect(await keepSubscription(client, wanted)).toMatchObject({ id });
  const made = await keepSubscription(client, { ...wanted, events: ['CONTACT_CREATED'] });
  expect(made.id).not.toBe(id);
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
  await expect(keepSubscription({} as Client, { url, store })).rejects.toThrow('Pass a client made by createClient.');
});
