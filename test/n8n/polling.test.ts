import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fill } from '../../bench/stage.ts';
import { startSandbox, type Sandbox } from '../../sandbox/service.ts';
import { openConnectedN8n, ourPackage, type ConnectedN8n } from '../../tools/rigs/n8n/connected.ts';
import { awaitExecution, getExecution, listExecutions, runWorkflow } from '../../tools/rigs/n8n/executions.ts';
import { startN8n } from '../../tools/rigs/n8n/instance.ts';
import { createWorkflow, getWorkflow, publish, unpublish } from '../../tools/rigs/n8n/workflows.ts';
import { eventRows } from '../../shared/events.ts';
import { chance } from '../soak/random.ts';
import { changesBetween, Happenings, sightOf } from '../soak/happenings.ts';
import { until } from '../support/until.ts';

const minutes = 60_000;
jest.setTimeout(25 * minutes);

/** n8n takes up what a killed process was publishing after this time; after two minutes if nothing is set. */
const extra = { N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '10', N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000' };

let folder: string;
let sandbox: Sandbox;
let n8n: ConnectedN8n;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'polling-'));
  const file = join(folder, 'sandbox.sqlite');
  fill(file, 300);
  sandbox = await startSandbox({ file, limits: false, forms: { slots: 'shared' } });
  n8n = await openConnectedN8n(sandbox, { folder: join(folder, 'n8n'), lean: true, extra });
});
afterAll(async () => {
  await n8n?.stop();
  await sandbox?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});
beforeEach(() => sandbox.faults.clear());

const allEvents = eventRows.map(({ name }) => name);
const pollingTrigger = 'On changes';

/** A new workflow that starts on changes. n8n polls when it publishes it, and after that too rarely to affect a test. */
async function made(events = allEvents): Promise<string> {
  const parameters = { pollTimes: { item: [{ mode: 'everyX', unit: 'hours', value: 23 }] }, events };
  const node = { typeVersion: 1, position: [0, 0] as [number, number], credentials: n8n.credentials };
  const { id } = await createWorkflow(n8n.session, {
    name: 'On changes',
    nodes: [
      { ...node, id: randomUUID(), name: pollingTrigger, type: n8n.nodes.polling, parameters },
      { ...node, id: randomUUID(), name: 'Then', type: 'n8n-nodes-base.noOp', parameters: {} },
    ],
    connections: { [pollingTrigger]: { main: [[{ node: 'Then', type: 'main', index: 0 }]] } },
  });
  return id;
}

/** All changes that a workflow was given, each as `EVENT id`, sorted. Waits until none of its executions is running. */
async function givenTo(id: string): Promise<string[]> {
  const ended = await until(async () => {
    const all = await listExecutions(n8n.session, id);
    return all.every(({ status }) => !['new', 'running', 'waiting'].includes(status)) && all;
  });
  const runs = await Promise.all(ended.map((each) => getExecution(n8n.session, each.id)));
  const items = runs.flatMap((run) => run.items(pollingTrigger));
  return items.map(({ event, id: record }) => `${String(event)} ${String(record)}`).sort();
}

/** The same n8n, started again with its data. */
const restart = async (): Promise<void> => {
  const again = await startN8n({
    folder: n8n.n8n.folder,
    port: Number(new URL(n8n.n8n.origin).port),
    unpublished: await ourPackage(),
    lean: true,
    extra,
  });
  n8n = { ...n8n, n8n: again, stop: () => again.stop() };
};
const listCalls = (): number => sandbox.requests().filter(({ path }) => /\/(bookings|contacts)$/.test(path)).length;

it('fetching a test event gives a recent record of each chosen event, and leaves the state alone', async () => {
  const id = await made(['BOOKING_CANCELLED', 'CONTACT_UPDATED']);
  const run = await runWorkflow(n8n.session, id, pollingTrigger);
  expect(run.error).toBeUndefined();
  expect(run.items(pollingTrigger)).toEqual([
    expect.objectContaining({ event: 'BOOKING_CANCELLED', status: 'CANCELLED' }),
    expect.objectContaining({ event: 'CONTACT_UPDATED', email: expect.any(String) as unknown }),
  ]);
  expect((await getWorkflow(n8n.session, id))['staticData'] ?? undefined).toBeUndefined();
});

it('n8n is killed in the middle of a poll and down while 200 things happen: afterwards each change is given once', async () => {
  const id = await made();
  await publish(n8n.session, id);
  const before = sightOf(sandbox);
  const happenings = new Happenings(sandbox, chance(17));
  happenings.happen(20, true);
  await unpublish(n8n.session, id);
  sandbox.forgetRequests();
  sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'delay', delayMs: 600_000, after: 1 });
  const publishing = publish(n8n.session, id).catch(() => undefined);
  await until(() => listCalls() > 1);
  await n8n.n8n.kill();
  await publishing;
  sandbox.faults.clear();
  happenings.happen(180, true);
  const expected = changesBetween(before, sightOf(sandbox), sandbox.eventTypes());
  expect(expected.length).toBeGreaterThan(150);

  // n8n polls when it starts.
  await restart();
  await awaitExecution(n8n.session, id);
  expect(await givenTo(id)).toEqual(expected);
  await unpublish(n8n.session, id);
});
