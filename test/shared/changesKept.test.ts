import { callsFor, compareLists, knownWithout, poll, TooLong, type PollState } from '../../shared/polling/poll.ts';
import { sha256 } from '../../shared/webhooks/key.ts';
import { refusal, testStart } from '../support/service.ts';
import { all, booking, changesOf, compare, contact, numbers, polled, saved, service, show } from '../support/polledLists.ts';

describe('a state that cannot be used is replaced, and nothing is reported:', () => {
  it.each<[string, (kept: PollState) => unknown]>([
    ['none of ours', () => 'a text'],
    ['null', () => null],
    ['a list', () => []],
    ['of another version', (state) => ({ ...state, version: 3 })],
    ['with an account that is not a text', (state) => ({ ...state, account: 1 })],
    ['without a place', (state) => ({ ...state, place: undefined })],
    ['without events', (state) => ({ ...state, events: undefined })],
    ['with an event that is not a text', (state) => ({ ...state, events: ['BOOKING_CREATED', 1] })],
    ['with event types that are no list', (state) => ({ ...state, eventTypes: 'evt_1' })],
    ['with an event type that is not a text', (state) => ({ ...state, eventTypes: [null] })],
    ['without lists', (state) => ({ ...state, lists: null })],
    ...(
      [
        ['that was cut off', (list) => list.slice(1)],
        ['with a sign that no list contains', (list) => list.replace(/^./, '!')],
        ['with such a sign at the end', (list) => list.replace(/.$/, '\n')],
        ['that is not a text', () => 19],
      ] as [string, (list: string) => unknown][]
    ).map(([what, spoil]): [string, (kept: PollState) => unknown] => [
      `with a list ${what}`,
      (state) => ({ ...state, lists: { ...state.lists, booking: spoil(state.lists.booking ?? '') } }),
    ]),
  ])('%s', async (_, spoil) => {
    await polled();
    const good = saved.kept;
    saved.kept = spoil(structuredClone(saved.kept) as PollState);
    show([booking(1), booking(2)]);
    const found = await polled();
    expect(found).toMatchObject({ changes: [], stock: 'unreadable', mustKeep: true, isOther: true });
    show([booking(1)]);
    expect(Object.keys(saved.kept as object)).toEqual(Object.keys(good as object));
    expect(await changesOf([booking(1), booking(2), booking(3)])).toEqual(['BOOKING_CREATED bkg_3']);
  });

  it('of another service, as the caller names it', async () => {
    await polled({ place: 'one' });
    show([booking(1), booking(2)]);
    expect(await polled({ place: 'other' })).toMatchObject({ changes: [], stock: 'elsewhere', mustKeep: true });
    expect(await polled({ place: 'other' })).toMatchObject({ changes: [], mustKeep: false, isOther: false });
    expect((await polled({ place: 'other' })).stock).toBeUndefined();
    expect(await polled({ place: 'third', upcomingAtFirst: true })).toMatchObject({ changes: [], stock: 'elsewhere' });
  });
});

it('the first poll takes stock, and the second finds nothing', async () => {
  expect(await polled()).toMatchObject({ changes: [], stock: 'first', mustKeep: true, isOther: true, calls: 5, records: 2 });
  const second = await polled();
  expect(second).toMatchObject({ changes: [], mustKeep: false, isOther: false, calls: 5, records: 2, missing: 0, outdated: 0 });
  expect(second.stock).toBeUndefined();
});

describe('lists of another account, if the service does not say whose they are,', () => {
  const known = numbers(20).map((id) => booking(id));

  it('are recognised because no known record is in them, and nothing of any list is reported', async () => {
    await changesOf(known);
    show([booking('other')], [contact(1, { name: 'Grace' }), contact(2)]);
    expect(await polled()).toMatchObject({ changes: [], stock: 'elsewhere', mustKeep: true });
    // The former account is forgotten.
    expect((saved.kept as PollState).lists.booking).toHaveLength(19);
    show([booking('other'), booking(0)]);
    expect((await polled()).changes).toContain('BOOKING_CREATED bkg_0');
  });

  it.each<[string, object[], object[], string[]]>([
    ['one record is known', [...known, booking(20), booking(21)], [booking(0), booking('other')], ['BOOKING_CREATED bkg_other']],
    ['too few were known', known.slice(1), [booking('other')], ['BOOKING_CREATED bkg_other']],
    ['they show nothing', known, [], []],
  ])('are not assumed if %s', async (_, before, now, changes) => {
    await changesOf(before);
    show(now);
    const found = await polled();
    expect(found).toMatchObject({ changes });
    expect(found.stock).toBeUndefined();
  });
});

describe('contacts that all differ although none was updated', () => {
  const shownAs = async (total: number, other: number, more: object[] = []) => {
    show(
      [],
      numbers(total).map((id) => contact(id)),
    );
    await polled();
    show(
      [],
      [
        ...numbers(other).map((id) => contact(id, { notes: undefined, name: 'A.' })),
        ...numbers(total - other, other).map((id) => contact(id)),
        ...more,
      ],
    );
    return polled();
  };

  it('show that the service changed its form: only the others are reported', async () => {
    expect(await shownAs(38, 20, [contact('new')])).toMatchObject({
      changes: ['CONTACT_CREATED con_new'],
      stock: 'other form',
      mustKeep: true,
    });
    expect(
      await changesOf([], [...numbers(20).map((id) => contact(id, { notes: undefined, name: 'A.' })), contact(20, { name: 'Grace' })]),
    ).toEqual(['CONTACT_UPDATED con_20']);
  });

  it.each([
    ['few', 19, 19],
    ['no more than half', 40, 20],
  ])('are reported if they are %s', async (_, total, other) => {
    const found = await shownAs(total, other);
    expect(found.changes).toHaveLength(other);
    expect(found.stock).toBeUndefined();
  });

  it.each(['2031-02-02T09:00:00Z', undefined])('are reported if each was updated, or does not say when: %p', async (updated_at) => {
    await changesOf(
      [],
      numbers(30).map((id) => contact(id)),
    );
    show(
      [],
      numbers(30).map((id) => contact(id, { name: 'Grace', updated_at })),
    );
    const found = await polled();
    expect([found.changes.length, found.stock]).toEqual([30, undefined]);
  });
});

it('reports changes in the order of their last update, or else of their creation; those without a time last', async () => {
  await changesOf([]);
  show(
    [
      booking('untimed'),
      booking('third', { updated_at: Date.UTC(2031, 0, 3) / 1000, created_at: '2030-01-01T00:00:00Z' }),
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
    booking('past', { start_time: later(-1) }),
    booking('waiting', { start_time: later(1), status: 'PENDING' }),
    booking('untold', { start_time: undefined }),
    booking('number', { start_time: testStart / 1000 + 1, status: 'confirmed', event_type_id: 'evt_2' }),
    booking('gone', { start_time: testStart / 1000 - 1 }),
  ]);
  expect((await compare()).changes).toEqual([]);
  expect((await polled({ upcomingAtFirst: true, eventTypeIds: ['evt_1'] })).changes).toEqual(['BOOKING_CREATED bkg_soon']);
  saved.kept = undefined;
  expect((await polled({ upcomingAtFirst: true })).changes).toEqual(
    ['soon', 'other', 'number'].map((each) => `BOOKING_CREATED bkg_${each}`),
  );
});

it('bookings of event types that were added to the choice count from then on', async () => {
  const typed = (id: number, type: string | undefined) => booking(id, { event_type_id: type });
  await polled({ eventTypeIds: ['evt_1'] });
  show([typed(2, 'evt_1'), typed(3, 'evt_2'), typed(4, undefined)]);
  expect((await polled({ eventTypeIds: ['evt_1', 'evt_2'] })).changes).toEqual(['BOOKING_CREATED bkg_2', 'BOOKING_CREATED bkg_4']);
  show([typed(2, 'evt_1'), typed(3, 'evt_2'), typed(5, 'evt_2'), typed(6, 'evt_1')]);
  expect((await polled({ eventTypeIds: ['evt_2'] })).changes).toEqual(['BOOKING_CREATED bkg_5']);
});

it('an event that is added later counts from then on, and no list is read that is not needed', async () => {
  await polled({ events: ['BOOKING_CANCELLED'] });
  expect(service.asked).not.toContain('contacts');
  show([booking(1), booking(2)]);
  const events = ['BOOKING_CANCELLED', 'BOOKING_CREATED'];
  expect((await polled({ events })).changes).toEqual([]);
  show([booking(1), booking(2, { status: 'CANCELLED' }), booking(3)]);
  expect((await polled({ events })).changes.sort()).toEqual(['BOOKING_CANCELLED bkg_2', 'BOOKING_CREATED bkg_3']);
});

describe('the event types', () => {
  const cancelled = { status: 'CANCELLED', event_type_id: 'evt_1' };
  beforeEach(async () => {
    service.lists['event-types'] = [{ id: 'evt_1', requires_approval: true }];
    await polled();
    service.asked.length = 0;
  });

  it('are read once if something new may have been denied', async () => {
    expect(await changesOf([booking(1), booking(2, cancelled), booking(3, cancelled), booking(4, { status: 'PENDING' })])).toEqual([
      'BOOKING_DENIED bkg_2',
      'BOOKING_DENIED bkg_3',
    ]);
    expect(service.asked).toEqual(['me', 'bookings', 'bookings', 'bookings', 'event-types', 'contacts']);
  });

  it.each<[string, object[], string[]]>([
    ['a known booking is cancelled', [booking(1, cancelled)], all],
    ['a new booking waits', [booking(1), booking(2, { status: 'PENDING' })], all],
    ['only moves are wanted', [booking(1), booking(2, cancelled)], ['BOOKING_RESCHEDULED']],
  ])('are not read if %s', async (_, bookings, events) => {
    show(bookings, [contact(1), contact(2)]);
    await polled({ events });
    expect(service.asked).not.toContain('event-types');
  });

  it('may be closed to the connection: the likelier event is reported', async () => {
    service.refused['event-types'] = 403;
    expect(await changesOf([booking(1), booking(2, cancelled)])).toEqual(['BOOKING_CANCELLED bkg_2']);
  });

  it('fail the poll if they cannot be read for another reason', async () => {
    service.refused['event-types'] = 404;
    show([booking(1), booking(2, cancelled)]);
    expect((await refusal(compare())).status).toBe(404);
  });
});

describe('a poll with a time limit', () => {
  beforeEach(() => {
    show(numbers(201).map((id) => booking(id)));
    service.answersIn = 1_000;
  });
  const limited = (seconds: number) => {
    const write = jest.fn();
    const begun = service.now;
    return { write, poll: poll(service.client, { read: () => undefined, write }, { events: all, until: begun + seconds * 1000 }, sha256) };
  };

  it('ends when it is over, saves nothing, and says how far it came', async () => {
    const { write, poll: late } = limited(1);
    const error = await late.then(
      () => undefined,
      (failure: unknown) => failure,
    );
    expect(error).toBeInstanceOf(TooLong);
    expect((error as Error).message).toBe('The lists take more than 2 calls.');
    expect(write).not.toHaveBeenCalled();
  });

  it('saves once if it ends exactly in time', async () => {
    const { write, poll: inTime } = limited(11);
    expect(await inTime).toMatchObject({ calls: 11, records: 202, stock: 'first' });
    expect(write).toHaveBeenCalledTimes(1);
  });
});

describe('changes that were not handled', () => {
  const leave = (before: unknown, untaken: { event: string; id: string }[]) =>
    (saved.kept = knownWithout(before, saved.kept as PollState, untaken, sha256));

  it('are found again by the next poll, and nothing else is', async () => {
    await polled();
    const before = saved.kept;
    show([booking(1, { status: 'CANCELLED' }), booking(2)], [contact(1, { name: 'Grace' }), contact(2)]);
    expect((await polled()).changes).toHaveLength(4);
    leave(before, [
      { event: 'BOOKING_CREATED', id: 'bkg_2' },
      { event: 'BOOKING_CANCELLED', id: 'bkg_1' },
      { event: 'CONTACT_UPDATED', id: 'con_1' },
    ]);
    expect((await polled()).changes.sort()).toEqual(['BOOKING_CANCELLED bkg_1', 'BOOKING_CREATED bkg_2', 'CONTACT_UPDATED con_1']);
    expect((await polled()).changes).toEqual([]);
  });

  it('are found again if nothing was known before', async () => {
    await polled({ upcomingAtFirst: true });
    leave(undefined, [{ event: 'BOOKING_CREATED', id: 'bkg_1' }]);
    expect((await polled()).changes).toEqual(['BOOKING_CREATED bkg_1']);
  });

  it('concern only the list of their own kind of record, and no list that is not read', async () => {
    const same = [{ ...booking(1), id: 'same' }];
    show(same, [{ ...contact(1), id: 'same' }]);
    await polled({ upcomingAtFirst: true });
    await changesOf([...same, booking(2)], service.lists['contacts'] as object[]);
    leave(undefined, [
      { event: 'CONTACT_CREATED', id: 'same' },
      { event: 'BOOKING_CREATED', id: 'bkg_2' },
    ]);
    expect((await polled()).changes.sort()).toEqual(['BOOKING_CREATED bkg_2', 'CONTACT_CREATED same']);
    saved.kept = undefined;
    await polled({ events: ['BOOKING_CREATED'] });
    expect(Object.keys(leave(undefined, []).lists)).toEqual(['booking']);
  });

  it('leave a list empty that cannot be read', async () => {
    await polled();
    (saved.kept as PollState).lists.contact = 'cut off';
    expect(leave(undefined, []).lists.contact).toBe('');
  });
});

describe('the state that the first release saved', () => {
  // The hashes of these starts begin with a minus, and have one inside.
  const there = [booking(1, { start_time: '2031-01-01T09:49:00Z' }), booking(2, { start_time: '2031-01-01T09:25:00Z' })];
  beforeEach(() => {
    service.lists['me'] = { id: 'usr_1', email: 'host@example.com' };
    show(there);
    saved.kept = {
      version: 1,
      place: '',
      events: all,
      eventTypes: [],
      lists: { booking: '48EZ6k_lC_ikcH9U_QkMmCzb-P', contact: '9Z_r5MTWAW0jDAmIg' },
    };
  });

  it('is taken over: nothing is reported that was known', async () => {
    const found = await polled();
    expect(found).toMatchObject({ changes: [], mustKeep: false, missing: 0, outdated: 0 });
    expect(found.stock).toBeUndefined();
    expect(saved.kept).toMatchObject({ version: 2, account: expect.any(String) as unknown });
    expect(await polled()).toMatchObject({ changes: [], isOther: false });
  });

  it('is taken over with the changes since', async () => {
    show(
      [{ ...there[0], start_time: '2031-05-01T09:00:00Z' }, booking(2, { status: 'CANCELLED' }), booking(3)],
      [contact(1, { name: 'Grace' })],
    );
    expect((await polled()).changes.sort()).toEqual([
      'BOOKING_CANCELLED bkg_2',
      'BOOKING_CREATED bkg_3',
      'BOOKING_RESCHEDULED bkg_1',
      'CONTACT_UPDATED con_1',
    ]);
  });
});

it('takes two records for one if their ids have the same hash', async () => {
  show([booking(1, { start_time: '2031-03-03T09:00:00Z' }), booking(2, { start_time: '2031-03-03T10:00:00Z' })], []);
  const found = await compareLists(service.client, undefined, { events: all, upcomingAtFirst: true }, () => 'A'.repeat(64));
  expect(found.changes.map(({ record }) => record['id'])).toEqual(['bkg_1']);
  expect(found.kept.lists.booking).toHaveLength(19);
});

it.each([
  [0, 1],
  [1, 1],
  [100, 1],
  [101, 2],
])('a list of %i records takes %i calls', (records, calls) => {
  expect(callsFor(records)).toBe(calls);
});
