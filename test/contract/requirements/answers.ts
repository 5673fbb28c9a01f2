import { setTimeout as sleep } from 'node:timers/promises';
import { cancelBooking, createBooking } from '../../../shared/operations/index.ts';
import { startReceiver } from '../../support/receiver.ts';
import { bookingForm, somebody, start } from '../fixtures.ts';
import { refusalOf, told, saidBy, requestsTo, requirement, type Requirement } from '../platform.ts';
import { errorOf } from '../../support/wire.ts';

const lost: readonly Requirement[] = [
  requirement(
    'create:takes-effect-late:found-by-the-next-run,not-sent-again',
    { source: 'G29', alone: { forms: { slots: 'shared' } }, waits: true },
    async ({ sandbox, connection }) => {
      const fields = bookingForm(sandbox, { invitee_email: somebody() });
      const run = () => told(connection.runOperation(createBooking, { fields }));
      sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-before' });
      // A platform that holds its step has run it twice by now.
      if (typeof (await run()) !== 'string') return;
      const next = run();
      // Within the minute in which a request may still take effect (G29).
      await sleep(300);
      const { id } = sandbox.host.book(fields);
      expect(await next).toEqual([expect.objectContaining({ id })]);
      expect(requestsTo(sandbox, 'POST /v1/bookings')).toHaveLength(1);
    },
  ),
  requirement('cancel:cancelled-before:success-that-says-so', { source: 'G18' }, async ({ sandbox, connection }) => {
    const { id } = sandbox.host.book({ start_time: start });
    sandbox.host.cancel(id, { reason: 'Before' });
    const [cancelled] = await connection.runOperation(cancelBooking, { fields: { booking_id: id, reason: 'Again' } });
    expect(cancelled).toMatchObject({ id, status: 'CANCELLED', already_cancelled: true, cancellation_reason: 'Before' });
  }),
];

/** Each refusal of the service, with a word from its message. */
const refusals: readonly [status: number, body: Record<string, unknown>, headers?: Record<string, string>][] = [
  [400, errorOf('Validation failed', 'VALIDATION_ERROR', { details: [{ field: 'reason', message: 'is odd' }] })],
  [403, errorOf('Pro plan required', 'PLAN_REQUIRED')],
  [404, errorOf('Not found', 'NOT_FOUND')],
  [409, errorOf('That is not possible', 'CONFLICT')],
  [422, errorOf('Unprocessable', 'E_7')],
  [429, errorOf('Rate limit exceeded', 'RATE_LIMITED'), { 'retry-after': '200' }],
];

const refused: readonly Requirement[] = [[401, errorOf('Unauthorized', 'INVALID_TOKEN')] as const, ...refusals].map(
  // The 429's wait is longer than any platform waits, so the refusal is shown at once. The connection then sends nothing to this endpoint.
  ([status, body, headers = {}]) =>
    requirement(
      `refusal:${status}:the-same-sentence`,
      {
        source: status === 409 || status === 422 ? 'G18' : 'section 7',
        ...(status === 401 && { needs: ['refusedToken'] }),
        ...(status === 429 && { alone: {} }),
      },
      async ({ sandbox, connection, core, platform }) => {
        const { id } = sandbox.host.book({ start_time: start });
        sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'status', status, body, headers, times: 'always' });
        const asked = { fields: { booking_id: id } };
        const expected = await refusalOf(core.runOperation(cancelBooking, asked));
        expect((await refusalOf(connection.runOperation(cancelBooking, asked))).message).toBe(saidBy(platform, cancelBooking, expected));
        expect(sandbox.bookings().find((each) => each.id === id)?.status).toBe('CONFIRMED');
      },
    ),
);

const secret: Requirement = requirement(
  'refusal:repeats-the-token:not-shown',
  { source: 'RFC 6750, 5.3' },
  async ({ sandbox, connection }) => {
    const { id } = sandbox.host.book({ start_time: start });
    const token = sandbox.issueToken().access_token;
    const body = { error: `Refused Bearer ${token}`, details: [{ field: 'authorization', message: `was "${token}"` }] };
    sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'status', status: 400, body, times: 'always' });
    const { message } = await refusalOf(connection.runOperation(cancelBooking, { fields: { booking_id: id } }));
    expect(message).toContain('Refused');
    expect(message).not.toContain(token);
  },
);

/** Not even once, because the other host would have the token. */
const redirected: Requirement = requirement(
  'token:redirected-to-another-host:not-sent-there',
  { source: 'whatwg/fetch#944' },
  async ({ sandbox, connection }) => {
    const { id } = sandbox.host.book({ start_time: start });
    const elsewhere = await startReceiver();
    sandbox.faults.add({ route: '*', kind: 'redirect', headers: { location: elsewhere.url }, times: 'always' });
    try {
      const { message } = await refusalOf(connection.runOperation(cancelBooking, { fields: { booking_id: id } }));
      expect([message, elsewhere.received]).toEqual([expect.stringContaining('Redirects are not followed'), []]);
    } finally {
      await elsewhere.close();
    }
  },
);

/** Longer than a token is valid, in milliseconds. */
const twoHours = 2 * 60 * 60_000;

const renewed = (['rotate', 'keep'] as const).map((rotation) =>
  requirement(
    `token:expired-twice,refresh-token-${rotation === 'keep' ? 'not-sent-again' : 'replaced'}:renewed-twice`,
    { source: 'G23', needs: ['keepsTokens'], alone: { forms: { rotation, slots: 'shared' } } },
    async ({ sandbox, connection }) => {
      for (const invitee_email of [somebody(), somebody()]) {
        await sandbox.forward(twoHours);
        expect(await connection.runOperation(createBooking, { fields: bookingForm(sandbox, { invitee_email }) })).toMatchObject([
          { invitee_email },
        ]);
      }
    },
  ),
);

export const answers: readonly Requirement[] = [...lost, ...refused, secret, redirected, ...renewed];
