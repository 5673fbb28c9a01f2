import { setTimeout as sleep } from 'node:timers/promises';
import type { Member } from '../../tools/rigs/queue/cluster.ts';
import { bookEach, executionsEnded, executionsOn, onEvents, whenCalled } from '../../tools/rigs/queue/workflows.ts';
import type { Booking } from '../../sandbox/service.ts';
import { QueueStage, people } from './stage.ts';
import { until } from '../support/until.ts';

/** What a sender tries again on: no answer in time, too many, or a fault of the receiver. A 4xx would end the tries. */
const isRetried = (status: number | null): boolean => [null, 429, 500, 502, 503, 504].includes(status);
/** So long has a worker that was lost been silent when n8n says so; 60 and 30 seconds where nothing is set. */
const reportedAfter = { QUEUE_WORKER_LOCK_DURATION: '20000', QUEUE_WORKER_LOCK_RENEW_TIME: '4000', QUEUE_WORKER_STALLED_INTERVAL: '5000' };

// Two busy cores are slow: nothing here is about how long it takes.
jest.setTimeout(400_000);

let stage: QueueStage;
beforeAll(async () => {
  stage = await QueueStage.open({}, { extra: reportedAfter, workers: 2 });
}, 20 * 60_000);
afterAll(() => stage?.close());
afterEach(() => stage.unpublish());

describe('n8n in queue mode, where processes end and deliveries come fast', () => {
  test('a main process that is restarted during deliveries loses none that was acknowledged', async () => {
    const id = await stage.live(onEvents(stage.connected, ['BOOKING_CREATED']));
    const made: Booking[] = [];
    const { main } = stage.connected.cluster;
    const restart = { over: false };
    const restarted = main
      .stop()
      .then(() => main.start())
      .then(() => (restart.over = true));
    // Forty quickly, then one a second for as long as the restart takes.
    while (!restart.over || made.length < 40) {
      made.push(...stage.bookings.make(1));
      await sleep(made.length < 40 ? 200 : 1_000);
    }
    await restarted;
    await until(() => stage.bookings.deliveriesOf(made).every(({ status }) => status === 'delivered'));
    const acknowledged = stage.bookings.deliveriesOf(made).map((delivery) => delivery.id);
    expect(acknowledged).toHaveLength(made.length);
    await executionsEnded(stage.connected.cluster, id, acknowledged.length);
    expect(await stage.executed(id)).toEqual(new Set(acknowledged));
  });

  test('of the deliveries that arrive while a webhook processor is killed each is executed; what that one broke off comes again and goes to the other', async () => {
    const id = await stage.live(onEvents(stage.connected, ['BOOKING_CREATED']));
    const [killed, other] = stage.connected.cluster.processors;
    if (killed === undefined || other === undefined) throw new Error('There are not two webhook processors.');
    const enqueuedBy = (processor: Member): number => [...processor.log().matchAll(/Enqueued execution /g)].length;
    const before = { killed: enqueuedBy(killed), other: enqueuedBy(other) };
    const made = stage.bookings.make(30);
    await until(() => enqueuedBy(killed) > before.killed + 2);
    await killed.kill();
    const takenBefore = enqueuedBy(other);
    made.push(...stage.bookings.make(20));
    await until(() => stage.bookings.deliveriesOf(made).every(({ status }) => status === 'delivered'));

    const deliveries = stage.bookings.deliveriesOf(made);
    expect(deliveries.flatMap(({ attempts }) => attempts).filter(({ status }) => status !== 200 && !isRetried(status))).toEqual([]);
    expect(enqueuedBy(other) - takenBefore).toBeGreaterThanOrEqual(20);
    await until(async () => (await stage.executed(id)).size === deliveries.length);
    expect(await stage.executed(id)).toEqual(new Set(deliveries.map((delivery) => delivery.id)));
    await killed.start();
  });

  test('a worker that is killed in the middle of a bulk create books nothing twice: n8n ends the execution as failed or crashed and runs it nowhere again', async () => {
    const { file, path } = whenCalled(stage.connected, bookEach(stage.bookings.simpleType));
    const id = await stage.live(file);
    stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'delay', delayMs: 60_000, times: 'always', after: 12 });
    await stage.post(path, people(80, 'killed', 2050));
    await until(() => stage.bookings.of('killed').length >= 12);
    const [running] = (await stage.connected.cluster.postgres.query('SELECT id::text FROM execution_entity WHERE "workflowId" = $1', [
      id,
    ])) as {
      id: string;
    }[];
    const worker = stage.connected.cluster.workers.find((each) => executionsOn(each).includes(running?.id ?? ''));
    if (worker === undefined) throw new Error('No worker runs the bulk create.');
    await worker.kill();
    stage.sandbox.faults.clear();
    // What was on its way is still carried out.
    await stage.sandbox.clock.advance(60_000);
    const restarted = worker.start();
    await executionsEnded(stage.connected.cluster, id, 1);
    await restarted;

    const [execution, ...others] = await stage.executions(id);
    expect(others).toEqual([]);
    // The queue gives the stalled job up, or n8n's recovery finds the execution dead: whichever comes first.
    expect(['error', 'crashed']).toContain(execution?.status);
    if (execution?.status === 'error') expect(execution.error?.message).toContain('failed to be processed too many times');
    const booked = stage.bookings.of('killed').map(({ invitee_email }) => invitee_email);
    expect(booked.length).toBeGreaterThanOrEqual(12);
    expect(booked.length).toBeLessThan(80);
    expect(new Set(booked).size).toBe(booked.length);

    // What "Retry" in n8n's list of executions does: the items went with the worker, so there is nothing to book.
    await stage.connected.session.post(`/rest/executions/${execution?.id}/retry`, { loadWorkflow: true });
    await executionsEnded(stage.connected.cluster, id, 2);
    expect(stage.bookings.of('killed')).toHaveLength(booked.length);
  });
});
