import { afterEach, describe, expect, it } from '@jest/globals';
import { EVENTS } from '../../sandbox/records.ts';
import { virtualClock, type Sandbox, type SandboxOptions } from '../../sandbox/service.ts';
import { at, bookingInput, caller, start, startReceiver, stopAll, textAt, typeNamed } from './support.ts';

afterEach(stopAll);

interface Told {
  event: string;
  data: unknown;
}

/** A sandbox with one subscription to everything; `told` returns what was delivered since its last call. */
async function listening(
  options: SandboxOptions = {},
): Promise<{ sandbox: Sandbox; told: () => Promise<Told[]>; events: () => Promise<string[]> }> {
  const sandbox = await start(options);
  const receiver = await startReceiver();
  await caller(sandbox)('POST', '/hooks', { url: receiver.url, events: EVENTS });
  const told = async () => {
    await sandbox.settled();
    return receiver.received.splice(0).map(({ body }): Told => {
      const parsed: unknown = JSON.parse(body);
      return { event: textAt(parsed, 'event'), data: at(parsed, 'data') };
    });
  };
  return { sandbox, told, events: async () => (await told()).map(({ event }) => event).sort() };
}

const known = { invitee_name: 'Ana Ruiz', invitee_email: 'ana.ruiz@example.com' };

describe('which events fire (G22)', () => {
  it('a confirmed booking of a known contact: BOOKING_CREATED, with the record that Get gives', async () => {
    const { sandbox, told } = await listening();
    const { body } = await caller(sandbox)('POST', '/bookings', bookingInput(sandbox, known));
    expect(await told()).toEqual([{ event: 'BOOKING_CREATED', data: at(body, 'data') }]);
  });

  it('a first booking by an unknown email: CONTACT_CREATED too', async () => {
    const { sandbox, told } = await listening();
    await caller(sandbox)('POST', '/bookings', bookingInput(sandbox, { locale: 'fr', invitee_timezone: 'Asia/Tokyo' }));
    const deliveries = await told();
    expect(deliveries.map(({ event }) => event).sort()).toEqual(['BOOKING_CREATED', 'CONTACT_CREATED']);
    expect(deliveries.find(({ event }) => event === 'CONTACT_CREATED')?.data).toMatchObject({
      name: 'Nadia Ortiz',
      email: 'nadia@example.com',
      timezone: 'Asia/Tokyo',
      locale: 'fr',
      phone: null,
    });
  });

  it.each([
    ['name', { invitee_name: 'Ana Ruiz Lopez' }, { name: 'Ana Ruiz Lopez' }],
    ['zone', { invitee_timezone: 'Asia/Tokyo' }, { timezone: 'Asia/Tokyo' }],
    ['email in another case', { invitee_email: 'ANA.RUIZ@example.com' }, null],
    ['zone that is the same', { invitee_timezone: 'Europe/Madrid' }, null],
  ])('a booking with another %s of a known contact', async (_what, more, change) => {
    const { sandbox, told } = await listening();
    await caller(sandbox)('POST', '/bookings', bookingInput(sandbox, { ...known, ...more }));
    const updates = (await told()).filter(({ event }) => event !== 'BOOKING_CREATED');
    expect(updates).toEqual(change === null ? [] : [{ event: 'CONTACT_UPDATED', data: expect.objectContaining(change) }]);
    expect(sandbox.contacts().filter(({ email }) => email.toLowerCase() === 'ana.ruiz@example.com')).toHaveLength(1);
  });

  it("a booking whose answers contain another phone number: the contact's CONTACT_UPDATED", async () => {
    const { sandbox, told } = await listening();
    await caller(sandbox)(
      'POST',
      '/bookings',
      bookingInput(sandbox, {
        ...known,
        event_type_id: typeNamed(sandbox, 'Support Session'),
        question_responses: { phone: '+34 699 999 999' },
      }),
    );
    expect((await told()).find(({ event }) => event === 'CONTACT_UPDATED')?.data).toMatchObject({ phone: '+34 699 999 999' });
  });

  const pending = (sandbox: Sandbox) =>
    sandbox.host.book({ ...known, event_type_id: typeNamed(sandbox, 'Design Review'), question_responses: { link: 'x' } });

  it('a pending booking: none', async () => {
    const { sandbox, events } = await listening();
    expect(pending(sandbox).status).toBe('PENDING');
    expect(await events()).toEqual([]);
  });

  it('an approval: BOOKING_APPROVED and BOOKING_CREATED, the booking confirmed in both', async () => {
    const { sandbox, told } = await listening();
    sandbox.host.approve(pending(sandbox).id);
    const deliveries = await told();
    expect(deliveries.map(({ event }) => event).sort()).toEqual(['BOOKING_APPROVED', 'BOOKING_CREATED']);
    expect(deliveries.map(({ data }) => at(data, 'status'))).toEqual(['CONFIRMED', 'CONFIRMED']);
  });

  it('an approval in the other form: BOOKING_APPROVED alone', async () => {
    const { sandbox, events } = await listening({ approveAlsoCreates: false });
    sandbox.host.approve(pending(sandbox).id);
    expect(await events()).toEqual(['BOOKING_APPROVED']);
  });

  it('a denial: BOOKING_DENIED alone, the booking cancelled', async () => {
    const { sandbox, told } = await listening();
    sandbox.host.deny(pending(sandbox).id, { reason: 'No time' });
    expect(await told()).toEqual([
      { event: 'BOOKING_DENIED', data: expect.objectContaining({ status: 'CANCELLED', cancellation_reason: 'No time' }) },
    ]);
  });

  it('a cancellation, by the API or by the host: BOOKING_CANCELLED', async () => {
    const { sandbox, events } = await listening();
    const [one, two] = [sandbox.host.book(known), sandbox.host.book(known)];
    expect(await events()).toEqual(['BOOKING_CREATED', 'BOOKING_CREATED']);
    await caller(sandbox)('POST', `/bookings/${one.id}/cancel`, {});
    sandbox.host.cancel(two.id);
    expect(await events()).toEqual(['BOOKING_CANCELLED', 'BOOKING_CANCELLED']);
  });

  it('a reschedule: BOOKING_RESCHEDULED alone, still confirmed, with its previous time', async () => {
    const { sandbox, told } = await listening({ clock: virtualClock() });
    const { id, start_time } = sandbox.host.book({ ...known, start_time: '2027-06-01T10:00:00Z' });
    await told();
    sandbox.host.reschedule(id, { start_time: '2027-06-01T10:15:00Z' });
    expect(await told()).toEqual([
      {
        event: 'BOOKING_RESCHEDULED',
        data: expect.objectContaining({
          status: 'CONFIRMED',
          start_time: '2027-06-01T10:15:00.000Z',
          end_time: '2027-06-01T10:45:00.000Z',
          previous_start_time: start_time,
        }),
      },
    ]);
  });

  it('an edited contact: CONTACT_UPDATED; an edit that changes nothing: none', async () => {
    const { sandbox, told } = await listening();
    const contact = sandbox.contacts()[0];
    sandbox.host.editContact(contact?.id ?? '', { notes: 'Vegetarian', phone: null });
    sandbox.host.editContact(contact?.id ?? '', { notes: 'Vegetarian' });
    expect(await told()).toEqual([
      { event: 'CONTACT_UPDATED', data: expect.objectContaining({ id: contact?.id, notes: 'Vegetarian', phone: null }) },
    ]);
  });
});

describe('what is refused (G21)', () => {
  it('approving, denying or rescheduling a booking whose status does not allow it', async () => {
    const { sandbox, events } = await listening({ clock: virtualClock() });
    const confirmed = sandbox.host.book(known).id;
    const cancelled = sandbox.host.cancel(sandbox.host.book(known).id).id;
    await events();
    const later = { start_time: '2027-06-01T10:00:00Z' };
    for (const act of [
      () => sandbox.host.approve(confirmed),
      () => sandbox.host.deny(confirmed),
      () => sandbox.host.reschedule(cancelled, later),
      () => sandbox.host.cancel(cancelled),
    ])
      expect(act).toThrow();
    expect(await events()).toEqual([]);
  });

  it('rescheduling onto another booking or into the past', async () => {
    const { sandbox } = await listening();
    const [one, two] = [sandbox.host.book(known), sandbox.host.book(known)];
    expect(() => sandbox.host.reschedule(one.id, { start_time: two.start_time })).toThrow('taken by another booking');
    expect(() => sandbox.host.reschedule(one.id, { start_time: '2020-01-01T00:00:00Z' })).toThrow('in the future');
    expect(sandbox.bookings().find(({ id }) => id === one.id)).toEqual(one);
  });
});
