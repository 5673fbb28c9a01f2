import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startSandbox, type Booking, type Sandbox } from '../../sandbox/service.ts';
import { zapierZip } from '../../tools/build/products.ts';
import { openConnectedN8n, type ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { awaitExecution, listExecutions } from '../../tools/rigs/n8n/executions.ts';
import { freePort } from '../../tools/process/freePort.ts';
import { createWorkflow, publish } from '../../tools/rigs/n8n/workflows.ts';
import { startArchive } from '../../tools/rigs/zapier/lambda.ts';
import type { ZapierRuntime } from '../../tools/rigs/zapier/runtime.ts';
import type { Zap } from '../../tools/rigs/zapier/zap.ts';
import { brand } from '../../shared/brand.ts';
import { oneByteChanged, startMeddler, type Meddler } from '../support/meddler.ts';
import { act, onEvents } from '../support/n8nWorkflow.ts';

const minutes = 60_000;
jest.setTimeout(25 * minutes);

const signature = `${brand.headerPrefix}-Signature`.toLowerCase();

let sandbox: Sandbox;
let meddler: Meddler;
let n8n: ConnectedN8n;
let zapier: ZapierRuntime;
let zap: Zap;
let listening: string;
let eventTypeId: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  meddler = await startMeddler();
  // Everything that the service sends to n8n passes through the meddler, because n8n gives out its address for webhooks.
  const port = await freePort();
  n8n = await openConnectedN8n(sandbox, {
    port,
    editor: false,
    extra: { N8N_WEBHOOK_URL: meddler.origin, N8N_EDITOR_BASE_URL: `http://localhost:${port}` },
  });
  meddler.target = n8n.n8n.origin;
  listening = (await createWorkflow(n8n.session, onEvents(n8n, { events: ['BOOKING_CREATED'], simplify: false }))).id;
  await publish(n8n.session, listening);

  zapier = await startArchive({
    zip: await zapierZip(),
    environment: { CLIENT_ID: sandbox.client.id, CLIENT_SECRET: sandbox.client.secret, BASE_URL: sandbox.baseUrl },
  });
  sandbox.allowRedirect(zapier.redirectUri);
  await zapier.connect();
  zap = await zapier.turnOn('booking_created');
  eventTypeId = sandbox.eventTypes().find(({ name }) => name === 'Intro Call')?.id ?? '';
});

afterAll(async () => {
  // If something could not be started, there is nothing to stop.
  for (const part of [zapier, n8n, meddler, sandbox] as (Partial<Sandbox> | undefined)[]) await part?.stop?.();
});

afterEach(() => {
  meddler.change = (request) => request;
});

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const create = (values: Record<string, unknown> = {}) =>
  act(n8n, {
    resource: 'booking',
    operation: 'create',
    eventTypeId: byId(eventTypeId),
    startTime: '2059-03-05T10:00:00Z',
    inviteeName: 'Ada Lovelace',
    inviteeEmail: 'ada@example.com',
    ...values,
  });
const executions = async () => (await listExecutions(n8n.session, listening)).length;

describe('a booking made by n8n', () => {
  let booking: Booking;
  let received: Record<string, unknown>;

  beforeAll(async () => {
    const execution = await create();
    const [item] = execution.items('Action');
    expect(execution.error).toBeUndefined();
    booking = sandbox.bookings().find(({ id }) => id === item?.['id']) ?? fail(`booking ${String(item?.['id'])} is not in the sandbox`);
    const started = await awaitExecution(n8n.session, listening, (each) => each.items('On events').some(({ id }) => id === booking.id));
    [received = {}] = started.items('On events');
  });

  it('is in the sandbox once', () => {
    expect(
      sandbox
        .bookings()
        .filter(({ invitee_email, start_time }) => invitee_email === 'ada@example.com' && start_time === booking.start_time),
    ).toEqual([booking]);
  });

  it('reaches the trigger as the record that Booking Get gives, plus event, delivery_id, delivered_at and its two keys', async () => {
    const [got] = (await act(n8n, { resource: 'booking', operation: 'get', bookingId: byId(booking.id), simplify: false })).items('Action');
    const { event, delivery_id, delivered_at, delivery_key, change_key, ...record } = received;
    expect(record).toEqual(got);
    expect([delivery_key, change_key]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect({ event, delivery_id }).toEqual({
      event: 'BOOKING_CREATED',
      delivery_id: sandbox.deliveries().find(({ url }) => url.startsWith(meddler.origin))?.id,
    });
    expect(Date.parse(String(delivered_at))).toBeGreaterThanOrEqual(Date.parse(booking.created_at));
  });

  it('reaches a Zap as the record that Find Booking gives, plus event, delivery_id, delivered_at and its two keys', async () => {
    await zap.settled(1);
    const item = zap.items.find(({ id }) => id === booking.id);
    const { results } = (await zapier.step('searches.find_booking', { email: 'ada@example.com' })) as {
      results: Record<string, unknown>[];
    };
    const [found] = results;
    const { event, delivery_id, delivered_at, delivery_key, change_key, ...record } = item ?? {};
    expect(found).toMatchObject({ id: booking.id });
    expect(record).toEqual(found);
    expect([delivery_key, change_key]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect({ event, delivery_id: typeof delivery_id, delivered_at: typeof delivered_at }).toEqual({
      event: 'BOOKING_CREATED',
      delivery_id: 'string',
      delivered_at: 'string',
    });
  });
});

describe('n8n starts nothing for a delivery', () => {
  /** Books at the service, waits until its delivery was sent, and returns n8n's answer to the first attempt. */
  const deliverOnce = async (): Promise<number | undefined> => {
    const before = new Set(meddler.answers.keys());
    sandbox.host.book();
    await sandbox.settled();
    const [id = ''] = [...meddler.answers.keys()].filter((each) => !before.has(each));
    return meddler.answers.get(id);
  };

  it.each([
    [
      'whose body was changed by one byte',
      (request: { body: Buffer; headers: object }) => ({ ...request, body: oneByteChanged(request.body) }),
    ],
    [
      'whose signature is missing',
      ({ body, headers }: { body: Buffer; headers: Record<string, unknown> }) => ({
        body,
        headers: { ...headers, [signature]: undefined },
      }),
    ],
    [
      'that is signed with another secret',
      ({ body, headers }: { body: Buffer; headers: object }) => ({
        body,
        headers: { ...headers, [signature]: `sha256=${'0'.repeat(64)}` },
      }),
    ],
  ])('%s: 401', async (_, change) => {
    const before = await executions();
    meddler.change = change as Meddler['change'];
    expect(await deliverOnce()).toBe(401);
    expect(await executions()).toBe(before);
  });

  it('whose subscription has lost its secret: 401', async () => {
    const before = await executions();
    const database = new DatabaseSync(join(n8n.n8n.folder, '.n8n', 'database.sqlite'));
    const stored = database.prepare('SELECT staticData FROM workflow_entity WHERE id = ?').get(listening);
    const subscription = sandbox.subscriptions().find(({ url }) => url.startsWith(meddler.origin));
    expect(String(stored?.['staticData'])).toContain(subscription?.id);
    const write = (data: string) => database.prepare('UPDATE workflow_entity SET staticData = ? WHERE id = ?').run(data, listening);
    write(
      String(stored?.['staticData'])
        .replace(/"[^"]*secret[^"]*":"[^"]*",?/i, '')
        .replace(',}', '}'),
    );
    try {
      expect(await deliverOnce()).toBe(401);
      expect(await executions()).toBe(before);
    } finally {
      write(String(stored?.['staticData']));
      database.close();
    }
  });

  it('and starts again on the next genuine one', async () => {
    const before = new Set((await listExecutions(n8n.session, listening)).map(({ id }) => id));
    expect(await deliverOnce()).toBe(200);
    const started = await awaitExecution(n8n.session, listening, ({ id }) => !before.has(id));
    expect(started.items('On events')).toHaveLength(1);
  });
});

describe('a Zap starts nothing for a delivery', () => {
  it.each([
    [
      'whose body was changed by one byte',
      (raw: Zap['outcomes'][number]['request']) => ({ ...raw, content: oneByteChanged(Buffer.from(raw.content)).toString() }),
    ],
    [
      'whose signature is missing',
      (raw: Zap['outcomes'][number]['request']) => ({
        ...raw,
        headers: Object.fromEntries(Object.entries(raw.headers).filter(([name]) => !name.endsWith('Signature'))),
      }),
    ],
  ])('%s', async (_, change) => {
    sandbox.host.book();
    await sandbox.settled();
    const honest = (await zap.settled(1)).findLast(({ items }) => items.length === 1) ?? fail('no honest delivery came');
    const outcome = await zap.receive(change(honest.request));
    expect({ items: outcome.items, error: outcome.error }).toEqual({ items: [], error: undefined });
  });

  it('whose subscription has lost its secret', async () => {
    const honest = zap.outcomes.findLast(({ items }) => items.length === 1) ?? fail('no honest delivery came');
    const { subscribeData } = zap;
    zap.subscribeData = { id: subscribeData['id'] };
    const outcome = await zap.receive(honest.request);
    zap.subscribeData = subscribeData;
    expect(outcome.items).toEqual([]);
  });
});

describe('bad input ends in a sentence that names the field, and books nothing', () => {
  it.each([
    ['an event type that does not exist', { eventTypeId: byId('evt_no_such_type') }, /event.type/i],
    ['an invalid email', { inviteeEmail: 'ada at example' }, /e-?mail/i],
    ['an invalid start', { startTime: 'soon' }, /start/i],
    ['an unknown locale', { additionalFields: { locale: 'tlh' } }, /language|locale/i],
  ])('%s', async (_, values, field) => {
    const before = sandbox.bookings().length;
    const { status, error } = await create({ startTime: '2059-03-06T10:00:00Z', ...values });
    expect(status).toBe('error');
    expect(`${error?.message} ${error?.description ?? ''}`).toMatch(field);
    expect(sandbox.bookings()).toHaveLength(before);
  });
});

function fail(reason: string): never {
  throw new Error(reason);
}
