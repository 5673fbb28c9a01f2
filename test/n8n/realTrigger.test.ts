import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { connectAccount, openConnectedN8n, type ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { awaitExecution, listenForTest, listExecutions } from '../../tools/rigs/n8n/executions.ts';
import { createWorkflow, publish, unpublish, type WorkflowFile } from '../../tools/rigs/n8n/workflows.ts';
import { brand } from '../../shared/brand.ts';
import { eventRows } from '../../shared/events.ts';
import { onEvents } from '../support/n8nWorkflow.ts';
import { until } from '../support/until.ts';

const minutes = 60_000;
jest.setTimeout(25 * minutes);

let sandbox: Sandbox;
let n8n: ConnectedN8n;
let down: ReturnType<typeof publishWhileDown>;

beforeAll(async () => {
  sandbox = await startSandbox({ limits: false });
  n8n = await openConnectedN8n(sandbox, { lean: true });
  // n8n tries for nearly a minute: that is waited for while the other tests run, and whoever asks for it is told how it ended.
  down = publishWhileDown();
  down.catch(() => undefined);
});
afterAll(async () => {
  await Promise.allSettled([down]);
  await n8n?.stop();
  await sandbox?.stop();
});

const trigger = 'On events';
const allEvents = eventRows.map(({ name }) => name);
const workflow = (parameters: Record<string, unknown>): WorkflowFile => onEvents(n8n, { simplify: false, ...parameters });
const started = async (parameters: Record<string, unknown>) => {
  const file = workflow(parameters);
  const { id } = await createWorkflow(n8n.session, file);
  await publish(n8n.session, id);
  return { id, address: `${n8n.n8n.origin}/webhook/${file.nodes[0]?.webhookId}/webhook` };
};
const header = (name: string) => `${brand.headerPrefix}-${name}`;
const held = (address: string) => sandbox.subscriptions().filter(({ url }) => url === address);
const executions = async (id: string) => (await listExecutions(n8n.session, id)).length;
const published = async <T>(
  parameters: Record<string, unknown>,
  work: (made: { id: string; address: string }) => Promise<T>,
): Promise<T> => {
  const made = await started(parameters);
  try {
    return await work(made);
  } finally {
    await unpublish(n8n.session, made.id);
    expect(held(made.address)).toEqual([]);
  }
};
/** One more booking starts an execution. Whatever n8n had to do with earlier deliveries began before. */
const booksOnce = async (id: string, eventTypeId?: string): Promise<void> => {
  const booking = sandbox.host.book(eventTypeId === undefined ? {} : { event_type_id: eventTypeId });
  await awaitExecution(n8n.session, id, (each) => each.items(trigger)[0]?.['id'] === booking.id);
};

it('applies event and event type before an execution is spent', async () => {
  const [wanted, other] = sandbox
    .eventTypes()
    .filter(({ active, requires_approval: needed, questions }) => active && !needed && !questions.some(({ required }) => required));
  await published({ events: ['BOOKING_CREATED'], eventTypes: [wanted?.id] }, async ({ id }) => {
    sandbox.host.book({ event_type_id: other?.id });
    const { id: booking } = sandbox.host.book({ event_type_id: wanted?.id });
    sandbox.host.cancel(booking);
    await sandbox.settled();
    await awaitExecution(n8n.session, id, (each) => each.items(trigger)[0]?.['id'] === booking);
    expect(
      sandbox
        .deliveries()
        .slice(-2)
        .every(({ attempts }) => attempts.at(-1)?.status === 200),
    ).toBe(true);
    await booksOnce(id, wanted?.id);
    expect(await executions(id)).toBe(2);
  });
});

describe('a delivery that is not from the service', () => {
  const body = JSON.stringify({ event: 'BOOKING_CREATED', created_at: '2059-01-01T00:00:00Z', data: { id: 'bkg_forged' } });
  const signed = (key: string) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
  const send = async (address: string, headers: Record<string, string>, type = 'application/json', raw = body) => {
    const response = await fetch(address, {
      method: 'POST',
      body: raw,
      headers: {
        connection: 'close',
        'content-type': type,
        [header('Event')]: 'BOOKING_CREATED',
        [header('Delivery-ID')]: 'dlv_forged',
        ...headers,
      },
    });
    const text = await response.text();
    return { status: response.status, check: text.startsWith('{') ? (JSON.parse(text) as { check?: string }).check : text };
  };

  /** Says that a body of this length follows. n8n refuses it by its length, so none is sent: n8n would close the connection under it. */
  const announce = (address: string, bytes: number): Promise<{ status: number | undefined; check: unknown }> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/octet-stream', 'content-length': bytes, [header('Event')]: 'BOOKING_CREATED' };
      const sending = request(address, { method: 'POST', headers }, (response) => {
        void json(response).then((answer) => {
          sending.destroy();
          resolve({ status: response.statusCode, check: (answer as { check?: unknown }).check });
        }, reject);
      });
      sending.once('error', reject).flushHeaders();
    });

  it('gets its status, the name of the failed check and a line in the log, and starts nothing', async () => {
    await published({ events: allEvents }, async ({ id, address }) => {
      const before = n8n.n8n.log().length;
      expect(await send(address, {})).toEqual({ status: 401, check: 'signature-missing' });
      expect(await send(address, { [header('Signature')]: signed('guessed') })).toEqual({ status: 401, check: 'signature' });
      expect(await send(address, { [header('Signature')]: 'sha1=0' })).toEqual({ status: 401, check: 'signature-prefix' });
      expect(await send(address, { [header('Signature')]: 'sha256=zz' })).toEqual({ status: 401, check: 'signature-format' });
      // Content types that n8n does not read by itself.
      expect(await send(address, { [header('Signature')]: signed('guessed') }, 'text/plain')).toEqual({ status: 401, check: 'signature' });
      expect(await send(address, { [header('Signature')]: signed('guessed') }, 'application/octet-stream')).toMatchObject({ status: 401 });
      expect(
        (await send(address, { [header('Signature')]: signed('guessed') }, 'application/json', '{"broken"')).status,
      ).toBeGreaterThanOrEqual(400);
      // Bodies that n8n cannot hand over as they came.
      const form = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n';
      expect(await send(address, {}, 'multipart/form-data; boundary=x', form)).toEqual({ status: 400, check: 'raw-body' });
      expect(await send(address, { 'content-encoding': 'gzip' }, 'application/octet-stream')).toEqual({ status: 400, check: 'raw-body' });
      expect(await announce(address, 17 * 1024 * 1024)).toEqual({ status: 400, check: 'raw-body' });
      expect((await fetch(address)).status).toBe(404);
      await booksOnce(id);
      expect(await executions(id)).toBe(1);
      const logged = n8n.n8n.log().slice(before);
      for (const check of ['raw-body', 'signature-missing', 'signature-prefix', 'signature-format', 'signature'])
        expect(logged).toContain(`refused a delivery (${check})`);
      expect(logged).not.toContain('bkg_forged');
    });
  });
});

/** Publishes while a service of its own is down, and once it is there again. */
async function publishWhileDown() {
  const own = await startSandbox({ limits: false });
  try {
    const { id } = await createWorkflow(n8n.session, onEvents(await connectAccount(n8n, own), { events: allEvents }));
    own.faults.add({ route: '*', kind: 'html', status: 503, times: 'always' });
    const refusal: unknown = await publish(n8n.session, id, 5 * minutes).catch((error: unknown) => error);
    own.faults.clear();
    await publish(n8n.session, id);
    await unpublish(n8n.session, id);
    return { refusal, left: own.subscriptions() };
  } finally {
    await own.stop();
  }
}

it('publishing while the service is down ends in a sentence that says what to do', async () => {
  const { refusal, left } = await down;
  expect(String(refusal)).toContain('could not answer (status 503)');
  expect(left).toEqual([]);
});

it('a refusal that lasts is told at once, with what to do: n8n does not try again', async () => {
  const { id } = await createWorkflow(n8n.session, workflow({ events: allEvents }));
  sandbox.host.setPlan('FREE');
  sandbox.forgetRequests();
  await expect(publish(n8n.session, id)).rejects.toThrow(/Upgrade the .* account/);
  expect(sandbox.requests().filter(({ path }) => path.endsWith('/hooks'))).toHaveLength(1);
  sandbox.host.setPlan('PRO');
});

it('two triggers in one workflow have a subscription each and start on their own events', async () => {
  const [one, other] = [workflow({ events: ['BOOKING_CREATED'] }), workflow({ events: ['BOOKING_CANCELLED'] })];
  const renamed = other.nodes.filter(({ name }) => name === trigger).map((node) => ({ ...node, name: 'On cancellations' }));
  const { id } = await createWorkflow(n8n.session, {
    ...one,
    nodes: [...one.nodes, ...renamed],
    connections: { ...one.connections, 'On cancellations': { main: [[{ node: 'Then', type: 'main', index: 0 }]] } },
  });
  await publish(n8n.session, id);
  expect(
    sandbox
      .subscriptions()
      .map(({ events }) => events.join())
      .sort(),
  ).toEqual(['BOOKING_CANCELLED', 'BOOKING_CREATED']);
  const { id: booking } = sandbox.host.book();
  sandbox.host.cancel(booking);
  await awaitExecution(n8n.session, id, (each) => each.items(trigger)[0]?.['id'] === booking);
  await awaitExecution(n8n.session, id, (each) => each.items('On cancellations')[0]?.['id'] === booking);
  await unpublish(n8n.session, id);
  expect(sandbox.subscriptions()).toEqual([]);
});

it('test listening and the published workflow do not disturb each other', async () => {
  await published({ events: ['BOOKING_CREATED'] }, async ({ id, address }) => {
    await listenForTest(n8n.session, id, trigger);
    const test = address.replace('/webhook/', '/webhook-test/');
    expect(held(test)).toHaveLength(1);
    expect(held(address)).toHaveLength(1);
    sandbox.host.book();
    await sandbox.settled();
    // The test listened once and gave its subscription back; the published one is still there and works.
    await until(() => held(test).length === 0);
    await until(async () => (await executions(id)) === 2);
    expect(held(address)).toHaveLength(1);
    expect((await listExecutions(n8n.session, id)).map(({ mode }) => mode).sort()).toEqual(['manual', 'webhook']);
  });
});
