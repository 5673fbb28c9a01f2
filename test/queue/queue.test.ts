import { setTimeout as sleep } from 'node:timers/promises';
import type { Member } from '../../tools/rigs/queue/cluster.ts';
import { openConnectedCluster, type ConnectedCluster } from '../../tools/rigs/queue/connected.ts';
import { allExecutions, countExecutions, executionsEnded, executionsOn } from '../../tools/rigs/queue/executed.ts';
import { measureOurs } from '../../tools/rigs/queue/measure.ts';
import { bookEach, exactExample, onEvents, START, whenCalled } from '../../tools/rigs/queue/workflows.ts';
import { runWorkflow, type Execution } from '../../tools/rigs/n8n/executions.ts';
import { createWorkflow, publish, saveWorkflow, unpublish } from '../../tools/rigs/n8n/workflows.ts';
import { startSandbox, type Booking, type Sandbox } from '../../sandbox/service.ts';
import { Bookings, people } from './bookings.ts';
import { keptSecret, send } from './signed.ts';
import { until } from '../support/until.ts';

const HOUR_MS = 60 * 60_000;
/** What a sender tries again on: no answer in time, too many, or a fault of the receiver. A 4xx would end the tries. */
const retryable = ['0', '429', '500', '502', '503', '504'];
/** So long has a worker that was lost been silent when n8n says so; 60 and 30 seconds where nothing is set. */
const reportedAfter = { QUEUE_WORKER_LOCK_DURATION: '20000', QUEUE_WORKER_LOCK_RENEW_TIME: '4000', QUEUE_WORKER_STALLED_INTERVAL: '5000' };
/**
 * The service's 1,000 a minute, counted in windows of six seconds, so that a test sees several of them. Its 10 for subscriptions would make
 * each second test wait for the next minute, because every test publishes.
 */
const limits = { api: 100, hooks: 1_000, windowMs: 6_000 };

// Two busy cores are slow: nothing here is about how long it takes.
jest.setTimeout(400_000);

let sandbox: Sandbox;
let connected: ConnectedCluster;
let bookings: Bookings;

beforeAll(async () => {
  sandbox = await startSandbox({ limits });
  bookings = new Bookings(sandbox);
  connected = await openConnectedCluster(sandbox, { extra: reportedAfter });
}, 20 * 60_000);

afterAll(async () => {
  await connected?.stop();
  await sandbox?.stop();
});

/** A published workflow, which is unpublished when the test is over. */
async function live(file: Parameters<typeof createWorkflow>[1]): Promise<string> {
  const { id } = await createWorkflow(connected.session, file);
  published.push(id);
  await publish(connected.session, id);
  return id;
}
const published: string[] = [];
afterEach(async () => {
  for (const id of published.splice(0)) await unpublish(connected.session, id);
});

async function executions(workflowId: string): Promise<Execution[]> {
  const all: Execution[] = [];
  for await (const execution of allExecutions(connected.cluster, workflowId)) all.push(execution);
  return all;
}

const deliveryIds = (all: Execution[]): unknown[] => all.flatMap((execution) => execution.items(START).map((item) => item['delivery_id']));

/** The deliveries that an execution has succeeded with. One that n8n could not start on a busy machine came again. */
async function executed(workflowId: string): Promise<Set<unknown>> {
  return new Set(deliveryIds((await executions(workflowId)).filter(({ status }) => status === 'success')));
}

async function post(path: string, items: unknown[]): Promise<number> {
  const response = await fetch(connected.cluster.origin + path, {
    method: 'POST',
    body: JSON.stringify({ items }),
    headers: { 'content-type': 'application/json' },
  });
  await response.body?.cancel();
  return response.status;
}

describe('n8n in queue mode, with our package in every process', () => {
  test('executions of one trigger run on several workers, and every webhook processor verifies with the one secret', async () => {
    const id = await live(onEvents(connected, ['BOOKING_CREATED']));
    const made = bookings.make(30);
    await sandbox.settled();
    await executionsEnded(connected.cluster, id, 30);
    const all = await executions(id);
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 'success'));
    expect(new Set(deliveryIds(all))).toEqual(new Set(bookings.deliveriesOf(made).map((delivery) => delivery.id)));

    const ids = new Set(all.map((execution) => execution.id));
    const began = connected.cluster.workers.map((worker) => executionsOn(worker).filter((each) => ids.has(each)).length);
    expect(began.filter((count) => count > 0).length).toBeGreaterThanOrEqual(2);
    expect(began.reduce((sum, count) => sum + count)).toBe(30);
    const enqueued = connected.cluster.processors.map(
      (processor) => [...processor.log().matchAll(/Enqueued execution (\d+) /g)].filter(([, each = '']) => ids.has(each)).length,
    );
    expect(Math.min(...enqueued)).toBeGreaterThan(0);
    expect(enqueued.reduce((sum, count) => sum + count)).toBe(30);
  });

  test('a forged delivery is refused by each webhook processor and starts nothing', async () => {
    const id = await live(onEvents(connected, ['BOOKING_CREATED']));
    const [delivery] = bookings.deliveriesOf(bookings.make(1));
    await sandbox.settled();
    await executionsEnded(connected.cluster, id, 1);
    if (delivery === undefined) throw new Error('Nothing was delivered.');
    const secret = await keptSecret(connected.session, id, START);
    for (const processor of connected.cluster.processors) {
      const address = processor.origin + new URL(delivery.url).pathname;
      const another = { ...delivery, id: `${delivery.id}-again-at-${processor.name}` };
      expect(await send(another, address, undefined)).toBe(401);
      expect(await send(another, address, `sha256=${'a'.repeat(64)}`)).toBe(401);
      expect(await send(another, address, { secret: `${secret}x` })).toBe(401);
      const genuine = await send(delivery, address, { secret });
      expect(genuine).toBe(200);
      expect(await send({ ...delivery, body: delivery.body.replace(/.$/, ' }') }, address, { secret: `${secret}x` })).toBe(401);
    }
    // The genuine one went to the processor that knew it, and once to the one that did not.
    await executionsEnded(connected.cluster, id, 2);
    expect(await countExecutions(connected.cluster, id)).toEqual({ unfinished: 0, finished: 2 });
  });

  test('publish, edit and unpublish leave one, one and no subscription', async () => {
    const before = sandbox.subscriptions().length;
    const file = onEvents(connected, ['BOOKING_CREATED']);
    const { id } = await createWorkflow(connected.session, file);
    await publish(connected.session, id);
    const [first, ...others] = sandbox.subscriptions().slice(before);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ events: ['BOOKING_CREATED'], signed: true });
    expect(first?.url.startsWith(`${connected.cluster.origin}/webhook/`)).toBe(true);

    await saveWorkflow(connected.session, id, {
      nodes: file.nodes.map((node) =>
        node.name === START ? { ...node, parameters: { events: ['BOOKING_CANCELLED', 'BOOKING_DENIED'] } } : node,
      ),
    });
    await publish(connected.session, id);
    const edited = sandbox.subscriptions().slice(before);
    expect(edited.map(({ url, events }) => ({ url, events: [...events].sort() }))).toEqual([
      { url: first?.url, events: ['BOOKING_CANCELLED', 'BOOKING_DENIED'] },
    ]);

    await unpublish(connected.session, id);
    expect(sandbox.subscriptions()).toHaveLength(before);
  });

  test('a delivery that the service sends again starts one execution, because it comes to the processor that remembers it', async () => {
    const id = await live(onEvents(connected, ['BOOKING_CREATED']));
    const made = bookings.make(4);
    await sandbox.settled();
    for (const { id: delivery } of bookings.deliveriesOf(made)) sandbox.host.redeliver(delivery);
    await sandbox.settled();
    await executionsEnded(connected.cluster, id, 4);
    expect(bookings.deliveriesOf(made).map(({ attempts }) => attempts.map(({ status }) => status))).toEqual(made.map(() => [200, 200]));
    expect(await countExecutions(connected.cluster, id)).toEqual({ unfinished: 0, finished: 4 });
  });

  test('the example with a database table handles a delivery exactly once that comes to every processor ten times at once', async () => {
    const file = await exactExample(connected, connected.cluster.postgres.url, 'each-delivery-once');
    const id = await live(file);
    const made = await runWorkflow(connected.session, id, 'Run once, by hand');
    expect(made.status).toBe('success');

    const [delivery] = bookings.deliveriesOf(bookings.make(1), ({ event }) => event === 'BOOKING_CREATED');
    await sandbox.settled();
    if (delivery === undefined) throw new Error('Nothing was delivered.');
    const trigger = 'On every event';
    const secret = await keptSecret(connected.session, id, trigger);
    // As the service does: sent again where the answer is "come again", because the first one was not stored yet.
    const sendUntilTaken = async (to: string): Promise<number> => {
      for (;;) {
        const status = await send(delivery, to, { secret });
        if (status !== 503) return status;
        await sleep(200);
      }
    };
    const repeats = connected.cluster.processors.flatMap(({ origin }) =>
      Array.from({ length: 10 }, () => sendUntilTaken(origin + new URL(delivery.url).pathname)),
    );
    expect(new Set(await Promise.all(repeats))).toEqual(new Set([200]));
    await executionsEnded(connected.cluster, id, 2);

    const started = (await executions(id)).filter((execution) => execution.items(trigger)[0]?.['delivery_id'] === delivery.id);
    // Each processor remembers what it took itself: that is the best effort. The table makes it exact.
    expect(started).toHaveLength(connected.cluster.processors.length);
    expect(started.map(({ status }) => status)).toEqual(started.map(() => 'success'));
    expect(started.flatMap((execution) => execution.items('Your steps')).map((item) => item['delivery_id'])).toEqual([delivery.id]);
    const rows = await connected.cluster.postgres.query(
      'SELECT event, handled_at IS NOT NULL AS handled FROM handled_deliveries WHERE delivery_id = $1',
      [delivery.id],
    );
    expect(rows).toEqual([{ event: 'BOOKING_CREATED', handled: true }]);
  });

  test('the example that starts from both triggers handles each change once, whether it was delivered, found or both', async () => {
    const { id } = await createWorkflow(
      connected.session,
      await exactExample(connected, connected.cluster.postgres.url, 'each-change-once'),
    );
    const handled = async (): Promise<string[]> =>
      (await executions(id)).flatMap((each) => each.items('Your steps')).map((item) => `${String(item['event'])} ${String(item['id'])}`);
    expect((await runWorkflow(connected.session, id, 'Run once, by hand')).status).toBe('success');
    await publish(connected.session, id);
    const [delivered, kept] = bookings.make(2);
    await sandbox.settled();
    await until(async () => (await handled()).filter((each) => each.startsWith('BOOKING_CREATED')).length === 2);
    // Unpublished it has no subscription. What happens now is delivered to nobody.
    await unpublish(connected.session, id);
    sandbox.host.cancel(delivered?.id ?? '');
    const [missed] = bookings.make(1);
    published.push(id);
    await publish(connected.session, id);
    await until(async () => (await executions(id)).some((each) => each.items('When it is found').length > 0));
    await until(async () => (await countExecutions(connected.cluster, id)).unfinished === 0);

    const found = (await executions(id)).flatMap((each) => each.items('When it is found'));
    expect(found.map((item) => `${String(item['event'])} ${String(item['id'])}`)).toEqual(
      expect.arrayContaining([`BOOKING_CREATED ${kept?.id}`, `BOOKING_CREATED ${missed?.id}`, `BOOKING_CANCELLED ${delivered?.id}`]),
    );
    const all = await handled();
    expect(all.filter((each) => each.startsWith('BOOKING')).sort()).toEqual(
      [
        `BOOKING_CREATED ${delivered?.id}`,
        `BOOKING_CREATED ${kept?.id}`,
        `BOOKING_CREATED ${missed?.id}`,
        `BOOKING_CANCELLED ${delivered?.id}`,
      ].sort(),
    );
    expect(new Set(all).size).toBe(all.length);
  });

  test('forty executions on three workers that find the token expired refresh it once', async () => {
    const { file, path } = whenCalled(connected, { resource: 'user', operation: 'getCurrent' });
    const id = await live(file);
    await sandbox.clock.advance(2 * HOUR_MS);
    sandbox.forgetRequests();
    const statuses = await Promise.all(Array.from({ length: 40 }, (_, index) => post(path, [{ index }])));
    expect(new Set(statuses)).toEqual(new Set([200]));
    await executionsEnded(connected.cluster, id, 40);

    const all = await executions(id);
    expect(all.map(({ status, error }) => error?.message ?? status)).toEqual(all.map(() => 'success'));
    expect(all).toHaveLength(40);
    const ids = new Set(all.map((execution) => execution.id));
    expect(connected.cluster.workers.filter((worker) => executionsOn(worker).some((each) => ids.has(each)))).toHaveLength(3);
    const asked = sandbox.requests();
    expect(asked.filter(({ path: asks }) => asks === '/api/oauth/token').map(({ status }) => status)).toEqual([200]);
    const answered = asked.filter(({ path: asks, status }) => asks === '/v1/me' && status === 200).length;
    // One for each execution. Whoever found the token expired may have renewed by a harmless request, usually one for each worker: how many
    // find it expired is a matter of their speed.
    expect(answered).toBeGreaterThanOrEqual(40);
    expect(answered).toBeLessThanOrEqual(80);
  });

  test('workers that know nothing of each other share the limit and lose no item', async () => {
    const { file, path } = whenCalled(connected, bookEach(bookings.simpleType));
    const id = await live(file);
    sandbox.forgetRequests();
    // However slow this machine is: the limit is met.
    sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', status: 429, headers: { 'retry-after': '1' }, times: 5, after: 40 });
    const runs = ['first', 'second', 'third'];
    for (const [index, run] of runs.entries()) await post(path, people(90, run, 2040 + index));
    await executionsEnded(connected.cluster, id, 3);

    const all = await executions(id);
    expect(all.map(({ status, error }) => error?.message ?? status)).toEqual(['success', 'success', 'success']);
    const ids = new Set(all.map((execution) => execution.id));
    expect(connected.cluster.workers.filter((worker) => executionsOn(worker).some((each) => ids.has(each))).length).toBeGreaterThanOrEqual(
      2,
    );
    for (const run of runs)
      expect(
        bookings
          .of(run)
          .map(({ invitee_email }) => invitee_email)
          .sort(),
      ).toEqual(
        people(90, run, 0)
          .map(({ email }) => email)
          .sort(),
      );
    const answered = sandbox.requests().filter(({ path: asks }) => asks === '/v1/bookings');
    expect(answered.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect(answered.filter(({ status }) => status !== 429)).toHaveLength(270);
  });

  test('a main process that is restarted during deliveries loses none that was acknowledged', async () => {
    const id = await live(onEvents(connected, ['BOOKING_CREATED']));
    const made: Booking[] = [];
    const { main } = connected.cluster;
    const restart = { over: false };
    const restarted = main
      .stop()
      .then(() => main.start())
      .then(() => (restart.over = true));
    // Forty quickly, then one a second for as long as the restart takes.
    while (!restart.over || made.length < 40) {
      made.push(...bookings.make(1));
      await sleep(made.length < 40 ? 200 : 1_000);
    }
    await restarted;
    await until(() => bookings.deliveriesOf(made).every(({ status }) => status === 'delivered'));
    const acknowledged = bookings.deliveriesOf(made).map((delivery) => delivery.id);
    expect(acknowledged).toHaveLength(made.length);
    await executionsEnded(connected.cluster, id, acknowledged.length);
    expect(await executed(id)).toEqual(new Set(acknowledged));
  });

  test('of the deliveries that arrive while a webhook processor is killed each is executed; what that one broke off comes again and goes to the other', async () => {
    const id = await live(onEvents(connected, ['BOOKING_CREATED']));
    const [killed, other] = connected.cluster.processors;
    if (killed === undefined || other === undefined) throw new Error('There are not two webhook processors.');
    const enqueuedBy = (processor: Member): number => [...processor.log().matchAll(/Enqueued execution /g)].length;
    const before = { killed: enqueuedBy(killed), other: enqueuedBy(other) };
    const made = bookings.make(30);
    await until(() => enqueuedBy(killed) > before.killed + 2);
    await killed.kill();
    const takenBefore = enqueuedBy(other);
    made.push(...bookings.make(20));
    await until(() => bookings.deliveriesOf(made).every(({ status }) => status === 'delivered'));

    const deliveries = bookings.deliveriesOf(made);
    const refused = deliveries
      .flatMap(({ attempts }) => attempts.map(({ status }) => String(status ?? 0)))
      .filter((status) => status !== '200');
    expect(refused.filter((status) => !retryable.includes(status))).toEqual([]);
    expect(enqueuedBy(other) - takenBefore).toBeGreaterThanOrEqual(20);
    await until(async () => (await executed(id)).size === deliveries.length);
    expect(await executed(id)).toEqual(new Set(deliveries.map((delivery) => delivery.id)));
    await killed.start();
  });

  test('of two hundred deliveries as fast as they are taken each is executed, or was refused with a status that the sender tries again on', async () => {
    const ours = await measureOurs(sandbox, connected.cluster, connected, 200);
    expect(ours).toMatchObject({ sent: 200, accepted: 200, executed: 200, lost: 0 });
    expect(Object.keys(ours.refused).filter((status) => !retryable.includes(status))).toEqual([]);
  });

  test('a worker that is killed in the middle of a bulk create books nothing twice: n8n ends the execution as failed or crashed and runs it nowhere again', async () => {
    const { file, path } = whenCalled(connected, bookEach(bookings.simpleType));
    const id = await live(file);
    sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'delay', delayMs: 60_000, times: 'always', after: 12 });
    await post(path, people(80, 'killed', 2050));
    await until(() => bookings.of('killed').length >= 12);
    const [running] = (await connected.cluster.postgres.query('SELECT id::text FROM execution_entity WHERE "workflowId" = $1', [id])) as {
      id: string;
    }[];
    const worker = connected.cluster.workers.find((each) => executionsOn(each).includes(running?.id ?? ''));
    if (worker === undefined) throw new Error('No worker runs the bulk create.');
    await worker.kill();
    sandbox.faults.clear();
    // What was on its way is still carried out.
    await sandbox.clock.advance(60_000);
    const restarted = worker.start();
    await executionsEnded(connected.cluster, id, 1);
    await restarted;

    const [execution, ...others] = await executions(id);
    expect(others).toEqual([]);
    // The queue gives the stalled job up, or n8n's recovery finds the execution dead: whichever comes first.
    expect(['error', 'crashed']).toContain(execution?.status);
    if (execution?.status === 'error') expect(execution.error?.message).toContain('failed to be processed too many times');
    const booked = bookings.of('killed').map(({ invitee_email }) => invitee_email);
    expect(booked.length).toBeGreaterThanOrEqual(12);
    expect(booked.length).toBeLessThan(80);
    expect(new Set(booked).size).toBe(booked.length);

    // What "Retry" in n8n's list of executions does: the items went with the worker, so there is nothing to book.
    await connected.session.post(`/rest/executions/${execution?.id}/retry`, { loadWorkflow: true });
    await executionsEnded(connected.cluster, id, 2);
    expect(bookings.of('killed')).toHaveLength(booked.length);
  });
});
