import type { ClientOptions, RequestInfo } from '../../sdk/index.ts';
import { createPoller } from '../../sdk/changes/index.ts';
import { endSubscription, keepSubscription, type Subscribed } from '../../sdk/webhooks/index.ts';
import { memoryStore } from '../../sdk/stores/store.ts';
import { Stage } from './stage.ts';

let stage: Stage;
let requests: RequestInfo[];
let retries: RequestInfo[];
beforeEach(async () => {
  stage = await Stage.open();
  [requests, retries] = [[], []];
});
afterEach(() => stage.close());

const clientThatTells = (options: Partial<ClientOptions> = {}) =>
  stage.hurriedClient({ onRequest: (request) => requests.push(request), onRetry: (retry) => retries.push(retry), ...options });

const lines = () => requests.map(({ method, path, attempt, status }) => [method, path, attempt, status ?? 'no answer'].join(' '));

test('onRequest gets what was called, and nothing that is secret or about a person', async () => {
  const auth = stage.token();
  const client = clientThatTells({ auth });
  const { id } = await client.bookings.create(stage.wanted);
  const own = { operation: 'bookings.create', method: 'POST', path: '/v1/bookings', attempt: 1, status: 201 };
  expect(requests).toEqual([{ ...own, durationMs: expect.any(Number) as number }]);
  await client.bookings.get({ booking_id: id });
  await client.bookings.list({ email: 'ada@example.com' }).all();
  await client.bookings.get({ booking_id: 'eve@example.com' }).catch(() => undefined);
  expect(lines().slice(1)).toEqual(['GET /v1/bookings/:id 1 200', 'GET /v1/bookings 1 200', 'GET /v1/bookings/:id 1 404']);
  for (const part of [id, auth, 'example.com']) expect(JSON.stringify(requests)).not.toContain(part);
});

test('onRetry is called before the wait for each request that is sent again', async () => {
  stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status: 429, headers: { 'retry-after': '1' } });
  stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'drop-before' });
  const client = clientThatTells({ onRetry: (retry) => retries.push({ ...retry, attempt: requests.length }) });
  await client.users.current();
  expect(lines()).toEqual(['GET /v1/me 1 429', 'GET /v1/me 2 no answer', 'GET /v1/me 3 200']);
  const about = { operation: 'users.current', method: 'GET', path: '/v1/me', waitMs: expect.any(Number) as number };
  expect(retries).toEqual([
    { ...about, attempt: 1, status: 429 },
    { ...about, attempt: 2, status: undefined },
  ]);
});

test('a request that is sent again with a new token is told as such', async () => {
  await clientThatTells({ auth: stage.oauth().connection(stage.expiredStore()) }).users.current();
  expect(lines()).toEqual(['GET /v1/me 1 401', 'GET /v1/me 2 200']);
  expect(retries).toMatchObject([{ attempt: 1, status: 401, waitMs: 0 }]);
});

test('a search for a lost answer belongs to the call; the poller and a kept subscription tell under their own names', async () => {
  stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-after' });
  await clientThatTells().bookings.create(stage.wanted);
  expect(lines()).toEqual(['POST /v1/bookings 1 no answer', 'GET /v1/bookings 1 200']);
  const client = clientThatTells();
  const store = memoryStore<Subscribed>();
  await keepSubscription(client, { url: 'http://localhost:9/deliveries', store });
  await endSubscription(client, store);
  await createPoller({ client, store: memoryStore() })
    .on('BOOKING_CREATED', () => undefined)
    .poll();
  const names = ['bookings.create', 'keepSubscription', 'endSubscription', 'poller.poll'];
  expect([...new Set(requests.map(({ operation }) => operation))]).toEqual(names);
});

test('a hook that throws or never resolves neither fails nor delays a call', async () => {
  const logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status: 503 });
  const onRequest = (): never => {
    throw new Error('of the hook');
  };
  const onRetry = () => new Promise(() => undefined);
  expect((await clientThatTells({ onRequest, onRetry }).users.current()).email).toContain('@');
  // Two requests.
  expect(logged).toHaveBeenCalledTimes(2);
  logged.mockRestore();
});
