import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { DeliveryClaims } from '../../n8n/adapter/claims.ts';
import { receive } from '../../n8n/adapter/receive.ts';
import { storedSubscription, subscribeNode, unsubscribeNode } from '../../n8n/adapter/subscription.ts';
import { brand } from '../../shared/brand.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { until } from '../support/until.ts';
import { hookHost, webhookHost, type Delivered, type HostOptions } from './support/host.ts';
import { delivered } from '../support/wire.ts';

// What every platform does with a delivery, genuine or not, is in test/contract/requirements/deliveries.ts.
const secret = 'whsec_test';
const staticData = () => ({ webhook: { id: 'sub_1', signing_secret: secret, url: 'http://localhost/webhook/5b0c/webhook' } });
const events = ['BOOKING_CREATED', 'BOOKING_CANCELLED'];

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox({ limits: false })));
afterAll(() => sandbox.stop());

let count = 0;
const header = (name: string) => `${brand.headerPrefix}-${name}`.toLowerCase();

/** A delivery as the service signs it. Each has an id and a time of its own. */
function delivery({ event = 'BOOKING_CREATED', shown = {}, key = secret, at = Date.now() } = {}): Delivered & { rawBody: Buffer } {
  count += 1;
  const created = new Date(Date.UTC(2030, 0, 1, 0, 0, count)).toISOString();
  const record = { id: 'bkg_1', status: 'CONFIRMED', event_type_id: 'evt_1', ...shown };
  const rawBody = Buffer.from(JSON.stringify(delivered(event, record, created)));
  return {
    rawBody,
    headers: {
      'content-type': 'application/json',
      [header('Signature')]: `sha256=${createHmac('sha256', key).update(rawBody).digest('hex')}`,
      [header('Event')]: event,
      [header('Delivery-ID')]: `dlv_${count}`,
      [header('Timestamp')]: new Date(at).toISOString(),
    },
  };
}

async function deliver(delivered: Delivered, parameters: object = {}, more: Partial<HostOptions> = {}, open?: { writableEnded: boolean }) {
  const kept = more.staticData ?? staticData();
  const before = structuredClone(kept);
  const options = { sandbox, parameters: { events, ...parameters }, ...more, staticData: kept };
  const { host, answered, logged } = webhookHost(options, delivered, open);
  const result = await receive(host);
  // Whatever comes in, the handler never writes static data: the last writer would overwrite a new secret with the old one.
  expect(kept).toEqual(before);
  return { items: result.workflowData?.[0]?.map(({ json }) => json) ?? [], result, answered, logged };
}

async function expectRefused(delivered: Delivered, status: number, check: string, more: Partial<HostOptions> = {}) {
  const { result, answered, logged } = await deliver(delivered, {}, more);
  expect(result).toEqual({ noWebhookResponse: true });
  expect(answered).toMatchObject({ status, body: { received: false, check } });
  expect(logged).toEqual([expect.stringContaining(`(${check})`)]);
  expect(JSON.stringify([answered, logged])).not.toContain(secret);
}

it('a delivery is refused with its status, the name of the failed check and a line in the log, and claims nothing', async () => {
  const real = delivery();
  await expectRefused({ ...real, headers: { ...real.headers, [header('Signature')]: `sha256=${'0'.repeat(64)}` } }, 401, 'signature');
  // A body that was put together again is not what was signed.
  await expectRefused({ headers: real.headers }, 400, 'raw-body');
  expect((await deliver(real)).items).toHaveLength(1);
});

it.each([
  ['an event', () => delivery({ event: 'CONTACT_UPDATED' }), {}],
  ['an event type', () => delivery(), { eventTypes: ['evt_2', 'evt_3'] }],
])('%s that was not chosen is answered with 200 and starts no execution', async (_, delivered, parameters) => {
  const { result, answered } = await deliver(delivered(), parameters);
  expect(result).toEqual({ webhookResponse: { received: true, ignored: expect.any(String) as string } });
  expect(answered).toEqual({});
});

it('a filter by event type whose expression gave nothing lets nothing pass, and asks to send it again', async () => {
  const written = { node: { parameters: { eventTypes: '={{ $vars.types }}' } } };
  const { items, answered, logged } = await deliver(delivery(), { eventTypes: [] }, written);
  expect([items, answered.status]).toEqual([[], 503]);
  expect(logged).toEqual([expect.stringContaining('(filter): "Event Type Names or IDs" is set, but it is empty')]);
  expect((await deliver(delivery(), { eventTypes: [] })).items).toHaveLength(1);
});

it('a field of the service called `error`, by whose name n8n takes an item for failed, has another name', async () => {
  const { items } = await deliver(delivery({ shown: { error: '', $error: 1 } }), { simplify: false });
  expect(items).toEqual([expect.objectContaining({ service_error: '', service_$error: 1 })]);
  expect(items[0]).not.toHaveProperty('error');
});

describe('whatever an expression turns a parameter into, a delivery gets an answer', () => {
  const nineMinutesOld = () => delivery({ at: Date.now() - 9 * 60_000 });
  it.each<[name: string, value: unknown, runs: number, delivered?: () => Delivered]>([
    ['eventTypes', 'evt_1, 42', 1, () => delivery({ shown: { event_type_id: 42 } })],
    ['eventTypes', '142', 0, () => delivery({ shown: { event_type_id: '42' } })],
    ['events', {}, 1],
    ['events', 'BOOKING_DENIED', 0],
    ['events', ['booking created'], 1],
    ['options', null, 1, nineMinutesOld],
    ['options', { maximumAge: 'soon' }, 1, nineMinutesOld],
    ['options', { maximumAge: Object.create(null) as object }, 1, nineMinutesOld],
    ['options', { maximumAge: '10' }, 1, nineMinutesOld],
    ['options', { maximumAge: '8' }, 0, nineMinutesOld],
  ])('%s is %j: it starts %i times', async (name, value, runs, delivered = delivery) => {
    expect((await deliver(delivered(), { [name]: value })).items).toHaveLength(runs);
  });

  it.each([
    ['true', undefined],
    ['false', 'en'],
  ])('Simplify is %p', async (simplify, locale) => {
    const shown = { invitee_name: 'Ada', event_type_name: 'Call', invitee_email: 'ada@example.com', start_time: '2030-01-31T09:00:00Z' };
    const [item] = (await deliver(delivery({ shown: { ...shown, locale: 'en' } }), { simplify })).items;
    expect(item?.['locale']).toBe(locale);
  });

  it.each([
    ['BOOKING_RESCHEDULED', { readable_previous_start: 'mercredi 30 janvier 2030, 10:00 (Europe/Paris, UTC+1)' }],
    ['BOOKING_CANCELLED', { cancellation_reason: 'ill' }],
    ['BOOKING_CREATED', { booking_url: 'https://x.example/1' }],
  ])(
    'the simplified item of %s has ten fields: who, what and when for people, the links, and what the event tells',
    async (event, told) => {
      const shown = {
        ...{
          event_type_name: 'Call',
          invitee_name: 'Ada',
          invitee_email: 'ada@example.com',
          invitee_timezone: 'Europe/Paris',
          locale: 'fr',
        },
        ...{ start_time: '2030-01-31T09:00:00.000Z', previous_start_time: '2030-01-30T09:00:00.000Z', cancellation_reason: 'ill' },
        ...{ reschedule_url: 'https://x.example/1/move', cancel_url: 'https://x.example/1/cancel', booking_url: 'https://x.example/1' },
      };
      const [item] = (await deliver(delivery({ event, shown }), { events: [event] })).items;
      expect(item).toEqual({
        ...{ event, invitee_name: 'Ada', event_type_name: 'Call', readable_start: 'jeudi 31 janvier 2030, 10:00 (Europe/Paris, UTC+1)' },
        ...{ invitee_email: 'ada@example.com', start_time: '2030-01-31T09:00:00.000Z', id: 'bkg_1' },
        ...{ reschedule_url: 'https://x.example/1/move', cancel_url: 'https://x.example/1/cancel', ...told },
      });
    },
  );

  it('a filter that cannot be evaluated lets nothing pass', async () => {
    const eventTypes = {
      get: () => {
        throw new Error('No execution data available');
      },
    };
    const parameters = Object.defineProperty<Record<string, unknown>>({ events }, 'eventTypes', eventTypes);
    const options = { sandbox, parameters, staticData: staticData(), node: { parameters: { eventTypes: '={{ $json.type }}' } } };
    const { host, answered, logged } = webhookHost(options, delivery());
    expect([(await receive(host)).workflowData, answered.status]).toEqual([undefined, 503]);
    expect(logged).toEqual([
      expect.stringContaining('"Event Type Names or IDs" cannot be evaluated (No execution data available). Choose from the list'),
    ]);
  });

  it('one that cannot be evaluated counts as empty, and a line in the log says so', async () => {
    for (const name of ['events', 'options', 'simplify']) {
      const get = () => {
        throw new Error('No execution data available');
      };
      const parameters = Object.defineProperty<Record<string, unknown>>({ events }, name, { get });
      const { host, logged } = webhookHost({ sandbox, parameters, staticData: staticData() }, delivery());
      expect((await receive(host)).workflowData?.[0]).toHaveLength(1);
      expect(logged).toEqual([expect.stringContaining(`could not evaluate the parameter "${name}"`)]);
    }
  });
});

it('asks a sender to come again until n8n has taken the same delivery, and then says that it was taken', async () => {
  const once = delivery();
  const open = { writableEnded: false };
  expect((await deliver(once, {}, {}, open)).items).toHaveLength(1);
  const replayed = { ...once, headers: { ...once.headers, [header('Delivery-ID')]: 'dlv_replayed' } };
  for (const again of [once, replayed]) {
    const { result, answered } = await deliver(again);
    expect(result).toEqual({ noWebhookResponse: true });
    expect(answered).toMatchObject({ status: 503, body: { received: false, message: expect.stringContaining('Send it again') as string } });
  }
  open.writableEnded = true;
  expect((await deliver(once)).result).toEqual({ webhookResponse: { received: true, ignored: 'This delivery was received before.' } });
});

it('one process serves many triggers: what one received is new to another workflow, another trigger and test listening', async () => {
  const bytes = delivery();
  const both = { ...staticData(), 'webhook-test': staticData().webhook };
  const places = [
    () => deliver(bytes, {}, { staticData: both }),
    () => deliver(bytes, {}, { staticData: both, workflowId: 'workflow-2' }),
    () => deliver(bytes, {}, { staticData: both, node: { id: 'node-2' } }),
    () => deliver({ ...bytes, path: '/webhook-test/5b0c/webhook' }, {}, { staticData: both }),
  ];
  for (const runs of [1, 0]) for (const place of places) expect((await place()).items).toHaveLength(runs);
});

it('verifies test listening with its own secret, alongside the published workflow', async () => {
  const both = { ...staticData(), 'webhook-test': { id: 'sub_2', signing_secret: 'whsec_other' } };
  const path = '/webhook-test/5b0c/webhook';
  const signed = { ...delivery({ key: 'whsec_other' }), path: `${path}/` };
  expect((await deliver(signed, {}, { staticData: both })).items).toHaveLength(1);
  await expectRefused({ ...delivery(), path }, 401, 'signature', { staticData: both });
});

describe('the deliveries of a process', () => {
  const answer = (statusCode = 200, writableEnded = false) => ({ statusCode, writableEnded });

  it.each([
    [299, 'repeated'],
    [300, 'first'],
  ])('one that n8n answers with %i, even if its sender has left, counts as %s when it comes again', (status, again) => {
    const claims = new DeliveryClaims();
    const first = answer(status);
    expect(['a', 'b'].map((other) => claims.claim(['key', other], first, other))).toEqual(['first', 'first']);
    expect(claims.claim(['another', 'a'], answer(), 'a')).toBe('underWay');
    expect(claims.claim(['key'], answer(), 'elsewhere')).toBe('first');
    first.writableEnded = true;
    for (const other of ['a', 'b']) expect(claims.claim([other], answer(), other)).toBe(again);
  });

  it('that never get an answer do not fill the memory: the oldest of those counts as taken', () => {
    const claims = new DeliveryClaims(2);
    const keys = ['open', 'answered', 'next', 'last'];
    expect(keys.map((key) => claims.claim([key], answer(200, key === 'answered'), 'here'))).toEqual(keys.map(() => 'first'));
    expect(keys.map((key) => claims.claim([key], answer(), 'here'))).toEqual(['repeated', 'repeated', 'underWay', 'underWay']);
  });
});

describe('n8n puts the state of a published trigger back or clears it', () => {
  const url = 'http://localhost/webhook/5b0c/webhook';
  const other = `whsec_${'o'.repeat(10)}`;
  let count = 0;

  /** A trigger of its own, that subscribes at the sandbox with what n8n hands out, and the secret that it then has. */
  const published = (place: Partial<HostOptions> = { workflowId: `put back ${(count += 1)}` }) => {
    const kept: IDataObject = {};
    const hook = (staticData: IDataObject) => hookHost({ sandbox, url, parameters: { events }, staticData, ...place });
    return {
      place,
      kept,
      publish: async () => {
        await subscribeNode(hook(kept));
        return storedSubscription(kept, url).signing_secret ?? '';
      },
      unpublish: () => unsubscribeNode(hook(kept)),
      deliver: (key: string, handedOut: IDataObject = kept, more: Partial<HostOptions> = {}) =>
        deliver(delivery({ key }), {}, { ...place, ...more, staticData: structuredClone(handedOut) }),
    };
  };

  it('it goes on with the secret that this process got, says so in the log, and refuses the one that it replaced', async () => {
    const { kept, publish, deliver: send, unpublish } = published();
    const first = await publish();
    const older = structuredClone(kept);
    const second = await publish();
    for (const handedOut of [older, {}, { webhook: { id: 'sub_1' } }, { webhook: 'unreadable' }]) {
      const { items, logged, answered } = await send(second, handedOut);
      expect([items.length, answered]).toEqual([1, {}]);
      expect(logged).toEqual([expect.stringContaining('Unpublish and publish this workflow')]);
      expect(logged[0]).not.toContain(second);
      for (const refused of [first, other, '']) expect((await send(refused, handedOut)).answered).toMatchObject({ status: 401 });
    }
    expect((await send(second)).logged).toEqual([]);
    await unpublish();
    for (const ended of [first, second]) expect((await send(ended, {})).answered).toMatchObject({ status: 503, body: { check: 'secret' } });
  });

  it('a delivery that comes before n8n has stored the secret is accepted', async () => {
    const { publish, deliver: send } = published();
    expect((await send(await publish(), {})).items).toHaveLength(1);
  });

  it('a process that has only verified a delivery since its start knows that secret as well', async () => {
    const place = { workflowId: 'restarted' };
    const webhook = (key: string, since: number) => ({ webhook: { id: key, signing_secret: key, url, since } });
    const { deliver: send } = published(place);
    expect((await send('new', webhook('new', 2))).items).toHaveLength(1);
    for (const handedOut of [webhook('old', 1), {}]) {
      expect((await send('new', handedOut)).items).toHaveLength(1);
      expect((await send(other, handedOut)).answered).toMatchObject({ status: 401 });
    }
    // Another process has replaced it: its secret no longer counts, whatever n8n hands out later.
    expect((await send('new', webhook('newer', 3))).answered).toMatchObject({ status: 401 });
    expect((await send('newer', webhook('newer', 3))).items).toHaveLength(1);
    for (const handedOut of [webhook('newer', 3), {}]) expect((await send('new', handedOut)).answered).toMatchObject({ status: 401 });
  });

  it('a late delivery that an older secret verifies does not replace a newer one', async () => {
    const { kept, publish, deliver: send } = published();
    const first = await publish();
    const older = structuredClone(kept);
    const second = await publish();
    await send(first, older);
    expect((await send(second, {})).items).toHaveLength(1);
  });

  it.each<[string, Partial<HostOptions>]>([
    ['a copy of the workflow', { workflowId: 'the copy' }],
    ['another trigger of the workflow', { node: { id: 'node-2' } }],
  ])('nothing of that is known to %s', async (_, elsewhere) => {
    const { publish, deliver: send } = published();
    const secret = await publish();
    expect((await send(secret, {}, elsewhere)).answered).toMatchObject({ status: 503 });
    const foreign = { webhook: { id: 'sub_2', signing_secret: other, url } };
    expect((await send(secret, foreign, elsewhere)).answered).toMatchObject({ status: 401 });
  });

  it.each([
    ['test listening', '/webhook-test/5b0c/webhook', {}],
    ['another address of the same trigger', '/webhook/6c1d/webhook', {}],
    ['test listening without a webhook id', '/webhook-test/wf_1/bookings/webhook', {}],
  ])('nor to %s', async (_, path, node) => {
    const place = { workflowId: `slots ${(count += 1)}`, node };
    const { publish } = published(place);
    const key = await publish();
    const { answered } = await deliver({ ...delivery({ key }), path }, {}, { ...place, staticData: {} });
    expect(answered).toMatchObject({ status: 503 });
  });

  it("the secret of the account that was connected before is not accepted any more, and the log says whose it may be, the sender's answer does not", async () => {
    const { kept, place, publish, deliver: send } = published();
    const first = await publish();
    const { id: accountId } = sandbox.addAccount({ email: 'grace@example.com' });
    const token = sandbox.issueToken({ accountId }).access_token;
    await subscribeNode(hookHost({ sandbox, url, parameters: { events }, staticData: kept, ...place, token }));
    const { answered, logged } = await send(first);
    expect(answered).toMatchObject({ status: 401, body: { check: 'signature' } });
    expect(logged).toEqual([
      expect.stringMatching(/which the account morgan@host\.example still has for this address.*Subscription: Delete/),
    ]);
    expect(JSON.stringify(answered)).not.toContain('morgan');
  });

  describe('and no process knows the secret', () => {
    let now: number;
    beforeEach(() => {
      now = Date.now();
      jest.spyOn(Date, 'now').mockImplementation(() => now);
    });
    afterEach(() => jest.restoreAllMocks());

    it('every delivery is answered with 503, so that it is sent again; if that lasts, one failed execution an hour says what to do', async () => {
      const { deliver: send } = published();
      for (let times = 0; times < 5; times += 1) {
        const { result, answered } = await send(other, {});
        expect([result, answered.status]).toEqual([{ noWebhookResponse: true }, 503]);
      }
      for (let hours = 0; hours < 2; hours += 1) {
        now += 3_600_000;
        await expect(send(other, {})).rejects.toMatchObject({
          message: expect.stringContaining('has lost the signing secret') as string,
          description: expect.stringContaining('Unpublish the workflow, then publish it again.') as string,
        });
        expect((await send(other, {})).answered).toMatchObject({ status: 503 });
      }
    });

    it.each([
      ['which the service no longer has, is told', false, undefined],
      ['which the service still has, never: strangers sign like that', true, undefined],
      ['which the account has that was connected before, never', true, 'grace@example.com'],
    ])('an older one, %s', async (_, isThere, email) => {
      const { kept, publish } = published();
      await publish();
      const older = structuredClone(kept);
      if (!isThere) await publish();
      // As after a restart.
      const token = sandbox.issueToken(email === undefined ? {} : { accountId: sandbox.addAccount({ email }).id }).access_token;
      const restarted = published({ workflowId: `restarted ${(count += 1)}`, token });
      sandbox.forgetRequests();
      for (let times = 0; times < 4; times += 1) {
        now += 20_000;
        expect((await restarted.deliver(other, older)).answered).toMatchObject({ status: 401 });
      }
      const asked = isThere && email === undefined ? ['/v1/hooks'] : ['/v1/hooks', '/v1/me'];
      await until(() => sandbox.requests().length >= asked.length);
      const isTold = () =>
        restarted.deliver(other, older).then(
          ({ answered }) => void expect(answered).toMatchObject({ status: 401 }),
          ({ message }: Error) => message,
        );
      if (isThere) {
        // Long enough to read the answer.
        await new Promise((resolve) => setTimeout(resolve, 50));
        expect(await isTold()).toBeUndefined();
      } else expect(await until(isTold)).toContain('has lost the signing secret');
      expect(sandbox.requests().map(({ path }) => path)).toEqual(asked);
    });

    it('what was accepted in between shows that the trigger works: nobody is asked or told', async () => {
      const { kept, publish, deliver: send } = published();
      const secret = await publish();
      sandbox.forgetRequests();
      for (let times = 0; times < 9; times += 1) {
        now += 30_000;
        expect((await send(times % 2 === 0 ? other : secret, kept)).answered.status).toBe(times % 2 === 0 ? 401 : undefined);
      }
      expect(sandbox.requests()).toEqual([]);
    });
  });
});
