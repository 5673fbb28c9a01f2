import { startSandbox, type RequestEntry, type Sandbox } from '../../sandbox/service.ts';
import { openConnectedN8n, type ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { isolatedExpressions } from '../../tools/rigs/n8n/environment.ts';
import { beginWorkflow, finishedExecution, runWorkflow, stopExecution, type Execution } from '../../tools/rigs/n8n/executions.ts';
import { createWorkflow, type WorkflowNode } from '../../tools/rigs/n8n/workflows.ts';
import { brand } from '../../shared/brand.ts';
import { operations } from '../../shared/operations/index.ts';
import { act, oneAction } from '../support/n8nWorkflow.ts';

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

const runItems = async (...workflow: Parameters<typeof overItems>): Promise<Execution> =>
  runWorkflow(n8n.session, ...(await overItems(...workflow)));

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
  [
    'a luxon time from an expression',
    "={{ DateTime.fromISO('2059-07-04T09:00:00', { zone: 'Asia/Tokyo' }) }}",
    {},
    '2059-07-04T00:00:00.000Z',
  ],
  [
    'a JavaScript date from an expression',
    "={{ new Date('2059-07-07T00:00:00Z') }}",
    { notes: '={{ 12345 }}' },
    '2059-07-07T00:00:00.000Z',
  ],
])('a start may be %s', async (_, startTime, additionalFields, instant) => {
  const { id } = await createWorkflow(n8n.session, {
    ...oneAction(n8n, creating({ startTime, additionalFields })),
    settings: { timezone: 'Europe/Berlin' },
  });
  const execution = await runWorkflow(n8n.session, id, 'By hand');
  expect(execution.error).toBeUndefined();
  expect(execution.items('Action')[0]).toMatchObject({ start_time: instant });
});

describe('many items', () => {
  const days = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ start: `2060-01-${String(index + 1).padStart(2, '0')}T10:00:00Z` }));

  it('go on past a failed one where the node continues on error, by its error output too', async () => {
    const items = [{ email: 'nobody' }, { email: 'ada@example.com' }];
    const parameters = { resource: 'contact', operation: 'search', email: '={{ $json.email }}', returnAll: true };
    const regular = await runItems(items, parameters, { onError: 'continueRegularOutput' });
    expect(regular.items('Action')[0]).toEqual({ error: expect.stringContaining('"Email" is not an email address') as string });
    expect(regular.items('Action')[1]).toMatchObject({ email: 'ada@example.com' });
    const separate = await runItems(items, parameters, { onError: 'continueErrorOutput' });
    expect(separate.status).toBe('success');
    expect(separate.items('Action')).toEqual([
      expect.objectContaining({ email: 'ada@example.com' }),
      expect.objectContaining({ error: expect.any(String) as string }),
    ]);
  });

  it('with Retry On Fail what was booked is not booked again, though its notes hold the time', async () => {
    const items = [
      ...days(3).map(({ start }) => ({ start: start.replace('2060', '2061'), email: 'ada@example.com' })),
      { start: '2061-02-01T10:00:00Z', email: 'nobody' },
    ];
    const before = sandbox.bookings().length;
    const execution = await runItems(
      items,
      creating({ startTime: '={{ $json.start }}', inviteeEmail: '={{ $json.email }}', additionalFields: { notes: '={{ $now }}' } }),
      { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 },
    );
    expect(execution.error?.message).toContain('email address');
    expect(sandbox.bookings()).toHaveLength(before + 3);
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
