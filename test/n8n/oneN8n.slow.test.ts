import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { searchMethod } from '../../n8n/adapter/names.ts';
import { fill } from '../../bench/years.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { eventRows } from '../../shared/events.ts';
import { createBooking } from '../../shared/operations/index.ts';
import { awaitExecution, runWorkflow, finishedExecution, listExecutions, type Execution } from '../../tools/rigs/n8n/executions.ts';
import { unneededModules } from '../../tools/rigs/n8n/instance.ts';
import { createCredential } from '../../tools/rigs/n8n/session.ts';
import { chain, createWorkflow, publish, saveWorkflow, unpublish, type WorkflowNode } from '../../tools/rigs/n8n/workflows.ts';
import { bookingForm } from '../contract/fixtures.ts';
import { panelOf } from '../contract/platforms/n8nPanel.ts';
import { realN8nIn } from '../contract/platforms/realN8n.ts';
import { contractOf, reached } from '../contract/suite.ts';
import { serving } from '../mcp/program.ts';
import { Stage } from '../mcp/stage.ts';
import { connectAccount, openN8n, type ConnectedN8n, type OpenedN8n } from '../support/connectedN8n.ts';
import { openApi } from '../support/n8nApi.ts';
import { nothing, overItems, START } from '../support/n8nWorkflow.ts';
import { until } from '../support/until.ts';
import { oneOf } from '../support/wire.ts';

// What needs a real n8n, and neither stops it nor sets it up otherwise.
jest.setTimeout(25 * 60_000);

let opened: OpenedN8n;
let sandbox: Sandbox;
let n8n: ConnectedN8n;
beforeAll(async () => {
  // Its own MCP server, which its owner still has to switch on, and what the log says beside warnings.
  const modules = unneededModules.filter((name) => name !== 'mcp').join();
  // For each credential that it opens, n8n's own engine for expressions makes an isolate: a third of its processor time. Expressions are tested
  // on that engine in real.slow and workflows.
  const extra = { N8N_DISABLED_MODULES: modules, N8N_LOG_LEVEL: 'info', N8N_EXPRESSION_ENGINE: 'legacy' };
  opened = await openN8n({ lean: true, extra });
  sandbox = await startSandbox({ limits: false, forms: { slots: 'shared' } });
  n8n = await connectAccount(opened, sandbox);
});
afterAll(async () => {
  await opened?.stop();
  await sandbox?.stop();
});
beforeEach(() => sandbox.faults.clear());

// All callers share one webhook, and none of their calls has an execution.
describe("as a tool of n8n's MCP Server Trigger, and found through n8n's own MCP server, with which agents build workflows", () => {
  let client: Client;

  const fromAi = (key: string) => `={{ $fromAI('${key}', '', 'string') }}`;

  afterEach(() => client?.close());

  /** Each call has its own connection: on a busy machine, n8n closes an idle one just when the next call is sent on it. */
  async function connect(path: string, more: Record<string, string> = {}): Promise<void> {
    client = new Client({ name: 'agent', version: '1.0.0' });
    const requestInit = { headers: { ...more, connection: 'close' } };
    await client.connect(new StreamableHTTPClientTransport(new URL(n8n.n8n.origin + path), { requestInit }));
  }

  /** A server with one tool that books for the person whom the caller names. */
  async function serve(node: Partial<WorkflowNode>, parameters: Record<string, unknown>): Promise<void> {
    const path = randomUUID();
    const made = (name: string, type: string, more: Partial<WorkflowNode>): WorkflowNode => ({
      id: randomUUID(),
      name,
      type,
      typeVersion: 1,
      position: [0, 0],
      parameters: {},
      ...more,
    });
    const { id } = await createWorkflow(n8n.session, {
      name: 'Tools for agents',
      nodes: [
        made('Server', '@n8n/n8n-nodes-langchain.mcpTrigger', { typeVersion: 2, parameters: { path }, webhookId: path }),
        made('Tool', `${n8n.nodes.action}Tool`, { credentials: n8n.credentials, parameters, ...node }),
      ],
      connections: { Tool: { ai_tool: [[{ node: 'Server', type: 'ai_tool', index: 0 }]] } },
    });
    await publish(n8n.session, id);
    await connect(`/mcp/${path}`);
  }

  const booking = () => ({
    resource: 'booking',
    operation: 'create',
    eventTypeId: { __rl: true, mode: 'id', value: sandbox.eventTypes()[0]?.id },
    startTime: '2059-05-06T09:00:00Z',
    inviteeName: fromAi('name'),
    inviteeEmail: fromAi('email'),
  });

  const emailOf = (name: string) => `${name}@example.org`;

  /** What a caller is told: the whole answer as text. */
  async function book(name: string): Promise<string> {
    const { tools } = await client.listTools();
    const answer = await client.callTool({ name: tools[0]?.name ?? '', arguments: { name, email: emailOf(name) } }, { timeout: 120_000 });
    return JSON.stringify(answer);
  }

  const bookedFor = (name: string) => sandbox.bookings().filter((each) => each.invitee_email === emailOf(name));

  // With Retry On Fail, n8n would repeat a run, and the node must not take one caller's for another's.
  const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };

  it('three callers at once are each told their own booking', async () => {
    await serve(retrying, booking());
    const names = ['ada', 'bob', 'cy'];
    sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'delay-after', delayMs: 2_000 });
    const told = await Promise.all(names.map((name) => book(name)));
    for (const [index, name] of names.entries()) {
      expect(bookedFor(name)).toHaveLength(1);
      expect(told[index]).toContain(bookedFor(name)[0]?.id);
      for (const other of names) if (other !== name) expect(told[index]).not.toContain(emailOf(other));
    }
  });

  /** What an agent looks for, and the node that it must find. */
  const searched = [
    ['reschedule', 'action'],
    ['cancel booking', 'action'],
    ['new appointment', 'trigger'],
  ] as const;

  it("an agent that knows only n8n's own MCP server finds the node, reads what it needs, and builds and runs a workflow that books", async () => {
    await n8n.session.patch('/rest/mcp/settings', { mcpAccessEnabled: true });
    const { apiKey } = await n8n.session.get<{ apiKey: string }>('/rest/mcp/api-key');
    await connect('/mcp-server/http', { authorization: `Bearer ${apiKey}` });
    /** @returns the answer as text, and as data where the tool gives it */
    const ask = async (name: string, input: Record<string, unknown>): Promise<{ text: string; data: Record<string, unknown> }> => {
      const { content, structuredContent = {} } = await client.callTool({ name, arguments: input });
      return {
        text: content.map((each) => (each.type === 'text' ? each.text : '')).join(),
        data: structuredContent as Record<string, unknown>,
      };
    };
    const { action } = n8n.nodes;
    const { id: credentialId, name: account, type: credentialType } = n8n.credential;

    for (const [query, node] of searched)
      expect((await ask('search_nodes', { queries: [query] })).text).toMatch(new RegExp(`- ${n8n.nodes[node]}( \\[TRIGGER\\])?\n`));
    expect((await ask('search_nodes', { queries: ['new appointment'] })).text).toMatch(/must be reachable from the internet/);
    const operations = [
      { resource: 'booking', operation: 'create' },
      { resource: 'contact', operation: 'get' },
    ];
    const types = await ask('get_node_types', { nodeIds: operations.map((operation) => ({ nodeId: action, ...operation })) });
    // Also those that n8n itself marks as optional, and each operation under its own heading.
    for (const words of [
      'Required: eventTypeId, startTime, inviteeName, inviteeEmail.',
      'questionResponsesMode to "json"',
      'Get contact: ',
      'Required: contactId.',
    ])
      expect(types.text).toContain(words);
    expect(types.text).toMatch(/@builderHint Required\.[^\n]*eventTypeId/);
    const methodName = searchMethod('eventTypes');
    expect(types.text).toContain(`@searchListMethod ${methodName}`);
    const listed = await ask('explore_node_resources', {
      nodeType: action,
      version: 1,
      methodName,
      methodType: 'listSearch',
      credentialType,
      credentialId,
      filter: 'coffee',
    });
    const [{ value: eventTypeId }] = listed.data['results'] as [{ value: string }];

    const code = `import { workflow, node, trigger, newCredential } from '@n8n/workflow-sdk';
const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } });
const book = node({
  type: '${action}',
  version: 1,
  config: {
    name: 'Book',
    credentials: { ${credentialType}: newCredential('${account}') },
    parameters: {
      resource: 'booking',
      operation: 'create',
      eventTypeId: { __rl: true, mode: 'id', value: '${eventTypeId}' },
      startTime: '2059-05-07T09:00:00Z',
      inviteeName: 'Rhea',
      inviteeEmail: '${emailOf('rhea')}',
    },
  },
});
export default workflow('book', 'Book a coffee').add(start).to(book);`;
    expect((await ask('validate_workflow', { code })).data).toEqual({ valid: true, nodeCount: 2 });
    const { workflowId } = (await ask('create_workflow_from_code', { code, versionName: 'First' })).data;
    const { executionId } = (await ask('execute_workflow', { workflowId, executionMode: 'manual' })).data;
    const ended = await until(async () => {
      const { text } = await ask('get_workflow_execution', { workflowId, executionId, includeData: true, nodeNames: ['Book'] });
      return /"status":"(?:success|error)"/.test(text) && text;
    });
    expect(bookedFor('rhea')).toMatchObject([{ event_type_id: eventTypeId, start_time: '2059-05-07T09:00:00.000Z' }]);
    expect(ended).toContain(bookedFor('rhea')[0]?.id);
  });

  it("n8n's own MCP Client node reaches our server with its key, lists the event types, and books one of them", async () => {
    const stage = await Stage.on(sandbox);
    try {
      const { address: endpointUrl } = await serving(stage, { SCHEDULING_MCP_KEY: 'a long key' });
      const { id, name } = await createCredential(n8n.session, { name: 'Key', type: 'httpBearerAuth', data: { token: 'a long key' } });
      const caller = (called: string, tool: string, parameters: Record<string, unknown>) => ({
        name: called,
        type: '@n8n/n8n-nodes-langchain.mcpClient',
        typeVersion: 1.1,
        credentials: { httpBearerAuth: { id, name } },
        parameters: {
          ...{ serverTransport: 'httpStreamable', endpointUrl, authentication: 'bearerAuth', options: {} },
          ...{ tool: { __rl: true, mode: 'id', value: tool }, ...parameters },
        },
      });
      const { wanted } = stage;
      const value = { ...wanted, event_type_id: "={{ $json.structuredContent.records.find(({ name }) => name === 'Coffee Chat').id }}" };
      const file = chain('By the protocol', [
        { name: START, type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
        caller('Event types', 'list_event_types', { inputMode: 'json', jsonInput: '{}' }),
        caller('Booked', 'create_booking', { inputMode: 'manual', parameters: { mappingMode: 'defineBelow', value } }),
      ]);
      const execution = await runWorkflow(n8n.session, (await createWorkflow(n8n.session, file)).id, START);
      expect(execution.error).toBeUndefined();
      const [booked] = stage.bookingsOf(wanted.invitee_email);
      expect(booked).toMatchObject({ event_type_id: stage.coffee.id, start_time: wanted.start_time, status: 'CONFIRMED' });
      expect(execution.items('Booked')).toMatchObject([{ structuredContent: { id: booked?.id, status: 'CONFIRMED' } }]);
    } finally {
      await stage.close();
    }
  });
});

describe('what n8n does around our nodes: it takes a success for a failure, runs again what failed, and loses what they keep', () => {
  const inClass = () => ({
    ...panelOf(createBooking, { fields: bookingForm(sandbox, { start_time: '2059-05-01T09:00:00' }) }),
    inviteeEmail: '={{ $json.email }}',
  });

  /** A workflow of one action for each of these people. */
  const workflowFor = (people: string[], parameters: Record<string, unknown>, node?: Partial<WorkflowNode>) =>
    overItems(
      n8n,
      people.map((email) => ({ email })),
      parameters,
      node,
    );

  const bookedBy = (emails: string[]) =>
    emails.map((email) => sandbox.bookings().filter(({ invitee_email }) => invitee_email === email).length);

  /** Presses Retry of a failed execution, and waits for the new one. */
  async function retry(execution: Execution, workflowId: string, loadWorkflow: boolean): Promise<Execution> {
    await n8n.session.post(`/rest/executions/${execution.id}/retry`, { loadWorkflow });
    const latest = await until(async () => {
      const [first] = await listExecutions(n8n.session, workflowId);
      return first !== undefined && first.id !== execution.id && !['new', 'running'].includes(first.status) && first;
    });
    return finishedExecution(n8n.session, latest.id);
  }

  it('three people in a class, Retry On Fail, and an answer by which n8n takes the node for failed: three bookings', async () => {
    const people = ['ada', 'bob', 'eve'].map((name) => `${name}@first.example`);
    const { run } = await workflowFor(people, inClass(), { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 });
    for (const error of ['', {}, 0, null]) {
      const before = sandbox.bookings().length;
      const body = oneOf({ id: `bkg_answer_${JSON.stringify(error)}`, status: 'CONFIRMED', error });
      sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', status: 201, commits: true, body, times: 3 });
      const execution = await run();
      sandbox.faults.clear();
      expect([error, execution.error, sandbox.bookings().length - before]).toEqual([error, undefined, 3]);
      expect(execution.items('Action')[0]).toMatchObject({ service_error: error });
    }
  });

  describe('the button Retry', () => {
    it.each([
      ['saved', false],
      ['original', true],
    ])(
      'of an execution with the %s workflow, once and twice, does nothing twice, and the error says what it would do',
      async (name, loadWorkflow) => {
        const [ada, bob, eve] = ['ada', 'bob', 'eve'].map((person) => `${person}@${name}.example`) as [string, string, string];
        const { id, run, nodes } = await workflowFor([ada, 'nobody', eve], inClass());
        const first = await run();
        expect(first.error?.description).toContain('Retry does not repeat them');
        const second = await retry(first, id, loadWorkflow);
        expect([second.mode, second.status]).toEqual(['retry', 'error']);
        await retry(first, id, loadWorkflow);
        expect(bookedBy([ada, eve])).toEqual([1, 1]);
        // The person mends the node, and retries with the workflow as it is now.
        const [by, action] = nodes as [WorkflowNode, WorkflowNode];
        const inviteeEmail = `={{ $json.email === 'nobody' ? '${bob}' : $json.email }}`;
        await saveWorkflow(n8n.session, id, { nodes: [by, { ...action, parameters: { ...inClass(), inviteeEmail } }] });
        const last = await retry(second, id, true);
        expect([last.status, last.items('Action').length]).toEqual(['success', 3]);
        expect(bookedBy([ada, bob, eve])).toEqual([1, 1, 1]);
        // What is no retry books for itself.
        await run();
        expect(bookedBy([ada, bob, eve])).toEqual([2, 2, 2]);
      },
    );
  });

  describe('the polling trigger', () => {
    const rarely = { events: ['BOOKING_CREATED'], pollTimes: { item: [{ mode: 'everyX', unit: 'hours', value: 23 }] } };
    const polling = (name: string, id?: string, parameters: Record<string, unknown> = rarely, { credentials } = n8n) => {
      const file = chain('On changes', [{ name, type: n8n.nodes.polling, parameters, credentials }, nothing]);
      const [first, ...rest] = file.nodes as [WorkflowNode, ...WorkflowNode[]];
      return { ...file, nodes: [{ ...first, id: id ?? first.id }, ...rest] };
    };
    const changesIn = (run: Execution) =>
      ['Before', 'After'].flatMap((name) => run.items(name)).map(({ event, id }) => `${String(event)} ${String(id)}`);
    const given = async (workflow: string) => {
      const runs = await Promise.all((await listExecutions(n8n.session, workflow)).map(({ id }) => finishedExecution(n8n.session, id)));
      return runs.flatMap(changesIn).sort();
    };

    it('renamed at once after a poll, then with an older state put back, and cleared: each event is given once', async () => {
      const api = await openApi(n8n);
      const file = polling('Before');
      const { id } = await createWorkflow(n8n.session, file);
      await publish(n8n.session, id);
      const older = await api.get(id);
      const expected: string[] = [];
      const book = () => expected.push(`BOOKING_CREATED ${sandbox.host.book().id}`);
      const told = (count: number) => until(async () => (await given(id)).length >= count);

      book();
      const renamed = polling('After', file.nodes[0]?.id);
      await saveWorkflow(n8n.session, id, { nodes: renamed.nodes, connections: renamed.connections });
      await publish(n8n.session, id);
      await told(1);
      for (const staticData of [older['staticData'], null]) {
        book();
        await api.put(id, { ...(await api.get(id)), staticData });
        await unpublish(n8n.session, id);
        await publish(n8n.session, id);
        await told(expected.length);
      }
      expect(await given(id)).toEqual(expected.sort());
      expect(n8n.n8n.log()).toContain('continues from what this process remembers');
      await unpublish(n8n.session, id);
    });

    it('among ten thousand bookings, a first reading that takes longer than n8n waits goes on at the next polls, and each new booking is given once', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'years-'));
      const file = join(folder, 'sandbox.sqlite');
      fill(file, 10_000);
      const years = await startSandbox({ file, limits: false });
      // 31 seconds for all pages: n8n waits for 20.
      years.faults.add({ route: 'GET /v1/bookings', kind: 'delay', delayMs: 300, times: 'always' });
      const account = await connectAccount(opened, years);
      const often = { events: eventRows.map(({ name }) => name), pollTimes: { item: [{ mode: 'everyMinute' }] } };
      const { id } = await createWorkflow(n8n.session, polling('After', undefined, often, account));
      const pages = () => years.requests().filter(({ path }) => path === '/v1/bookings').length;
      await publish(n8n.session, id);
      expect(pages()).toBeLessThan(100);
      const expected: string[] = [];
      for (const hours of [0, 3]) {
        const start_time = new Date(Date.now() + (20_000 + hours) * 3_600_000).toISOString();
        const change = `BOOKING_CREATED ${years.host.book({ start_time }).id}`;
        expected.push(change);
        years.forgetRequests();
        await awaitExecution(n8n.session, id, (run) => changesIn(run).includes(change));
      }
      // Both ends of each list, the future, and a part of the rest.
      expect(pages()).toBeLessThan(40);
      expect((await given(id)).filter((change) => change.startsWith('BOOKING'))).toEqual(expected.sort());
      await unpublish(n8n.session, id);
      await years.stop();
      await rm(folder, { recursive: true });
    });
  });
});

contractOf(
  realN8nIn(() => opened),
  // The sources also wait, in short time.
  reached.filter(({ waits }) => waits !== true),
);
