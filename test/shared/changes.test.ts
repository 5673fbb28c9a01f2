import { sha256 } from '../../shared/webhooks/nodeCrypto.ts';
import { changeItem, compareLists, stateWithout, type PollState, type PollRequest } from '../../shared/polling/poll.ts';
import { eventRows, listedRows } from '../../shared/events.ts';
import { refusal, testStart, shownLists, type Lists, type ShownLists } from '../support/service.ts';

const all = listedRows(eventRows).map(({ name }) => name);
const nine = '2031-01-01T09:00:00Z';
const ten = '2031-01-01T10:00:00Z';
const booking = (id: unknown, change: object = {}) => ({ id: `bkg_${String(id)}`, status: 'CONFIRMED', start_time: nine, ...change });
const contact = (id: unknown, change: object = {}) => ({
  id: `con_${String(id)}`,
  name: 'Ada',
  notes: 'Likes tea',
  updated_at: nine,
  ...change,
});
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);
const bookings = (count: number, prefix = '') => numbers(count).map((id) => booking(`${prefix}${id}`));
const contacts = (count: number, change: object = {}, from = 0) => numbers(count, from).map((id) => contact(id, change));

/** The lists of each test, and what the last poll saved. */
let service: ShownLists;
let kept: unknown;
beforeEach(() => {
  service = shownLists({ bookings: [booking(1)], contacts: [contact(1)] });
  kept = undefined;
});
const show = (shown: object[], people: object[] = [contact(1)]) => Object.assign(service.lists, { bookings: shown, contacts: people });

/** One poll whose state is saved, as the events and ids that it reports. */
async function polled(wanted: Partial<PollRequest> = {}) {
  const found = await compareLists(service.client, kept, { events: all, ...wanted }, sha256);
  kept = JSON.parse(JSON.stringify(found.state));
  return { ...found, changes: found.changes.map(({ row, record }) => `${row.name} ${String(record['id'])}`) };
}
/** What it reports of these bookings and contacts. */
async function changesOf(...lists: Parameters<typeof show>): Promise<string[]> {
  show(...lists);
  return (await polled()).changes.sort();
}

it('a change is the record as a trigger gives it, with the event and a key, and nothing of a delivery', async () => {
  const { state: known } = await compareLists(service.client, undefined, { events: all }, sha256);
  show([booking(1), booking(2, { invitee_name: 'Ana Ruiz', locale: 'en' })]);
  const [change] = (await compareLists(service.client, known, { events: all }, sha256)).changes;
  if (change === undefined) throw new Error('Nothing was found.');
  const added = { id: 'bkg_2', event: 'BOOKING_CREATED', change_key: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown };
  const whole = changeItem(change, 'presented');
  expect(whole).toMatchObject({ ...added, invitee_first_name: 'Ana', locale: 'en' });
  expect(Object.keys(whole).filter((key) => key.startsWith('deliver'))).toEqual([]);
  // It has few of the fields of a short form, so there is room for what the service sent.
  expect(changeItem(change, 'simplified')).toEqual({ ...booking(2), invitee_name: 'Ana Ruiz', locale: 'en', event: 'BOOKING_CREATED' });
});

it.each([
  ['a no-show that is taken back', ['CONFIRMED', 'NO_SHOW', 'CONFIRMED'], []],
  ['one that was over and moves back into the list', ['accepted', 'COMPLETED', 'in_progress', 'accepted'], []],
  ['a cancelled one that is archived and shown again', ['CANCELLED', 'ARCHIVED', 'CANCELLED'], []],
  ['one that was being reviewed before it was approved', ['PENDING', 'UNDER_REVIEW', 'CONFIRMED'], ['APPROVED', 'CREATED']],
  ['a no-show that is then cancelled', ['CONFIRMED', 'NO_SHOW', 'CANCELLED'], ['CANCELLED']],
  ['one that was not booked before', ['PAYING', 'CONFIRMED', 'NO_SHOW', 'CONFIRMED'], ['CREATED']],
])('%s is told once: %j', async (_, statuses, told) => {
  const changes: string[] = [];
  for (const status of statuses) changes.push(...(await changesOf([booking(1, { status })])));
  expect(changes).toEqual(told.map((event) => `BOOKING_${event} bkg_1`));
});

describe('between two readings', () => {
  /** The events that a poll reports after the lists were different before, and whether it must be saved. */
  async function shown(before: Lists, now: Lists, events: readonly string[] = all) {
    service.lists = before;
    await polled({ events });
    service.lists = now;
    const { changes, mustSave } = await polled({ events });
    return { events: changes.map((each) => each.split(' ')[0] ?? '').sort(), mustSave };
  }
  const types = { 'event-types': [{ id: 'evt_1', requires_approval: true }] };
  const ofBooking = (change?: object): Lists => ({ bookings: change ? [{ id: 'bkg_1', start_time: nine, ...change }] : [], ...types });
  const ofContact = (change?: object): Lists => ({ contacts: change ? [{ id: 'con_1', name: 'Ada', updated_at: nine, ...change }] : [] });
  const approved = { event_type_id: 'evt_1' };

  it.each<[string, object | undefined, object, string[]]>([
    ['a new confirmed booking', undefined, { status: 'CONFIRMED' }, ['CREATED']],
    ['a new booking without a status', undefined, {}, ['CREATED']],
    ['a new booking that waits', undefined, { status: 'PENDING' }, []],
    ['a new booking with a status that nobody knows', undefined, { status: 'COMPLETED' }, []],
    ['a new cancelled booking', undefined, { status: 'CANCELLED' }, ['CANCELLED']],
    ['a new confirmed booking whose type needs approval', undefined, { status: 'CONFIRMED', ...approved }, ['APPROVED', 'CREATED']],
    ['a new cancelled booking whose type needs approval', undefined, { status: 'CANCELLED', ...approved }, ['DENIED']],
    ['a status that the list did not show before', {}, { status: 'CONFIRMED' }, []],
    ['a cancellation that the list did not show before', {}, { status: 'CANCELLED' }, []],
    ['an approval', { status: 'PENDING' }, { status: 'CONFIRMED' }, ['APPROVED', 'CREATED']],
    ['a denial', { status: 'PENDING' }, { status: 'CANCELLED' }, ['DENIED']],
    ['a cancellation', { status: 'CONFIRMED' }, { status: 'CANCELLED' }, ['CANCELLED']],
    ['a booking that is confirmed again', { status: 'CANCELLED', updated_at: nine }, { status: 'CONFIRMED', updated_at: ten }, ['CREATED']],
    ...['accepted', { state: 'Scheduled' }, { title: 'BOOKED' }, { value: 'accepted' }, { code: 'APPROVED' }].flatMap(
      (status): [string, object | undefined, object, string[]][] => [
        [`a new booking that is ${JSON.stringify(status)}`, undefined, { status }, ['CREATED']],
        [`an approval to ${JSON.stringify(status)}`, { status: { name: 'awaiting_approval' } }, { status }, ['APPROVED', 'CREATED']],
        [`a cancellation of one that was ${JSON.stringify(status)}`, { status }, { status: 'cancelledByHost' }, ['CANCELLED']],
      ],
    ),
    ...['declined', 'REJECTED', 'denied_by_host', { label: 'Declined' }].flatMap(
      (status): [string, object | undefined, object, string[]][] => [
        [`a new booking that was ${JSON.stringify(status)}`, undefined, { status }, ['DENIED']],
        [`a denial as ${JSON.stringify(status)}`, { status: 'requested' }, { status }, ['DENIED']],
      ],
    ),
    ['a status in other words for the same', { status: 'CONFIRMED' }, { status: { name: 'accepted' } }, []],
    ['a status that is an empty object', { status: {} }, { status: 'CONFIRMED' }, []],
    ['a move', { status: 'CONFIRMED' }, { status: 'CONFIRMED', start_time: ten }, ['RESCHEDULED']],
    ['a move and an approval', { status: 'PENDING' }, { status: 'CONFIRMED', start_time: ten }, ['APPROVED', 'CREATED']],
    ['a move and a cancellation', { status: 'CONFIRMED' }, { status: 'CANCELLED', start_time: ten }, ['CANCELLED']],
    ['a move of a cancelled booking', { status: 'CANCELLED' }, { status: 'CANCELLED', start_time: ten }, []],
    ['the same start in another form', { status: 'CONFIRMED' }, { status: 'CONFIRMED', start_time: '2031-01-01T10:00+01:00' }, []],
    ['a new booking in place of another', undefined, { status: 'CONFIRMED', rescheduled_from: 'bkg_0' }, ['RESCHEDULED']],
    ['a booking that another one replaced', { status: 'CONFIRMED' }, { status: 'CANCELLED', rescheduledToUid: 'bkg_2' }, []],
    ['one that was new once', { status: 'CONFIRMED' }, { status: 'CANCELLED', new_booking: true, new_booking_count: 3 }, ['CANCELLED']],
    ['a cancellation after a move', { status: 'CONFIRMED' }, { status: 'CANCELLED', rescheduled_to: ten }, ['CANCELLED']],
    ['a booking that was hidden until now', undefined, { status: 'CONFIRMED', updated_at: '2029-12-31T09:00:00Z' }, []],
    ['a new one with an old update', undefined, { status: 'CONFIRMED', updated_at: '2029-12-31T09:00:00Z', created_at: ten }, ['CREATED']],
    ['a new booking without a time of its update', undefined, { status: 'CONFIRMED', updated_at: '0001-01-01T00:00:00Z' }, ['CREATED']],
    ['a booking that waited for its payment', undefined, { status: 'CONFIRMED', created_at: '2029-12-31T09:00:00Z' }, ['CREATED']],
    ['a cancellation that was hidden until now', undefined, { status: 'CANCELLED', updated_at: '2029-12-31T09:00:00Z' }, []],
    ['a hidden booking that was cancelled', undefined, { status: 'CANCELLED', created_at: '2029-12-31T09:00:00Z' }, ['CANCELLED']],
    ['a start that is no longer shown', { status: 'CONFIRMED' }, { status: 'CONFIRMED', start_time: null }, []],
    ['other notes', { status: 'CONFIRMED', notes: 'a' }, { status: 'CONFIRMED', notes: 'b' }, []],
  ])('%s is reported as it should be', async (_, before, now, names) => {
    expect((await shown(ofBooking(before), ofBooking(now))).events).toEqual(names.map((name) => `BOOKING_${name}`));
  });

  it.each<[string, object | undefined, object, string[]]>([
    ['a new contact', undefined, {}, ['CREATED']],
    ...['name', 'email', 'phone', 'timezone', 'locale', 'notes'].map((field): [string, object, object, string[]] => [
      `another ${field}`,
      {},
      { [field]: field === 'email' ? 'other@example.com' : field === 'phone' ? '+1 202' : 'other' },
      ['UPDATED'],
    ]),
    ['a value that moved to another field', { name: 'Ada', notes: '' }, { name: '', notes: 'Ada' }, ['UPDATED']],
    ['another time of the last update', {}, { updated_at: ten }, []],
    ['the same data, with null for an absent field', {}, { notes: null }, []],
  ])('of a contact, %s is reported as it should be', async (_, before, now, names) => {
    expect((await shown(ofContact(before), ofContact(now))).events).toEqual(names.map((name) => `CONTACT_${name}`));
  });

  it.each<[string, string[], Lists, Lists, boolean]>([
    ['only a known booking can be seen to move', ['BOOKING_RESCHEDULED'], ofBooking(), ofBooking({}), true],
    ['only a known contact can be seen to change', ['CONTACT_UPDATED'], ofContact(), ofContact({}), true],
    ['it may be confirmed again', ['BOOKING_CREATED'], ofBooking({ status: 'CONFIRMED' }), ofBooking({ status: 'CANCELLED' }), true],
    ['one of two events needs it', ['BOOKING_CREATED', 'BOOKING_RESCHEDULED'], ofBooking(), ofBooking({ status: 'CONFIRMED' }), true],
    ['its denial shows in the booking alone', ['BOOKING_DENIED'], ofBooking(), ofBooking({ status: 'PENDING' }), false],
    ['its cancellation shows in the booking alone', ['BOOKING_CANCELLED'], ofBooking(), ofBooking({ status: 'CONFIRMED' }), false],
    ['only new ones are wanted, and it is known by then', ['CONTACT_CREATED'], ofContact(), ofContact({}), false],
    ['nothing changed', ['BOOKING_RESCHEDULED'], ofBooking({}), ofBooking({}), false],
  ])('%s: for %j, whether the state must be saved', async (_, events, before, now, mustSave) => {
    expect((await shown(before, now, events)).mustSave).toBe(mustSave);
  });
});

describe('a credential that changes to another account', () => {
  beforeEach(() => Object.assign(service.lists, { me: { id: 'usr_1', email: 'host@example.com' }, bookings: [], contacts: [] }));

  it.each([1, 20, 400])('reports none of its 400 bookings, if %i were known', async (count) => {
    await changesOf(bookings(count));
    service.lists['me'] = { id: 'usr_2' };
    show(bookings(400, 'other_'));
    expect(await polled({ upcomingAtFirst: true })).toMatchObject({ changes: [], baseline: 'elsewhere', mustSave: true });
    expect((kept as PollState).lists.booking).toHaveLength(400 * 19);
    expect(await changesOf([...bookings(400, 'other_'), booking('new')])).toEqual(['BOOKING_CREATED bkg_new']);
  });

  it('is recognised by the email if the user has no id, whatever its letter case', async () => {
    service.lists['me'] = { email: 'Host@example.com' };
    await changesOf(bookings(3));
    service.lists['me'] = { email: 'host@EXAMPLE.com' };
    expect(await changesOf(bookings(4))).toEqual(['BOOKING_CREATED bkg_3']);
    service.lists['me'] = { email: 'other@example.com' };
    show(bookings(5, 'other_'));
    expect(await polled()).toMatchObject({ changes: [], baseline: 'elsewhere' });
    expect(JSON.stringify(kept)).not.toContain('example');
  });

  it('is not assumed if all records are others', async () => {
    await changesOf(bookings(30));
    expect(await changesOf(bookings(1, 'later_'))).toEqual(['BOOKING_CREATED bkg_later_0']);
  });

  it.each([403, 500])('is not looked for if the service answers %i to that question: the poll goes on by what is known', async (status) => {
    await changesOf(bookings(3));
    service.refused['me'] = status;
    expect(await changesOf(bookings(4))).toEqual(['BOOKING_CREATED bkg_3']);
    delete service.refused['me'];
    service.lists['me'] = { id: 'usr_2' };
    expect(await polled()).toMatchObject({ changes: [], baseline: 'elsewhere' });
  });

  it.each([401, 429])('%i is no answer: the poll fails, and the next one finds the same changes', async (status) => {
    await changesOf(bookings(3));
    service.refused['me'] = status;
    show(bookings(4));
    expect((await refusal(polled())).status).toBe(status);
    delete service.refused['me'];
    expect((await polled()).changes).toEqual(['BOOKING_CREATED bkg_3']);
  });
});

describe('lists of another account, if the service does not say whose they are,', () => {
  const known = bookings(20);

  it('are recognised because no known record is in them, and nothing of any list is reported', async () => {
    await changesOf(known);
    show([booking('other')], [contact(1, { name: 'Grace' }), contact(2)]);
    expect(await polled()).toMatchObject({ changes: [], baseline: 'elsewhere', mustSave: true });
    // The former account is forgotten.
    expect(await changesOf([booking('other'), booking(0)])).toContain('BOOKING_CREATED bkg_0');
  });

  it.each<[string, object[], object[], string[]]>([
    ['one record is known', [...known, booking(20), booking(21)], [booking(0), booking('other')], ['BOOKING_CREATED bkg_other']],
    ['too few were known', known.slice(1), [booking('other')], ['BOOKING_CREATED bkg_other']],
    ['they show nothing', known, [], []],
  ])('are not assumed if %s', async (_, before, now, changes) => {
    await changesOf(before);
    show(now);
    expect(await polled()).toMatchObject({ changes });
  });
});

describe('nothing is invented:', () => {
  it('half a list for some polls, and then the whole one again, gives nothing and is told once', async () => {
    await changesOf(bookings(180));
    for (const missing of [90, 0, 0]) {
      show(bookings(90));
      expect(await polled()).toMatchObject({ changes: [], missing });
    }
    show(bookings(180));
    expect(await polled()).toMatchObject({ changes: [], missing: 0 });
  });

  it('a record that was gone and comes back is reported only if it changed', async () => {
    await changesOf(bookings(3));
    for (let left = 20; left > 0; left -= 1) expect(await changesOf(bookings(1))).toEqual([]);
    expect(await changesOf([...bookings(2), booking(2, { status: 'CANCELLED' })])).toEqual(['BOOKING_CANCELLED bkg_2']);
  });

  describe('copies of a database that answer in turn', () => {
    const updated = (text: unknown) => ({ updated_at: text });
    it.each<[string, object, object]>([
      ['which show when a record was updated', updated(nine), updated('2031-01-01T09:00:01Z')],
      ['which count seconds', updated(1_900_000_000), updated(1_900_000_001)],
      ['which show no time', {}, {}],
      ['whose time never changes', updated(nine), updated(nine)],
    ])('%s: each change is reported once, and the old state is not', async (_, early, late) => {
      for (const [before, after, events] of [
        [{}, { status: 'CANCELLED' }, ['BOOKING_CANCELLED bkg_1']],
        [{ status: 'PENDING' }, {}, ['BOOKING_APPROVED bkg_1', 'BOOKING_CREATED bkg_1']],
        [{ status: 'PENDING' }, { status: 'CANCELLED' }, ['BOOKING_DENIED bkg_1']],
        [{}, { start_time: '2031-02-02T09:00:00Z' }, ['BOOKING_RESCHEDULED bkg_1']],
      ] as const) {
        const [old, now] = [[booking(1, { ...before, ...early })], [booking(1, { ...after, ...late })]];
        kept = undefined;
        await changesOf(old);
        const given: string[] = [];
        for (const shown of [now, old, now, old, old, now]) given.push(...(await changesOf(shown)));
        expect(given.sort()).toEqual(events);
      }
    });

    it('an edited contact is reported once, and how many records are outdated is told', async () => {
      const [old, now] = [[contact(1)], [contact(1, { name: 'Grace', updated_at: ten })]];
      await changesOf([], now);
      for (const outdated of [1, 0, 1]) {
        show([], outdated === 1 ? old : now);
        expect(await polled()).toMatchObject({ changes: [], outdated });
      }
    });

    it.each<[form: string, (hour: number) => unknown]>([
      ['in UTC', (hour) => `2031-01-01T0${hour}:00:00Z`],
      ['without an offset', (hour) => `2031-01-01 0${hour}:00:00,0`],
      ['with an offset of hours', (hour) => `2031-01-01T0${hour}:00+00`],
      ['in seconds as text', (hour) => String(1_900_000_000 + hour)],
    ])('a booking that really goes back is reported, if it says %s that it was updated', async (_, time) => {
      const at = (hour: number, change: object) => [booking(1, { ...change, ...updated(time(hour)) })];
      const moved = { start_time: ten };
      await changesOf(at(1, {}));
      for (const [hour, change, event] of [
        [2, moved, 'BOOKING_RESCHEDULED'],
        [3, {}, 'BOOKING_RESCHEDULED'],
        [4, { status: 'CANCELLED' }, 'BOOKING_CANCELLED'],
        [5, {}, 'BOOKING_CREATED'],
      ] as const)
        expect(await changesOf(at(hour, change))).toEqual([`${event} bkg_1`]);
      // Also if the machine that stored it has a clock that is behind.
      expect(await changesOf(at(4, { status: 'CANCELLED' }))).toEqual(['BOOKING_CANCELLED bkg_1']);
    });
  });

  it('a start or a status that some readings do not show is compared with the last one that was shown', async () => {
    expect(await changesOf([booking(1, { start_time: undefined, status: undefined })])).toEqual([]);
    await changesOf([booking(1)]);
    expect(await changesOf([booking(1, { start_time: undefined, status: undefined }), { ...booking(2), id: null }])).toEqual([]);
    expect(await changesOf([booking(1, { start_time: ten, status: 'CANCELLED' })])).toEqual(['BOOKING_CANCELLED bkg_1']);
  });

  it('contacts that all differ although none was updated show that the service changed its form: only the others are reported', async () => {
    await changesOf([], contacts(38));
    const form = { notes: undefined, name: 'A.' };
    show([], [...contacts(20, form), ...contacts(18, {}, 20), contact('new')]);
    expect(await polled()).toMatchObject({ changes: ['CONTACT_CREATED con_new'], baseline: 'otherForm', mustSave: true });
    expect(await changesOf([], [...contacts(20, form), contact(20, { name: 'Grace' })])).toEqual(['CONTACT_UPDATED con_20']);
  });

  it.each<[string, number, number, object]>([
    ['they are few', 19, 19, {}],
    ['they are no more than half', 40, 20, {}],
    ['each was updated', 30, 30, { updated_at: ten }],
    ['none says when', 30, 30, { updated_at: undefined }],
  ])('contacts that differ are reported if %s', async (_, total, other, change) => {
    await changesOf([], contacts(total));
    show([], [...contacts(other, { name: 'Grace', ...change }), ...contacts(total - other, {}, other)]);
    const found = await polled();
    expect([found.changes.length, found.baseline]).toEqual([other, undefined]);
  });
});

describe('a state that cannot be used is replaced, and nothing is reported:', () => {
  const ofList = (spoil: (list: string) => string) => (state: PollState) => ({
    ...state,
    lists: { booking: spoil(state.lists.booking ?? '') },
  });

  it.each<[string, (kept: PollState) => unknown]>([
    ['none of ours', () => 'a text'],
    ['of another version', (state) => ({ ...state, version: 3 })],
    ['with an account that is not a text', (state) => ({ ...state, account: 1 })],
    ['with an event that is not a text', (state) => ({ ...state, events: ['BOOKING_CREATED', 1] })],
    ['with event types that are no list', (state) => ({ ...state, eventTypes: 'evt_1' })],
    ['without lists', (state) => ({ ...state, lists: null })],
    ['with a list that was cut off', ofList((list) => list.slice(1))],
    ['with a list with a sign that none contains', ofList((list) => list.replace(/.$/, '\n'))],
  ])('%s', async (_, spoil) => {
    await polled();
    kept = spoil(kept as PollState);
    show([booking(1), booking(2)]);
    expect(await polled()).toMatchObject({ changes: [], baseline: 'unreadable', mustSave: true, isChanged: true });
    expect(await changesOf([booking(1), booking(2), booking(3)])).toEqual(['BOOKING_CREATED bkg_3']);
  });

  it('of another service, as the caller names it', async () => {
    await polled({ place: 'one' });
    show([booking(1), booking(2)]);
    expect(await polled({ place: 'other' })).toMatchObject({ changes: [], baseline: 'elsewhere', mustSave: true });
    expect(await polled({ place: 'other' })).toMatchObject({ changes: [], mustSave: false, isChanged: false });
    expect(await polled({ place: 'third', upcomingAtFirst: true })).toMatchObject({ changes: [], baseline: 'elsewhere' });
  });
});

it('the first poll takes stock, and the second finds nothing', async () => {
  expect(await polled()).toMatchObject({ changes: [], baseline: 'first', mustSave: true, isChanged: true, calls: 5, records: 2 });
  const second = await polled();
  expect(second).toMatchObject({ changes: [], mustSave: false, isChanged: false, calls: 5, records: 2, missing: 0, outdated: 0 });
  expect(second.baseline).toBeUndefined();
});

it('reports changes in the order of their last update, or else of their creation; those without a time last', async () => {
  await changesOf([]);
  show(
    [
      booking('untimed'),
      booking('third', { updated_at: Date.UTC(2031, 0, 3) / 1000, created_at: '2031-01-03T00:00:00Z' }),
      booking('first', { created_at: '2031-01-01T00:00:00Z' }),
      booking('fourth', { updated_at: 'lately', created_at: '2031-01-04T00:00:00+00:00' }),
    ],
    [contact(1), contact('second', { updated_at: '2031-01-02T00:00:00Z' })],
  );
  expect((await polled()).changes.map((each) => each.split('_').at(-1))).toEqual(['first', 'second', 'third', 'fourth', 'untimed']);
});

it('at first, only upcoming confirmed bookings of the chosen event types are reported, if they are wanted', async () => {
  const later = (seconds: number) => new Date(testStart + seconds * 1000).toISOString();
  show([
    booking('now', { start_time: later(0) }),
    booking('soon', { start_time: later(1), event_type_id: 'evt_1' }),
    booking('other', { start_time: later(1), event_type_id: 'evt_2' }),
    booking('waiting', { start_time: later(1), status: 'PENDING' }),
    booking('untold', { start_time: undefined }),
  ]);
  const wanted = { upcomingAtFirst: true };
  expect((await polled({ ...wanted, eventTypeIds: ['evt_1'] })).changes).toEqual(['BOOKING_CREATED bkg_soon']);
  kept = undefined;
  expect((await polled(wanted)).changes).toEqual(['BOOKING_CREATED bkg_soon', 'BOOKING_CREATED bkg_other']);
});

it('bookings of event types, and events, that were added to the choice count from then on', async () => {
  const typed = (id: number, type: string | undefined) => booking(id, { event_type_id: type });
  await polled({ events: ['BOOKING_CREATED'], eventTypeIds: ['evt_1'] });
  expect(service.asked).not.toContain('contacts');
  show([typed(2, 'evt_1'), typed(3, 'evt_2'), typed(4, undefined)]);
  expect((await polled({ eventTypeIds: ['evt_1', 'evt_2'] })).changes).toEqual(['BOOKING_CREATED bkg_2', 'BOOKING_CREATED bkg_4']);
  show([typed(2, 'evt_1'), typed(3, 'evt_2'), typed(5, 'evt_2'), typed(6, 'evt_1')], [contact(1), contact(2)]);
  expect((await polled({ eventTypeIds: ['evt_2'] })).changes).toEqual(['CONTACT_CREATED con_2', 'BOOKING_CREATED bkg_5']);
});

describe('the event types', () => {
  const cancelled = { status: 'CANCELLED', event_type_id: 'evt_1' };
  beforeEach(async () => {
    service.lists['event-types'] = [{ id: 'evt_1', requires_approval: true }];
    await polled();
    service.asked.length = 0;
  });

  it('are read once if something new may have been denied', async () => {
    const denied = [booking(1), booking(2, cancelled), booking(3, cancelled)];
    expect(await changesOf(denied)).toEqual(['BOOKING_DENIED bkg_2', 'BOOKING_DENIED bkg_3']);
    expect(service.asked).toEqual(['me', 'bookings', 'bookings', 'bookings', 'event-types', 'contacts']);
  });

  it('may be closed to the connection: the likelier event is reported', async () => {
    service.refused['event-types'] = 403;
    expect(await changesOf([booking(1), booking(2, cancelled)])).toEqual(['BOOKING_CANCELLED bkg_2']);
  });
});

it('a first poll with a time limit saves how far it came, and the next one goes on and reports what was made meanwhile', async () => {
  const since = new Date(testStart + 5_000).toISOString();
  show(bookings(450));
  service.answersIn = 1_000;
  const limited = { until: service.clock.at + 4_000 };
  expect(await polled(limited)).toMatchObject({ changes: [], goesOn: true, baseline: 'first', mustSave: true });
  show([booking(0, { start_time: ten }), ...bookings(450).slice(1), booking('new', { created_at: since })]);
  const second = await polled();
  const changes = ['BOOKING_RESCHEDULED bkg_0', 'BOOKING_CREATED bkg_new'];
  expect(second).toMatchObject({ changes: expect.arrayContaining(changes) as unknown, baseline: 'first', records: 452 });
  expect(second.goesOn).toBeUndefined();
  expect((await polled()).changes).toEqual([]);
});

it('changes that were not handled are found again if nothing was known before, each in the list of its own kind of record', async () => {
  const same = [{ ...booking(1), id: 'same' }];
  show(same, [{ ...contact(1), id: 'same' }]);
  await polled({ upcomingAtFirst: true });
  kept = stateWithout(undefined, kept as PollState, [{ event: 'CONTACT_CREATED', id: 'same' }], sha256);
  expect((await polled()).changes).toEqual(['CONTACT_CREATED same']);
});
