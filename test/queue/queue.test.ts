import { setTimeout as sleep } from 'node:timers/promises';
import {
  bookEach,
  countExecutions,
  exactExample,
  executionsEnded,
  executionsOn,
  onEvents,
  whenCalled,
} from '../../tools/rigs/queue/workflows.ts';
import { runWorkflow } from '../../tools/rigs/n8n/executions.ts';
import { createWorkflow, publish, unpublish } from '../../tools/rigs/n8n/workflows.ts';
import { QueueStage, deliveryIds, keptSecret, people, send } from './stage.ts';
import { until } from '../support/until.ts';

const HOUR_MS = 60 * 60_000;
/** The service's 1,000 a minute, counted in windows of six seconds, so that a test sees several of them. */
const limits = { api: 100, windowMs: 6_000 };

// Two busy cores are slow: nothing here is about how long it takes.
jest.setTimeout(400_000);

let stage: QueueStage;
beforeAll(async () => {
  stage = await QueueStage.open(limits);
}, 20 * 60_000);
afterAll(() => stage?.close());
afterEach(() => stage.unpublish());

describe('n8n in queue mode, with our package in every process', () => {
  test('executions of one trigger run on several workers, and every webhook processor verifies with the one secret', async () => {
    const id = await stage.live(onEvents(stage.connected, ['BOOKING_CREATED']));
    const made = stage.bookings.make(30);
    await stage.sandbox.settled();
    await executionsEnded(stage.connected.cluster, id, 30);
    const all = await stage.executions(id);
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 'success'));
    expect(new Set(deliveryIds(all))).toEqual(new Set(stage.bookings.deliveriesOf(made).map((delivery) => delivery.id)));

    const ids = new Set(all.map((execution) => execution.id));
    const began = stage.connected.cluster.workers.map((worker) => executionsOn(worker).filter((each) => ids.has(each)).length);
    expect(began.filter((count) => count > 0).length).toBeGreaterThanOrEqual(2);
    expect(began.reduce((sum, count) => sum + count)).toBe(30);
    const enqueued = stage.connected.cluster.processors.map(
      (processor) => [...processor.log().matchAll(/Enqueued execution (\d+) /g)].filter(([, each = '']) => ids.has(each)).length,
    );
    expect(Math.min(...enqueued)).toBeGreaterThan(0);
    expect(enqueued.reduce((sum, count) => sum + count)).toBe(30);
  });

  test('a delivery that the service sends again starts one execution, because it comes to the processor that remembers it', async () => {
    const id = await stage.live(onEvents(stage.connected, ['BOOKING_CREATED']));
    const made = stage.bookings.make(4);
    await stage.sandbox.settled();
    for (const { id: delivery } of stage.bookings.deliveriesOf(made)) stage.sandbox.host.redeliver(delivery);
    await stage.sandbox.settled();
    await executionsEnded(stage.connected.cluster, id, 4);
    expect(stage.bookings.deliveriesOf(made).map(({ attempts }) => attempts.map(({ status }) => status))).toEqual(
      made.map(() => [200, 200]),
    );
    expect(await countExecutions(stage.connected.cluster, id)).toEqual({ unfinished: 0, finished: 4 });
  });

  test('the example with a database table handles a delivery exactly once that comes to every processor ten times at once', async () => {
    const file = await exactExample(stage.connected, stage.connected.cluster.postgres.url, 'each-delivery-once');
    const id = await stage.live(file);
    const made = await runWorkflow(stage.connected.session, id, 'Run once');
    expect(made.status).toBe('success');

    const [delivery] = stage.bookings.deliveriesOf(stage.bookings.make(1), ({ event }) => event === 'BOOKING_CREATED');
    await stage.sandbox.settled();
    if (delivery === undefined) throw new Error('Nothing was delivered.');
    const trigger = 'On every event';
    const secret = await keptSecret(stage.connected.session, id, trigger);
    // As the service does: sent again where the answer is "come again", because the first one was not stored yet.
    const sendUntilTaken = async (to: string): Promise<number> => {
      for (;;) {
        const status = await send(delivery, to, secret);
        if (status !== 503) return status;
        await sleep(200);
      }
    };
    const repeats = stage.connected.cluster.processors.flatMap(({ origin }) =>
      Array.from({ length: 10 }, () => sendUntilTaken(origin + new URL(delivery.url).pathname)),
    );
    expect(new Set(await Promise.all(repeats))).toEqual(new Set([200]));
    await executionsEnded(stage.connected.cluster, id, 2);

    const started = (await stage.executions(id)).filter((execution) => execution.items(trigger)[0]?.['delivery_id'] === delivery.id);
    // Each processor remembers what it took itself: that is the best effort. The table makes it exact.
    expect(started).toHaveLength(stage.connected.cluster.processors.length);
    expect(started.map(({ status }) => status)).toEqual(started.map(() => 'success'));
    expect(started.flatMap((execution) => execution.items('Your steps')).map((item) => item['delivery_id'])).toEqual([delivery.id]);
    const rows = await stage.connected.cluster.postgres.query(
      'SELECT event, handled_at IS NOT NULL AS handled FROM handled_deliveries WHERE delivery_id = $1',
      [delivery.id],
    );
    expect(rows).toEqual([{ event: 'BOOKING_CREATED', handled: true }]);
  });

  test('the example that starts from both triggers handles each change once, whether it was delivered, found or both', async () => {
    const { id } = await createWorkflow(
      stage.connected.session,
      await exactExample(stage.connected, stage.connected.cluster.postgres.url, 'each-change-once'),
    );
    const handled = async (): Promise<string[]> =>
      (await stage.executions(id))
        .flatMap((each) => each.items('Your steps'))
        .map((item) => `${String(item['event'])} ${String(item['id'])}`);
    expect((await runWorkflow(stage.connected.session, id, 'Run once')).status).toBe('success');
    await publish(stage.connected.session, id);
    const [delivered, kept] = stage.bookings.make(2);
    await stage.sandbox.settled();
    await until(async () => (await handled()).filter((each) => each.startsWith('BOOKING_CREATED')).length === 2);
    // Unpublished it has no subscription. What happens now is delivered to nobody.
    await unpublish(stage.connected.session, id);
    stage.sandbox.host.cancel(delivered?.id ?? '');
    const [missed] = stage.bookings.make(1);
    stage.alsoPublished(id);
    await publish(stage.connected.session, id);
    await until(async () => (await stage.executions(id)).some((each) => each.items('When it is found').length > 0));
    await until(async () => (await countExecutions(stage.connected.cluster, id)).unfinished === 0);

    const found = (await stage.executions(id)).flatMap((each) => each.items('When it is found'));
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
    const { file, path } = whenCalled(stage.connected, { resource: 'user', operation: 'getCurrent' });
    const id = await stage.live(file);
    await stage.sandbox.clock.advance(2 * HOUR_MS);
    stage.sandbox.forgetRequests();
    const statuses = await Promise.all(Array.from({ length: 40 }, (_, index) => stage.post(path, [{ index }])));
    expect(new Set(statuses)).toEqual(new Set([200]));
    await executionsEnded(stage.connected.cluster, id, 40);

    const all = await stage.executions(id);
    expect(all.map(({ status, error }) => error?.message ?? status)).toEqual(all.map(() => 'success'));
    expect(all).toHaveLength(40);
    const ids = new Set(all.map((execution) => execution.id));
    expect(stage.connected.cluster.workers.filter((worker) => executionsOn(worker).some((each) => ids.has(each)))).toHaveLength(3);
    const asked = stage.sandbox.requests();
    expect(asked.filter(({ path: asks }) => asks === '/api/oauth/token').map(({ status }) => status)).toEqual([200]);
    const answered = asked.filter(({ path: asks, status }) => asks === '/v1/me' && status === 200).length;
    // One for each execution. Whoever found the token expired may have renewed by a harmless request, usually one for each worker: how many
    // find it expired is a matter of their speed.
    expect(answered).toBeGreaterThanOrEqual(40);
    expect(answered).toBeLessThanOrEqual(80);
  });

  test('workers that know nothing of each other share the limit and lose no item', async () => {
    const { file, path } = whenCalled(stage.connected, bookEach(stage.bookings.simpleType));
    const id = await stage.live(file);
    stage.sandbox.forgetRequests();
    // However slow this machine is: the limit is met.
    stage.sandbox.faults.add({
      route: 'POST /v1/bookings',
      kind: 'status',
      status: 429,
      headers: { 'retry-after': '1' },
      times: 5,
      after: 40,
    });
    const runs = ['first', 'second', 'third'];
    for (const [index, run] of runs.entries()) await stage.post(path, people(40, run, 2040 + index));
    await executionsEnded(stage.connected.cluster, id, 3);

    const all = await stage.executions(id);
    expect(all.map(({ status, error }) => error?.message ?? status)).toEqual(['success', 'success', 'success']);
    const ids = new Set(all.map((execution) => execution.id));
    expect(
      stage.connected.cluster.workers.filter((worker) => executionsOn(worker).some((each) => ids.has(each))).length,
    ).toBeGreaterThanOrEqual(2);
    for (const run of runs)
      expect(
        stage.bookings
          .of(run)
          .map(({ invitee_email }) => invitee_email)
          .sort(),
      ).toEqual(
        people(40, run, 0)
          .map(({ email }) => email)
          .sort(),
      );
    const answered = stage.sandbox.requests().filter(({ path: asks }) => asks === '/v1/bookings');
    expect(answered.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect(answered.filter(({ status }) => status !== 429)).toHaveLength(120);
  });
});
