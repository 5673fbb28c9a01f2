import { createSubscription } from '../../shared/operations/index.ts';
import { accountLimiter } from '../../shared/client/limiter.ts';
import type { EventName } from '../../shared/events.ts';
import { AccountSubscriptions, isIntact, replaceSubscription, unsubscribe } from '../../shared/webhooks/subscriptions.ts';
import { serve, type TestService, refusal, requestsOf } from '../support/service.ts';
import { oneOf } from '../support/wire.ts';

let service: TestService;

const wantedAt = (index: number): { url: string; events: EventName[] } => ({
  url: `http://127.0.0.1:9/webhook/${index}`,
  events: ['BOOKING_CREATED'],
});
const triggers = Array.from({ length: 25 }, (_, index) => index);
const asked = (method: string) => requestsOf(service, method, '/v1/hooks');

it('in two minutes, 25 triggers that start again cost one list, one subscription each, and one refusal for the rate', async () => {
  service = await serve();
  const account = new AccountSubscriptions();
  // As a host creates it: within both of the service's limits.
  const client = service.clientWith({ limiter: accountLimiter().for('person') });
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

it('what another process left at an address before it died is removed by the next one that subscribes there, known or new', async () => {
  service = await serve({ limits: false });
  const account = new AccountSubscriptions();
  await replaceSubscription(service.client, wantedAt(1), account);
  // It replaced the subscription, and stored neither id nor secret.
  for (const index of [1, 2]) await replaceSubscription(service.client, wantedAt(index), new AccountSubscriptions());
  await service.sandbox.clock.advance(5_000);
  for (const index of [1, 2]) {
    const made = await replaceSubscription(service.client, wantedAt(index), account);
    const left = service.sandbox.subscriptions().flatMap(({ id, url: at }) => (at === wantedAt(index).url ? [id] : []));
    expect(left).toEqual([made.id]);
  }
});

it('a list that could not be read is read again for the next caller', async () => {
  service = await serve({ limits: false });
  const account = new AccountSubscriptions();
  service.sandbox.faults.add({ route: 'GET /v1/hooks', kind: 'status', status: 403, body: { error: 'Forbidden' } });
  await expect(replaceSubscription(service.client, wantedAt(1), account)).rejects.toMatchObject({ kind: 'forbidden' });
  await expect(replaceSubscription(service.client, wantedAt(2), account)).resolves.toHaveProperty('id');
});

const url = 'http://127.0.0.1:9/webhook/ours';
const begin = async () => (service = await serve({ limits: false }));
const create = (events: EventName[] = ['BOOKING_CREATED'], client = service.client) => createSubscription.run(client, { url, events }, {});
const there = () => service.sandbox.subscriptions().map(({ id }) => id);
const answer = (body: unknown) => service.sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'status', status: 201, body });

describe("an address of the user's own that is subscribed already", () => {
  it.each(['drop-after', 'drop-before'] as const)('keeps that subscription if the answer to another one is lost by %s', async (kind) => {
    const { sandbox } = await begin();
    const first = await create();
    sandbox.faults.add({ route: 'POST /v1/hooks', kind });
    const error = await refusal(create(['BOOKING_CANCELLED']));
    expect(error.kind).toBe('unknownOutcome');
    expect(there()).toHaveLength(kind === 'drop-after' ? 2 : 1);
    expect(there()[0]).toBe(first['id']);
    if (kind === 'drop-after') expect(error.message).toContain(`It may be ${there()[1]}.`);
    else expect(error.message).not.toContain('It may be');
    // A later try creates it only if it is certainly not there.
    await sandbox.clock.advance(61_000);
    if (kind === 'drop-after') await refusal(create(['BOOKING_CANCELLED']));
    else await create(['BOOKING_CANCELLED']);
    expect(there()).toHaveLength(2);
  });

  it('two items subscribe one after another, and neither takes what the other made for its own', async () => {
    const { sandbox, clientWith } = await begin();
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'drop-after', after: 1 });
    // Long enough for the second one to look for its own.
    const client = clientWith({
      transport: (inner) => async (request) => {
        const answer = await inner(request);
        if (request.method === 'POST') await new Promise((resolve) => setTimeout(resolve, 200));
        return answer;
      },
    });
    const [first, second] = await Promise.all([create(undefined, client), refusal(create(['BOOKING_CANCELLED'], client))]);
    expect(there()).toHaveLength(2);
    expect(there()).toContain(first['id']);
    expect(second.message).not.toContain(String(first['id']));
  });
});

it.each<[string, unknown, string]>([
  ['other keys', { ok: true, [`long ${'k'.repeat(60)}`]: 1 }, `the keys "ok", "long ${'k'.repeat(35)}"`],
  ['text', 'created', 'text that is not JSON'],
  ['nothing in an envelope', oneOf(null), 'the keys "data"'],
])('an answer with %s is reported with its form, at once, and without its values', async (_, body, form) => {
  const { sandbox } = await begin();
  const from = sandbox.clock.now();
  answer(body);
  const error = await refusal(create());
  expect(error).toMatchObject({ kind: 'unreadable', message: expect.stringContaining(`The response had ${form}.`) as string });
  expect(sandbox.clock.now()).toBe(from);
  expect(asked('POST')).toHaveLength(1);
});
