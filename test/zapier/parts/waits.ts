import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { book, introCall } from './booking.ts';
import { calls, onSandbox, refused, same, type Part } from './stage.ts';
import { twoHundredSteps, unforgiving } from './tokens.ts';

/** What an error must not say. Where time is real, its look-ups take half a minute. */
export const secrets: Part = {
  name: 'Secrets',
  isSlow: true,
  checks: [
    {
      title: 'no error contains a secret: not the token, not the signing secret, not the bundle',
      run: async (stage) => {
        const zap = await stage.zapier.turnOn('booking_created');
        const secrets = [
          zap.subscribeData['signing_secret'],
          stage.zapier.connection?.authData['access_token'],
          stage.zapier.environment.CLIENT_SECRET,
        ].map(String);
        const perform = (extra: object) =>
          stage.zapier.invoke('triggers.booking_created.operation.performUnsubscribe', {
            subscribeData: zap.subscribeData,
            targetUrl: zap.targetUrl,
            ...extra,
          });
        for (const fault of [
          { kind: 'status', status: 403 },
          { kind: 'status', status: 500 },
          { kind: 'status', status: 429 },
          { kind: 'drop-before' },
          { kind: 'status', status: 401 },
        ] as const) {
          stage.sandbox.faults.clear();
          stage.sandbox.faults.add({ route: 'DELETE /v1/hooks/:id', times: 'always', ...fault });
          const error = await perform({}).then(
            () => assert.fail('It should have failed.'),
            (reason: unknown) => reason as { raw: string; kind: string },
          );
          for (const secret of secrets) assert.ok(!error.raw.includes(secret), `${error.kind} ${JSON.stringify(fault)}`);
          assert.ok(!error.raw.includes('with bundle'), error.raw);
        }
        stage.sandbox.faults.clear();
        await zap.turnOff();
      },
    },
  ],
};

/**
 * Checks that take half a minute. The contract of every platform checks how lost answers end; these check how Zapier is asked to hold the
 * step. Zapier's own limit of 30 seconds ends a step that takes longer.
 */
export const waits: Part = {
  name: 'Waits',
  isSlow: true,
  checks: [
    {
      title:
        'a booking that at least two look-ups do not find is not sent again in the same run: the step is held for a minute, and its next run books it once',
      run: async (stage) => {
        stage.sandbox.forgetRequests();
        stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-before' });
        const raw = introCall(stage, { invitee_email: 'lost@example.com' });
        const { delaySeconds = 0 } = await refused(
          book(stage, raw),
          'ThrottledError',
          'may or may not exist',
          'lost@example.com',
          'looks for it first',
        );
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
      title: 'an answer that stops in the middle is given up early enough to look for the booking within 30 seconds',
      run: async (stage) => {
        stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'stall-mid-body' });
        const made = await book(stage, introCall(stage, { invitee_email: 'stalled@example.com' }));
        same(
          stage.sandbox
            .bookings()
            .filter(({ invitee_email: email }) => email === 'stalled@example.com')
            .map(({ id }) => id),
          [made['id']],
        );
      },
    },
    ...secrets.checks,
    {
      title:
        'an expired, rotating token is refreshed once for 200 parallel steps where Zapier lets every step refresh: one does, the others are held and run again',
      run: (stage) =>
        onSandbox(stage, unforgiving, async (own) => {
          own.zapier.everyCallRefreshes = true;
          try {
            await twoHundredSteps(own);
          } finally {
            own.zapier.everyCallRefreshes = false;
          }
        }),
    },
    {
      title: 'refreshes an expired, rotating token once for 200 parallel steps: one refreshes for all',
      run: (stage) => onSandbox(stage, unforgiving, twoHundredSteps),
    },
  ],
};
