import { WebhookPathTakenError, type IDataObject } from 'n8n-workflow';
import { brand } from '../../shared/brand.ts';
import { pollingTriggerName } from '../../shared/webhooks/reach.ts';
import { isSubscribed, storedSubscription, subscribeNode, unsubscribeNode } from '../../n8n/adapter/subscription.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { hookHost, type HostOptions } from './support/host.ts';

let sandbox: Sandbox;
beforeEach(async () => (sandbox = await startSandbox({ limits: false, allowNonLoopback: true })));
afterEach(() => sandbox.stop());

const url = 'http://localhost:5678/webhook/5b0c/webhook';
const testUrl = 'http://localhost:5678/webhook-test/5b0c/webhook';
const events = ['BOOKING_CREATED', 'CONTACT_UPDATED'];

const trigger = (staticData: IDataObject, options: Partial<HostOptions> = {}) =>
  hookHost({ sandbox, url, parameters: { events }, staticData, ...options });
const held = () => sandbox.subscriptions().map(({ id, url: at, events: of }) => ({ id, url: at, events: of }));
const failed = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('It did not fail.'),
    (error: Error) => error,
  );

it('publishing subscribes once and keeps id and secret; other events replace it; unpublishing ends it and forgets them', async () => {
  const kept: IDataObject = {};
  expect(await isSubscribed(trigger(kept))).toBe(false);
  await subscribeNode(trigger(kept));
  expect(held()).toEqual([{ id: expect.any(String) as string, url, events }]);
  expect(kept).toEqual({
    webhook: {
      id: held()[0]?.id,
      signing_secret: expect.any(String) as string,
      url,
      account: { id: expect.any(String) as string, name: 'morgan@host.example' },
      since: expect.any(Number) as number,
    },
  });
  expect(await isSubscribed(trigger(kept))).toBe(true);
  const changed = { parameters: { events: 'Booking Denied' } };
  expect(await isSubscribed(trigger(kept, changed))).toBe(false);
  await subscribeNode(trigger(kept, changed));
  expect(held()).toMatchObject([{ events: ['BOOKING_DENIED'] }]);
  await unsubscribeNode(trigger(kept));
  expect([held(), kept]).toEqual([[], {}]);
});

it('a subscription that could not be deleted is named in the log, and replaced by the next publishing', async () => {
  const kept: IDataObject = {};
  await subscribeNode(trigger(kept));
  const { id } = held()[0] ?? {};
  const logged: string[] = [];
  const before = structuredClone(kept);
  const token = sandbox.issueToken({ scopes: ['bookings:read'] }).access_token;
  await expect(unsubscribeNode(trigger(kept, { token, logged }))).rejects.toThrow('webhooks:manage');
  expect(kept).toEqual(before);
  expect(logged).toEqual([expect.stringContaining(`the webhook subscription ${id} may still exist`)]);
  await subscribeNode(trigger({}));
  expect(held()).toHaveLength(1);
  expect(held()[0]?.id).not.toBe(id);
});

it("a copy of the database at another address leaves production's subscription alone, and names it in the log", async () => {
  const copy = { url: 'https://staging.example.com/webhook/5b0c/webhook', logged: [] as string[] };
  const production: { webhook?: IDataObject } = {};
  await subscribeNode(trigger(production, { logged: copy.logged }));
  const [original] = held();

  await unsubscribeNode(trigger(structuredClone(production), copy));
  expect(held()).toEqual([original]);
  const staging = structuredClone(production);
  expect(await isSubscribed(trigger(staging, copy))).toBe(false);
  await subscribeNode(trigger(staging, copy));
  expect(held()).toHaveLength(2);
  await unsubscribeNode(trigger(staging, copy));
  expect(held()).toEqual([original]);
  expect(await isSubscribed(trigger(production))).toBe(true);
  expect(copy.logged).toHaveLength(2);
  for (const line of copy.logged) expect(line).toContain(`the webhook subscription ${original?.id} at ${url} belongs to another address`);
});

describe('if the credential belongs to another account than before', () => {
  const switched = async () => {
    const kept: { webhook?: IDataObject } = {};
    const logged: string[] = [];
    await subscribeNode(trigger(kept));
    const { id: accountId } = sandbox.addAccount({ email: 'grace@example.com' });
    const other = { token: sandbox.issueToken({ accountId }).access_token, logged };
    const { id = '' } = storedSubscription(kept, url);
    const words = `The webhook subscription "${id}" for ${url} is still in the account "morgan@host.example"`;
    return { kept, logged, other, id, words };
  };

  it('publishing makes a subscription there, and the log says which account still has the former one', async () => {
    const { kept, logged, other, id, words } = await switched();
    expect(await isSubscribed(trigger(kept, other))).toBe(false);
    await subscribeNode(trigger(kept, other));
    expect(logged).toEqual([expect.stringContaining(words)]);
    expect(kept.webhook).toMatchObject({ account: { name: 'grace@example.com' }, left: { id, account: 'morgan@host.example' } });
    expect(held()).toHaveLength(2);
    expect(await isSubscribed(trigger(kept, other))).toBe(true);
    await subscribeNode(trigger(kept, other));
    expect(kept.webhook).toHaveProperty('left');
    // When the first account is connected again, what was left there is removed.
    await subscribeNode(trigger(kept));
    expect(kept.webhook).toMatchObject({ left: { account: 'grace@example.com' } });
    await subscribeNode(trigger(kept, other));
    await unsubscribeNode(trigger(kept, other));
    expect(held()).toMatchObject([{ url }]);
  });

  it('unpublishing says which account has it and how to remove it, and knows it when that account is connected again', async () => {
    const { kept, logged, other, words } = await switched();
    const before = structuredClone(kept);
    expect(await unsubscribeNode(trigger(kept, other))).toBe(true);
    expect(logged).toEqual([expect.stringContaining(words)]);
    for (const how of ['connect "morgan@host.example" again', 'Webhook Subscription: Delete']) expect(logged[0]).toContain(how);
    expect([held().length, kept]).toEqual([1, before]);
    expect(await isSubscribed(trigger(kept))).toBe(true);
    await unsubscribeNode(trigger(kept));
    expect([held(), kept]).toEqual([[], {}]);
  });
});

it.each([
  ['an older state', (older: IDataObject) => structuredClone(older)],
  ['nothing', () => ({})],
])('unpublishing leaves no subscription behind if n8n hands out %s', async (_, put) => {
  const kept: IDataObject = {};
  await subscribeNode(trigger(kept));
  const older = structuredClone(kept);
  await subscribeNode(trigger(kept));
  const now = put(older);
  await unsubscribeNode(trigger(now));
  expect([held(), now]).toEqual([[], {}]);
});

describe('n8n gives a trigger an address that does not work', () => {
  const unnamed = 'http://localhost:5678/webhook/wf_1/our%20trigger/webhook';

  it.each([
    ['', 'n8n gave this trigger no address', 'Set N8N_WEBHOOK_URL'],
    ['n8n.example.com/webhook/5b0c/webhook', 'the address "n8n.example.com/webhook/5b0c/webhook"', 'begins with https://'],
    [unnamed, `the address ${unnamed}, at which it receives nothing`, 'Rename the trigger'],
    [unnamed.replace('/webhook/', '/webhook-test/'), 'at which it receives nothing', 'Rename the trigger'],
    ['http://localhost:5678/webhook/wf_1/%C3%BCn%C3%AF/webhook', 'at which it receives nothing', 'Rename the trigger'],
  ])('publishing %j ends at once, says why and what to do, and sends nothing', async (own, ...words) => {
    for (const work of [isSubscribed, subscribeNode]) {
      const error = await failed(work(trigger({}, { url: own })));
      expect(error).toBeInstanceOf(WebhookPathTakenError);
      for (const part of words) expect(error.message).toContain(part);
    }
    expect(sandbox.requests()).toEqual([]);
  });

  it('nor is a trigger published whose webhook id is empty', async () => {
    const own = { url: 'http://localhost:5678/webhook//webhook', node: { webhookId: '' } };
    expect((await failed(subscribeNode(trigger({}, own)))).message).toContain('at which it receives nothing');
    expect(sandbox.requests()).toEqual([]);
  });

  it.each([
    ['one word, without a webhook id', 'http://localhost:5678/webhook/wf_1/bookings/webhook', {}],
    ['encoded, in a webhook id', 'http://localhost:5678/webhook/my%20hook/webhook', { webhookId: 'my%20hook' }],
  ])('but not if its name is %s', async (_, own, node) => {
    expect(await subscribeNode(trigger({}, { url: own, node }))).toBe(true);
  });
});

it('test listening and the published workflow keep a subscription each, and end only their own', async () => {
  const kept = {};
  await subscribeNode(trigger(kept));
  await subscribeNode(trigger(kept, { url: testUrl }));
  expect(held().map(({ url: at }) => at)).toEqual([url, testUrl]);
  await unsubscribeNode(trigger(kept, { url: testUrl }));
  expect(held().map(({ url: at }) => at)).toEqual([url]);
  // n8n also ends a test listening that never began.
  sandbox.forgetRequests();
  expect(await unsubscribeNode(trigger(kept, { url: testUrl }))).toBe(true);
  expect(sandbox.requests()).toEqual([]);
  expect(await isSubscribed(trigger(kept))).toBe(true);
});

it('what n8n leaves if it is killed while a test listens is replaced by the next listening; publishing leaves it, because somebody may listen', async () => {
  const kept = {};
  await subscribeNode(trigger(kept, { url: testUrl }));
  const [left] = held();
  // n8n stores nothing of a test, so a new process knows nothing of it.
  const after = {};
  await subscribeNode(trigger(after));
  expect(held()).toEqual([left, expect.objectContaining({ url })]);
  await subscribeNode(trigger(after, { url: testUrl }));
  expect(held().map(({ url: at }) => at)).toEqual([url, testUrl]);
  expect(held().map(({ id }) => id)).not.toContain(left?.id);
  await unsubscribeNode(trigger(after, { url: testUrl }));
  expect(held().map(({ url: at }) => at)).toEqual([url]);
});

describe('publishing that fails', () => {
  const publish = (staticData: IDataObject, options: Partial<HostOptions> = {}): Promise<Error> =>
    failed(isSubscribed(trigger(staticData, options)).then(() => subscribeNode(trigger(staticData, options))));

  it.each<[string, () => Partial<HostOptions>, string]>([
    [
      'no event is chosen',
      () => ({ parameters: { events: '' } }),
      '"Events" names no event, so nothing would ever start this workflow. Choose',
    ],
    [
      'an event is none',
      () => ({ parameters: { events: ['BOOKING_CREATED', 'booking.moved'] } }),
      `"Events" names "booking.moved", which is not an event of ${brand.name}. Choose from the list, or enter names such as BOOKING_CREATED.`,
    ],
    ['an event type does not exist', () => ({ parameters: { events, eventTypes: ['evt_gone'] } }), '"evt_gone" was not found.'],
    [
      'a limit of age came out empty',
      () => ({ parameters: { events, options: { maximumAge: '' } } }),
      '"Maximum Age (Minutes)" is set, but it is empty',
    ],
    ['the base URL is wrong', () => ({ baseUrl: 'http://example.com/api/v1' }), 'it must begin with https://. Enter one like'],
    ['a permission is missing', () => ({ token: sandbox.issueToken({ scopes: ['bookings:read'] }).access_token }), 'webhooks:manage'],
    [
      'the rate limit lasts longer than n8n waits',
      () => {
        sandbox.faults.add({ route: '*', kind: 'status', status: 429, headers: { 'retry-after': '60' }, times: 'always' });
        return {};
      },
      'Try again in 60 seconds; the limit is 10 subscription requests a minute.',
    ],
  ])('ends at once, in our words, if %s: trying again would not help', async (_, options, words) => {
    const staticData = {};
    const error = await publish(staticData, options());
    // n8n also ends what it could not set up: then nothing is sent.
    sandbox.forgetRequests();
    expect(await unsubscribeNode(trigger(staticData, options()))).toBe(true);
    expect(sandbox.requests()).toEqual([]);
    // The only class that n8n does not try again.
    expect(error).toBeInstanceOf(WebhookPathTakenError);
    expect(error).toMatchObject({ name: 'WorkflowActivationError', message: expect.stringContaining(words) as string });
    expect([staticData, held()]).toEqual([{}, []]);
  });

  it('is left to n8n to try again if the service is down', async () => {
    sandbox.faults.add({ route: 'GET /v1/hooks', kind: 'redirect', times: 'always' });
    const error = await publish({}, {});
    expect(error).not.toBeInstanceOf(WebhookPathTakenError);
    expect(error.message).toContain('redirect');
  });
});

describe('if the service cannot reach the address of this n8n', () => {
  const elsewhere = 'https://scheduling.example.com/api/v1';

  it.each([url, testUrl])('subscribing %s ends in a sentence before anything is sent; ending it does not', async (own) => {
    const kept = { webhook: { id: 'sub_1', signing_secret: 'whsec_1', url: own }, 'webhook-test': { id: 'sub_2', url: own } };
    const before = structuredClone(kept);
    for (const work of [isSubscribed, subscribeNode]) {
      const { message } = await failed(work(trigger(kept, { url: own, baseUrl: elsewhere })));
      expect(message).toContain(`${brand.name} at scheduling.example.com cannot deliver to ${new URL(own).origin}`);
      for (const words of ['Set N8N_WEBHOOK_URL (older n8n: WEBHOOK_URL)', pollingTriggerName]) expect(message).toContain(words);
      expect([sandbox.requests(), kept]).toEqual([[], before]);
    }
    expect(await unsubscribeNode(trigger(kept, { url: own, baseUrl: elsewhere }))).toBe(true);
  });

  it('subscribing an address in a private network succeeds with a warning in the log', async () => {
    const logged: string[] = [];
    for (const origin of ['http://192.168.1.20:5678', 'https://n8n.example.com'])
      expect(await subscribeNode(trigger({}, { url: `${origin}/webhook/5b0c/webhook`, baseUrl: elsewhere, logged }))).toBe(true);
    expect(logged).toEqual([expect.stringMatching(/may not be able to deliver to http:\/\/192\.168\.1\.20:5678.*Set N8N_WEBHOOK_URL/)]);
  });
});

it('what n8n says itself is final at once if a person publishes, and not when n8n starts', async () => {
  const withoutCredential = new Error('Credential with ID "1" does not exist');
  for (const activation of ['activate', 'update', 'manual', 'init'] as const) {
    const error = await failed(subscribeNode(trigger({}, { withoutCredential, activation })));
    const advice = activation === 'init' ? '' : '. Nothing was sent. Check the credential of this node, and try again.';
    expect([activation, error.message]).toEqual([activation, withoutCredential.message + advice]);
    expect([activation, error instanceof WebhookPathTakenError]).toEqual([activation, activation !== 'init']);
  }
});
