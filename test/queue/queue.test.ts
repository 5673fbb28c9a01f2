import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/v4';
import { startSandbox, type Booking, type Delivery, type Sandbox } from '../../sandbox/service.ts';
import { brand } from '../../shared/brand.ts';
import { sign } from '../../shared/webhooks/signature.ts';
import { createCredential } from '../../tools/rigs/n8n/session.ts';
import { readStored, runWorkflow, type Execution } from '../../tools/rigs/n8n/executions.ts';
import {
  chain,
  createWorkflow,
  getWorkflow,
  onEvents,
  publish,
  START,
  unpublish,
  type WorkflowFile,
} from '../../tools/rigs/n8n/workflows.ts';
import { openConnectedCluster, type ConnectedCluster, type Member } from '../../tools/rigs/queue/cluster.ts';
import { root } from '../../tools/root.cjs';
import { bookable } from '../../tools/start/roundTrip.ts';
import { until } from '../support/until.ts';

const HOUR_MS = 60 * 60_000;
/** So long has a worker that was lost been silent when n8n says so; 60 and 30 seconds where nothing is set. */
const reportedAfter = { QUEUE_WORKER_LOCK_DURATION: '20000', QUEUE_WORKER_LOCK_RENEW_TIME: '4000', QUEUE_WORKER_STALLED_INTERVAL: '5000' };
/** What a sender tries again on: no answer in time, too many, or a fault of the receiver. A 4xx would end the tries. */
const retried: readonly (number | null)[] = [null, 429, 500, 502, 503, 504];

// Two busy cores are slow: nothing here is about how long it takes.
jest.setTimeout(400_000);

let sandbox: Sandbox;
let connected: ConnectedCluster;
const published: string[] = [];

beforeAll(async () => {
  // Every test publishes: with the service's 10 subscription requests a minute, some would have to wait for the next minute.
  sandbox = await startSandbox({ limits: { hooks: 1_000 } });
  connected = await openConnectedCluster(sandbox, { extra: reportedAfter, workers: 2 });
}, 20 * 60_000);
afterAll(async () => {
  await connected?.stop();
  await sandbox?.stop();
});
afterEach(async () => {
  for (const id of published.splice(0)) await unpublish(connected.session, id);
});

/** Publishes a workflow until the end of the test. */
async function live(file: WorkflowFile): Promise<string> {
  const { id } = await createWorkflow(connected.session, file);
  published.push(id);
  await publish(connected.session, id);
  return id;
}

/** A workflow whose own webhook runs our node once for each of `body.items`, on any free worker. */
function whenCalled(parameters: Record<string, unknown>): { file: WorkflowFile; call: (items: unknown[]) => Promise<number> } {
  const path = randomUUID();
  const file = chain('When called', [
    { name: START, type: 'n8n-nodes-base.webhook', typeVersion: 2, parameters: { httpMethod: 'POST', path }, webhookId: path },
    { name: 'Each', type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters: { fieldToSplitOut: 'body.items', options: {} } },
    { name: 'Action', type: connected.nodes.action, typeVersion: 1, parameters, credentials: connected.credentials },
  ]);
  const call = async (items: unknown[]): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ items });
    const response = await fetch(`${connected.cluster.origin}/webhook/${path}`, { method: 'POST', headers, body });
    await response.body?.cancel();
    return response.status;
  };
  return { file, call };
}

/** One of the examples that handle everything exactly once, with a database credential added. */
async function exactExample(example: 'each-delivery-once' | 'each-change-once'): Promise<WorkflowFile> {
  const { session, nodes, credentials, cluster } = connected;
  const { hostname: host, port, username: user, password } = new URL(cluster.postgres.url);
  const data = { host, port: Number(port), user, password, database: 'postgres', ssl: 'disable', sshTunnel: false };
  const { id, name } = await createCredential(session, { name: 'PostgreSQL', type: 'postgres', data });
  const file = JSON.parse(await readFile(join(root, 'n8n', 'examples', `${example}.json`), 'utf8')) as WorkflowFile;
  const chosen = (type: string): object => {
    if ([nodes.trigger, nodes.polling].includes(type)) return { credentials };
    return type === 'n8n-nodes-base.postgres' ? { credentials: { postgres: { id, name } } } : {};
  };
  return { ...file, nodes: file.nodes.map((node) => ({ ...node, ...chosen(node.type) })) };
}

const Rows = z.array(z.looseObject({ id: z.coerce.string(), status: z.string() }));

/** Every execution of a workflow, oldest first: the REST interface returns only a hundred. */
async function executionsOf(workflowId: string): Promise<Execution[]> {
  const sql = `SELECT e.id, e.status, e.mode, d.data FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id WHERE e."workflowId" = $1 ORDER BY e.id`;
  return Rows.parse(await connected.cluster.postgres.query(sql, [workflowId])).map(readStored);
}

/** Waits until this many executions of a workflow have ended and none is under way. */
async function executionsEnded(workflowId: string, expected: number): Promise<Execution[]> {
  await until(async () => {
    const sql = 'SELECT id, status FROM execution_entity WHERE "workflowId" = $1';
    const all = Rows.parse(await connected.cluster.postgres.query(sql, [workflowId]));
    return all.length >= expected && all.every(({ status }) => !['new', 'running', 'waiting'].includes(status));
  });
  return executionsOf(workflowId);
}

const deliveryIds = (all: Execution[]): unknown[] => all.flatMap((each) => each.items(START).map((item) => item['delivery_id']));
/** The deliveries that an execution has succeeded with. One that n8n could not start on a busy machine came again. */
const executed = async (workflowId: string): Promise<Set<unknown>> =>
  new Set(deliveryIds((await executionsOf(workflowId)).filter(({ status }) => status === 'success')));

/** The ids of the executions that a process has begun or put into the queue, from its log. */
const begunBy = (worker: Member): string[] => [...worker.log().matchAll(/Worker started execution (\d+) /g)].map(([, id = '']) => id);
const enqueuedBy = (processor: Member): string[] => [...processor.log().matchAll(/Enqueued execution (\d+) /g)].map(([, id = '']) => id);

let hours = 0;
/** Somebody books on the service's own page; each time another hour of one far year. */
const book = (count: number): Booking[] =>
  Array.from({ length: count }, () =>
    sandbox.host.book({
      event_type_id: bookable(sandbox).id,
      start_time: new Date(Date.UTC(2062, 0, 1) + (hours += 1) * HOUR_MS).toISOString(),
    }),
  );
const deliveriesOf = (made: Booking[]): Delivery[] =>
  sandbox.deliveries().filter(({ body, event }) => event === 'BOOKING_CREATED' && made.some(({ id }) => body.includes(id)));
const areDelivered = (made: Booking[]) => until(() => deliveriesOf(made).every(({ status }) => status === 'delivered'));

describe('n8n in queue mode, with our package in every process', () => {
  test('executions of one trigger run on every worker, every webhook processor verifies with the one secret, and what is sent again starts nothing', async () => {
    const id = await live(onEvents(connected, { events: ['BOOKING_CREATED'], simplify: false }));
    const made = book(30);
    await sandbox.settled();
    const repeated = deliveriesOf(made.slice(0, 4));
    for (const delivery of repeated) sandbox.host.redeliver(delivery.id);
    await sandbox.settled();
    expect(deliveriesOf(made.slice(0, 4)).map(({ attempts }) => attempts.map(({ status }) => status))).toEqual(
      repeated.map(() => [200, 200]),
    );
    const all = await executionsEnded(id, 30);
    expect(all.map(({ status }) => status)).toEqual(made.map(() => 'success'));
    expect(new Set(deliveryIds(all))).toEqual(new Set(deliveriesOf(made).map((delivery) => delivery.id)));

    const ids = new Set(all.map((execution) => execution.id));
    for (const [members, done] of [
      [connected.cluster.workers, begunBy],
      [connected.cluster.processors, enqueuedBy],
    ] as const) {
      const shares = members.map((member) => done(member).filter((each) => ids.has(each)).length);
      expect(Math.min(...shares)).toBeGreaterThan(0);
      expect(shares.reduce((sum, count) => sum + count)).toBe(30);
    }
  });

  test('the example with a database table handles a delivery exactly once that comes to every processor ten times at once', async () => {
    const { cluster, session } = connected;
    const trigger = 'On every event';
    const id = await live(await exactExample('each-delivery-once'));
    expect((await runWorkflow(session, id, 'Run once')).status).toBe('success');

    const made = book(1);
    await sandbox.settled();
    const [{ body, event, url, created_at: at, id: deliveryId }] = deliveriesOf(made) as [Delivery];
    // The secret that the published trigger keeps in n8n's database.
    const [, secret = ''] = /"signing_secret":"([^"]+)"/.exec(JSON.stringify(await getWorkflow(session, id))) ?? [];
    const own = { Event: event, 'Delivery-ID': deliveryId, Timestamp: at, Signature: sign(body, secret) };
    const headers = Object.fromEntries(Object.entries(own).map(([name, value]) => [`${brand.headerPrefix}-${name}`, value]));
    // As the service does: sent again where the answer is "come again", because the first one was not stored yet.
    const sendUntilTaken = async (to: string): Promise<number> => {
      for (;;) {
        const { status } = await fetch(to, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
        if (status !== 503) return status;
        await sleep(200);
      }
    };
    const repeats = cluster.processors.flatMap(({ origin }) =>
      Array.from({ length: 10 }, () => sendUntilTaken(origin + new URL(url).pathname)),
    );
    expect(new Set(await Promise.all(repeats))).toEqual(new Set([200]));

    const started = (await executionsEnded(id, 2)).filter((execution) => execution.items(trigger)[0]?.['delivery_id'] === deliveryId);
    // Each processor remembers what it took itself: that is the best effort. The table makes it exact.
    expect(started.map(({ status }) => status)).toEqual(cluster.processors.map(() => 'success'));
    expect(started.flatMap((execution) => execution.items('Your steps')).map((item) => item['delivery_id'])).toEqual([deliveryId]);
    const sql = 'SELECT event, handled_at IS NOT NULL AS handled FROM handled_deliveries WHERE delivery_id = $1';
    expect(await cluster.postgres.query(sql, [deliveryId])).toEqual([{ event: 'BOOKING_CREATED', handled: true }]);
  });

  test('the example that starts from both triggers handles each change once, whether it was delivered, found or both', async () => {
    const { session } = connected;
    const { id } = await createWorkflow(session, await exactExample('each-change-once'));
    const itemsOf = async (node: string): Promise<string[]> =>
      (await executionsOf(id)).flatMap((each) => each.items(node)).map((item) => `${String(item['event'])} ${String(item['id'])}`);
    const handled = () => itemsOf('Your steps');
    expect((await runWorkflow(session, id, 'Run once')).status).toBe('success');
    await publish(session, id);
    const [delivered, kept] = book(2);
    await until(async () => (await handled()).filter((each) => each.startsWith('BOOKING_CREATED')).length === 2);
    // Unpublished it has no subscription. What happens now is delivered to nobody.
    await unpublish(session, id);
    sandbox.host.cancel(delivered?.id ?? '');
    const [missed] = book(1);
    published.push(id);
    await publish(session, id);
    const found = () => itemsOf('When it is found');
    await until(async () => (await found()).length > 0);
    await executionsEnded(id, 1);

    const created = [delivered, kept, missed].map((booking) => `BOOKING_CREATED ${booking?.id}`);
    const cancelled = `BOOKING_CANCELLED ${delivered?.id}`;
    expect(await found()).toEqual(expect.arrayContaining([...created.slice(1), cancelled]));
    const all = await handled();
    expect(all.filter((each) => each.startsWith('BOOKING')).sort()).toEqual([...created, cancelled].sort());
    expect(new Set(all).size).toBe(all.length);
  });

  test('forty executions on several workers that find the token expired refresh it once', async () => {
    const { file, call } = whenCalled({ resource: 'user', operation: 'getCurrent' });
    const id = await live(file);
    await sandbox.clock.advance(2 * HOUR_MS);
    sandbox.forgetRequests();
    const statuses = await Promise.all(Array.from({ length: 40 }, (_, index) => call([{ index }])));
    expect(new Set(statuses)).toEqual(new Set([200]));
    const all = await executionsEnded(id, 40);
    expect(all.map(({ status, error }) => error?.message ?? status)).toEqual(statuses.map(() => 'success'));
    for (const worker of connected.cluster.workers) expect(begunBy(worker).some((each) => all.some((run) => run.id === each))).toBe(true);
    const answeredAt = (wanted: string) => sandbox.requests().flatMap(({ path, status }) => (path === wanted ? [status] : []));
    expect(answeredAt('/api/oauth/token')).toEqual([200]);
    // One for each execution. Whoever found the token expired may have renewed by a harmless request, usually one for each worker.
    const answered = answeredAt('/v1/me').filter((status) => status === 200).length;
    expect(answered).toBeGreaterThanOrEqual(40);
    expect(answered).toBeLessThanOrEqual(80);
  });
});

describe('n8n in queue mode, where processes end and deliveries come fast', () => {
  test('a main process that is restarted during deliveries loses none that was acknowledged', async () => {
    const id = await live(onEvents(connected, { events: ['BOOKING_CREATED'], simplify: false }));
    const made: Booking[] = [];
    const { main } = connected.cluster;
    let isOver = false;
    const restarted = main
      .stop()
      .then(() => main.start())
      .then(() => (isOver = true));
    // Forty quickly, then one a second for as long as the restart takes.
    while (!isOver || made.length < 40) {
      made.push(...book(1));
      await sleep(made.length < 40 ? 200 : 1_000);
    }
    await restarted;
    await areDelivered(made);
    await executionsEnded(id, made.length);
    expect(await executed(id)).toEqual(new Set(deliveriesOf(made).map((delivery) => delivery.id)));
  });

  test('a worker that is killed in the middle of a bulk create books nothing twice: n8n ends the execution as failed or crashed and runs it nowhere again', async () => {
    const { file, call } = whenCalled({
      resource: 'booking',
      operation: 'create',
      eventTypeId: { __rl: true, mode: 'id', value: bookable(sandbox).id },
      startTime: '={{ $json.start }}',
      inviteeName: '={{ $json.name }}',
      inviteeEmail: '={{ $json.name }}@example.com',
      questionResponsesMode: 'json',
    });
    const id = await live(file);
    const booked = (): string[] => sandbox.bookings().flatMap(({ invitee_name: name }) => (name.startsWith('killed') ? [name] : []));
    sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'delay', delayMs: 60_000, times: 'always', after: 12 });
    await call(
      Array.from({ length: 80 }, (_, index) => ({
        name: `killed.${index}`,
        start: new Date(Date.UTC(2050, 0, 1) + index * HOUR_MS).toISOString(),
      })),
    );
    await until(() => booked().length >= 12);
    const { workers, postgres } = connected.cluster;
    const [running] = Rows.parse(await postgres.query('SELECT id, status FROM execution_entity WHERE "workflowId" = $1', [id]));
    const worker = workers.find((each) => begunBy(each).includes(running?.id ?? ''));
    if (worker === undefined) throw new Error('No worker runs the bulk create.');
    await worker.kill();
    sandbox.faults.clear();
    // What was on its way is still carried out.
    await sandbox.clock.advance(60_000);
    const [execution, ...others] = await executionsEnded(id, 1);

    expect(others).toEqual([]);
    // The queue gives the stalled job up, or n8n's recovery finds the execution dead: whichever comes first.
    expect(['error', 'crashed']).toContain(execution?.status);
    if (execution?.status === 'error') expect(execution.error?.message).toContain('failed to be processed too many times');
    const made = booked();
    expect(made.length).toBeGreaterThanOrEqual(12);
    expect(made.length).toBeLessThan(80);
    expect(new Set(made).size).toBe(made.length);

    // What "Retry" in n8n's list of executions does: the items went with the worker, so there is nothing to book.
    await connected.session.post(`/rest/executions/${execution?.id}/retry`, { loadWorkflow: true });
    await executionsEnded(id, 2);
    expect(booked()).toHaveLength(made.length);
  });

  // The last: the processor stays dead.
  test('of the deliveries that arrive while a webhook processor is killed each is executed; what that one broke off comes again and goes to the other', async () => {
    const id = await live(onEvents(connected, { events: ['BOOKING_CREATED'], simplify: false }));
    const [killed, other] = connected.cluster.processors as [Member, Member];
    const before = enqueuedBy(killed).length;
    const made = book(30);
    await until(() => enqueuedBy(killed).length > before + 2);
    await killed.kill();
    const takenBefore = enqueuedBy(other).length;
    made.push(...book(20));
    await areDelivered(made);

    const deliveries = deliveriesOf(made);
    const odd = deliveries.flatMap(({ attempts }) => attempts).filter(({ status }) => status !== 200 && !retried.includes(status));
    expect(odd).toEqual([]);
    expect(enqueuedBy(other).length - takenBefore).toBeGreaterThanOrEqual(20);
    await until(async () => (await executed(id)).size === deliveries.length);
    expect(await executed(id)).toEqual(new Set(deliveries.map((delivery) => delivery.id)));
  });
});
