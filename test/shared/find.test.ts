import { allOf } from '../../shared/client/pages.ts';
import { parseInput, type ManyOperation } from '../../shared/operations/define.ts';
import { findBooking, findContact, getManyBookings, searchContacts } from '../../shared/operations/index.ts';
import { findOrCreateBooking } from '../../shared/operations/booking/findOrCreate.ts';
import { asDelivered, fittingRecords, recentRecords } from '../../shared/webhooks/testData.ts';
import { eventRows } from '../../shared/events.ts';
import { booking as sample } from '../../shared/records/samples.ts';
import { refusal, refusalOf } from '../support/service.ts';
import { shownLists, type Lists } from '../support/shownLists.ts';

const found = async (operation: ManyOperation<never>, lists: Lists, fields: Record<string, unknown>, limit?: number) => {
  const service = shownLists(lists);
  const records = await allOf(operation.run(service.client, parseInput(operation, fields), limit === undefined ? {} : { limit }));
  return { ids: records.map(({ id }) => id), ...service };
};

describe('Find Booking', () => {
  const at = '2030-02-01T09:00:00Z';
  const ada = { invitee_email: 'Ada@example.com', event_type_id: 'evt_1', start_time: at, status: 'CONFIRMED' };
  const bookings = [
    { id: 'ada', ...ada },
    { id: 'cancelled', ...ada, status: 'CANCELLED' },
    { id: 'later', ...ada, start_time: '2030-02-01T10:00:00Z' },
    { id: 'other type', ...ada, event_type_id: 'evt_2' },
    { id: 'other person', ...ada, invitee_email: 'grace@example.com' },
    { id: 'bare' },
  ];
  const search = (fields: Record<string, unknown>, limit?: number) => found(findBooking as never, { bookings }, fields, limit);

  it.each<[Record<string, unknown>, string[]]>([
    [{ email: 'ADA@example.com' }, ['ada', 'other type', 'later', 'cancelled']],
    [{ event_type_id: 'evt_2' }, ['other type']],
    [{ start_time: '2030-02-01T10:00:00+01:00', event_type_id: 'evt_1' }, ['ada', 'other person', 'cancelled']],
    [{ email: 'ada@example.com', event_type_id: 'evt_1', start_time: at }, ['ada']],
    [{ email: 'ada@example.com', event_type_id: 'evt_1' }, ['ada', 'later', 'cancelled']],
    [{ email: 'ada@example.com', start_time: at }, ['ada', 'other type', 'cancelled']],
    [{ email: 'ada@example.com', event_type_id: 'evt_1', start_time: at, status: 'CANCELLED' }, ['ada', 'cancelled']],
    [{ email: 'undefined@example.com' }, []],
  ])('by %j finds %j', async (fields, ids) => {
    expect((await search(fields)).ids).toEqual(ids);
  });

  it.each([findBooking, getManyBookings])('takes a status in any letter case and either spelling: $name', async (operation) => {
    for (const [status, meant] of [
      ['confirmed', 'CONFIRMED'],
      [' Confirmed ', 'CONFIRMED'],
      ['CONFIRMED', 'CONFIRMED'],
      ['Canceled', 'CANCELLED'],
    ])
      expect((await found(operation as never, { bookings }, { status })).filters[0]).toEqual({ status: meant });
    await expect(found(operation as never, { bookings }, { status: 'open' })).rejects.toThrow(
      'is not one of CONFIRMED, CANCELLED, PENDING',
    );
  });

  it('asks the service for the status and the email, and returns no more than are wanted', async () => {
    const { ids, filters } = await search({ email: 'ada@example.com', status: 'CONFIRMED' }, 2);
    expect(ids).toEqual(['ada', 'other type']);
    expect(filters).toEqual([{ email: 'ada@example.com', status: 'CONFIRMED' }]);
  });
});

describe('contacts', () => {
  const contacts = [
    { id: 'old', email: 'ada@example.com', updated_at: '2030-01-01T00:00:00Z' },
    { id: 'untimed', email: 'ada@example.com' },
    { id: 'new', email: 'ADA@example.com', updated_at: '2030-01-03T00:00:00Z' },
    { id: 'created', email: 'ada@example.com', created_at: '2030-01-02T00:00:00Z' },
    { id: 'other', email: 'xada@example.com', updated_at: '2030-01-04T00:00:00Z' },
    { id: 'none' },
  ];

  it.each<[string, ManyOperation<never>]>([
    ['Find Contact', findContact as never],
    ['Search Contacts', searchContacts as never],
  ])('%s returns exactly those with the email, the most recently changed first', async (_, operation) => {
    const { ids, filters } = await found(operation, { contacts }, { email: 'Ada@Example.com' });
    expect(ids).toEqual(['new', 'created', 'old', 'untimed']);
    expect(filters).toEqual([{ email: 'Ada@Example.com' }, { email: 'ada@example.com' }]);
    expect((await found(operation, { contacts }, { email: 'ada@example.com' }, 1)).ids).toEqual(['new']);
  });
});

it.each<[string, ManyOperation<never>, string, string]>([
  ['Find Booking', findBooking as never, 'booking_id', "The invitee's email finds a booking best."],
  ['Find Contact', findContact as never, 'contact_id', "The contact's email finds it."],
])(
  '%s by id reads that record alone, one that does not exist is not found, and without anything it asks',
  async (_, operation, key, best) => {
    const one = await found(operation, { id_1: { id: 'id_1' } }, { [key]: 'id_1', email: 'nobody@example.com' });
    expect([one.ids, one.asked]).toEqual([['id_1'], ['id_1']]);
    const refused = (status: number) => {
      const service = shownLists();
      service.refused['id_1'] = status;
      return allOf(operation.run(service.client, { [key]: 'id_1' } as never, {}));
    };
    expect(await refused(404)).toStrictEqual([]);
    expect((await refusal(refused(403))).kind).toBe('forbidden');
    for (const email of [undefined, null, ''])
      expect((await refusal(found(operation, {}, { email }))).sentence).toBe(`Enter at least one search field. ${best}`);
  },
);

describe('Find or Create Booking', () => {
  const whole = { invitee_email: 'ada@example.com', event_type_id: 'evt_1', start_time: '2030-02-01T09:00:00Z' };
  const wanted = { email: 'ada@example.com', event_type_id: 'evt_1', start_time: whole.start_time };

  it('looks for the email, the type and the start together, if anything says that a booking should be made', () => {
    expect(findOrCreateBooking.searchInput({ ...whole, notes: 'Hello', status: 'PENDING' })).toEqual(wanted);
    expect(findOrCreateBooking.searchInput({ ...whole, email: 'grace@example.com' })).toEqual({ ...wanted, email: 'grace@example.com' });
    expect(findOrCreateBooking.searchInput({ ...whole, email: '' })).toEqual(wanted);
  });

  it('is an ordinary search if nothing does', () => {
    expect(findOrCreateBooking.searchInput({ ...wanted, status: 'PENDING' })).toBeUndefined();
    for (const empty of ['', null, undefined]) expect(findOrCreateBooking.searchInput({ ...wanted, notes: empty })).toBeUndefined();
  });

  it.each<[Record<string, unknown>, string[]]>([
    [{ notes: 'Hello' }, ['email', 'event_type_id', 'start_time']],
    [{ ...whole, start_time: '' }, ['start_time']],
    [{ ...whole, event_type_id: null }, ['event_type_id']],
  ])('refuses %j and names what is missing', async (raw, missing) => {
    expect(await refusalOf(() => findOrCreateBooking.searchInput(raw))).toMatchObject({
      kind: 'invalid',
      message: "To find or create a booking, the invitee's email, the event type and the start are all needed.",
      fields: missing.map((field) => ({ field, message: 'is required' })),
    });
  });
});

describe('test data of a trigger', () => {
  const rowOf = (name: string) => {
    const row = eventRows.find((each) => each.name === name);
    if (row === undefined) throw new Error(`There is no event ${name}.`);
    return row;
  };
  const fitting = async (name: string, lists: Lists, recent: Parameters<typeof fittingRecords>[2] = {}) => {
    const service = shownLists(lists);
    const records = await fittingRecords(service.client, rowOf(name), recent);
    return { ids: records.map(({ id }) => id), ...service };
  };
  const confirmed = (id: string, change: object = {}) => ({ id, status: 'CONFIRMED', ...change });

  it('is the newest first, three records if nothing else is said', async () => {
    const bookings = [
      confirmed('created', { created_at: '2030-01-02T00:00:00Z' }),
      confirmed('untimed'),
      confirmed('updated', { updated_at: '2030-01-03T00:00:00Z', created_at: '2030-01-01T00:00:00Z' }),
      confirmed('old', { updated_at: '2030-01-01T00:00:00Z' }),
    ];
    expect((await fitting('BOOKING_CREATED', { bookings })).ids).toEqual(['updated', 'created', 'old']);
    expect((await fitting('BOOKING_CREATED', { bookings }, { limit: 9 })).ids).toEqual(['updated', 'created', 'old', 'untimed']);
  });

  it('asks first for records in the status of the event, and for any others only if none fits', async () => {
    const first = await fitting('BOOKING_CREATED', { bookings: [confirmed('one')] });
    expect([first.asked, first.filters]).toEqual([['bookings'], [{ status: 'CONFIRMED' }]]);
    const second = await fitting('BOOKING_CREATED', { bookings: [{ id: 'one', status: 'PENDING' }] });
    expect([second.ids, second.filters]).toEqual([['one'], [{ status: 'CONFIRMED' }, {}]]);
    const third = await fitting('CONTACT_CREATED', { contacts: [{ id: 'one' }] });
    expect([third.ids, third.asked, third.filters]).toEqual([['one'], ['contacts'], [{}]]);
  });

  it('is what shows the most signs of the event', async () => {
    const bookings = [
      { id: 'plain', status: 'CANCELLED', updated_at: '2030-01-09T00:00:00Z', cancellation_reason: '' },
      { id: 'reason', status: 'CANCELLED', cancellation_reason: 'Ill' },
      { id: 'denied', status: 'CANCELLED', cancellation_reason: 'Ill', event_type_id: 'evt_1' },
    ];
    const types = [{ id: 'evt_1', requires_approval: true }, { id: 'evt_2' }];
    expect((await fitting('BOOKING_CANCELLED', { bookings })).ids).toEqual(['reason', 'denied']);
    const denied = await fitting('BOOKING_DENIED', { bookings, 'event-types': types });
    expect([denied.ids, denied.asked]).toEqual([['denied'], ['event-types', 'bookings']]);
    expect(
      (await fitting('BOOKING_RESCHEDULED', { bookings: [confirmed('a'), confirmed('b', { previous_start_time: '2030' })] })).ids,
    ).toEqual(['b']);
  });

  it('is read from the first hundred records, and is empty if there are none', async () => {
    const bookings = Array.from({ length: 150 }, (_, index) => confirmed(String(index)));
    expect((await fitting('BOOKING_CREATED', { bookings }, { limit: 200 })).ids).toHaveLength(100);
    expect((await fitting('BOOKING_CREATED', { bookings: [] })).ids).toEqual([]);
    expect(await fitting('CONTACT_CREATED', { contacts: [] })).toMatchObject({ ids: [], asked: ['contacts'] });
  });

  it('that cannot be read says which records were meant', async () => {
    const service = shownLists();
    service.refused['bookings'] = 404;
    expect((await refusal(fittingRecords(service.client, rowOf('BOOKING_CREATED')))).message).toContain('The list of bookings ');
  });

  it('knows a status in lower case', async () => {
    const bookings = ['cancelled', 'confirmed'].map((status) => ({ id: status, status, updated_at: '2030-01-03T00:00:00Z' }));
    expect((await fitting('BOOKING_CREATED', { bookings })).ids).toEqual(['confirmed']);
    expect((await fitting('BOOKING_CANCELLED', { bookings })).ids).toEqual(['cancelled']);
  });

  it('is shown even if event types cannot be read, because they only say what fits better', async () => {
    const service = shownLists({ bookings: [{ id: 'denied', status: 'CANCELLED', cancellation_reason: 'Ill' }] });
    service.refused['event-types'] = 403;
    expect(await fittingRecords(service.client, rowOf('BOOKING_DENIED'))).toMatchObject([{ id: 'denied' }]);
  });

  it('has a key for each record and event, which stays the same', async () => {
    const { client } = shownLists({ bookings: [confirmed('one'), confirmed('two')] });
    const keys = async (name: string) => (await recentRecords(client, rowOf(name))).map((record) => record['delivery_key']);
    const first = await keys('BOOKING_CREATED');
    expect(await keys('BOOKING_CREATED')).toEqual(first);
    expect(new Set([...first, ...(await keys('BOOKING_APPROVED'))]).size).toBe(4);
  });

  it('is of the chosen event types', async () => {
    const bookings = [confirmed('one', { event_type_id: 'evt_1' }), confirmed('two', { event_type_id: 'evt_2' })];
    expect((await fitting('BOOKING_CREATED', { bookings }, { eventTypeIds: ['evt_2'] })).ids).toEqual(['two']);
    expect((await fitting('BOOKING_CREATED', { bookings }, { eventTypeIds: ['evt_3'] })).ids).toEqual([]);
  });

  it('looks like a delivery: prepared for people, with its marks', async () => {
    const row = rowOf('BOOKING_CREATED');
    const service = shownLists({ bookings: [confirmed('bkg_1', { invitee_name: 'Ada Lovelace', updated_at: '2030-01-03T00:00:00Z' })] });
    expect(await recentRecords(service.client, row)).toMatchObject([
      {
        id: 'bkg_1',
        invitee_first_name: 'Ada',
        event: 'BOOKING_CREATED',
        delivery_id: 'sample-bkg_1',
        delivered_at: '2030-01-03T00:00:00Z',
        delivery_key: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        change_key: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      },
    ]);
    expect(asDelivered(row, { id: 'a', created_at: '2030-01-02T00:00:00Z' })).toMatchObject({ delivered_at: '2030-01-02T00:00:00Z' });
    expect(asDelivered(row, { id: 'a', updated_at: 7 })).toMatchObject({ delivered_at: sample['updated_at'] });
  });
});
