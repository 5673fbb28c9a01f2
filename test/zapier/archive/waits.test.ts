import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { book, introCall } from './creates.ts';
import { calls, refused, same, type Part } from './stage.ts';

/** How Zapier is asked to hold a step; what becomes of lost answers is held by the contract of every platform. */
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
        const raw = introCall(stage, { invitee_email: 'lost@example.com' });
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
  ],
};
