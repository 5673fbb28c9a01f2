import { poll, type ChangeStore } from '../../shared/polling/poll.ts';
import { eventRows } from '../../shared/events.ts';
import { sha256 } from '../../shared/webhooks/key.ts';
import { shownLists, type Lists } from '../support/shownLists.ts';

/** The events that a poll reports after the lists were different before, and whether it must be saved. */
async function shown(before: Lists, now: Lists, events: readonly string[] = eventRows.map(({ name }) => name)) {
  const service = shownLists(before);
  let kept: unknown;
  const store: ChangeStore = { read: () => kept, write: (state) => void (kept = structuredClone(state)) };
  await poll(service.client, store, { events }, sha256);
  service.lists = now;
  const { changes, mustKeep } = await poll(service.client, store, { events }, sha256);
  return { events: changes.map(({ row }) => row.name).sort(), mustKeep };
}

const nine = '2031-01-01T09:00:00Z';
const ten = '2031-01-01T10:00:00Z';
const booking = (change: object | undefined): Lists => ({
  bookings: change === undefined ? [] : [{ id: 'bkg_1', start_time: nine, ...change }],
  'event-types': [
    { id: 'evt_1', requires_approval: true },
    { id: 'evt_2', requires_approval: 1 },
  ],
});
const contact = (change: object | undefined): Lists => ({
  contacts: change === undefined ? [] : [{ id: 'con_1', name: 'Ada', updated_at: nine, ...change }],
});

const approved = { event_type_id: 'evt_1' };

it.each<[string, object | undefined, object, string[]]>([
  ['a new confirmed booking', undefined, { status: 'CONFIRMED' }, ['CREATED']],
  ['a new booking with its status in small letters', undefined, { status: 'confirmed' }, ['CREATED']],
  ['a new booking without a status', undefined, {}, ['CREATED']],
  ['a new booking that waits', undefined, { status: 'PENDING' }, []],
  ['a new booking with a status that nobody knows', undefined, { status: 'COMPLETED' }, []],
  ['a new cancelled booking', undefined, { status: 'CANCELLED' }, ['CANCELLED']],
  ['a new confirmed booking whose type needs approval', undefined, { status: 'CONFIRMED', ...approved }, ['APPROVED', 'CREATED']],
  ['a new cancelled booking whose type needs approval', undefined, { status: 'CANCELLED', ...approved }, ['DENIED']],
  ['the same where yes is 1', undefined, { status: 'CANCELLED', event_type_id: 'evt_2' }, ['DENIED']],
  ['a status that the list did not show before', {}, { status: 'CONFIRMED' }, []],
  ['a cancellation that the list did not show before', {}, { status: 'CANCELLED' }, []],
  ['an approval', { status: 'PENDING' }, { status: 'CONFIRMED' }, ['APPROVED', 'CREATED']],
  ['a denial', { status: 'PENDING' }, { status: 'CANCELLED' }, ['DENIED']],
  ['a cancellation', { status: 'CONFIRMED' }, { status: 'CANCELLED' }, ['CANCELLED']],
  ['a cancellation of what nobody knows', { status: 'COMPLETED' }, { status: 'CANCELLED' }, ['CANCELLED']],
  ['a booking that is confirmed again', { status: 'CANCELLED', updated_at: nine }, { status: 'CONFIRMED', updated_at: ten }, ['CREATED']],
  ['a confirmation of what nobody knows', { status: 'COMPLETED' }, { status: 'CONFIRMED' }, ['CREATED']],
  ['a confirmed booking that waits again', { status: 'CONFIRMED' }, { status: 'PENDING' }, []],
  ['a status that is no longer shown', { status: 'PENDING' }, {}, []],
  ['a move', { status: 'CONFIRMED' }, { status: 'CONFIRMED', start_time: ten }, ['RESCHEDULED']],
  ['a move of a booking that waits', { status: 'PENDING' }, { status: 'PENDING', start_time: ten }, ['RESCHEDULED']],
  ['a move and an approval', { status: 'PENDING' }, { status: 'CONFIRMED', start_time: ten }, ['APPROVED', 'CREATED']],
  ['a move and a cancellation', { status: 'CONFIRMED' }, { status: 'CANCELLED', start_time: ten }, ['CANCELLED']],
  ['a move of a cancelled booking', { status: 'CANCELLED' }, { status: 'CANCELLED', start_time: ten }, []],
  ...['2031-01-01T10:00:00.000+01:00', '2031-01-01T10:00+01:00[Europe/Berlin]', '2031-01-01 09:00:00 UTC', 1925024400].map(
    (start_time): [string, object, object, string[]] => [
      `the same start, written as ${start_time}`,
      { status: 'CONFIRMED' },
      { status: 'CONFIRMED', start_time },
      [],
    ],
  ),
  ['a start that was not shown before', { status: 'CONFIRMED', start_time: undefined }, { status: 'CONFIRMED' }, []],
  ['a start that is no longer shown', { status: 'CONFIRMED' }, { status: 'CONFIRMED', start_time: null }, []],
  [
    'a start that is not a time',
    { status: 'CONFIRMED', start_time: 'soon' },
    { status: 'CONFIRMED', start_time: 'later' },
    ['RESCHEDULED'],
  ],
  ['other notes', { status: 'CONFIRMED', notes: 'a' }, { status: 'CONFIRMED', notes: 'b' }, []],
])('%s is reported as it should be', async (_, before, now, names) => {
  expect((await shown(booking(before), booking(now))).events).toEqual(names.map((name) => `BOOKING_${name}`));
});

it.each<[string, object | undefined, object, string[]]>([
  ['a new contact', undefined, {}, ['CREATED']],
  ['another name', {}, { name: 'Grace' }, ['UPDATED']],
  ['another email', {}, { email: 'ada@example.com' }, ['UPDATED']],
  ['another phone', {}, { phone: '+44 20 7946 0000' }, ['UPDATED']],
  ['another time zone', {}, { timezone: 'Europe/London' }, ['UPDATED']],
  ['another language', {}, { locale: 'fr' }, ['UPDATED']],
  ['other notes', { notes: 'Likes tea' }, { notes: '' }, ['UPDATED']],
  ['a value that moved to another field', { name: 'a', email: '' }, { name: '', email: 'a' }, ['UPDATED']],
  ['another time of the last update', {}, { updated_at: ten }, []],
  ['a field that is not about the person', {}, { bookings_count: 7 }, []],
  ['the same data, with null for an absent field', {}, { notes: null }, []],
])('of a contact, %s is reported as it should be', async (_, before, now, names) => {
  expect((await shown(contact(before), contact(now))).events).toEqual(names.map((name) => `CONTACT_${name}`));
});

/** Whether the state must be saved, for the sake of an event, because a record was seen in a new form. */
it.each<[string, string, Lists, Lists, boolean]>([
  ['only a known booking can be seen to move', 'BOOKING_RESCHEDULED', booking(undefined), booking({}), true],
  ['only a known contact can be seen to change', 'CONTACT_UPDATED', contact(undefined), contact({}), true],
  ['it may be confirmed again', 'BOOKING_CREATED', booking({ status: 'CONFIRMED' }), booking({ status: 'CANCELLED' }), true],
  ['its approval shows in the booking alone', 'BOOKING_APPROVED', booking(undefined), booking({ status: 'PENDING' }), false],
  ['its denial shows in the booking alone', 'BOOKING_DENIED', booking(undefined), booking({ status: 'PENDING' }), false],
  ['its cancellation shows in the booking alone', 'BOOKING_CANCELLED', booking(undefined), booking({ status: 'CONFIRMED' }), false],
  ['a later move shows all the same', 'BOOKING_RESCHEDULED', booking({ status: 'CONFIRMED' }), booking({ status: 'CANCELLED' }), false],
  ['the next edit shows all the same', 'CONTACT_UPDATED', contact({}), contact({ name: 'Grace' }), false],
  ['only new ones are wanted, and it is known by then', 'CONTACT_CREATED', contact(undefined), contact({}), false],
  ['only new ones are wanted', 'CONTACT_CREATED', contact({}), contact({ name: 'Grace' }), false],
  ['nothing changed', 'BOOKING_RESCHEDULED', booking({}), booking({}), false],
])('%s: for %s, whether the state must be saved', async (_, event, before, now, mustKeep) => {
  expect((await shown(before, now, [event])).mustKeep).toBe(mustKeep);
});

it('saves the state if one of the wanted events needs it', async () => {
  const events = ['BOOKING_CREATED', 'BOOKING_RESCHEDULED'];
  expect((await shown(booking(undefined), booking({ status: 'CONFIRMED' }), events)).mustKeep).toBe(true);
});
