import { createHmac } from 'node:crypto';
import { receive } from '../../n8n/adapter/receive.ts';
import { brand } from '../../shared/brand.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { webhookHost, type Delivered } from './support/host.ts';

const secret = 'whsec_test';
const staticData = () => ({ webhook: { id: 'sub_1', signing_secret: secret, url: 'http://localhost/webhook/5b0c/webhook' } });
const events = ['BOOKING_CREATED', 'BOOKING_CANCELLED', 'BOOKING_RESCHEDULED'];

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox()));
afterAll(() => sandbox.stop());

let count = 0;
const header = (name: string) => `${brand.headerPrefix}-${name}`.toLowerCase();

/** A delivery as the service signs it. Each has an id and a time of its own. */
function delivery({
  event = 'BOOKING_CREATED',
  data = {},
  body,
  key = secret,
  headers = {},
}: { event?: string; data?: object; body?: object; key?: string; headers?: Record<string, string | undefined> } = {}): Delivered & {
  rawBody: Buffer;
} {
  count += 1;
  const rawBody = Buffer.from(
    JSON.stringify(
      body ?? {
        event,
        created_at: new Date(Date.UTC(2030, 0, 1, 0, 0, count)).toISOString(),
        data: { id: 'bkg_1', status: 'CONFIRMED', event_type_id: 'evt_1', ...data },
      },
    ),
  );
  return {
    rawBody,
    headers: {
      'content-type': 'application/json',
      [header('Signature')]: `sha256=${createHmac('sha256', key).update(rawBody).digest('hex')}`,
      [header('Event')]: event,
      [header('Delivery-ID')]: `dlv_${count}`,
      [header('Timestamp')]: new Date().toISOString(),
      ...headers,
    },
  };
}

async function deliver(delivered: Delivered, { parameters = {}, kept = staticData() }: { parameters?: object; kept?: object } = {}) {
  const { host, answered, logged } = webhookHost({ sandbox, parameters: { events, ...parameters }, staticData: kept as never }, delivered);
  const before = structuredClone(kept);
  const result = await receive(host);
  // Whatever comes in, the handler never writes static data: the last writer would overwrite a new secret with the old one.
  expect(kept).toEqual(before);
  return { items: result.workflowData?.[0]?.map(({ json }) => json), result, answered, logged };
}

async function expectRefused(delivered: Delivered, status: number, check: string, options: Parameters<typeof deliver>[1] = {}) {
  const { items, result, answered, logged } = await deliver(delivered, options);
  expect(items).toBeUndefined();
  expect(result.noWebhookResponse).toBe(true);
  expect(answered).toMatchObject({ status, body: { received: false, check } });
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain(`(${check})`);
  expect(JSON.stringify([answered, logged])).not.toContain(secret);
}

it('keeps the answers to questions, simplified or not', async () => {
  const data = { question_responses: { company: 'Analytical Engines' } };
  const [plain] = (await deliver(delivery({ data }), { parameters: { simplify: false } })).items ?? [];
  const [simple] = (await deliver(delivery({ data }), { parameters: { simplify: true } })).items ?? [];
  expect(plain).toMatchObject({
    question_responses: data.question_responses,
    answers: [{ question: 'company', answer: 'Analytical Engines' }],
  });
  expect(simple).toMatchObject({ question_responses: data.question_responses });
});

it.each<[why: string, delivered: () => Delivered, status: number, check: string, options?: Parameters<typeof deliver>[1]]>([
  ['it is signed with another secret, and no secret is shown', () => delivery({ key: 'guessed' }), 401, 'signature'],
  [
    'the raw body is missing: a body that was put together again is not what was signed',
    () => ({ headers: delivery().headers }),
    400,
    'raw-body',
  ],
  [
    'it is older than the maximum age, if one is set',
    () => delivery({ headers: { [header('Timestamp')]: new Date(Date.now() - 11 * 60_000).toISOString() } }),
    400,
    'age',
    { parameters: { options: { maximumAge: 10 } } },
  ],
])('starts nothing and names the failed check if %s', (_, delivered, status, check, ...options) =>
  expectRefused(delivered(), status, check, ...options),
);

describe('answers 200 without starting an execution', () => {
  const expectIgnored = async (delivered: Delivered, parameters: object = {}) => {
    const { items, result, answered } = await deliver(delivered, { parameters });
    expect(items).toBeUndefined();
    expect(result).toEqual({ webhookResponse: { received: true, ignored: expect.any(String) as string } });
    expect(answered).toEqual({});
  };
  it('for an event that was not chosen', () => expectIgnored(delivery({ event: 'CONTACT_UPDATED' })));
  it('for an event type that was not chosen', () => expectIgnored(delivery(), { eventTypes: ['evt_2', 'evt_3'] }));
});

describe('whatever an expression turns a parameter into, a delivery gets an answer', () => {
  const starts = async (parameters: object, data: object = {}, change: Parameters<typeof delivery>[0] = {}) =>
    ((await deliver(delivery({ data, ...change }), { parameters })).items ?? []).length;
  const throws = {
    get value() {
      throw new Error('No execution data available');
    },
  };

  it.each([
    ['null', null, 1],
    ['the id as a number', 42, 1],
    ['the id among others in a text', 'evt_1, 42', 1],
    ['a longer id', '142', 0],
  ])('Event Types is %s', async (_, eventTypes, runs) => {
    expect(await starts({ eventTypes }, { event_type_id: '42' })).toBe(runs);
    expect(await starts({ eventTypes }, { event_type_id: 42 })).toBe(runs);
  });

  it.each([
    ['null', null, 1],
    ['an object', {}, 1],
    ['two in a text', 'BOOKING_DENIED, BOOKING_CREATED', 1],
    ['another as a text', 'BOOKING_DENIED', 0],
  ])('Events is %s', async (_, chosen, runs) => {
    expect(await starts({ events: chosen })).toBe(runs);
  });

  const nineMinutesOld = () => ({ headers: { [header('Timestamp')]: new Date(Date.now() - 9 * 60_000).toISOString() } });
  it.each([
    [1, [null, undefined, 'none', [{ maximumAge: 1 }]]],
    [1, [null, 'soon', NaN, Infinity, -1, 0, {}, Object.create(null), [1], '10', 10].map((maximumAge: unknown) => ({ maximumAge }))],
    [0, ['8', 8].map((maximumAge) => ({ maximumAge }))],
  ])('starts %i times if a delivery is nine minutes old and Options is one of %j', async (runs, all) => {
    for (const options of all) expect([options, await starts({ options }, {}, nineMinutesOld())]).toEqual([options, runs]);
  });

  it.each([
    [undefined, true],
    [null, true],
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
  ])('Simplify is %p', async (simplify, isSimple) => {
    const [item] = (await deliver(delivery({ data: { locale: 'en' } }), { parameters: { simplify } })).items ?? [];
    expect(item?.['locale']).toBe(isSimple ? undefined : 'en');
  });

  it.each(['events', 'eventTypes', 'options', 'simplify'])(
    '%s cannot be evaluated: it counts as empty, and a line in the log says so',
    async (name) => {
      const parameters = {
        get [name]() {
          return throws.value as unknown;
        },
      };
      const { host, logged } = webhookHost({ sandbox, parameters, staticData: staticData() }, delivery());
      expect((await receive(host)).workflowData?.[0]).toHaveLength(1);
      expect(logged).toEqual([expect.stringContaining(`could not evaluate the parameter "${name}"`)]);
    },
  );
});

describe('a body of a content type that n8n only reads when it is asked to', () => {
  const unread = () => {
    const { rawBody, headers } = delivery();
    return { headers, readBody: () => rawBody };
  };
  const fails = () => {
    throw new Error('request entity too large');
  };
  it('is read and verified', async () => {
    expect((await deliver(unread())).items).toHaveLength(1);
  });
  it('that n8n cannot read is refused, and is no failed execution', () => expectRefused({ ...unread(), readBody: fails }, 400, 'raw-body'));
  it('is not read a second time', async () => {
    expect((await deliver({ ...delivery(), readBody: fails })).items).toHaveLength(1);
  });
});

it('simplifies a contact as a contact', async () => {
  const data = { id: 'con_1', email: 'ada@example.com', phone: '+44 20', locale: 'en' };
  const { items } = await deliver(delivery({ event: 'CONTACT_CREATED', data }), { parameters: { events: ['CONTACT_CREATED'] } });
  expect(items).toEqual([expect.objectContaining({ email: 'ada@example.com', phone: '+44 20' })]);
  expect(items?.[0]).not.toHaveProperty('locale');
});

it('asks a sender to come again until n8n has taken the same delivery, and then says that it was taken', async () => {
  const once = delivery();
  const open = { writableEnded: false };
  const first = webhookHost({ sandbox, parameters: { events }, staticData: staticData() }, once, open);
  expect((await receive(first.host)).workflowData?.[0]).toHaveLength(1);
  const replayed = { ...once, headers: { ...once.headers, [header('Delivery-ID')]: 'dlv_replayed' } };
  for (const again of [once, replayed]) {
    const { items, result, answered } = await deliver(again);
    expect(items).toBeUndefined();
    expect(result).toEqual({ noWebhookResponse: true });
    expect(answered).toMatchObject({ status: 503, body: { received: false, message: expect.stringContaining('Send it again') as string } });
  }
  open.writableEnded = true;
  expect((await deliver(once)).result).toEqual({ webhookResponse: { received: true, ignored: 'This delivery was received before.' } });
});

describe('one process serves many triggers: a delivery that one of them has received', () => {
  const bytes = { created_at: '2030-03-03T08:00:00Z', event: 'BOOKING_CREATED', data: { id: 'bkg_1' } };
  const at = async (options: Partial<Parameters<typeof webhookHost>[0]>, path?: string) => {
    const given = delivery({ body: bytes });
    const kept = { ...staticData(), 'webhook-test': staticData().webhook };
    const { host } = webhookHost(
      { sandbox, parameters: { events }, staticData: kept, ...options },
      path === undefined ? given : { ...given, path },
    );
    return (await receive(host)).workflowData?.[0]?.length ?? 0;
  };
  it('is new to another workflow, to another trigger and to test listening, although subscription, id and bytes are the same', async () => {
    const places = [
      () => at({}),
      () => at({ workflowId: 'workflow-2' }),
      () => at({ node: { id: 'node-2' } }),
      () => at({}, '/webhook-test/5b0c/webhook'),
    ];
    for (const place of places) expect(await place()).toBe(1);
    for (const place of places) expect(await place()).toBe(0);
  });
});

it('a refused delivery claims nothing: the genuine one with the same id still starts', async () => {
  const real = delivery();
  await expectRefused({ ...real, headers: { ...real.headers, [header('Signature')]: `sha256=${'0'.repeat(64)}` } }, 401, 'signature');
  expect((await deliver(real)).items).toHaveLength(1);
});

it('verifies test listening with its own secret, alongside the published workflow', async () => {
  const kept = { ...staticData(), 'webhook-test': { id: 'sub_2', signing_secret: 'whsec_other' } };
  const test = { ...delivery({ key: 'whsec_other' }), path: '/webhook-test/5b0c/webhook' };
  expect((await deliver(test, { kept })).items).toHaveLength(1);
  await expectRefused({ ...delivery(), path: '/webhook-test/5b0c/webhook' }, 401, 'signature', { kept });
});
