import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { startSandbox, type RequestEntry, type Sandbox } from '../../sandbox/service.ts';
import { openConnectedN8n, type ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { isolatedExpressions } from '../../tools/rigs/n8n/instance.ts';
import {
  awaitExecution,
  beginWorkflow,
  finishedExecution,
  listenForTest,
  listExecutions,
  runWorkflow,
  stopExecution,
} from '../../tools/rigs/n8n/executions.ts';
import { createWorkflow, publish, unpublish, type WorkflowFile, type WorkflowNode } from '../../tools/rigs/n8n/workflows.ts';
import { brand } from '../../shared/brand.ts';
import { eventRows } from '../../shared/events.ts';
import { operations } from '../../shared/operations/index.ts';
import { act, oneAction, onEvents } from '../support/n8nWorkflow.ts';
import { until } from '../support/until.ts';

const minutes = 60_000;
jest.setTimeout(25 * minutes);

let sandbox: Sandbox;
let n8n: ConnectedN8n;
/** What the service was asked while the account was connected. */
let connecting: RequestEntry[];

beforeAll(async () => {
  sandbox = await startSandbox({ limits: false });
  // The descriptions of all nodes, their icons and schemas are written together with the editor.
  n8n = await openConnectedN8n(sandbox, { lean: true, editor: true, extra: isolatedExpressions });
  connecting = sandbox.requests();
});
afterAll(async () => {
  await n8n?.stop();
  await sandbox?.stop();
});
beforeEach(() => sandbox.faults.clear());

const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });
const type = (name: string) => sandbox.eventTypes().find((each) => each.name === name) ?? fail(`There is no event type ${name}.`);

let slots = 0;
/** A time that is still free, as a wall clock shows it. */
const freeSlot = () => `2059-05-${String((slots += 1)).padStart(2, '0')}T09:00:00`;
const creating = (change: Record<string, unknown> = {}) => ({
  resource: 'booking',
  operation: 'create',
  eventTypeId: byId(type('Intro Call').id),
  startTime: freeSlot(),
  inviteeName: 'Ada Lovelace',
  inviteeEmail: 'ada@example.com',
  ...change,
});

/** The one item that an operation gave; its error where it gave none. */
async function run(parameters: Record<string, unknown>): Promise<Record<string, unknown>> {
  const execution = await act(n8n, parameters);
  expect(execution.error).toBeUndefined();
  return execution.items('Action')[0] ?? {};
}

/** A workflow of one action over many items, which the manual trigger gives as pinned data, and the trigger's name. */
async function overItems(
  items: Record<string, unknown>[],
  parameters: Record<string, unknown>,
  node: Partial<WorkflowNode> = {},
): Promise<[id: string, from: string]> {
  const workflow = oneAction(n8n, parameters);
  const [by, action] = workflow.nodes;
  if (by === undefined || action === undefined) throw new Error('The workflow has no nodes.');
  const pinned = { ...workflow, nodes: [by, { ...action, ...node }], pinData: { [by.name]: items.map((json) => ({ json })) } };
  const { id } = await createWorkflow(n8n.session, pinned);
  return [id, by.name];
}

const runItems = async (...workflow: Parameters<typeof overItems>) => runWorkflow(n8n.session, ...(await overItems(...workflow)));

it('the account is connected with PKCE: a challenge goes out, and its verifier with the code', () => {
  const [consent] = connecting.filter(({ method, path }) => `${method} ${path}` === 'GET /oauth/authorize');
  expect(consent?.query).toMatchObject({ code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string, code_challenge_method: 'S256' });
  const [exchange] = connecting.filter(({ path }) => path === '/api/oauth/token');
  expect(exchange).toMatchObject({ status: 200, body: { grant_type: 'authorization_code', code_verifier: '[hidden]' } });
});

it("icons and every operation's output schema are served", async () => {
  for (const file of ['scheduler.svg', 'scheduler.dark.svg']) {
    expect(await (await n8n.session.fetch(`/icons/n8n-nodes-${brand.slug}/dist/icons/${file}`)).text()).toContain('<svg');
  }
  const paths = operations.map(({ resource, name }) => `scheduler/1.0.0/${resource}/${name}.json`);
  for (const path of [...paths, 'schedulerTrigger/2.0.0.json', 'schedulerPollingTrigger/1.0.0.json']) {
    const response = await n8n.session.fetch(`/schemas/n8n-nodes-${brand.slug}.${path}`);
    expect([path, response.status]).toEqual([path, 200]);
    expect(await response.json()).toMatchObject({ type: 'object', properties: expect.any(Object) as object });
  }
});

it('the connection test asks who one is, and tells a refusal in the words of the table of errors', async () => {
  const shown = (await n8n.session.get(`/rest/credentials/${n8n.credential.id}?includeData=true`)) as { data: Record<string, unknown> };
  // What n8n blanks it fills in again; the tokens are blanked in the way that it blanks the client's secret.
  const credentials = { ...shown, data: { ...shown.data, oauthTokenData: shown.data['clientSecret'] } };
  const test = () => n8n.session.post('/rest/credentials/test', { credentials });
  sandbox.forgetRequests();
  expect(await test()).toMatchObject({ status: 'OK' });
  expect(sandbox.requests().map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/me']);
  sandbox.host.setPlan('FREE');
  const refused = await test();
  sandbox.host.setPlan('PRO');
  expect(refused).toMatchObject({ status: 'Error', message: expect.stringContaining('Pro plan') as string });
});

it.each([
  ['a luxon time', "={{ DateTime.fromISO('2059-07-04T09:00:00', { zone: 'Asia/Tokyo' }) }}", '2059-07-04T00:00:00.000Z'],
  ['a JavaScript date', "={{ new Date('2059-07-07T00:00:00Z') }}", '2059-07-07T00:00:00.000Z'],
])('a start may be %s from an expression', async (_, startTime, instant) => {
  expect(await run(creating({ startTime }))).toMatchObject({ start_time: instant });
});

describe('many items', () => {
  it('go on past a failed one by the error output, if the node has one', async () => {
    const items = [{ email: 'nobody' }, { email: 'ada@example.com' }];
    const parameters = { resource: 'contact', operation: 'search', email: '={{ $json.email }}', returnAll: true };
    const separate = await runItems(items, parameters, { onError: 'continueErrorOutput' });
    expect(separate.status).toBe('success');
    expect(separate.items('Action')).toEqual([
      expect.objectContaining({ email: 'ada@example.com' }),
      expect.objectContaining({ error: expect.stringContaining('"Email" is not an email address') as string }),
    ]);
  });

  it('with Retry On Fail what was booked is not booked again, though its notes hold the time', async () => {
    const items = ['ada@example.com', 'ada@example.com', 'nobody'].map((email, index) => ({
      start: `2061-01-0${index + 1}T10:00:00Z`,
      email,
    }));
    const before = sandbox.bookings().length;
    const execution = await runItems(
      items,
      creating({ startTime: '={{ $json.start }}', inviteeEmail: '={{ $json.email }}', additionalFields: { notes: '={{ $now }}' } }),
      { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 },
    );
    expect(execution.error?.message).toContain('email address');
    expect(sandbox.bookings()).toHaveLength(before + 2);
  });

  it('stop where the execution is stopped: nothing goes out afterwards', async () => {
    const items = Array.from({ length: 300 }, (_, index) => ({ start: new Date(Date.UTC(2063, 0, 1, index)).toISOString() }));
    const asked = () => sandbox.requests().filter(({ method, path }) => `${method} ${path}` === 'POST /v1/bookings').length;
    sandbox.forgetRequests();
    sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'delay', delayMs: 60_000, times: 'always' });
    const id = await beginWorkflow(n8n.session, ...(await overItems(items, creating({ startTime: '={{ $json.start }}' }))));
    while (asked() < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    await stopExecution(n8n.session, id);
    expect((await finishedExecution(n8n.session, id)).status).toBe('canceled');
    sandbox.faults.clear();
    await sandbox.clock.advance(60_000);
    // What was on its way when it was stopped has arrived by the end of another execution; a third shows that nothing follows.
    await run({ resource: 'user', operation: 'getCurrent' });
    const sent = asked();
    await run({ resource: 'user', operation: 'getCurrent' });
    expect([asked(), sent < items.length]).toEqual([sent, true]);
  });
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
const held = (address: string) => sandbox.subscriptions().filter(({ url }) => url === address);
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

/** A delivery that is not from the service. */
const forged = JSON.stringify({ event: 'BOOKING_CREATED', created_at: '2059-01-01T00:00:00Z', data: { id: 'bkg_forged' } });
const guessed = `sha256=${createHmac('sha256', 'guessed').update(forged).digest('hex')}`;
const form = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n';

/** Says that a body of this length follows. n8n refuses it by its length, so none is sent: n8n would close the connection under it. */
const announce = (address: string, bytes: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/octet-stream', 'content-length': bytes };
    const sending = request(address, { method: 'POST', headers }, (response) => {
      void text(response).then((answer) => {
        sending.destroy();
        resolve(answer);
      }, reject);
    });
    sending.once('error', reject).flushHeaders();
  });

it('a delivery that is not from the service gets its status, the name of the failed check and a line in the log, and starts nothing', async () => {
  await published({ events: ['BOOKING_CREATED'] }, async ({ id, address }) => {
    const before = n8n.n8n.log().length;
    for (const [type, headers, body, status, check] of [
      ['application/json', {}, forged, 401, 'signature-missing'],
      ['application/json', { Signature: guessed }, forged, 401, 'signature'],
      // Content types that n8n does not read by itself.
      ['text/plain', { Signature: guessed }, forged, 401, 'signature'],
      ['application/octet-stream', { Signature: guessed }, forged, 401, 'signature'],
      // Bodies that n8n cannot hand over as they came.
      ['multipart/form-data; boundary=x', {}, form, 400, 'raw-body'],
      ['application/octet-stream', { 'content-encoding': 'gzip' }, forged, 400, 'raw-body'],
    ] as const) {
      const own = Object.entries(headers).map(([name, value]) => [name.replace('Signature', `${brand.headerPrefix}-Signature`), value]);
      const sent = { connection: 'close', 'content-type': type, ...(Object.fromEntries(own) as Record<string, string>) };
      const response = await fetch(address, {
        method: 'POST',
        headers: { ...sent, [`${brand.headerPrefix}-Event`]: 'BOOKING_CREATED' },
        body,
      });
      expect([type, response.status, await response.json()]).toEqual([type, status, expect.objectContaining({ check })]);
    }
    expect(await announce(address, 17 * 1024 * 1024)).toContain('raw-body');
    const broken = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"broken"' });
    expect(broken.status).toBeGreaterThanOrEqual(400);
    // One more booking starts an execution. Whatever n8n had to do with earlier deliveries began before.
    const booking = sandbox.host.book();
    await awaitExecution(n8n.session, id, (each) => each.items(trigger)[0]?.['id'] === booking.id);
    expect(await listExecutions(n8n.session, id)).toHaveLength(1);
    const logged = n8n.n8n.log().slice(before);
    for (const check of ['raw-body', 'signature-missing', 'signature']) expect(logged).toContain(`refused a delivery (${check})`);
    expect(logged).not.toContain('bkg_forged');
  });
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
    await until(async () => (await listExecutions(n8n.session, id)).length === 2);
    expect(held(address)).toHaveLength(1);
    expect((await listExecutions(n8n.session, id)).map(({ mode }) => mode).sort()).toEqual(['manual', 'webhook']);
  });
});
