import { WebhookPathTakenError, type IDataObject } from 'n8n-workflow';
import { brand } from '../../shared/brand.ts';
import { pollingTriggerName } from '../../shared/webhooks/reach.ts';
import { isSubscribed, subscribeNode, unsubscribeNode } from '../../n8n/adapter/subscription.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/service.ts';
import { hookHost, type HostOptions } from './support/host.ts';

let sandbox: Sandbox;
const begin = async (options: SandboxOptions = {}) => (sandbox = await startSandbox({ limits: false, ...options }));
afterEach(() => sandbox.stop());

const url = 'http://localhost:5678/webhook/5b0c/webhook';
const testUrl = 'http://localhost:5678/webhook-test/5b0c/webhook';
const events = ['BOOKING_CREATED', 'CONTACT_UPDATED'];

const trigger = (staticData: HostOptions['staticData'], options: Partial<HostOptions> = {}) =>
  hookHost({ sandbox, url, parameters: { events }, staticData: staticData ?? {}, ...options });
const held = () => sandbox.subscriptions().map(({ id, url: at, events: of }) => ({ id, url: at, events: of }));

it('publishing subscribes once and keeps id and secret; unpublishing ends it and forgets them', async () => {
  await begin();
  const kept: Record<string, never> = {};
  expect(await isSubscribed(trigger(kept))).toBe(false);
  await subscribeNode(trigger(kept));
  expect(held()).toEqual([{ id: expect.any(String) as string, url, events }]);
  expect(kept).toEqual({ webhook: { id: held()[0]?.id, signing_secret: expect.any(String) as string, url } });
  expect(await isSubscribed(trigger(kept))).toBe(true);
  await unsubscribeNode(trigger(kept));
  expect(held()).toEqual([]);
  expect(kept).toEqual({});
});

it('replaces its own subscription when its events changed', async () => {
  await begin();
  const kept = {};
  const changed = { parameters: { events: ['BOOKING_DENIED'] } };
  await subscribeNode(trigger(kept));
  const { id } = held()[0] ?? {};
  expect(await isSubscribed(trigger(kept, changed as never))).toBe(false);
  await subscribeNode(trigger(kept, changed));
  expect(held()).toHaveLength(1);
  expect(held()[0]).not.toMatchObject({ id });
});

it('a subscription that could not be deleted is named in the log, and replaced by the next publishing', async () => {
  await begin();
  const kept: { webhook?: IDataObject } = {};
  await subscribeNode(trigger(kept));
  const { id } = held()[0] ?? {};
  const logged: string[] = [];
  const before = structuredClone(kept);
  const token = sandbox.issueToken({ scopes: ['bookings:read'] }).access_token;
  await expect(unsubscribeNode(trigger(kept, { token, logged }))).rejects.toThrow('webhooks:manage');
  expect(kept).toEqual(before);
  expect(logged).toEqual([expect.stringContaining(`the webhook subscription ${id} may still exist`)]);
  delete kept.webhook;
  await subscribeNode(trigger(kept));
  expect(held()).toHaveLength(1);
  expect(held()[0]?.id).not.toBe(id);
});

describe('a copy of the database at another address', () => {
  const copy = { url: 'https://staging.example.com/webhook/5b0c/webhook' };

  it.each([
    ['', true],
    [', also of a subscription that says nothing of its address', false],
  ])("leaves production's subscription alone, published or unpublished%s", async (_, saysAddress) => {
    await begin({ allowNonLoopback: true });
    const production: { webhook?: IDataObject } = {};
    await subscribeNode(trigger(production));
    const [original] = held();
    const copied = structuredClone(production);
    if (!saysAddress) delete copied.webhook?.['url'];

    await unsubscribeNode(trigger(structuredClone(copied), copy));
    expect(held()).toEqual([original]);

    const staging = structuredClone(copied);
    expect(await isSubscribed(trigger(staging, copy))).toBe(false);
    await subscribeNode(trigger(staging, copy));
    expect(held()).toContainEqual(original);
    expect(held()).toHaveLength(2);
    await unsubscribeNode(trigger(staging, copy));
    expect(held()).toEqual([original]);
    expect(await isSubscribed(trigger(production))).toBe(true);
  });

  it('names the subscription that it leaves alone in the log, and no other', async () => {
    await begin({ allowNonLoopback: true });
    const logged: string[] = [];
    const production: { webhook?: IDataObject } = {};
    await subscribeNode(trigger(production, { logged }));
    await subscribeNode(trigger(production, { logged }));
    const kept = held()[0]?.id ?? '';
    const { url: _, ...unsaid } = production.webhook ?? {};
    expect(logged).toEqual([]);
    await unsubscribeNode(trigger(structuredClone(production), { ...copy, logged }));
    await unsubscribeNode(trigger({ webhook: unsaid }, { ...copy, logged }));
    await subscribeNode(trigger(structuredClone(production), { ...copy, logged }));
    expect(logged).toHaveLength(3);
    for (const line of logged) expect(line).toMatch(new RegExp(`the webhook subscription ${kept}( at ${url})? belongs to another address`));
    sandbox.host.deleteSubscription(kept);
    await unsubscribeNode(trigger({ webhook: unsaid }, { ...copy, logged }));
    expect(logged).toHaveLength(3);
  });
});

it('test listening and the published workflow keep a subscription each, and end only their own', async () => {
  await begin();
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

describe('publishing that fails', () => {
  const refusalOf = async (staticData: IDataObject, options: Partial<HostOptions> = {}): Promise<Error> =>
    isSubscribed(trigger(staticData, options))
      .then(() => subscribeNode(trigger(staticData, options)))
      .then(
        () => new Error('It did not fail.'),
        (error: Error) => error,
      );

  it.each([
    ['no event is chosen', { parameters: { events: '' } }, '"Events" names no event, so nothing would ever start this workflow. Choose'],
    ['the parameter is gone', { parameters: {} }, '"Events" names no event, so nothing would ever start this workflow. Choose'],
    ['the base URL is wrong', { baseUrl: 'http://example.com/api/v1' }, 'it must begin with https://. Enter one like'],
    ['a permission is missing', { scopes: ['bookings:read'] }, 'webhooks:manage'],
  ])(
    'ends at once with what to do if %s: trying again would not help',
    async (_, { scopes, ...options }: Record<string, unknown>, words) => {
      await begin();
      const token = sandbox.issueToken(scopes === undefined ? {} : { scopes: scopes as string[] }).access_token;
      const staticData = {};
      const error = await refusalOf(staticData, { ...options, token });
      // The only class that n8n does not try again.
      expect(error).toBeInstanceOf(WebhookPathTakenError);
      expect(error).toMatchObject({ name: 'WorkflowActivationError', message: expect.stringContaining(words) as string });
      expect(staticData).toEqual({});
      expect(held()).toEqual([]);
    },
  );

  it('ends at once, in our words, under a rate limit that lasts longer than n8n waits', async () => {
    await begin();
    sandbox.faults.add({ route: 'GET /v1/hooks', kind: 'status', status: 429, headers: { 'retry-after': '60' }, times: 'always' });
    const error = await refusalOf({ webhook: { id: 'sub_1', signing_secret: 'whsec_1' } });
    expect(error).toBeInstanceOf(WebhookPathTakenError);
    expect(error.message).toContain('rate limit for subscription requests has been reached');
    expect(error.message).toContain('Try again in 60 seconds; the limit is 10 subscription requests a minute.');
  });

  it('is left to n8n to try again if the service is down, or n8n has no credential', async () => {
    await begin();
    sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'status', status: 422 });
    const answers = [await refusalOf({}, { withoutCredential: new Error('No credential is set.') })];
    sandbox.faults.clear();
    sandbox.faults.add({ route: 'GET /v1/hooks', kind: 'redirect', times: 'always' });
    answers.push(await refusalOf({}));
    for (const error of answers) expect(error).not.toBeInstanceOf(WebhookPathTakenError);
    expect(answers[0]?.message).toBe('No credential is set.');
    expect(answers[1]?.message).toContain('redirect');
  });
});

describe('if the service cannot reach the address of this n8n', () => {
  const elsewhere = 'https://scheduling.example.com/api/v1';
  const ended = (work: Promise<unknown>): Promise<Error> =>
    work.then(
      () => new Error('It was not refused.'),
      (error: Error) => error,
    );

  it.each([url, testUrl])('subscribing %s ends in a sentence before anything is sent', async (own) => {
    await begin({ allowNonLoopback: true });
    const kept = { webhook: { id: 'sub_1', signing_secret: 'whsec_1', url: own } };
    const before = structuredClone(kept);
    for (const work of [isSubscribed, subscribeNode]) {
      sandbox.forgetRequests();
      const error = await ended(work(trigger(kept, { url: own, baseUrl: elsewhere })));
      expect(error.message).toContain(`${brand.name} at scheduling.example.com cannot deliver to ${new URL(own).origin}`);
      expect(error.message).toContain('WEBHOOK_URL');
      expect(error.message).toContain(pollingTriggerName);
      expect(sandbox.requests()).toEqual([]);
      expect(kept).toEqual(before);
    }
  });

  it('subscribing an address in a private network succeeds with a warning in the log', async () => {
    const origin = 'http://192.168.1.20:5678';
    await begin({ allowNonLoopback: true });
    const logged: string[] = [];
    const host = trigger({}, { url: `${origin}/webhook/5b0c/webhook`, baseUrl: elsewhere, logged });
    expect(await isSubscribed(host)).toBe(false);
    expect(await subscribeNode(host)).toBe(true);
    expect(held()).toHaveLength(1);
    expect(logged).toHaveLength(1);
    for (const words of [`may not be able to deliver to ${origin}`, 'WEBHOOK_URL', pollingTriggerName]) expect(logged[0]).toContain(words);
  });

  it('a trigger that already exists can still be ended, and one that everybody can reach causes no warning', async () => {
    await begin({ allowNonLoopback: true });
    const kept = {};
    const logged: string[] = [];
    const open = { url: 'https://n8n.example.com/webhook/5b0c/webhook', baseUrl: elsewhere, logged };
    await subscribeNode(trigger(kept, open));
    await unsubscribeNode(trigger(kept, open));
    await subscribeNode(trigger(kept));
    await unsubscribeNode(trigger(kept, { baseUrl: elsewhere, logged }));
    expect(held()).toEqual([]);
    expect(logged).toEqual([]);
  });
});
