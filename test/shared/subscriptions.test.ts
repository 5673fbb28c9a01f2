import { isAtAddress, normalAddress } from '../../shared/reading/index.ts';
import type { EventName } from '../../shared/events.ts';
import { zapierStepPolicy } from '../../shared/client/retry.ts';
import {
  AccountSubscriptions,
  endSubscription,
  isIntact,
  replaceSubscription,
  subscribe,
  subscribeAny,
} from '../../shared/webhooks/subscriptions.ts';
import type { Fault } from '../../sandbox/service.ts';
import { heldStep, refusal, requestsOf, serve, type TestService } from '../support/service.ts';
import { listOf, madeWith, oneOf } from '../support/wire.ts';

let service: TestService;
const begin = async (options: Parameters<typeof serve>[0] = {}) => (service = await serve({ limits: false, ...options }));

const wanted: { url: string; events: EventName[] } = {
  url: 'http://127.0.0.1:9/webhook/ours',
  events: ['BOOKING_CREATED', 'BOOKING_CANCELLED'],
};
const urls = () => service.sandbox.subscriptions().map(({ url }) => url);
const sent = (method: string) => requestsOf(service, method);
/** What the service shows in place of its own list, once if nothing else is said. */
const lists = (records: readonly object[], more: Partial<Fault> = {}) =>
  service.sandbox.faults.add({ route: 'GET /v1/hooks', kind: 'status', status: 200, body: listOf(records), ...more });
const losesAnswer = (more: Partial<Fault> = {}) => service.sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'drop-after', ...more });

it('subscribes with the assumed names and keeps id and secret (G8, G9)', async () => {
  const { client, sandbox } = await begin();
  const made = await subscribe(client, wanted);
  expect(sandbox.requests().at(-1)?.body).toEqual(wanted);
  expect(made).toMatchObject({ id: sandbox.subscriptions()[0]?.id, signing_secret: expect.any(String) as string });
  expect(made.record).not.toHaveProperty('signing_secret');
});

it.each([
  ['beside the record', madeWith({ id: 'sub_1' }, 'whsec_right')],
  ['in the record, if the one beside it is empty', madeWith({ id: 'sub_1', signing_secret: 'whsec_right' }, '')],
  ['in another object', { ...oneOf({ id: 'sub_1' }), meta: { signing_secret: 'whsec_right' } }],
])('takes the secret %s (G9)', async (_, body) => {
  const { client, sandbox } = await begin();
  sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'status', status: 201, body });
  expect(await subscribe(client, wanted)).toMatchObject({ id: 'sub_1', signing_secret: 'whsec_right' });
});

describe('a subscription is intact', () => {
  it('only with the wanted address and events, active, and with a known secret', async () => {
    const { client } = await begin();
    const known = await subscribe(client, wanted);
    expect(await isIntact(client, wanted, known)).toBe(true);
    expect(await isIntact(client, { ...wanted, events: [...wanted.events].reverse() }, known)).toBe(true);
    expect(await isIntact(client, { ...wanted, url: `${wanted.url}2` }, known)).toBe(false);
    expect(await isIntact(client, { ...wanted, events: ['BOOKING_CREATED'] }, known)).toBe(false);
    expect(await isIntact(client, wanted, { id: known.id })).toBe(false);
    expect(await isIntact(client, { ...wanted, events: [...wanted.events, 'BOOKING_CREATED'] }, known)).toBe(true);
    expect(await isIntact(client, wanted, { ...known, id: 'sub_gone' })).toBe(false);
    service.sandbox.host.addSecretlessSubscription(wanted);
    expect(await isIntact(client, wanted, known)).toBe(false);
  });

  // G9 and G45
  it.each<[string, { beside?: object; [field: string]: unknown }, boolean]>([
    ['that is switched off', { active: false }, false],
    ['that the service disabled', { active: undefined, status: 'disabled' }, false],
    ['whose state is disabled', { active: undefined, state: 'disabled' }, false],
    ['that is not on by another name', { active: undefined, is_enabled: 0 }, false],
    ['that was deleted and is still listed', { active: undefined, deleted_at: '2030-01-01T08:00:00Z' }, false],
    ['that pauses by another name', { active: undefined, isPaused: true }, false],
    ['that was suspended at a time', { active: undefined, suspendedAt: '2030-01-01T08:00:00Z' }, false],
    ['with a status that says nothing about that', { status: 'pending', disabled: null, paused: false, enabled: 1 }, true],
    ['that does not say whether it is on', { active: undefined }, true],
    ['whose one event is no list', { events: 'BOOKING_CREATED' }, true],
    ['that says no events', { events: undefined }, true],
    ['with an event of its own beside it', { events: ['BOOKING_CREATED', 'PING'] }, true],
    ['with its event in another notation', { events: ['booking.created'] }, true],
    ['that shows its events in a way of its own', { events: ['*'] }, true],
    ['with one more event', { events: 'booking_created,booking_cancelled' }, false],
    ['for another event', { events: ['BOOKING_CANCELLED'] }, false],
    ['for no event', { events: [] }, false],
    ['whose address is another', { url: 'http://127.0.0.1:9/webhook/other' }, false],
    ['beside a deleted one that is still listed', { active: true, beside: { active: false } }, true],
    ['beside another one for its address', { beside: {} }, false],
  ])('not by guessing: one %s', async (_, { beside, ...change }: { beside?: object }, isKept) => {
    const { client } = await begin();
    const one = { url: wanted.url, events: ['BOOKING_CREATED'] as EventName[] };
    const known = await subscribe(client, one);
    lists([...(beside ? [{ id: 'sub_2', ...one, ...beside }] : []), { id: known.id, active: true, ...one, ...change }]);
    expect(await isIntact(client, one, known)).toBe(isKept);
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

it('ends the subscription that was known before, also if the list does not show it yet', async () => {
  const { client, sandbox } = await begin({ forms: { listLag: '45s' } });
  const other = sandbox.host.addSecretlessSubscription({ ...wanted, url: 'http://127.0.0.1:9/other' });
  await sandbox.clock.advance(60_000);
  const known = await replaceSubscription(client, wanted);
  const { id } = await replaceSubscription(client, wanted, new AccountSubscriptions(), known);
  expect(sandbox.subscriptions().map((each) => each.id)).toEqual([other.id, id]);
});

/** Addresses that a service may show in another form than the one that was sent. */
const ordinary = ['http://LOCALHOST:9/webhook/Ours', 'http://localhost:9/webhook/our own ä', 'http://localhost:9/webhook/ours/?to=a/'];

describe('a service that shows the address its own way', () => {
  const forms = [{ hookAddress: 'normal' }, { hookField: 'endpoint' }, { hookField: 'target' }, { hookField: 'absent' }] as const;

  it.each(forms.flatMap((form) => ordinary.map((url) => [form, url] as const)))(
    '%j gets one subscription for %s, at every start',
    async (form, url) => {
      const { client, sandbox } = await begin({ forms: form });
      const other = await subscribe(client, { ...wanted, url: 'http://127.0.0.1:9/other' });
      const from = sandbox.clock.now();
      const first = await replaceSubscription(client, { ...wanted, url });
      // The address is kept by n8n, and not by the package.
      for (const known of [first, { ...first, url }]) expect(await isIntact(client, { ...wanted, url }, known)).toBe(true);
      const changed = await replaceSubscription(client, { url, events: ['CONTACT_CREATED'] }, new AccountSubscriptions(), first);
      expect(sandbox.subscriptions().map(({ id }) => id)).toEqual([other.id, changed.id]);
      expect(sent('POST')).toHaveLength(3);
      expect(sandbox.clock.now()).toBe(from);
    },
  );

  it('cut knows the subscription by the address that was sent, and a copy of the program at another address leaves it alone', async () => {
    const { client } = await begin();
    const made = await subscribe(client, wanted);
    const shown = { id: made.id, url: 'http://127.0.0.1:9/***', active: true };
    lists([shown], { times: 'always' });
    const known = { ...made, url: wanted.url };
    expect(await isIntact(client, wanted, known)).toBe(true);
    const copy = { ...wanted, url: 'http://localhost:9/staging' };
    expect(await isIntact(client, copy, known)).toBe(false);
    await replaceSubscription(client, copy, new AccountSubscriptions(), known);
    expect(urls()).toEqual([wanted.url, copy.url]);
    await replaceSubscription(client, wanted, new AccountSubscriptions(), known);
    expect(urls()).toEqual([copy.url, wanted.url]);
  });

  it('without addresses names what was made since, and creates no second one', async () => {
    const { client, sandbox } = await begin({ forms: { hookField: 'absent' } });
    await subscribe(client, { ...wanted, url: 'http://127.0.0.1:9/other' });
    await sandbox.clock.advance(1_800_000);
    losesAnswer();
    for (let tries = 0; tries < 2; tries += 1) {
      const { message } = await refusal(subscribeAny(client, wanted));
      expect(message).toContain(`It may be ${sandbox.subscriptions()[1]?.id}.`);
      await sandbox.clock.advance(120_000);
    }
    expect(sandbox.subscriptions()).toHaveLength(2);
  });
});

it.each<[string, string, boolean]>([
  ['HTTP://Example.com:80', 'http://example.com/', true],
  ['https://bücher.example/a b', 'https://xn--bcher-kva.example/a%20b', true],
  ['https://example.com/%c3%a4', 'https://example.com/%C3%A4', true],
  ['https://example.com/%3a', 'https://example.com/%3A', true],
  ['https://example.com/a', 'https://example.com/a/', true],
  ['https://example.com/a?b=c', 'https://example.com/a?b=c/', false],
  ['https://example.com/a', 'https://example.com/A', false],
  ['https://example.com/a', 'http://example.com/a', false],
  ['https://example.com/%2f', 'https://example.com/%3a', false],
  ['no address', 'no address', true],
])('%s and %s are one address: %s', (one, other, isOne) => {
  expect(normalAddress(one) === normalAddress(other)).toBe(isOne);
});

it.each<[string, object, boolean | undefined]>([
  ['its address, under any name', { target: 'https://example.com/hook' }, true],
  ['its address among others, with spaces', { docs: 'https://example.com/docs', url: ' HTTPS://example.com/hook ' }, true],
  ['its address in an object in an object', oneOf({ delivery: { to: 'https://example.com/hook' } }), undefined],
  ['its address in an object, and nothing', { target: null, delivery: { to: 'https://example.com/hook' } }, true],
  ['its address in a list, and nothing', { targets: ['https://example.com/hook'], events: undefined }, true],
  ['another address', { url: 'https://example.com/other' }, false],
  ['only its own address in the API', { self: 'https://api.example/v1/hooks/hk_1?expand=all' }, undefined],
  ['no address but a text about one', { note: 'sent to https://example.com/hook' }, undefined],
])('a subscription that shows %s (G9, G43)', (_, record, isAt) => {
  expect(isAtAddress({ id: 'hk_1', ...record }, 'https://example.com/hook')).toBe(isAt);
});

describe('a lost answer', () => {
  it.each([403, 503])(
    'after which nobody could look (%i) is not sent again: the next try removes what was left, and leaves one',
    async (status) => {
      const { clientWith, sandbox } = await begin();
      const step = heldStep();
      const client = () => clientWith({ writes: step.writes() });
      losesAnswer();
      sandbox.faults.add({ route: 'GET /v1/hooks', kind: 'status', status, times: 'always' });
      expect((await refusal(subscribe(client(), wanted))).kind).toBe('unknownOutcome');
      expect(sent('POST')).toHaveLength(1);
      expect(urls()).toHaveLength(1);
      sandbox.faults.clear();
      const { id } = await subscribe(client(), wanted);
      expect(sandbox.subscriptions().map((each) => each.id)).toEqual([id]);
      expect(step.store.size).toBe(0);
    },
  );

  it('whose subscription comes after the next try: this is said, and ending it removes both', async () => {
    const { client, sandbox } = await begin();
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'late-commit', delayMs: 50_000 });
    const made = await subscribe(client, wanted);
    await sandbox.clock.advance(60_000);
    expect(urls()).toHaveLength(2);
    await endSubscription(client, made, wanted.url);
    expect(urls()).toEqual([]);
  });

  it('every time ends, after three tries, in what to look for, and leaves none', async () => {
    const { clientWith } = await begin();
    losesAnswer({ times: 'always' });
    const error = await refusal(subscribe(clientWith({ patience: zapierStepPolicy }), wanted));
    expect(error.kind).toBe('unknownOutcome');
    expect(error.message).toContain(`The webhook subscription for ${wanted.url}`);
    expect(error.message).not.toContain('It may be');
    expect(sent('POST')).toHaveLength(3);
    expect(urls()).toEqual([]);
  });
});

describe('at the limit', () => {
  /** The refusal of one subscription too many, on a service that lists these. */
  const refusedWith = async (listed: readonly object[], more: Partial<Fault> = {}) => {
    const { client } = await begin({ limits: { subscriptions: 1 } });
    await subscribe(client, wanted);
    lists(listed, more);
    const error = await refusal(subscribe(client, wanted));
    expect(error).toMatchObject({ kind: 'subscriptionLimit', status: expect.any(Number) as number });
    return error.message;
  };
  const at = (host: string, index = 0, created_at?: string) => ({ id: `sub_${host}_${index}`, url: `http://${host}/${index}`, created_at });

  it("of fewer than 25, keeps the service's words, and says where the listed ones are and which one is the oldest", async () => {
    const message = await refusedWith([
      at('b', 0, '2030-02-02T00:00:00Z'),
      at('a', 0, '2030-03-03T00:00:00Z'),
      at('a', 1, '2030-01-01T00:00:00Z'),
      { id: 'sub_odd', url: 'no address' },
      { id: 'sub_odder', endpoint: 'http://b/1' },
      { ...at('c', 0, '2029-01-01T00:00:00Z'), active: false },
    ]);
    expect(message).toContain('says: "Subscription limit reached". Active ones in the list');
    expect(message).toContain(': 2 at b, 2 at a, 1 at unknown. The oldest is sub_a_1, of 2030-01-01.');
    expect(await refusedWith([])).toMatch(/"Subscription limit reached"\.$/);
  });

  it('counts all of them by host, the most first, and names the oldest if that is known', async () => {
    const message = await refusedWith([at('b'), ...Array.from({ length: 24 }, (_, index) => at('a', index))]);
    expect(message).toMatch(/already has 25 active webhook subscriptions, and 25 are allowed: 24 at a, 1 at b\.$/);
    const many = Array.from({ length: 24 }, (_, index) => at(`h${index}`));
    expect(await refusedWith(many)).toMatch(/Active ones in the list: (?:1 at h\d, ){7}1 at h7\.$/);
  });

  it('another refusal is told as it is', async () => {
    const { client, sandbox } = await begin();
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'status', status: 422, body: { error: 'No such host' } });
    expect((await refusal(subscribe(client, wanted))).message).toMatch(/"No such host"\.$/);
    expect(sent('GET')).toEqual([]);
  });

  it('still says that the limit is reached if the list cannot be read', async () => {
    expect(await refusedWith([], { status: 403, body: { error: 'Forbidden' } })).toMatch(/"Subscription limit reached"\.$/);
  });
});

describe('of an answer that shows less than a subscription', () => {
  const answer = (body: object, more: Partial<Fault> = {}) =>
    service.sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'status', status: 201, body, ...more });

  it('the id is that of the only one at its address', async () => {
    const { client, sandbox } = await begin();
    sandbox.host.addSecretlessSubscription({ ...wanted, url: 'http://127.0.0.1:9/other' });
    answer({ signing_secret: 'whsec_right' }, { commits: true });
    expect(await subscribe(client, wanted)).toMatchObject({ id: sandbox.subscriptions()[1]?.id, signing_secret: 'whsec_right' });
  });

  it.each<[string, object, Partial<Fault>]>([
    ['without a secret', { success: true }, { commits: true }],
    ['without anything at its address', { signing_secret: 'whsec_right' }, {}],
    ['with several at its address', { signing_secret: 'whsec_right' }, { commits: true }],
  ])('nothing is taken %s, and nothing is left', async (_, body, more) => {
    const { client, sandbox } = await begin();
    if (more.commits === true && 'signing_secret' in body) sandbox.host.addSecretlessSubscription(wanted);
    answer(body, more);
    const { message } = await refusal(subscribe(client, wanted));
    expect(message).toContain('without a signing_secret');
    expect(message).toContain(more.commits === true ? 'was deleted again' : `if one is listed for ${wanted.url}, delete it`);
    expect(urls()).toEqual([]);
  });

  it.each<[string, object]>([
    ['yes', { success: true }],
    ['a secret', { signing_secret: 'whsec_right' }],
  ])("what was made at the user's own address is named if the answer is only %s, and not deleted", async (_, body) => {
    const { client, sandbox } = await begin();
    if ('signing_secret' in body) sandbox.host.addSecretlessSubscription(wanted);
    answer(body, { commits: true });
    const { message } = await refusal(subscribeAny(client, wanted));
    for (const { id } of sandbox.subscriptions()) expect(message).toContain(id);
    expect(message).toContain('if nobody else uses it, delete it');
    expect(sandbox.subscriptions()).not.toEqual([]);
  });

  it.each<[typeof subscribe | typeof subscribeAny, number | undefined, string]>([
    [subscribe, 60 * 60_000, 'could not be verified; it was deleted again.'],
    [subscribeAny, 60_000, 'could not be verified; it was deleted again.'],
    ...[60 * 60_000, undefined].map((ageMs): [typeof subscribeAny, number | undefined, string] => [
      subscribeAny,
      ageMs,
      'sub_1 may have been there before, so it was left alone.',
    ]),
  ])('one without a secret is deleted if it is certainly ours (%#: made %i ms ago)', async (make, ageMs, message) => {
    const { client } = await begin();
    const created_at = ageMs === undefined ? undefined : new Date(service.sandbox.clock.now() - ageMs).toISOString();
    answer(oneOf({ id: 'sub_1', created_at }));
    expect((await refusal(make(client, wanted))).message).toContain(message);
    expect(sent('DELETE')).toHaveLength(message.includes('deleted') ? 1 : 0);
  });
});

describe('what concerns another subscription', () => {
  const other = { ...wanted, url: 'http://127.0.0.1:9/other' };

  it.each([
    ['ours alone', subscribe],
    ["anyone's", subscribeAny],
  ])('that is uncertain delays none for another address, which is %s', async (_, make) => {
    const { client, sandbox } = await begin();
    losesAnswer();
    sandbox.faults.add({ route: 'GET /v1/hooks', kind: 'status', status: 403, times: 2 });
    expect((await refusal(make(client, wanted))).kind).toBe('unknownOutcome');
    const [from, reads] = [sandbox.clock.now(), sent('GET').length];
    await make(client, other);
    expect([sandbox.clock.now(), sent('GET').length]).toEqual([from, reads]);
  });

  it('is not named for a lost answer: neither one for another address nor one from before', async () => {
    const { client, sandbox } = await begin();
    sandbox.host.addSecretlessSubscription(wanted);
    await sandbox.clock.advance(1_800_000);
    sandbox.host.addSecretlessSubscription(other);
    losesAnswer();
    const { message, advice } = await refusal(subscribeAny(client, wanted));
    expect(message).toContain(`Its signing secret can no longer be read. It may be ${sandbox.subscriptions()[2]?.id}.`);
    expect(advice).toBe('If nobody else uses it, delete it. Then run this again.');
  });

  it.each<[string, object, number]>([
    ['listed, once', { isListed: true, url: wanted.url }, 1],
    ['of another address and not listed, never', { url: other.url }, 0],
  ])('or was known before is deleted if it is %s', async (_, { isListed = false, url }: { isListed?: boolean; url?: string }, times) => {
    const { client } = await begin();
    const known = await subscribe(client, wanted);
    if (!isListed) lists([]);
    await replaceSubscription(client, wanted, new AccountSubscriptions(), { ...known, url });
    expect(sent('DELETE')).toHaveLength(times);
  });

  it('is not asked for or deleted when one ends that was made without a lost answer', async () => {
    const { client } = await begin();
    const { id } = await subscribe(client, wanted);
    const ended = await endSubscription(client, { id }, wanted.url);
    expect([ended, sent('DELETE').length, sent('GET').length]).toEqual([{ ids: [id] }, 1, 0]);
  });

  it('stays when one ends whose id was not kept: that is found by its address', async () => {
    const { client, sandbox } = await begin();
    await subscribe(client, other);
    const { id } = await subscribe(client, wanted);
    expect(await endSubscription(client, {}, wanted.url)).toEqual({ ids: [id] });
    expect(sandbox.subscriptions().map(({ url }) => url)).toEqual([other.url]);
    expect([await endSubscription(client, {}, wanted.url), await endSubscription(client, {})]).toEqual([{ ids: [] }, { ids: [] }]);
  });

  it.each([
    ['1s', 2_000],
    ['20s', 4_000],
  ])('left by a lost request is looked for until lists show the new one, where they are %s behind', async (listLag, ms) => {
    const { client, sandbox } = await begin({ forms: { listLag } as never });
    await subscribe(client, other);
    await sandbox.clock.advance(60_000);
    const from = sandbox.clock.now();
    losesAnswer();
    const made = await subscribe(client, wanted);
    expect(sandbox.clock.now() - from).toBe(ms);
    const [, ...others] = sandbox.subscriptions().map(({ id }) => id);
    if (listLag === '1s') expect(others).toEqual([made.id]);
  });
});
