import type { Fault } from '../../../sandbox/service.ts';
import {
  cancelBooking,
  createBooking,
  createSubscription,
  deleteSubscription,
  findBooking,
  getManyBookings,
} from '../../../shared/operations/index.ts';
import { until } from '../../support/until.ts';
import { bookingForm, nowhere, somebody, start } from '../forms.ts';
import { refusalOf } from '../platform.ts';
import { page, requestsTo, type Requirement, type Stage } from '../requirement.ts';

/** The bookings of one person. */
const bookingsOf = ({ sandbox }: Pick<Stage, 'sandbox'>, email: string) =>
  sandbox.bookings().filter((each) => each.invitee_email === email);

/** Books with a fault that spoils the answer. Checks that the person was told what is true, and how many requests were sent. */
async function told(stage: Stage, fault: Omit<Fault, 'route'>, requests: number): Promise<void> {
  const { sandbox, connection } = stage;
  const email = somebody();
  sandbox.forgetRequests();
  sandbox.faults.add({ route: 'POST /v1/bookings', ...fault });
  const [made] = await connection.carryOut(createBooking, { fields: bookingForm(sandbox, { invitee_email: email }) });
  expect(bookingsOf(stage, email).map(({ id }) => id)).toEqual([made?.['id']]);
  expect(requestsTo(sandbox, 'POST /v1/bookings')).toHaveLength(requests);
}

const lost: readonly Requirement[] = [
  {
    id: 'create:answer-lost:looked-for',
    uses: [createBooking],
    hold: (stage) => told(stage, { kind: 'drop-after' }, 1),
  },
  {
    id: 'create:answer-broken-off:looked-for',
    uses: [createBooking],
    hold: (stage) => told(stage, { kind: 'reset-mid-body' }, 1),
  },
  {
    id: 'create:page-answered:looked-for',
    uses: [createBooking],
    hold: (stage) => told(stage, { ...page, commits: true }, 1),
  },
  {
    id: 'create:answer-without-record:looked-for',
    uses: [createBooking],
    hold: (stage) => told(stage, { kind: 'status', status: 201, body: { ok: true }, commits: true }, 1),
  },
  {
    id: 'create:page-answered-and-nothing-made:asked-for-again',
    uses: [createBooking],
    alone: {},
    hold: (stage) => told(stage, page, 2),
  },
  {
    id: 'create:old-booking-without-a-type:blocks-nothing',
    uses: [createBooking],
    alone: {},
    async hold(stage) {
      const email = 'ada@example.com';
      const old = {
        id: 'bkg_2019',
        status: 'CONFIRMED',
        event_type_id: null,
        invitee_name: 'Ada Lovelace',
        invitee_email: email,
        start_time: '2019-03-04T09:00:00Z',
        created_at: '2019-03-01T09:00:00Z',
      };
      const list = { data: [old], next_cursor: null };
      stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-before' });
      stage.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'status', status: 200, times: 'always', body: list });
      const before = bookingsOf(stage, email).map(({ id }) => id);
      const [made] = await stage.connection.carryOut(createBooking, { fields: bookingForm(stage.sandbox, { invitee_email: email }) });
      expect(
        bookingsOf(stage, email)
          .map(({ id }) => id)
          .filter((id) => !before.includes(id)),
      ).toEqual([made?.['id']]);
    },
  },
  {
    id: 'create:two-of-one-family-at-one-time:each-told-their-own',
    uses: [createBooking],
    alone: { forms: { slots: 'shared' } },
    async hold(stage) {
      const { sandbox, connection } = stage;
      const email = somebody();
      const names = ['Ada Lovelace', 'Bob Lovelace'];
      // The first request is lost, and so is the answer to the second.
      sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-before' });
      sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-after', after: 1 });
      const made = await Promise.all(
        names.map((invitee_name) =>
          connection.carryOut(createBooking, { fields: bookingForm(sandbox, { invitee_email: email, invitee_name }) }),
        ),
      );
      expect(made.flat().map((each) => each['invitee_name'])).toEqual(names);
      expect(
        bookingsOf(stage, email)
          .map(({ id }) => id)
          .sort(),
      ).toEqual(
        made
          .flat()
          .map(({ id }) => String(id))
          .sort(),
      );
    },
  },
  {
    id: 'create:two-users-ask-for-the-same:neither-sees-nor-delays-the-other',
    uses: [createBooking],
    alone: { forms: { slots: 'shared' } },
    async hold(stage) {
      const { sandbox, connection } = stage;
      const email = somebody();
      const other = await stage.another();
      const form = (invitee_name: string) => ({ fields: bookingForm(sandbox, { invitee_email: email, invitee_name }) });
      sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-before' });
      // The first looks for its booking, and is not answered until the second one is over.
      sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'delay', delayMs: 60_000 });
      let isFirstOver = false;
      const first = connection.carryOut(createBooking, form('Ada Lovelace')).finally(() => (isFirstOver = true));
      first.catch(() => undefined);
      await until(() => requestsTo(sandbox, 'POST /v1/bookings').length > 0);
      const [second] = await other.carryOut(createBooking, form('Bob Babbage'));
      expect(isFirstOver).toBe(false);
      await until(() => isFirstOver || sandbox.faults.waiting().length === 0);
      await sandbox.clock.advance(60_000);
      const [mine] = await first;
      expect([mine?.['invitee_name'], second?.['invitee_name']]).toEqual(['Ada Lovelace', 'Bob Babbage']);
      expect(
        bookingsOf(stage, email)
          .map(({ id }) => id)
          .sort(),
      ).toEqual([mine?.['id'], second?.['id']].sort());
    },
  },
  ...(['page', 'drop-after'] as const).map(
    (how): Requirement => ({
      id: how === 'page' ? 'cancel:page-answered:looked-up' : 'cancel:answer-lost:looked-up',
      uses: [cancelBooking],
      async hold({ sandbox, connection }) {
        const { id } = sandbox.host.book({ start_time: start });
        sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', ...(how === 'page' ? { ...page, commits: true } : { kind: how }) });
        const [cancelled] = await connection.carryOut(cancelBooking, { fields: { booking_id: id } });
        expect(cancelled).toMatchObject({ id, status: 'CANCELLED', already_cancelled: false });
      },
    }),
  ),
  {
    id: 'cancel:page-answered-and-nothing-done:asked-for-again',
    uses: [cancelBooking],
    alone: {},
    async hold({ sandbox, connection }) {
      const { id } = sandbox.host.book();
      sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', ...page });
      const [cancelled] = await connection.carryOut(cancelBooking, { fields: { booking_id: id } });
      expect(cancelled).toMatchObject({ id, status: 'CANCELLED' });
      expect(sandbox.bookings().find((each) => each.id === id)?.status).toBe('CANCELLED');
      expect(requestsTo(sandbox, 'POST /v1/bookings/:id/cancel')).toHaveLength(2);
    },
  },
  {
    id: 'cancel:cancelled-before:success-that-says-so',
    uses: [cancelBooking],
    async hold({ sandbox, connection }) {
      const { id } = sandbox.host.book({ start_time: start });
      sandbox.host.cancel(id, { reason: 'Before' });
      const [cancelled] = await connection.carryOut(cancelBooking, { fields: { booking_id: id, reason: 'Again' } });
      expect(cancelled).toMatchObject({ id, status: 'CANCELLED', already_cancelled: true, cancellation_reason: 'Before' });
    },
  },
  {
    id: 'subscription.create:page-answered:named-and-never-told-as-made-without-its-secret',
    uses: [createSubscription],
    alone: {},
    async hold({ sandbox, connection }) {
      const url = `${nowhere}page`;
      sandbox.faults.add({ route: 'POST /v1/hooks', ...page, commits: true });
      const { sentence } = await refusalOf(connection.carryOut(createSubscription, { fields: { url, events: ['BOOKING_CREATED'] } }));
      const there = sandbox.subscriptions().filter((each) => each.url === url);
      expect(there).toHaveLength(1);
      expect(sentence).toContain(there[0]?.id);
      expect(sentence).toContain('signing secret can no longer be read');
    },
  },
  {
    id: 'subscription.delete:page-answered:told-as-done-only-once-it-is-gone',
    uses: [deleteSubscription],
    async hold({ sandbox, connection }) {
      for (const commits of [true, false]) {
        const { id } = sandbox.host.addSecretlessSubscription({ url: `${nowhere}page`, events: ['BOOKING_CREATED'] });
        sandbox.faults.add({ route: 'DELETE /v1/hooks/:id', ...page, commits });
        expect(await connection.carryOut(deleteSubscription, { fields: { subscription_id: id } })).toMatchObject([{ id, deleted: true }]);
        expect(sandbox.subscriptions().some((each) => each.id === id)).toBe(false);
      }
    },
  },
];

/** The refusals of the service, each once, with a word from its message. */
const refusals: readonly [status: number, body: Record<string, unknown>, headers?: Record<string, string>][] = [
  [400, { error: 'Validation failed', code: 'VALIDATION_ERROR', details: [{ field: 'reason', message: 'is odd' }] }],
  [403, { error: 'Pro plan required', code: 'PLAN_REQUIRED' }],
  [404, { error: 'Not found', code: 'NOT_FOUND' }],
  [409, { error: 'That is not possible', code: 'CONFLICT' }],
  [422, { error: 'Unprocessable', code: 'E_7' }],
  [429, { error: 'Rate limit exceeded', code: 'RATE_LIMITED' }, { 'retry-after': '1' }],
];

const refused: readonly Requirement[] = [[401, { error: 'Unauthorized', code: 'INVALID_TOKEN' }] as const, ...refusals].map(
  ([status, body, headers = {}]): Requirement => ({
    id: `refusal:${status}:the-same-sentence`,
    uses: [cancelBooking],
    needs: status === 401 ? ['measured', 'refusedToken'] : ['measured'],
    async hold({ sandbox, connection, core }) {
      const { id } = sandbox.host.book({ start_time: start });
      sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'status', status, body, headers, times: 'always' });
      const asked = { fields: { booking_id: id } };
      const expected = await refusalOf(core.carryOut(cancelBooking, asked));
      expect((await refusalOf(connection.carryOut(cancelBooking, asked))).sentence).toBe(expected.sentence);
      expect(sandbox.bookings().find((each) => each.id === id)?.status).toBe('CONFIRMED');
    },
  }),
);

/** A person with more bookings than fit on the service's largest page; created once per service. */
function oftenBooked({ host, bookings }: Stage['sandbox']): { email: string; there: string[] } {
  const email = 'often@example.com';
  const known = bookings().filter((each) => each.invitee_email === email);
  const all = known.length > 0 ? known : Array.from({ length: 105 }, () => host.book({ start_time: start, invitee_email: email }));
  return { email, there: all.map(({ id }) => id) };
}

const lists: readonly Requirement[] = [getManyBookings, findBooking].map(
  (operation): Requirement => ({
    id: `list:pages(${operation.name}):all-once`,
    uses: [operation],
    async hold({ sandbox, connection }) {
      const { email, there } = oftenBooked(sandbox);
      const listed = await connection.carryOut(operation, { fields: { email } });
      expect(listed.map(({ id }) => String(id)).sort()).toEqual(there.sort());
    },
  }),
);

export const answers: readonly Requirement[] = [...lost, ...refused, ...lists];
