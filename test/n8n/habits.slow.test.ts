import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { openConnectedN8n, type ConnectedN8n } from '../support/connectedN8n.ts';
import { runWorkflow, getExecution, listExecutions, type Execution } from '../../tools/rigs/n8n/executions.ts';
import { chain, createWorkflow, publish, saveWorkflow, unpublish, type WorkflowNode } from '../../tools/rigs/n8n/workflows.ts';
import { openApi } from '../support/n8nApi.ts';
import { nothing, oneAction } from '../support/n8nWorkflow.ts';
import { until } from '../support/until.ts';
import { oneOf } from '../support/wire.ts';

// What a real n8n does around our nodes: it takes a success for a failure, runs again what failed, and loses what they keep.
const minutes = 60_000;
jest.setTimeout(25 * minutes);

let sandbox: Sandbox;
let n8n: ConnectedN8n;
beforeAll(async () => {
  sandbox = await startSandbox({ limits: false, forms: { slots: 'shared' } });
  n8n = await openConnectedN8n(sandbox, { lean: true, extra: { N8N_LOG_LEVEL: 'info' } });
});
afterAll(async () => {
  await n8n?.stop();
  await sandbox?.stop();
});
beforeEach(() => sandbox.faults.clear());

const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });
const inClass = () => ({
  resource: 'booking',
  operation: 'create',
  eventTypeId: byId(sandbox.eventTypes().find(({ name }) => name === 'Intro Call')?.id),
  startTime: '2059-05-01T09:00:00',
  inviteeName: 'Somebody',
  inviteeEmail: '={{ $json.email }}',
});

/** A workflow of one action for each of these people, and the trigger that starts it by hand. */
async function workflowFor(people: string[], parameters: object, node: Partial<WorkflowNode> = {}) {
  const file = oneAction(n8n, parameters as Record<string, unknown>);
  const [by, action] = file.nodes as [WorkflowNode, WorkflowNode];
  const pinned = {
    ...file,
    nodes: [by, { ...action, ...node }],
    pinData: { [by.name]: people.map((email) => ({ json: { email } })) },
  };
  const { id } = await createWorkflow(n8n.session, pinned);
  return { id, nodes: pinned.nodes, run: () => runWorkflow(n8n.session, id, by.name) };
}

const bookedBy = (emails: string[]) =>
  emails.map((email) => sandbox.bookings().filter(({ invitee_email }) => invitee_email === email).length);

/** Presses Retry of a failed execution, and waits for the new one. */
async function retry(execution: Execution, workflowId: string, loadWorkflow: boolean): Promise<Execution> {
  await n8n.session.post(`/rest/executions/${execution.id}/retry`, { loadWorkflow });
  const latest = await until(async () => {
    const [first] = await listExecutions(n8n.session, workflowId);
    return first !== undefined && first.id !== execution.id && !['new', 'running'].includes(first.status) && first;
  });
  return getExecution(n8n.session, latest.id);
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
      expect(first.error?.description).toContain('Retry does not do them again');
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
  const parameters = { pollTimes: { item: [{ mode: 'everyX', unit: 'hours', value: 23 }] }, events: ['BOOKING_CREATED'] };
  const polling = (name: string, id?: string) => {
    const file = chain('On changes', [{ name, type: n8n.nodes.polling, parameters, credentials: n8n.credentials }, nothing]);
    const [first, ...rest] = file.nodes as [WorkflowNode, ...WorkflowNode[]];
    return { ...file, nodes: [{ ...first, id: id ?? first.id }, ...rest] };
  };
  const given = async (workflow: string) => {
    const runs = await Promise.all((await listExecutions(n8n.session, workflow)).map(({ id }) => getExecution(n8n.session, id)));
    return runs
      .flatMap((run) => ['Before', 'After'].flatMap((name) => run.items(name)))
      .map(({ id }) => String(id))
      .sort();
  };

  it('renamed at once after a poll, then with an older state put back, and cleared: each event is given once', async () => {
    const api = await openApi(n8n);
    const file = polling('Before');
    const { id } = await createWorkflow(n8n.session, file);
    await publish(n8n.session, id);
    const older = await api.get(id);
    const expected: string[] = [];
    const book = () => expected.push(sandbox.host.book().id);
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
    expect(n8n.n8n.log()).toContain('goes on from what this process knows');
    await unpublish(n8n.session, id);
  });
});
