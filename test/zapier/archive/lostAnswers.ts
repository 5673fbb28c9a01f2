import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { ZapierError } from '../../../tools/rigs/zapier/errors.ts';
import type { ZapierRuntime } from '../../../tools/rigs/zapier/runtime.ts';
import { book, freeStart } from './creates.ts';
import { calls, onSandbox, record, refused, same, typeNamed, type Part, type Stage } from './stage.ts';

const page = '<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>';
const email = 'family@example.com';
const lostBookings = (stage: Stage) => stage.sandbox.bookings().filter((booking) => booking.invitee_email === email);
const intro = (stage: Stage, more: Record<string, unknown> = {}) => ({
  event_type_id: typeNamed(stage, 'Intro Call'),
  start_time: freeStart(),
  invitee_name: 'Ada Lovelace',
  invitee_email: email,
  ...more,
});

/** Runs a step as Zapier does that holds it where it asks for that: again and again, until it ends. */
async function held(zapier: ZapierRuntime, raw: Record<string, unknown>): Promise<Record<string, unknown>> {
  for (;;) {
    try {
      return record(await zapier.step('creates.create_booking', raw));
    } catch (error) {
      if (!(error instanceof ZapierError) || error.delaySeconds === undefined) throw error;
      await setTimeout(error.delaySeconds * 1000);
    }
  }
}

/** Bookings whose answer was lost beside others that look like them; each check waits past the latest moment of a late booking. */
export const lostAnswers: Part = {
  name: 'Lost answers',
  isSlow: true,
  checks: [
    {
      title:
        'a booking that at least two look-ups do not find is not sent again within 30 seconds: the step is held, and its next run books it once',
      run: async (stage) => {
        stage.sandbox.forgetRequests();
        stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', status: 500 });
        const started = Date.now();
        const raw = intro(stage, { invitee_email: 'lost@example.com' });
        const { delaySeconds = 0 } = await refused(
          book(stage, raw),
          'ThrottledError',
          'may or may not exist',
          'lost@example.com',
          'looks for it first',
        );
        assert.ok(Date.now() - started < 28_000);
        assert.equal(calls(stage, 'POST', '/v1/bookings').length, 1);
        assert.ok(calls(stage, 'GET', '/v1/bookings').length >= 2);
        await setTimeout(delaySeconds * 1000);
        const made = await book(stage, raw);
        assert.equal(calls(stage, 'POST', '/v1/bookings').length, 2);
        same(
          stage.sandbox
            .bookings()
            .filter(({ invitee_email: email }) => email === 'lost@example.com')
            .map(({ id }) => id),
          [made['id']],
        );
      },
    },
    {
      title:
        'a family with one address, one class and one time: the first request is lost, the answer to the second, and each is told the booking with the name',
      run: (stage) =>
        onSandbox(stage, { forms: { slots: 'shared' } }, async (other) => {
          other.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-before' });
          other.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-after', after: 1 });
          const raw = intro(other);
          const told = await Promise.all(
            ['Ada Lovelace', 'Bob Lovelace'].map((name) => held(other.zapier, { ...raw, invitee_name: name })),
          );
          same(
            told.map((each) => each['invitee_name']),
            ['Ada Lovelace', 'Bob Lovelace'],
          );
          same(
            lostBookings(other)
              .map(({ id }) => id)
              .sort(),
            told.map(({ id }) => String(id)).sort(),
          );
        }),
    },
    {
      title: 'a page in answer to the request is no booking: nothing is told as made that is not there',
      run: async (stage) => {
        stage.sandbox.forgetRequests();
        stage.sandbox.faults.add({
          route: 'POST /v1/bookings',
          kind: 'status',
          status: 200,
          body: page,
          headers: { 'content-type': 'text/html' },
        });
        const made = await held(stage.zapier, intro(stage, { invitee_email: 'page@example.com' }));
        same(
          stage.sandbox
            .bookings()
            .filter(({ invitee_email: at }) => at === 'page@example.com')
            .map(({ id }) => id),
          [made['id']],
        );
        assert.equal(calls(stage, 'POST', '/v1/bookings').length, 2);
      },
    },
    {
      title: 'an old booking of the same person without a type blocks nothing',
      run: (stage) =>
        onSandbox(stage, {}, async (other) => {
          const old = {
            id: 'bkg_2019',
            status: 'CONFIRMED',
            event_type_id: null,
            invitee_name: 'Ada Lovelace',
            invitee_email: email,
            start_time: '2019-03-04T09:00:00Z',
            created_at: '2019-03-01T09:00:00Z',
          };
          other.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-before' });
          other.sandbox.faults.add({
            route: 'GET /v1/bookings',
            kind: 'status',
            status: 200,
            times: 'always',
            body: { data: [old], next_cursor: null },
          });
          const made = await held(other.zapier, intro(other));
          same(
            lostBookings(other).map(({ id }) => id),
            [made['id']],
          );
        }),
    },
    {
      title: 'two users who ask for the same neither see nor delay each other, though one of them has an answer outstanding',
      run: (stage) =>
        onSandbox(stage, { forms: { slots: 'shared' } }, async (mine) => {
          const raw = intro(mine);
          const theirs = mine.zapier.as('second');
          await theirs.connect();
          mine.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'late-commit', delayMs: 15_000 });
          const first = held(mine.zapier, raw);
          await setTimeout(1000);
          const before = Date.now();
          const second = await book({ ...mine, zapier: theirs }, { ...raw, invitee_name: 'Bob Babbage' });
          assert.ok(Date.now() - before < 10_000, 'the second user waited for the first');
          assert.equal(second['invitee_name'], 'Bob Babbage');
          assert.equal((await first)['invitee_name'], 'Ada Lovelace');
          assert.equal(lostBookings(mine).length, 2);
        }),
    },
  ],
};
