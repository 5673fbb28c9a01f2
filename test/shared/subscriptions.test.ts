import type { EventName } from '../../shared/events.ts';
import { AccountSubscriptions, isIntact, listSubscriptions, replaceSubscription, subscribe, unsubscribe } from '../../shared/webhooks/subscriptions.ts';
import { all, refusal } from '../support/refusal.ts';
import { serve, type TestService } from '../support/service.ts';

let service: TestService;
const begin = async (options: Parameters<typeof serve>[0] = {}) => (service = await serve({ limits: false, ...options }));
afterEach(() => service.sandbox.stop());

const wanted: { url: string; events: EventName[] } = { url: 'http://127.0.0.1:9/webhook/ours', events: ['BOOKING_CREATED', 'BOOKING_CANCELLED'] };
const urls = () => service.sandbox.subscriptions().map(({ url }) => url);

it('subscribes with the assumed names and keeps id and secret (G8, G9)', async () => {
  const { client, sandbox } = await begin();
  const made = await subscribe(client, wanted);
  expect(sandbox.requests().at(-1)?.body).toEqual(wanted);
  expect(made).toMatchObject({ id: sandbox.subscriptions()[0]?.id, signing_secret: expect.any(String) as string });
  expect(made.record).not.toHaveProperty('signing_secret');
});

it('deletes a subscription that came without a secret, and says which keys came', async () => {
  const { client, sandbox } = await begin({ forms: { secret: 'absent' } });
  const error = await refusal(subscribe(client, wanted));
  expect(error.kind).toBe('unreadable');
  expect(error.message).toContain('without a signing_secret');
  expect(error.message).toContain('"data"');
  expect(sandbox.subscriptions()).toEqual([]);
});

it('a subscription that is gone already counts as deleted; any other refusal surfaces (D4)', async () => {
  const { client, sandbox, clientWith } = await begin();
  const { id } = await subscribe(client, wanted);
  await unsubscribe(client, id);
  await expect(unsubscribe(client, id)).resolves.toBeUndefined();
  const bare = clientWith({ token: sandbox.issueToken({ scopes: ['bookings:read'] }).access_token });
  expect((await refusal(unsubscribe(bare, id))).kind).toBe('scope');
});

it.each(['drop-after', 'drop-before', 'reset-mid-body'] as const)('leaves one subscription, with a known secret, when the answer was lost by %s', async (kind) => {
  const { client, sandbox } = await begin();
  sandbox.faults.add({ route: 'POST /v1/hooks', kind });
  const made = await subscribe(client, wanted);
  expect(sandbox.subscriptions().map(({ id }) => id)).toEqual([made.id]);
});

describe('is intact', () => {
  it('only with the wanted address and events, active, and with a secret that is known (D2)', async () => {
    const { client } = await begin();
    const known = await subscribe(client, wanted);
    expect(await isIntact(client, wanted, known)).toBe(true);
    expect(await isIntact(client, { ...wanted, events: [...wanted.events].reverse() }, known)).toBe(true);
    expect(await isIntact(client, { ...wanted, url: `${wanted.url}2` }, known)).toBe(false);
    expect(await isIntact(client, { ...wanted, events: ['BOOKING_CREATED'] }, known)).toBe(false);
    expect(await isIntact(client, wanted, { id: known.id })).toBe(false);
    expect(await isIntact(client, wanted, { ...known, id: 'sub_gone' })).toBe(false);
  });

  it('also when it is on a later page (D3)', async () => {
    const { client, sandbox } = await begin({ limits: { subscriptions: 300, hooks: 1000, api: 1000 } });
    const known = await subscribe(client, wanted);
    for (let count = 0; count < 120; count += 1) sandbox.host.addSecretlessSubscription({ url: `http://127.0.0.1:9/other/${count}`, events: ['BOOKING_CREATED'] });
    expect(await isIntact(client, wanted, known)).toBe(true);
    expect(sandbox.requests().filter(({ method, path }) => method === 'GET' && path === '/v1/hooks').length).toBeGreaterThan(1);
  });

  it('not when it was deleted behind our back, which is no reason to fail (D5)', async () => {
    const { client } = await begin();
    const known = await subscribe(client, wanted);
    await unsubscribe(client, known.id);
    expect(await isIntact(client, wanted, known)).toBe(false);
  });
});

it("replaces ours and every stray with exactly our address, and nobody else's", async () => {
  const { client, sandbox } = await begin();
  const known = await subscribe(client, { ...wanted, url: 'http://127.0.0.1:9/webhook/moved' });
  await subscribe(client, wanted);
  sandbox.host.addSecretlessSubscription(wanted);
  const others = ['http://127.0.0.1:9/webhook/ours2', 'http://127.0.0.1:9/webhook-test/ours', 'http://127.0.0.1:9/webhook/ours?x=1'];
  for (const url of others) await subscribe(client, { ...wanted, url });
  const made = await replaceSubscription(client, wanted, known);
  expect(urls().sort()).toEqual([...others, wanted.url].sort());
  expect(sandbox.subscriptions().find(({ url }) => url === wanted.url)).toMatchObject({ id: made.id, signed: true });
});

it('can be called again after any interruption and leaves exactly one', async () => {
  const { client, sandbox } = await begin();
  for (let round = 0; round < 5; round += 1) await replaceSubscription(client, wanted);
  expect(urls()).toEqual([wanted.url]);
  sandbox.faults.add({ route: 'DELETE /v1/hooks/:id', kind: 'status', status: 403, body: { error: 'Forbidden' } });
  expect((await refusal(replaceSubscription(client, wanted))).kind).toBe('forbidden');
  expect(urls()).toEqual([wanted.url]);
});

it('a try that failed after the subscription was made is seen by the next one, though both share what the account was last seen to have', async () => {
  const { client, sandbox } = await begin();
  const account = new AccountSubscriptions();
  await replaceSubscription(client, { ...wanted, url: `${wanted.url}-first` }, {}, account);
  sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'status', status: 500, commits: true });
  sandbox.faults.add({ route: 'GET /v1/hooks', kind: 'status', status: 403, times: 'always', body: { error: 'Forbidden' } });
  await refusal(replaceSubscription(client, wanted, {}, account));
  expect(urls().filter((url) => url === wanted.url)).toHaveLength(1);
  sandbox.faults.clear();
  const made = await replaceSubscription(client, wanted, {}, account);
  expect(sandbox.subscriptions().filter(({ url }) => url === wanted.url).map(({ id }) => id)).toEqual([made.id]);
});

it('lists every subscription and never a secret', async () => {
  const { client } = await begin();
  await subscribe(client, wanted);
  const [listed] = await all(listSubscriptions(client));
  expect(listed).toMatchObject({ url: wanted.url, events: wanted.events, active: true });
  expect(JSON.stringify(listed)).not.toContain('secret');
});
