import { outputFields, present, show, showWith } from '../../shared/records/outputs.ts';

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
