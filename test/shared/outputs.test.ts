import { outputFields, present, show, showWith, simpleFields, simplify, inReadingOrder } from '../../shared/records/outputs.ts';
import type { RecordKind } from '../../shared/records/records.ts';
import { addLocalTimes, zoneOf } from '../../shared/time/localTimes.ts';
import { sortByRelevance } from '../../shared/records/status.ts';

const booking = { id: 'bkg_1', invitee_name: 'Ada', locale: 'en' };

it.each<[unknown, object]>([
  ['Ada Lovelace', { first: 'Ada', last: 'Lovelace' }],
  ['  Ada  King Lovelace ', { first: 'Ada', last: 'King Lovelace' }],
  [' ', { first: '', last: '' }],
  [undefined, {}],
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
  [{ start_time: '2030-01-31T08:00:00Z' }, {}],
])('of %j, shows the times on the clock of the invitee', (times, shown) => {
  expect(present('booking', times)).toStrictEqual({ ...times, ...shown, answers: [] });
});

it.each<[unknown, unknown[]]>([
  [{ company: 'Engines' }, [{ question: 'company', answer: 'Engines' }]],
  [null, []],
  [[{ question: 'Company', answer: 'Engines' }], [{ question: 'Company', answer: 'Engines' }]],
])('shows the answers %j also as a list', (question_responses, answers) => {
  expect(present('booking', { question_responses })).toStrictEqual({ question_responses, answers });
});

it('shows a record complete or only its main fields, with what is added to it; one with few fields is always complete', () => {
  const whole = { ...booking, invitee_first_name: 'Ada', invitee_last_name: '', answers: [] };
  const short = { id: 'bkg_1', invitee_name: 'Ada' };
  expect([show('booking', booking, 'presented'), show('booking', booking, 'simplified')]).toStrictEqual([whole, short]);
  const user = { id: 'usr_1', created_at: null };
  expect([show('user', user, 'presented'), show('user', user, 'simplified'), simplify('user', user)]).toEqual([user, user, user]);
  const event = { event: 'BOOKING_CREATED', change_key: 'key' };
  expect(showWith('booking', booking, { ...event, other: 1 }, 'presented')).toStrictEqual({ ...whole, ...event, other: 1 });
  expect(showWith('booking', booking, { ...event, other: 1 }, 'simplified')).toStrictEqual({ ...short, ...event });
});

it('labels the fields of a record, those of a delivery and those that an operation adds', () => {
  const labels = (...given: Parameters<typeof outputFields>) => outputFields(...given).map(({ label }) => label);
  const user = ['User ID', 'Name', 'Email', 'Time Zone', 'Language', 'Plan'];
  const delivered = ['Event', 'Delivery ID', 'Delivered At', 'Delivery Key', 'Change Key'];
  expect(labels('user')).toEqual(user);
  const adds = [{ key: 'more', label: 'More', type: 'boolean' } as const];
  expect(labels('user', { delivery: true, adds })).toEqual([...user, ...delivered, 'More']);
});

describe('the short form', () => {
  const delivered = ['event', 'delivery_id', 'delivered_at', 'delivery_key', 'change_key'];
  const bookings = 'invitee_name start_time event_type_name status invitee_email end_time invitee_timezone id event_type_id notes';
  const more = 'question_responses meeting_url location cancellation_reason previous_start_time';

  it.each<[RecordKind, string]>([
    ['booking', `${bookings} ${more}`],
    ['contact', 'name email id phone timezone notes'],
    ['eventType', 'name duration_minutes active id description requires_approval location questions'],
  ])('of a %s has its main fields in order, and those of a delivery, without empty ones', (kind, main) => {
    const names = [...main.split(' '), ...delivered];
    const whole = Object.fromEntries([...names, 'locale', 'created_at', 'of_the_service'].reverse().map((name) => [name, `the ${name}`]));
    expect(Object.entries(simplify(kind, whole))).toEqual(names.map((name) => [name, `the ${name}`]));
    expect([...simpleFields(kind)]).toEqual(names);
    const all = (value: unknown) => Object.keys(simplify(kind, Object.fromEntries(names.map((name) => [name, value]))));
    for (const nothing of [null, undefined, '']) expect(all(nothing)).toEqual([]);
    for (const something of [false, 0, [], {}]) expect(all(something)).toEqual(names);
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

    it('are left out where they cannot be computed', () => {
      expect(addLocalTimes('booking', booking, undefined)).toStrictEqual({ ...booking, ...invitee });
      expect(addLocalTimes('booking', { ...booking, invitee_timezone: null }, 'Europe/Berlin')).toStrictEqual({
        ...booking,
        invitee_timezone: null,
        ...host,
      });
      expect(addLocalTimes('booking', { id: 'bkg_1' }, undefined)).toStrictEqual({ id: 'bkg_1' });
    });

    it('are those of the host only if the user shows a zone', () => {
      const zones = [{ timezone: 'Europe/Berlin' }, { timezone: '' }, { timezone: 7 }, {}].map(zoneOf);
      expect(zones).toEqual(['Europe/Berlin', undefined, undefined, undefined]);
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
