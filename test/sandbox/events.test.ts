import { afterEach, describe, expect, it } from '@jest/globals';
import { virtualClock, type Booking, type Sandbox } from '../../sandbox/service.ts';
import { at, bookingInput, caller, listenToAll, start, stopAll, textAt, typeNamed, type Reply } from './support.ts';

afterEach(stopAll);

const known = { invitee_name: 'Ana Ruiz', invitee_email: 'ana.ruiz@example.com' };
const post = (sandbox: Sandbox, more: Record<string, unknown> = {}): Promise<Reply> =>
  caller(sandbox)('POST', '/bookings', bookingInput(sandbox, { ...known, ...more }));
const request = (sandbox: Sandbox) =>
  sandbox.host.book({ ...known, event_type_id: typeNamed(sandbox, 'Design Review'), question_responses: { link: 'x' } });
const contact = (sandbox: Sandbox) => sandbox.contacts()[0]?.id ?? '';

type Events = Record<string, unknown>;
/** What is done after a preparation, and each event that it fires, with what its record shows at least. */
const CASES: [
  what: string,
  before: (sandbox: Sandbox) => Booking | undefined,
  act: (sandbox: Sandbox, booking?: Booking) => unknown,
  Events,
][] = [
  ['a confirmed booking of a known contact', () => undefined, (of) => post(of), { BOOKING_CREATED: { status: 'CONFIRMED' } }],
  [
    'a first booking by an unknown email',
    () => undefined,
    (of) => post(of, { invitee_name: 'Nadia', invitee_email: 'n@example.com', locale: 'fr', invitee_timezone: 'Asia/Tokyo' }),
    {
      BOOKING_CREATED: {},
      CONTACT_CREATED: { name: 'Nadia', email: 'n@example.com', timezone: 'Asia/Tokyo', locale: 'fr', phone: null },
    },
  ],
  [
    'a booking with another name of a known contact',
    () => undefined,
    (of) => post(of, { invitee_name: 'Ana Lopez' }),
    { BOOKING_CREATED: {}, CONTACT_UPDATED: { name: 'Ana Lopez' } },
  ],
  [
    'a booking with another zone',
    () => undefined,
    (of) => post(of, { invitee_timezone: 'Asia/Tokyo' }),
    { BOOKING_CREATED: {}, CONTACT_UPDATED: { timezone: 'Asia/Tokyo' } },
  ],
  [
    'a booking with the email in another case and the same zone',
    () => undefined,
    (of) => post(of, { invitee_email: 'ANA.RUIZ@example.com', invitee_timezone: 'Europe/Madrid' }),
    { BOOKING_CREATED: {} },
  ],
  [
    'a booking whose answers contain another phone number',
    () => undefined,
    (of) => post(of, { event_type_id: typeNamed(of, 'Support Session'), question_responses: { phone: '+34 699 999 999' } }),
    { BOOKING_CREATED: {}, CONTACT_UPDATED: { phone: '+34 699 999 999' } },
  ],
  ['a pending booking', () => undefined, request, {}],
  [
    'an approval',
    request,
    (of, booking) => of.host.approve(booking?.id ?? ''),
    { BOOKING_APPROVED: { status: 'CONFIRMED' }, BOOKING_CREATED: { status: 'CONFIRMED' } },
  ],
  [
    'a denial',
    request,
    (of, booking) => of.host.deny(booking?.id ?? '', { reason: 'No time' }),
    { BOOKING_DENIED: { status: 'CANCELLED', cancellation_reason: 'No time' } },
  ],
  [
    'a cancellation by the API',
    (of) => of.host.book(known),
    (of, booking) => caller(of)('POST', `/bookings/${booking?.id}/cancel`, {}),
    { BOOKING_CANCELLED: { status: 'CANCELLED' } },
  ],
  [
    'a cancellation by the host',
    (of) => of.host.book(known),
    (of, booking) => of.host.cancel(booking?.id ?? ''),
    { BOOKING_CANCELLED: {} },
  ],
  [
    'a reschedule, also onto a part of its own time',
    (of) => of.host.book({ ...known, start_time: '2027-06-01T10:00:00Z' }),
    (of, booking) => of.host.reschedule(booking?.id ?? '', { start_time: '2027-06-01T10:15:00Z' }),
    {
      BOOKING_RESCHEDULED: {
        status: 'CONFIRMED',
        start_time: '2027-06-01T10:15:00.000Z',
        end_time: '2027-06-01T10:45:00.000Z',
        previous_start_time: '2027-06-01T10:00:00.000Z',
      },
    },
  ],
  [
    'an edited contact',
    () => undefined,
    (of) => of.host.editContact(contact(of), { notes: 'Vegetarian', phone: null }),
    { CONTACT_UPDATED: { notes: 'Vegetarian', phone: null } },
  ],
  ['an edit that changes nothing', () => undefined, (of) => of.host.editContact(contact(of), { name: 'Ana Ruiz' }), {}],
];

describe('which events fire (G22)', () => {
  it.each(CASES)('%s', async (_what, before, act, expected) => {
    const sandbox = await start({ clock: virtualClock() });
    const listener = await listenToAll(sandbox);
    const booking = before(sandbox);
    await sandbox.settled();
    listener.received.splice(0);
    await act(sandbox, booking);
    expect(await listener.heard()).toEqual(Object.keys(expected).sort());
    const records = listener.received
      .map(({ body }) => JSON.parse(body) as unknown)
      .map((body) => [textAt(body, 'event'), at(body, 'data')]);
    expect(Object.fromEntries(records)).toMatchObject(expected);
    expect(sandbox.contacts().filter(({ email }) => email.toLowerCase() === known.invitee_email)).toHaveLength(1);
  });

  it('the record is the one that the API shows', async () => {
    const sandbox = await start();
    const listener = await listenToAll(sandbox);
    const { body } = await post(sandbox);
    await listener.heard();
    expect(at(JSON.parse(listener.received[0]?.body ?? ''), 'data')).toEqual(at(body, 'data'));
  });
});

it('refused, without an event (G21): what a status, a taken time or the past does not allow', async () => {
  const sandbox = await start({ clock: virtualClock() });
  const { host } = sandbox;
  const [one, two] = [host.book(known), host.book(known)];
  const cancelled = host.cancel(host.book(known).id).id;
  const before = JSON.stringify([sandbox.bookings(), sandbox.deliveries()]);
  for (const [act, reason] of [
    [() => host.approve(one.id), 'only a PENDING one'],
    [() => host.deny(one.id), 'only a PENDING one'],
    [() => host.reschedule(cancelled, { start_time: '2027-06-01T10:00:00Z' }), 'only a CONFIRMED one'],
    [() => host.cancel(cancelled), 'already cancelled'],
    [() => host.reschedule(one.id, { start_time: two.start_time }), 'taken by another booking'],
    [() => host.reschedule(one.id, { start_time: '2020-01-01T00:00:00Z' }), 'in the future'],
  ] as const)
    expect(act).toThrow(reason);
  expect(JSON.stringify([sandbox.bookings(), sandbox.deliveries()])).toBe(before);
});
