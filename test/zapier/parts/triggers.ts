import assert from 'node:assert/strict';
import type { EventRow } from '../../../shared/events.ts';
import { cause, causedRows, reschedule, rowOf } from './causes.ts';
import { assertKeysWithin, assertTypes, type OutputShape } from './outputs.ts';
import { onSandbox, record, refused, same, typeNamed, type Check, type Part, type Stage } from './stage.ts';

const outputsOf = async ({ zapier }: Stage, row: EventRow) =>
  (await zapier.invoke(`triggers.${row.key}.operation.outputFields`)) as OutputShape[];

/** What must hold for each trigger. */
const each = (row: EventRow): Check => ({
  title: `${row.label}: a real delivery, the list for testing and the static sample are one kind of record`,
  run: async (stage) => {
    const { sandbox, zapier } = stage;
    const zap = await zapier.turnOn(row.key);
    const subscription = sandbox.subscriptions().find(({ url }) => url === zap.targetUrl);
    same(subscription?.events, [row.name]);
    cause(stage, row);
    await sandbox.settled();
    const [outcome] = await zap.settled(1);
    assert.equal(outcome?.error, undefined);
    const [live] = outcome?.items ?? [];
    assert.ok(live, zapier.logs.at(-1)?.message);
    const delivery = sandbox.deliveries().find(({ id }) => id === live['delivery_id']);
    assert.equal(live['event'], row.name);
    assert.equal(delivery?.subscription_id, subscription?.id);

    const got = record(await own(stage, row, String(live['id'])));
    const { event: _event, delivery_id: _delivery, delivered_at: _at, delivery_key: _key, change_key: _change, ...record_ } = live;
    same(Object.keys(record_).sort(), Object.keys(got).sort(), 'the live record has the fields that Find gives');

    const fields = await outputsOf(stage, row);
    const { triggers } = await zapier.definition();
    const sample = record(Reflect.get(triggers[row.key]?.operation ?? {}, 'sample'));
    const samples = await zapier.samples(row.key);
    assert.ok(samples.length > 0 && samples.length <= 100);
    for (const shown of [live, sample, ...samples]) {
      assert.equal(shown['event'], row.name);
      assert.equal(typeof shown['id'], 'string');
      assertTypes(shown, fields);
      assertKeysWithin(shown, live);
    }
    await zap.turnOff();
    assert.ok(!sandbox.subscriptions().some(({ url }) => url === zap.targetUrl));
  },
});

/** The same record as a search returns it. */
async function own({ zapier }: Stage, row: EventRow, id: string): Promise<unknown> {
  const answer = record(
    await zapier.step(
      row.record === 'booking' ? 'searches.find_booking' : 'searches.find_contact',
      row.record === 'booking' ? { booking_id: id } : { contact_id: id },
    ),
  );
  return (answer['results'] as unknown[])[0];
}

export const triggers: Part = {
  name: 'Triggers',
  checks: [
    ...causedRows.map(each),
    {
      title: 'samples for Booking Cancelled are cancelled, for Booking Created confirmed, not always "created"',
      run: async ({ zapier }) => {
        assert.ok(
          (await zapier.samples('booking_cancelled')).every(({ status, event }) => status === 'CANCELLED' && event === 'BOOKING_CANCELLED'),
        );
        assert.ok(
          (await zapier.samples('booking_created')).every(({ status, event }) => status === 'CONFIRMED' && event === 'BOOKING_CREATED'),
        );
      },
    },
    {
      title: 'turning a Zap off also removes a subscription that came after the lost answer to its request',
      run: async ({ sandbox, zapier }) => {
        sandbox.faults.add({ route: 'POST /v1/hooks', kind: 'late-commit', delayMs: 60_000 });
        const zap = await zapier.turnOn('booking_created');
        const there = (): number => sandbox.subscriptions().filter(({ url }) => url === zap.targetUrl).length;
        await sandbox.clock.advance(60_000);
        await sandbox.settled();
        assert.equal(there(), 2);
        // Its own subscription is what counts. The other one is looked for, and a failure to look is no failure.
        sandbox.faults.add({ route: 'GET /v1/hooks', kind: 'status', status: 403, body: { error: 'Forbidden' } });
        await zap.turnOff();
        assert.equal(there(), 1);
        await zap.turnOff();
        assert.equal(there(), 0);
      },
    },
    {
      title: 'turning a Zap off whose answers are all lost is told, not held: nothing would run again',
      run: async ({ sandbox, zapier }) => {
        const zap = await zapier.turnOn('booking_created');
        sandbox.faults.add({ route: 'DELETE /v1/hooks/:id', kind: 'drop-before', times: 'always' });
        await refused(zap.turnOff(), 'AppError', 'may or may not be deleted', 'Try again');
        sandbox.faults.clear();
        await zap.turnOff();
      },
    },
    {
      title: "samples for Booking Denied contain the host's words, for Booking Rescheduled the previous start",
      run: async (stage) => {
        cause(stage, rowOf('BOOKING_DENIED'));
        // A day to which no other check moves a booking.
        reschedule(stage.sandbox, stage.sandbox.host.book().id, 450);
        cause(stage, rowOf('BOOKING_CREATED'));
        const denied = await stage.zapier.samples('booking_denied');
        assert.ok(
          denied.length > 0 &&
            denied.every(
              ({ status, cancellation_reason: reason }) => status === 'CANCELLED' && typeof reason === 'string' && reason !== '',
            ),
        );
        const moved = await stage.zapier.samples('booking_rescheduled');
        assert.ok(moved.length > 0 && moved.every(({ previous_start_time: before }) => typeof before === 'string'));
      },
    },
    {
      title: 'samples are the newest of the account and match the event type filter',
      run: async (stage) => {
        const { sandbox, zapier } = stage;
        const booked = sandbox.host.book({ event_type_id: typeNamed(stage, 'Coffee Chat') });
        assert.equal((await zapier.samples('booking_created'))[0]?.['id'], booked.id);
        const intro = typeNamed(stage, 'Intro Call');
        const filtered = await zapier.samples('booking_created', { event_type_ids: [intro] });
        assert.ok(filtered.length > 0);
        assert.ok(filtered.every(({ event_type_id: type }) => type === intro));
      },
    },
    {
      title: 'an account without bookings shows the static sample instead of an error',
      run: async (stage) => {
        // Once by the matching status, once by any.
        stage.sandbox.faults.add({
          route: 'GET /v1/bookings',
          kind: 'status',
          status: 200,
          body: { data: [], next_cursor: null },
          times: 2,
        });
        const row = rowOf('BOOKING_APPROVED');
        const { triggers: defined } = await stage.zapier.definition();
        same(await stage.zapier.samples(row.key), [Reflect.get(defined[row.key]?.operation ?? {}, 'sample')]);
      },
    },
    {
      title: "answers to the event type's questions survive, keyed and as line items",
      run: async (stage) => {
        const zap = await stage.zapier.turnOn('booking_created');
        const answers = {
          company: 'Analytical Engines',
          budget: 'Up to 5,000',
          team_size: 7,
          services: ['Design', 'Hosting'],
          nda_signed: true,
        };
        stage.sandbox.host.book({ event_type_id: typeNamed(stage, 'Project Kick-off'), question_responses: answers });
        await zap.settled(1);
        const [item] = zap.items;
        same(item?.['question_responses'], answers);
        const lines = item?.['answers'] as { question: string; answer: unknown }[];
        same(Object.fromEntries(lines.map(({ question, answer }) => [question, answer])), answers);
        await zap.turnOff();
      },
    },
    {
      title:
        'the event type filter passes chosen types, drops others before a run is spent, and passes a delivery that does not tell its type',
      run: async (stage) => {
        const { sandbox, zapier } = stage;
        const chosen = [typeNamed(stage, 'Intro Call'), typeNamed(stage, 'Coffee Chat')];
        const zap = await zapier.turnOn('booking_created', { event_type_ids: chosen });
        for (const name of ['Intro Call', 'Quarterly Review', 'Coffee Chat']) sandbox.host.book({ event_type_id: typeNamed(stage, name) });
        await zap.settled(3);
        same(zap.items.map(({ event_type_name: name }) => name).sort(), ['Coffee Chat', 'Intro Call']);
        await zap.turnOff();
        await onSandbox(stage, { forms: { records: 'sparse' } }, async (other) => {
          const untold = await other.zapier.turnOn('booking_created', { event_type_ids: chosen });
          other.sandbox.host.book();
          await untold.settled(1);
          assert.equal(untold.items.length, 1);
          await untold.turnOff();
        });
      },
    },
    {
      title: 'an approval starts Booking Approved, and Booking Created once if the service sends that too',
      run: async (stage) => {
        for (const approveAlsoCreates of [true, false]) {
          await onSandbox(stage, { approveAlsoCreates }, async (own) => {
            const created = await own.zapier.turnOn('booking_created');
            const approved = await own.zapier.turnOn('booking_approved');
            cause(own, rowOf('BOOKING_APPROVED'));
            await own.sandbox.settled();
            await approved.settled(1);
            await created.settled(approveAlsoCreates ? 1 : 0);
            same([approved.items.length, created.items.length], [1, approveAlsoCreates ? 1 : 0]);
          });
        }
      },
    },
    {
      title: 'Zapier keeps the id and the secret of a subscription for its Zap, and nothing else',
      run: async ({ zapier }) => {
        const zap = await zapier.turnOn('contact_created');
        same(Object.keys(zap.subscribeData).sort(), ['id', 'signing_secret']);
        await zap.turnOff();
      },
    },
    {
      title: 'the 26th live Zap is told how many subscriptions there are, who holds them, and what to do',
      run: (stage) =>
        onSandbox(stage, {}, async (own) => {
          const zaps = [];
          for (let count = 0; count < 25; count += 1) zaps.push(await own.zapier.turnOn('booking_created'));
          const host = new URL(own.zapier.backend.origin).host;
          await refused(
            own.zapier.turnOn('booking_created'),
            'AppError',
            '25 active webhook subscriptions',
            `25 at ${host}`,
            `Each at ${host} is a Zap`,
            'Turn off unused ones',
          );
          await zaps[0]?.turnOff();
          await (await own.zapier.turnOn('booking_created')).turnOff();
        }),
    },
    {
      title: 'a Zap that could not be turned on is turned off without asking the service for anything',
      run: async ({ sandbox, zapier }) => {
        sandbox.forgetRequests();
        for (const subscribeData of [undefined, {}, { id: 5 }])
          same(await zapier.invoke('triggers.booking_created.operation.performUnsubscribe', { subscribeData }), {});
        assert.equal(sandbox.requests().length, 0);
      },
    },
    {
      title: 'after Zapier answered 410 the service sends nothing more to that Zap',
      run: async (stage) => {
        const zap = await stage.zapier.turnOn('booking_created');
        stage.zapier.backend.closeHook(zap.targetUrl);
        cause(stage, rowOf('BOOKING_CREATED'));
        await stage.sandbox.settled();
        assert.equal(zap.outcomes.length, 0);
        assert.ok(!stage.sandbox.subscriptions().some(({ url, active }) => url === zap.targetUrl && active));
      },
    },
  ],
};
