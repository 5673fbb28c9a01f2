import type { EventName } from '../../shared/events.ts';
import { deleteSubscription } from '../../shared/operations/index.ts';
import { hurried } from '../../shared/api/retry.ts';
import {
  AccountSubscriptions,
  isListedAt,
  isIntact,
  listSubscriptions,
  replaceSubscription,
  subscribe,
  subscribeAny,
  unsubscribe,
} from '../../shared/webhooks/subscriptions.ts';
import { all, refusal } from '../support/refusal.ts';
import { serve, type TestService } from '../support/service.ts';

let service: TestService;
const begin = async (options: Parameters<typeof serve>[0] = {}) => (service = await serve({ limits: false, ...options }));
afterEach(() => service.sandbox.stop());

const wanted: { url: string; events: EventName[] } = {
  url: 'http://127.0.0.1:9/webhook/ours',
  events: ['BOOKING_CREATED', 'BOOKING_CANCELLED'],
};
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

it.each([
  ['beside the record', { signing_secret: 'whsec_right', data: { id: 'sub_1' } }],
  ['in the record, if the one beside it is empty', { signing_secret: '', data: { id: 'sub_1', signing_secret: 'whsec_right' } }],
  ['in the record, if the one beside it is not a text', { signing_secret: 7, data: { id: 'sub_1', signing_secret: 'whsec_right' } }],
])('takes the secret %s (G9)', async (_, body) => {
  const { client, sandbox } = await begin();
  sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'status', status: 201, body });
  expect(await subscribe(client, wanted)).toMatchObject({ id: 'sub_1', signing_secret: 'whsec_right' });
});

it('an empty secret counts as none: the subscription is deleted again', async () => {
  const { client, sandbox } = await begin();
  sandbox.faults.add({
    route: 'POST /v1/hooks',
    kind: 'status',
    status: 201,
    body: { data: { id: 'sub_1', url: wanted.url, signing_secret: '' } },
  });
  expect((await refusal(subscribe(client, wanted))).kind).toBe('unreadable');
  expect(sandbox.requests().at(-1)).toMatchObject({ method: 'DELETE', path: '/v1/hooks/sub_1' });
});

it('a subscription that is already gone counts as deleted; any other refusal is reported', async () => {
  const { client, sandbox, clientWith } = await begin();
  const { id } = await subscribe(client, wanted);
  await unsubscribe(client, id);
  await expect(unsubscribe(client, id)).resolves.toBeUndefined();
  const bare = clientWith({ token: sandbox.issueToken({ scopes: ['bookings:read'] }).access_token });
  expect((await refusal(unsubscribe(bare, id))).kind).toBe('scope');
});

it('says the same about a subscription that it deleted and about one that was gone', async () => {
  const { client } = await begin();
  const { id } = await subscribe(client, wanted);
  expect(await deleteSubscription.run(client, { subscription_id: id }, {})).toEqual({ id, deleted: true });
  expect(await deleteSubscription.run(client, { subscription_id: id }, {})).toEqual({ id, deleted: true });
});

it('knows whether a subscription is at an address, if there is one with this id', async () => {
  const { client } = await begin();
  await subscribe(client, { ...wanted, url: `${wanted.url}-first` });
  const { id } = await subscribe(client, wanted);
  expect(await isListedAt(client, id, wanted.url)).toBe(true);
  expect(await isListedAt(client, id, `${wanted.url}-first`)).toBe(false);
  expect(await isListedAt(client, 'sub_gone', wanted.url)).toBeUndefined();
});

it.each(['drop-after', 'drop-before', 'reset-mid-body'] as const)(
  'leaves one subscription, with a known secret, if the answer was lost by %s',
  async (kind) => {
    const { client, sandbox } = await begin();
    sandbox.faults.add({ route: 'POST /v1/hooks', kind });
    const made = await subscribe(client, wanted);
    expect(sandbox.subscriptions().map(({ id }) => id)).toEqual([made.id]);
  },
);

describe('is intact', () => {
  it('only with the wanted address and events, active, and with a known secret', async () => {
    const { client } = await begin();
    const known = await subscribe(client, wanted);
    expect(await isIntact(client, wanted, known)).toBe(true);
    expect(await isIntact(client, { ...wanted, events: [...wanted.events].reverse() }, known)).toBe(true);
    expect(await isIntact(client, { ...wanted, url: `${wanted.url}2` }, known)).toBe(false);
    expect(await isIntact(client, { ...wanted, events: ['BOOKING_CREATED'] }, known)).toBe(false);
    expect(await isIntact(client, wanted, { id: known.id })).toBe(false);
    expect(await isIntact(client, wanted, { signing_secret: known.signing_secret })).toBe(false);
    expect(await isIntact(client, { ...wanted, events: [...wanted.events, 'BOOKING_CREATED'] }, known)).toBe(true);
    expect(await isIntact(client, wanted, { ...known, id: 'sub_gone' })).toBe(false);
  });

  it.each([
    ['that is switched off', { active: false }, false],
    ['that does not say whether it is on', { active: undefined }, true],
    ['whose one event is no list', { events: 'BOOKING_CREATED' }, true],
    ['that says no events', { events: undefined }, false],
    ['whose address is another', { url: 'http://127.0.0.1:9/webhook/other' }, false],
  ])('not by guessing: one %s', async (_, change, isKept) => {
    const { client, sandbox } = await begin();
    const one = { url: wanted.url, events: ['BOOKING_CREATED'] as EventName[] };
    const known = await subscribe(client, one);
    sandbox.faults.add({
      route: 'GET /v1/hooks',
      kind: 'status',
      status: 200,
      body: { data: [{ id: known.id, active: true, ...one, ...change }], next_cursor: null },
    });
    expect(await isIntact(client, one, known)).toBe(isKept);
  });

  it('also if it is on a later page', async () => {
    const { client, sandbox } = await begin({ limits: { subscriptions: 300, hooks: 1000, api: 1000 } });
    const known = await subscribe(client, wanted);
    for (let count = 0; count < 120; count += 1)
      sandbox.host.addSecretlessSubscription({ url: `http://127.0.0.1:9/other/${count}`, events: ['BOOKING_CREATED'] });
    expect(await isIntact(client, wanted, known)).toBe(true);
    expect(sandbox.requests().filter(({ method, path }) => method === 'GET' && path === '/v1/hooks').length).toBeGreaterThan(1);
  });

  it('not if it was deleted by somebody else, which is no reason to fail', async () => {
    const { client } = await begin();
    const known = await subscribe(client, wanted);
    await unsubscribe(client, known.id);
    expect(await isIntact(client, wanted, known)).toBe(false);
  });
});

it("replaces every subscription with exactly our address, and nobody else's", async () => {
  const { client, sandbox } = await begin();
  await subscribe(client, wanted);
  sandbox.host.addSecretlessSubscription(wanted);
  const others = ['http://127.0.0.1:9/webhook/ours2', 'http://127.0.0.1:9/webhook-test/ours', 'http://127.0.0.1:9/webhook/ours?x=1'];
  for (const url of others) await subscribe(client, { ...wanted, url });
  const made = await replaceSubscription(client, wanted);
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

it('the next try sees a subscription that a failed one created, although both share the last reading of the account', async () => {
  const { client, sandbox } = await begin();
  const account = new AccountSubscriptions();
  await replaceSubscription(client, { ...wanted, url: `${wanted.url}-first` }, account);
  sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'status', status: 500, commits: true });
  sandbox.faults.add({ route: 'GET /v1/hooks', kind: 'status', status: 403, times: 'always', body: { error: 'Forbidden' } });
  await refusal(replaceSubscription(client, wanted, account));
  expect(urls().filter((url) => url === wanted.url)).toHaveLength(1);
  sandbox.faults.clear();
  const made = await replaceSubscription(client, wanted, account);
  expect(
    sandbox
      .subscriptions()
      .filter(({ url }) => url === wanted.url)
      .map(({ id }) => id),
  ).toEqual([made.id]);
});

describe('a lost answer', () => {
  const there = () => service.sandbox.subscriptions().length;
  const lists = () => service.sandbox.requests().filter(({ method, path }) => method === 'GET' && path === '/v1/hooks').length;

  it('to a subscription that is never created ends, after three tries, in the sentence that it does not exist', async () => {
    const { client, sandbox } = await begin();
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'drop-before', times: 'always' });
    const error = await refusal(subscribe(client, wanted));
    expect(error.kind).toBe('server');
    expect(error.message).toContain(`The webhook subscription for ${wanted.url} was not created`);
    expect(sandbox.requests().filter(({ method }) => method === 'POST')).toHaveLength(3);
    expect(there()).toBe(0);
  });

  it('to two subscriptions that were created leaves only the third, even if the host has little time', async () => {
    const { client, clientWith, sandbox } = await begin();
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'drop-after', times: 2 });
    const made = await subscribe(client, wanted);
    expect(sandbox.subscriptions().map(({ id }) => id)).toEqual([made.id]);
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'drop-after' });
    const hasty = await subscribe(clientWith({ patience: hurried }), { ...wanted, url: `${wanted.url}-hasty` });
    expect(sandbox.subscriptions().map(({ id }) => id)).toEqual([made.id, hasty.id]);
  });

  it('every time to subscriptions that were created leaves none', async () => {
    const { clientWith, sandbox } = await begin();
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'drop-after', times: 'always' });
    expect((await refusal(subscribe(clientWith({ patience: hurried }), wanted))).kind).toBe('server');
    expect(sandbox.requests().filter(({ method }) => method === 'POST')).toHaveLength(3);
    expect(there()).toBe(0);
  });

  it('with little time left ends in what to look for, because the subscription may still appear', async () => {
    const { clientWith, sandbox } = await begin();
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'drop-before' });
    const error = await refusal(subscribe(clientWith({ patience: hurried }), wanted));
    expect(error.kind).toBe('unknownOutcome');
    expect(error.message).toContain(wanted.url);
  });

  it('leaves a subscription alone that was made before, by somebody else', async () => {
    const { client, clientWith, sandbox } = await begin();
    const older = await subscribe(clientWith({}), wanted);
    await sandbox.clock.advance(10 * 60_000);
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'drop-before' });
    const made = await subscribe(client, wanted);
    expect(sandbox.subscriptions().map(({ id }) => id)).toEqual([older.id, made.id]);
  });

  it('at an address that is not ours alone names what has appeared since, and nothing that was there', async () => {
    const { clientWith, sandbox } = await begin();
    const older = await subscribe(clientWith({}), wanted);
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'drop-after' });
    const { message } = await refusal(subscribeAny(clientWith({ patience: hurried }), wanted));
    const made = sandbox.subscriptions().at(-1)?.id;
    expect(made).not.toBe(older.id);
    expect(message).toContain(`It may be ${made}, which appeared since.`);
    expect(there()).toBe(2);
  });

  it('names five that may be it, at most', async () => {
    const { clientWith } = await begin();
    const appeared = Array.from({ length: 7 }, (_, index) => ({ id: `sub_${index}`, url: wanted.url }));
    let isSent = false;
    const client = clientWith({
      patience: hurried,
      transport: (inner) => (request) => {
        if (request.method === 'GET' && isSent)
          return Promise.resolve({ status: 200, headers: {}, body: { data: appeared, next_cursor: null } });
        isSent ||= request.method === 'POST';
        return request.method === 'POST' ? Promise.resolve({ status: 502, headers: {}, body: '' }) : inner(request);
      },
    });
    expect((await refusal(subscribeAny(client, wanted))).message).toContain(
      ' It may be sub_0 or sub_1 or sub_2 or sub_3 or sub_4, which appeared since.',
    );
  });

  it('is also one that holds a secret and no subscription', async () => {
    const { client, sandbox } = await begin();
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'status', status: 201, body: { signing_secret: 'whsec_of_nothing' } });
    const made = await subscribe(client, wanted);
    expect(made.signing_secret).not.toBe('whsec_of_nothing');
    expect(sandbox.subscriptions().map(({ id }) => id)).toEqual([made.id]);
  });

  it('is also one in an unexpected form: what was created is replaced by a subscription with a known secret', async () => {
    const { client, sandbox } = await begin();
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'status', status: 201, commits: true, body: { ok: true, odd: 1 } });
    const made = await subscribe(client, wanted);
    expect(sandbox.subscriptions().map(({ id, signed }) => [id, signed])).toEqual([[made.id, true]]);
    sandbox.faults.add({
      route: 'POST /v1/hooks',
      kind: 'status',
      status: 201,
      times: 'always',
      body: {
        ok: true,
        [`long ${'k'.repeat(60)}`]: 1,
        ...Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`key${index}`, 1])),
      },
    });
    const { message } = await refusal(subscribe(client, wanted));
    expect(message).toContain(`it answered with the keys "ok", "long ${'k'.repeat(35)}", "key0"`);
    expect(message).not.toContain('key10');
    sandbox.faults.clear();
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'status', status: 201, times: 'always', body: 'made' });
    expect((await refusal(subscribe(client, wanted))).message).toContain('it answered with text that is not JSON');
  });

  it.each([
    ['was carried out is success', 'drop-after', 'always', 1],
    ['was carried out late is success', 'late-commit', 1, 1],
  ] as const)('to a deletion that %s', async (_, kind, times, rest) => {
    const { client, sandbox } = await begin();
    const [kept, doomed] = [
      await subscribe(client, { ...wanted, url: `${wanted.url}-kept` }),
      await subscribe(client, wanted),
    ];
    sandbox.faults.add({ route: 'DELETE /v1/hooks/:id', kind, times });
    await unsubscribe(client, doomed.id);
    expect(sandbox.subscriptions().map(({ id }) => id)).toEqual([kept.id]);
    expect(there()).toBe(rest);
  });

  it('to a deletion that was not carried out ends in the sentence that it is still there', async () => {
    const { client, sandbox } = await begin();
    const [doomed] = [await subscribe(client, wanted), await subscribe(client, { ...wanted, url: `${wanted.url}-2` })];
    sandbox.faults.add({ route: 'DELETE /v1/hooks/:id', kind: 'drop-before', times: 'always' });
    const before = lists();
    const error = await refusal(unsubscribe(client, doomed.id));
    expect(error).toMatchObject({ kind: 'server' });
    expect(error.message).toContain(`The webhook subscription "${doomed.id}" was not deleted`);
    // Once after each of the first two tries, and patiently after the last one.
    expect(lists() - before).toBe(2 + client.patience.readBackMs.length);
  });

  it('to a deletion and to every look for its result ends in what to look for', async () => {
    const { client, sandbox } = await begin();
    const { id } = await subscribe(client, wanted);
    sandbox.faults.add({ route: '*', kind: 'drop-before', times: 'always' });
    const error = await refusal(unsubscribe(client, id));
    expect(error.kind).toBe('unknownOutcome');
    expect(error.message).toContain(id);
  });
});

describe('at the limit', () => {
  /** The refusal of one subscription too many, on a service that lists these. */
  const refusedWith = async (listed: readonly object[] | 'no list') => {
    const { client, sandbox } = await begin({ limits: { subscriptions: 1 } });
    await subscribe(client, wanted);
    sandbox.faults.add({
      route: 'GET /v1/hooks',
      kind: 'status',
      ...(listed === 'no list'
        ? { status: 403, body: { error: 'Forbidden' } }
        : { status: 200, body: { data: listed, next_cursor: null } }),
    });
    const error = await refusal(subscribe(client, wanted));
    expect(error).toMatchObject({ kind: 'subscriptionLimit', status: expect.any(Number) as number });
    return error.message;
  };
  const at = (host: string, index = 0, created_at?: string) => ({ id: `sub_${host}_${index}`, url: `http://${host}/${index}`, created_at });

  it('says how many there are, at which hosts, and which one is the oldest', async () => {
    const message = await refusedWith([
      at('b', 0, '2030-02-02T00:00:00Z'),
      at('a', 0, '2030-03-03T00:00:00Z'),
      at('a', 1, '2030-01-01T00:00:00Z'),
      { id: 'sub_odd', url: 'no address' },
      { id: 'sub_odder', url: 7 },
    ]);
    expect(message).toContain('already has 5 webhook subscriptions');
    expect(message).toContain(': 2 at a, 2 at unknown, 1 at b. The oldest is sub_a_1, of 2030-01-01.');
  });

  it('names eight hosts at most, and no oldest if no time is shown', async () => {
    const message = await refusedWith(Array.from({ length: 10 }, (_, index) => at(`h${index}`)));
    expect(message).toMatch(/: 1 at h0(, 1 at h[1-7]){7}\.$/);
  });

  it("passes on the platform's own signal", async () => {
    const { client, clientWith } = await begin({ limits: { subscriptions: 1 } });
    await subscribe(client, wanted);
    const signal = new Error('refresh the token');
    const signalling = clientWith({
      transport: (inner) => (request) => (request.method === 'GET' ? Promise.reject(signal) : inner(request)),
    });
    await expect(subscribe(signalling, wanted)).rejects.toBe(signal);
  });

  it('still says that the limit is reached if the list cannot be read', async () => {
    expect(await refusedWith('no list')).not.toContain('already has');
  });
});

it('lists every subscription and never a secret', async () => {
  const { client } = await begin();
  await subscribe(client, wanted);
  const [listed] = await all(listSubscriptions(client));
  expect(listed).toMatchObject({ url: wanted.url, events: wanted.events, active: true });
  expect(JSON.stringify(listed)).not.toContain('secret');
});
