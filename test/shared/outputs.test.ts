import { outputFields, present, show, showWith, isWide, simpleFields, simplify, inReadingOrder } from '../../shared/records/outputs.ts';
import type { RecordKind } from '../../shared/records/records.ts';
import * as samples from '../../shared/records/samples.ts';
import { addLocalTimes, zoneOf } from '../../shared/time/localTimes.ts';
import { sortByRelevance } from '../../shared/records/status.ts';

const booking = { id: 'bkg_1', invitee_name: 'Ada', locale: 'en' };

it.each<[unknown, object]>([
  ['Ada Lovelace', { first: 'Ada', last: 'Lovelace' }],
  ['  Ada  King Lovelace ', { first: 'Ada', last: 'King Lovelace' }],
  ['Ada\tLovelace', { first: 'Ada', last: 'Lovelace' }],
  ['Ada', { first: 'Ada', last: '' }],
  [' ', { first: '', last: '' }],
  [undefined, {}],
  [7, {}],
])('shows the name %j also in two parts', (name, { first, last }: { first?: string; last?: string }) => {
  const parts = first === undefined ? {} : { first_name: first, last_name: last };
  expect(present('contact', { id: 'a', name })).toStrictEqual({ id: 'a', name, ...parts });
  const invitee = first === undefined ? {} : { invitee_first_name: first, invitee_last_name: last };
  expect(present('booking', { id: 'a', invitee_name: name })).toStrictEqual({ id: 'a', invitee_name: name, ...invitee, answers: [] });
});

it.each<[Record<string, unknown>, object]>([
  [
    { start_time: '2030-01-31T08:00:00Z', end_time: '2030-01-31T09:00:00Z', invitee_timezone: 'Europe/Berlin' },
    { invitee_start_time: '2030-01-31T09:00:00+01:00', invitee_end_time: '2030-01-31T10:00:00+01:00' },
  ],
  [{ start_time: '2030-01-31T08:00:00Z', end_time: 'later', invitee_timezone: 'UTC' }, { invitee_start_time: '2030-01-31T08:00:00Z' }],
  [{ start_time: 'soon', end_time: '2030-01-31T09:00:00Z', invitee_timezone: 'UTC' }, { invitee_end_time: '2030-01-31T09:00:00Z' }],
  [{ start_time: '2030-01-31T08:00:00Z' }, {}],
])('of %j, shows the times on the clock of the invitee', (times, shown) => {
  expect(present('booking', times)).toStrictEqual({ ...times, ...shown, answers: [] });
});

it.each<[unknown, unknown[]]>([
  [
    { company: 'Engines', size: 4 },
    [
      { question: 'company', answer: 'Engines' },
      { question: 'size', answer: 4 },
    ],
  ],
  [{}, []],
  [null, []],
  [['a'], []],
  [[{ question: 'Company', answer: 'Engines' }], [{ question: 'Company', answer: 'Engines' }]],
])('shows the answers %j also as a list', (question_responses, answers) => {
  expect(present('booking', { question_responses })).toStrictEqual({ question_responses, answers });
});

it('leaves other records as they are, and changes none', () => {
  const type = { id: 'evt_1', name: 'Intro Call' };
  expect(present('eventType', type)).toBe(type);
  const given = Object.freeze({ ...booking });
  expect(present('booking', given)).not.toBe(given);
});

it('shows a record complete or only its main fields; one with few fields is always complete', () => {
  expect(show('booking', booking, 'presented')).toStrictEqual({
    ...booking,
    invitee_first_name: 'Ada',
    invitee_last_name: '',
    answers: [],
  });
  expect(show('booking', booking, 'simplified')).toStrictEqual({ id: 'bkg_1', invitee_name: 'Ada' });
  const user = { id: 'usr_1', of_the_service: 1 };
  expect([show('user', user, 'presented'), show('user', user, 'simplified')]).toEqual([user, user]);
  const added = { event: 'BOOKING_CREATED', change_key: 'key', other: 1 };
  expect(showWith('booking', booking, added, 'presented')).toStrictEqual({ ...show('booking', booking, 'presented'), ...added });
  expect(showWith('booking', booking, added, 'simplified')).toStrictEqual({
    ...show('booking', booking, 'simplified'),
    event: 'BOOKING_CREATED',
    change_key: 'key',
  });
});

it('labels the fields of a record, those of a delivery and those that an operation adds', () => {
  const labels = (...given: Parameters<typeof outputFields>) => outputFields(...given).map(({ label }) => label);
  expect(labels('user')).toEqual(['User ID', 'Name', 'Email', 'Time Zone', 'Language', 'Plan']);
  expect(labels('user', { delivery: true, adds: [{ key: 'more', label: 'More', type: 'boolean' }] })).toEqual([
    ...labels('user'),
    'Event',
    'Delivery ID',
    'Delivered At',
    'Delivery Key',
    'Change Key',
    'More',
  ]);
});

describe('the short form', () => {
  const delivered = ['event', 'delivery_id', 'delivered_at', 'delivery_key', 'change_key'];
  const bookings = 'invitee_name start_time event_type_name status invitee_email end_time invitee_timezone id event_type_id notes';
  const more = 'question_responses meeting_url location cancellation_reason previous_start_time';
  const fields: [RecordKind, string[]][] = [
    ['booking', [...`${bookings} ${more}`.split(' '), ...delivered]],
    ['contact', ['name', 'email', 'id', 'phone', 'timezone', 'notes', ...delivered]],
    ['eventType', ['name', 'duration_minutes', 'active', 'id', 'description', 'requires_approval', 'location', 'questions', ...delivered]],
  ];

  describe.each(fields)('the short form of a %s', (kind, names) => {
    it('has its main fields in order, and those of a delivery', () => {
      const whole = Object.fromEntries([...names, 'locale', 'created_at', 'of_the_service'].reverse().map((name) => [name, `the ${name}`]));
      expect(Object.entries(simplify(kind, whole))).toEqual(names.map((name) => [name, `the ${name}`]));
      expect([...simpleFields(kind)]).toEqual(names);
      expect(Object.getPrototypeOf(simplify(kind, whole))).toBe(Object.prototype);
      expect(isWide(kind)).toBe(true);
    });

    it('leaves out what is empty, and keeps values that only look empty', () => {
      for (const nothing of [null, undefined, ''])
        expect(simplify(kind, Object.fromEntries(names.map((name) => [name, nothing])))).toEqual({});
      for (const something of [false, 0, [], {}])
        expect(Object.keys(simplify(kind, Object.fromEntries(names.map((name) => [name, something]))))).toEqual(names);
    });
  });

  it('has nothing that is added for people, so that it can be made from the bare record', () => {
    for (const [kind, record] of [
      ['booking', samples.booking],
      ['contact', samples.contact],
      ['eventType', samples.eventType],
    ] as const) {
      const bare = Object.fromEntries(
        Object.entries(record).filter(([name]) => !/^invitee_(?:start|end|first|last)_|^(?:first|last)_name$|^answers$/.test(name)),
      );
      expect(simplify(kind, present(kind, bare))).toEqual(simplify(kind, bare));
    }
  });

  it.each(['user', 'subscription'] as const)('a %s has so few fields that it stays as it is', (kind) => {
    const record = { id: 'a', created_at: null };
    expect(simplify(kind, record)).toBe(record);
    expect(simpleFields(kind).size).toBe(0);
    expect(isWide(kind)).toBe(false);
  });
});

describe('in the order of people', () => {
  describe('the times of a booking', () => {
    const booking = { id: 'bkg_1', start_time: '2030-01-31T19:00:00Z', end_time: '2030-01-31T20:00:00Z', invitee_timezone: 'Asia/Kolkata' };
    const invitee = {
      invitee_weekday: 'Friday',
      invitee_start_time: '2030-02-01T00:30:00+05:30',
      invitee_end_time: '2030-02-01T01:30:00+05:30',
    };
    const host = {
      host_weekday: 'Thursday',
      host_start_time: '2030-01-31T20:00:00+01:00',
      host_end_time: '2030-01-31T21:00:00+01:00',
      host_timezone: 'Europe/Berlin',
    };

    it('are shown on the clocks of the host and of the invitee', () => {
      expect(addLocalTimes('booking', booking, 'Europe/Berlin')).toStrictEqual({ ...booking, ...host, ...invitee });
    });

    it('are left out where they cannot be computed', () => {
      expect(addLocalTimes('booking', booking, undefined)).toStrictEqual({ ...booking, ...invitee });
      expect(addLocalTimes('booking', { ...booking, invitee_timezone: null }, 'Europe/Berlin')).toStrictEqual({
        ...booking,
        invitee_timezone: null,
        ...host,
      });
      expect(addLocalTimes('booking', { id: 'bkg_1' }, undefined)).toStrictEqual({ id: 'bkg_1' });
    });

    it('are added to nothing else', () => {
      const contact = { id: 'con_1', start_time: booking.start_time };
      expect(addLocalTimes('contact', contact, 'Europe/Berlin')).toBe(contact);
    });

    it.each([
      [{ timezone: 'Europe/Berlin' }, 'Europe/Berlin'],
      [{ timezone: '' }, undefined],
      [{ timezone: 7 }, undefined],
      [{}, undefined],
    ])('are those of the host by %j: %s', (user, zone) => {
      expect(zoneOf(user)).toBe(zone);
    });
  });

  it('puts the event, then who, when and what first, and changes nothing else', () => {
    const record = { id: 'a', event_type_name: 'Intro', notes: null, start_time: 's', invitee_name: 'Ada', event: 'E' };
    expect(Object.entries(inReadingOrder(record))).toEqual([
      ['event', 'E'],
      ['invitee_name', 'Ada'],
      ['start_time', 's'],
      ['event_type_name', 'Intro'],
      ['id', 'a'],
      ['notes', null],
    ]);
    expect(Object.keys(inReadingOrder({ id: 'a', start_time: undefined, constructor: 'x' }))).toEqual(['start_time', 'id', 'constructor']);
  });

  it('orders bookings: the next one first, then the latest past one, cancelled ones last', () => {
    const now = Date.parse('2030-01-02T08:00:00Z');
    const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
    const bookings = [
      { id: 'cancelled past', status: 'CANCELLED', start_time: at(-1) },
      { id: 'without a time', status: 'CONFIRMED' },
      { id: 'without one either', status: 'CONFIRMED', start_time: 'soon' },
      { id: 'long past', status: 'CONFIRMED', start_time: at(-9) },
      { id: 'late', status: 'CONFIRMED', start_time: at(9) },
      { id: 'past', status: 'CONFIRMED', start_time: at(-2) },
      { id: 'next', status: 'PENDING', start_time: at(1) },
      { id: 'cancelled', status: 'CANCELLED', start_time: at(2) },
      { id: 'now', status: 'CONFIRMED', start_time: at(0) },
      { id: 'as late', status: 'CONFIRMED', start_time: at(9) },
    ];
    expect(sortByRelevance(bookings, now).map(({ id }) => id)).toEqual([
      'now',
      'next',
      'late',
      'as late',
      'past',
      'long past',
      'without a time',
      'without one either',
      'cancelled',
      'cancelled past',
    ]);
  });
});
