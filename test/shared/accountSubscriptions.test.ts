import { accountLimiter } from '../../shared/client/limiter.ts';
import { createClient } from '../../shared/client/client.ts';
import type { EventName } from '../../shared/events.ts';
import { AccountSubscriptions, isIntact, replaceSubscription, unsubscribe } from '../../shared/webhooks/subscriptions.ts';
import { serve, type TestService, clockOf, fetchTransport } from '../support/service.ts';
import { backgroundPolicy } from '../../shared/client/retry.ts';

let service: TestService;

const wantedAt = (index: number): { url: string; events: EventName[] } => ({
  url: `http://127.0.0.1:9/webhook/${index}`,
  events: ['BOOKING_CREATED'],
});
const triggers = Array.from({ length: 25 }, (_, index) => index);
const asked = (method: string) =>
  service.sandbox.requests().filter((request) => request.method === method && request.path.startsWith('/v1/hooks'));

/** A client as a host creates it: within both of the service's limits. */
const limitedClient = () =>
  createClient({
    baseUrl: service.sandbox.baseUrl,
    transport: fetchTransport(service.sandbox.issueToken().access_token),
    clock: clockOf(service.sandbox),
    retryPolicy: backgroundPolicy,
    limiter: accountLimiter().for('person'),
  });

it('in two minutes, 25 triggers that start again cost one list, one subscription each, and one refusal for the rate', async () => {
  service = await serve();
  const account = new AccountSubscriptions();
  const client = limitedClient();
  for (const index of triggers) await replaceSubscription(client, wantedAt(index), account);
  expect(service.sandbox.subscriptions()).toHaveLength(25);
  expect([asked('GET').length, asked('POST').length, service.sandbox.requests().filter(({ status }) => status === 429).length]).toEqual([
    1, 26, 1,
  ]);
});

it('25 triggers that check their subscription cost one list, and one more when they check again', async () => {
  service = await serve({ limits: false });
  const first = new AccountSubscriptions();
  const known = [];
  for (const index of triggers) known.push(await replaceSubscription(service.client, wantedAt(index), first));
  service.sandbox.forgetRequests();
  const afterRestart = new AccountSubscriptions();
  for (const lists of [1, 2]) {
    const answers = await Promise.all(known.map((each, index) => isIntact(service.client, wantedAt(index), each, afterRestart)));
    expect(answers.every(Boolean)).toBe(true);
    expect(asked('GET')).toHaveLength(lists);
  }
});

it('a later check sees what has changed since, and the service confirms what was just created', async () => {
  service = await serve({ limits: false });
  const account = new AccountSubscriptions();
  const known = await replaceSubscription(service.client, wantedAt(1), account);
  await unsubscribe(service.client, known.id);
  expect(await isIntact(service.client, wantedAt(1), known, account)).toBe(false);
  const again = await replaceSubscription(service.client, wantedAt(1), account);
  expect(await isIntact(service.client, wantedAt(1), again, account)).toBe(true);
  service.sandbox.host.deleteSubscription(again.id);
  expect(await isIntact(service.client, wantedAt(1), again, account)).toBe(false);
});

describe('what another process left at an address before it died is removed', () => {
  /** The other process replaced the subscription, and stored neither id nor secret. */
  const leaveBehind = (index: number) => replaceSubscription(service.client, wantedAt(index), new AccountSubscriptions());
  const left = (index: number) => service.sandbox.subscriptions().flatMap(({ id, url }) => (url === wantedAt(index).url ? [id] : []));

  it('by the next caller that subscribes the same address, however soon', async () => {
    service = await serve({ limits: false });
    const account = new AccountSubscriptions();
    await replaceSubscription(service.client, wantedAt(1), account);
    await leaveBehind(1);
    const made = await replaceSubscription(service.client, wantedAt(1), account);
    expect(left(1)).toEqual([made.id]);
  });

  it('by a caller that subscribes it for the first time, five seconds after others', async () => {
    service = await serve({ limits: false });
    const account = new AccountSubscriptions();
    await replaceSubscription(service.client, wantedAt(1), account);
    await leaveBehind(2);
    await service.sandbox.clock.advance(5_000);
    const made = await replaceSubscription(service.client, wantedAt(2), account);
    expect(left(2)).toEqual([made.id]);
  });

  it('and a subscription that it ended does not count as present', async () => {
    service = await serve({ limits: false });
    const account = new AccountSubscriptions();
    const known = await leaveBehind(1);
    await replaceSubscription(service.client, wantedAt(2), account);
    await leaveBehind(1);
    await service.sandbox.clock.advance(5_000);
    expect(await isIntact(service.client, wantedAt(1), known, account)).toBe(false);
  });
});

it('triggers that come one after another share one list, however long all of them take', async () => {
  service = await serve({ limits: false });
  const account = new AccountSubscriptions();
  for (const index of triggers) {
    await replaceSubscription(service.client, wantedAt(index), account);
    await service.sandbox.clock.advance(4_900);
  }
  expect(asked('GET')).toHaveLength(1);
});

it('a request whose answer was lost delays the others, but not their use of the list that they share', async () => {
  service = await serve({ limits: false });
  const account = new AccountSubscriptions();
  service.sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'drop-before' });
  await replaceSubscription(service.client, wantedAt(1), account);
  // One look before it is sent again, and one after it.
  expect(asked('GET')).toHaveLength(1 + 2);
  await replaceSubscription(service.client, wantedAt(2), account);
  expect(asked('GET')).toHaveLength(1 + 2);
});

it('a list that took long to arrive is shared from the moment it arrived', async () => {
  service = await serve({ limits: false });
  const account = new AccountSubscriptions();
  const slow = {
    ...service.client,
    read: async (call: Parameters<typeof service.client.read>[0]) => {
      await service.sandbox.clock.advance(30_000);
      return service.client.read(call);
    },
  };
  const known = { id: 'sub_unknown', signing_secret: 'kept' };
  await isIntact(slow, wantedAt(1), known, account);
  await isIntact(slow, wantedAt(2), { ...known, id: 'sub_other' }, account);
  expect(asked('GET')).toHaveLength(1);
});

it('a clock that was set back makes a list neither old nor fresh: it is read again', async () => {
  service = await serve({ limits: false });
  const account = new AccountSubscriptions();
  await replaceSubscription(service.client, wantedAt(1), account);
  const anHourAgo = { ...service.client, clock: { ...service.client.clock, now: () => service.sandbox.clock.now() - 3_600_000 } };
  await replaceSubscription(anHourAgo, wantedAt(2), account);
  expect(asked('GET')).toHaveLength(2);
});

it('a list that could not be read is read again for the next caller', async () => {
  service = await serve({ limits: false });
  const account = new AccountSubscriptions();
  service.sandbox.faults.add({ route: 'GET /v1/hooks', kind: 'status', status: 403, body: { error: 'Forbidden' } });
  await expect(replaceSubscription(service.client, wantedAt(1), account)).rejects.toMatchObject({ kind: 'forbidden' });
  await expect(replaceSubscription(service.client, wantedAt(2), account)).resolves.toHaveProperty('id');
});
