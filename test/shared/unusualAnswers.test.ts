import { cancelBooking } from '../../shared/operations/index.ts';
import { memoryStore, PendingWrites } from '../../shared/writes/index.ts';
import { refusal } from '../support/refusal.ts';
import { create, fault, form, made, pass, posts, process, seconds, service, slot } from '../support/oneBooking.ts';

it('a run that is ended while it looks is remembered: the next one looks before it sends', async () => {
  const writes = new PendingWrites(memoryStore(() => service.sandbox.clock.now(), 'Try again.'));
  class Stopped extends Error {}
  const clock = { now: () => service.sandbox.clock.now(), sleep: () => Promise.reject(new Stopped()), random: () => 0.5 };
  fault({ kind: 'late-commit', delayMs: 5_000 });
  await expect(create(service.clientWith({ writes, clock }))).rejects.toThrow(Stopped);
  await pass(10_000);
  const booking = await create(service.clientWith({ writes }));
  expect(booking['id']).toBe(made()[0]?.id);
  expect(posts()).toHaveLength(1);
});

describe('records that say little of the person', () => {
  const listed = (record: object) =>
    service.sandbox.faults.add({
      route: 'GET /v1/bookings',
      kind: 'status',
      status: 200,
      times: 'always',
      body: { data: [{ id: 'bkg_theirs', status: 'CONFIRMED', event_type_id: form().event_type_id, start_time: slot, ...record }] },
    });

  it.each([{ invitee_email: 'j***@example.net' }, { invitee_email: '' }, { invitee_email: 'Bob <bob@example.net>' }, {}])(
    'a booking with %j is never handed over as the own one',
    async (record) => {
      fault({ kind: 'drop-before' });
      listed(record);
      service.sandbox.faults.add({
        route: 'GET /v1/bookings/:id',
        kind: 'status',
        status: 200,
        times: 'always',
        body: {
          data: {
            id: 'bkg_theirs',
            event_type_id: form().event_type_id,
            start_time: slot,
            invitee_email: 'bob@example.net',
            invitee_name: 'Bob',
          },
        },
      });
      const client = process();
      expect((await refusal(create(client))).kind).toBe('unknownOutcome');
      await pass(61_000);
      expect((await refusal(create(client))).message).toContain('bkg_theirs');
      expect(posts()).toHaveLength(1);
    },
  );

  it.each(['g***@example.net', 'grace@example.net'])(
    "somebody else's older booking in this slot, made at a time without an offset for %s, stops nothing",
    async (invitee_email) => {
      const client = process();
      fault({ kind: 'drop-before' });
      listed({ invitee_email, invitee_name: 'Grace Hopper', created_at: '2029-12-31 08:00:00' });
      await refusal(create(client));
      await pass(61_000);
      expect((await create(client))['invitee_name']).toBe('Ada Lovelace');
      expect(posts()).toHaveLength(2);
    },
  );

  it('a booking in this slot under another address, whose time of creation cannot be read, is never booked over', async () => {
    const client = process();
    fault({ kind: 'drop-before' });
    listed({ invitee_email: 'old@example.net', created_at: 'yesterday' });
    await refusal(create(client));
    await pass(61_000);
    expect((await refusal(create(client))).message).toContain('bkg_theirs');
    expect(posts()).toHaveLength(1);
  });
});

describe('a success that says no', () => {
  const words = 'That slot is gone';
  it.each([
    { success: false, error: words },
    { error: { message: words } },
    { ok: 0, message: words },
    { result: 'error', message: words },
    { code: 40001, message: words, data: null },
    { status: 400, message: words },
  ])('with %j is told in its words, not as done', async (body) => {
    fault({ status: 200, body });
    expect((await refusal(create())).message).toContain(words);
  });

  it('is none if its code is the number of a booking', async () => {
    fault({ status: 200, body: { code: 48213, message: 'Booked' } });
    expect(await create()).toMatchObject({ start_time: expect.any(String) as string });
  });

  it('is no cancellation', async () => {
    const { id } = service.sandbox.host.book({ start_time: slot });
    const body = { success: false, message: 'Too late to cancel' };
    service.sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind: 'status', status: 200, body, times: 'always' });
    expect((await refusal(cancelBooking.run(service.client, { booking_id: id }, {}))).message).toContain('Too late to cancel');
  });
});

it.each([403, 409, 422, 404])(
  'a repeated cancellation that is refused with %i and no code is done if the booking is cancelled',
  async (status) => {
    const { id } = service.sandbox.host.book({ start_time: slot });
    const route = 'POST /v1/bookings/:id/cancel';
    service.sandbox.host.cancel(id);
    service.sandbox.faults.add({ route, kind: 'status', status, body: { message: 'Booking is already cancelled' }, times: 'always' });
    const booking = await cancelBooking.run(service.client, { booking_id: id }, {});
    expect(booking).toMatchObject({ id, status: 'CANCELLED', already_cancelled: true });
  },
);

it("a gateway's timeout in JSON is no answer of the service: the booking is looked for as long as after silence", async () => {
  fault({ status: 504, body: { message: 'Endpoint request timed out' }, kind: 'late-commit', delayMs: 10_000 });
  const booking = await create();
  expect(booking['id']).toBe(made()[0]?.id);
});

it('a whole answer whose JSON was packed into a string is no broken one', async () => {
  fault({
    status: 201,
    body: JSON.stringify(JSON.stringify({ id: 'packed' })),
    headers: { 'content-type': 'application/json' },
    commits: true,
  });
  const booking = await create();
  expect(booking['id']).toBe(made()[0]?.id);
  expect(seconds()).toBe(0);
});
