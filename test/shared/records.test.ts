import { reader, readOne, recordIn } from '../../shared/reading/index.ts';
import { type FieldRows, type RecordKind, recordTables } from '../../shared/records/fields.ts';
import { sortByRelevance } from '../../shared/operations/booking/relevance.ts';
import assumptions from '../../shared/assumptions.json' with { type: 'json' };
import { idText } from '../../shared/values.ts';
import {
  mainFields,
  mainPart,
  outputFields,
  present,
  show,
  showWith,
  simpleEventFields,
  simpleFields,
} from '../../shared/records/outputs.ts';
import { eventRows } from '../../shared/events.ts';
import { localTimes, zoneOf } from '../../shared/records/localTimes.ts';
import { oneOf } from '../support/wire.ts';

const kinds = Object.keys(recordTables) as RecordKind[];
const readRecord = (kind: RecordKind, raw: Record<string, unknown>) => reader.read(kind, { raw });
/** JSON also reads 9007199254740993 as this number: its last digit is lost. */
const beyond = 2 ** 53;

it('an id is a text or a whole number that is exact (G3)', () => {
  expect(['bkg_1', '9007199254740993', beyond - 1].map(idText)).toEqual(['bkg_1', '9007199254740993', '9007199254740991']);
  const others = [beyond, -beyond, 1e21, 1.5, Number.NaN, Infinity, '', 'b\uFFFDg', null, undefined, true, {}, ['a']];
  expect(others.filter((value) => idText(value) !== undefined)).toEqual([]);
});

it.each(kinds)('a %s with an id beyond 2^53 is unreadable, and the field is named', (kind) => {
  for (const [id, field] of [[beyond, 'id'] as const, [1e21, 'id'] as const, [1.5, undefined] as const]) {
    expect(readRecord(kind, { id, email: 'ada@example.com' })).toBeUndefined();
    expect(reader.inexactId(kind, { id })).toBe(field);
  }
  expect(readRecord(kind, { id: beyond - 1 })).toEqual({ id: '9007199254740991' });
});

it('a record is read inside the object in which its envelope puts it (G2)', () => {
  expect(readOne('booking', { status: 'success', ...oneOf({ booking: { id: 'a' } }) }, 'GET /v1/bookings/:id')).toEqual({ id: 'a' });
  expect(readOne('booking', oneOf({ id: 'a', booking: { id: 'b' } }), 'GET /v1/bookings/:id')).toMatchObject({ id: 'b' });
});

it('an answer without a record is told with what it says', () => {
  const read = () => readOne('booking', { data: null, message: 'Booking not found.' }, 'GET /v1/bookings/:id');
  expect(read).toThrow(/but got the keys "data", "message"\. .+ says: "Booking not found"\.$/);
});

const person = { id: 'a', name: 'Ada', email: 'ada@example.com' };
const at = '2030-01-31T09:00:00Z';
it.each<[RecordKind, object]>([
  ['contact', { id: 'req_1', created_at: at, updated_at: at, person }],
  ['booking', { id: 'req_1', reservation: { id: 'a', startTime: at, inviteeEmail: 'ada@example.com' } }],
  ['booking', oneOf({ id: 'req_1', booking: { id: 'a', status: 'CONFIRMED', start_time: at } })],
  ['booking', oneOf({ type: 'booking', id: 'a:1', object: { booking: { id: 'a', start_at: at } } })],
  ['booking', { id: 501, paid: 20, _embedded: { client: { id: 9 }, bookings: [{ id: 'a', start_time: at }] } }],
  ['booking', { payload: JSON.stringify({ event: 'made', payload: { booking_id: 'a', startTime: at } }) }],
  ['booking', { fullUrl: 'https://x.example/a', resource: { id: 'a', start: at }, search: { mode: 'match' } }],
  ['user', { id: 'ses_1', account: person }],
  ['subscription', { id: 'req_1', webhook: { id: 'a', url: 'https://example.com' } }],
])('the id of a %s is never that of the envelope around it: %j', (kind, body) => {
  expect(recordIn(kind, body)).toMatchObject({ id: 'a' });
});

it('a record is what was asked for by its id, whatever else it shows', () => {
  expect(recordIn('booking', { id: 'a', room: 7 })).toBeUndefined();
  expect(recordIn('booking', { id: 'a', room: 7 }, 'a')).toEqual({ id: 'a', room: 7 });
});

describe.each([
  ['user', 'userRecord'],
  ['booking', 'bookingRecord'],
  ['eventType', 'eventTypeRecord'],
  ['contact', 'contactRecord'],
  ['subscription', 'subscriptionRecord'],
] as const)('the table of a %s', (kind, name) => {
  const rows: FieldRows = recordTables[kind].fields;

  it('has the fields that the assumption states', () => {
    const sent = Object.keys(rows).filter((field) => rows[field]?.isMade !== true);
    const links = kind === 'booking' ? `, ${assumptions.bookingLinks.assumed.replace(/:.*/, '')}` : '';
    expect(sent.map((field) => `\`${field}\``).sort()).toEqual(
      `${assumptions[name].assumed.replace(/;.*/, '')}${links}`.split(', ').sort(),
    );
  });
});

// G4 to G7, G9 and G47
describe('a record', () => {
  it.each<[RecordKind, Record<string, unknown>, object]>([
    ['booking', { id: 7, event_type_id: 8 }, { id: '7', event_type_id: '8' }],
    ['booking', { id: 'a', start_time: at, invitee: { name: 'Ada' }, invitee_name: 'Countess' }, {}],
    ['user', { id: 'a', timeZone: 'Europe/Oslo' }, { timezone: 'Europe/Oslo' }],
    ['subscription', { id: 'a', target_url: 'u', event: 'A' }, { url: 'u', events: 'A' }],
    ['eventType', { id: 'a', custom_questions: [] }, { questions: [] }],
    ['user', { email: 'ada@example.com' }, {}],
    // A name in two parts alone: in a short record, and in a list to choose from, it would be missing.
    ['contact', { id: 'a', first_name: 'Ada', last_name: 'Lovelace' }, { name: 'Ada Lovelace' }],
    ['contact', { id: 'a', firstName: 'Ada', lastName: null }, { name: 'Ada' }],
    ['contact', { id: 'a', firstName: 'Ada' }, {}],
    ['booking', { id: 'a', attendees: [{ name: 'Ada' }, { name: 'Host' }] }, {}],
    // As they are in HAL: addresses for programs.
    ['booking', { id: 'a', _links: { cancel: { href: 'https://example.com/c' } } }, {}],
  ])('of a %s is copied, with its canonical names: %j', (kind, value, added) => {
    const before = JSON.stringify(value);
    expect(readRecord(kind, value)).toEqual({ ...value, ...added });
    expect(JSON.stringify(value)).toBe(before);
  });

  it('loses nothing that was sent: what its label does not say has a name of its own (G43)', () => {
    const sent = {
      id: 'a',
      start_time: 1956650400,
      end_time: '9:30am',
      invitee_email: 'ask at the desk',
      answers: [{ question: 'Q', answer: 'A', position: 0 }],
    };
    expect(readRecord('booking', sent)).toEqual({
      id: 'a',
      start_time: '2032-01-02T10:00:00Z',
      start_time_as_sent: 1956650400,
      end_time_as_sent: '9:30am',
      invitee_email_as_sent: 'ask at the desk',
      question_responses: { Q: 'A' },
      answers_as_sent: sent.answers,
    });
  });

  it.each(['+1 (415) 555-1234', 'ada@example.com', '42'])('a person who is called %s is, under the name of their own', (name) => {
    for (const kind of ['contact', 'user'] as const) expect(readRecord(kind, { id: 'a', name })).toEqual({ id: 'a', name });
    expect(readRecord('booking', { id: 'a', invitee_name: name })).toEqual({ id: 'a', invitee_name: name });
    expect(readRecord('contact', { id: 'a', name: 42 })).toEqual({ id: 'a', name_as_sent: 42 });
  });

  it.each(['2030/1/31 9:00', '2030-1-31 09:00', '2030/01/31 9:00'])(
    'a start that is written %s is told as platforms read times',
    (time) => {
      const start_time = '2030-01-31 09:00';
      expect(readRecord('booking', { id: 'a', start_time: time })).toEqual({ id: 'a', start_time, start_time_as_sent: time });
    },
  );

  it('lets no name reach a prototype', () => {
    const record = readRecord(
      'contact',
      JSON.parse('{"id":"a","__proto__":{"name":"x"},"constructor":1,"prototype":2}') as Record<string, unknown>,
    );
    expect([Object.entries(record ?? {}), Object.getPrototypeOf(record)]).toEqual([[['id', 'a']], Object.prototype]);
  });
});

describe('what is shown of a record', () => {
  const booking = { id: 'bkg_1', invitee_name: 'Ada', locale: 'en' };

  it.each<[unknown, object]>([
    ['  Ada  King Lovelace ', { first: 'Ada', last: 'King Lovelace' }],
    [' ', { first: '', last: '' }],
    [undefined, {}],
  ])('shows the name %j also in two parts', (name, { first, last }: { first?: string; last?: string }) => {
    const parts = first === undefined ? {} : { first_name: first, last_name: last };
    expect(present('contact', { id: 'a', name })).toStrictEqual({ id: 'a', name, ...parts });
    const invitee = first === undefined ? {} : { invitee_first_name: first, invitee_last_name: last };
    expect(present('booking', { id: 'a', invitee_name: name })).toStrictEqual({ id: 'a', invitee_name: name, ...invitee, answers: [] });
  });

  it('keeps the parts of a name and the answers that the service sent itself', () => {
    const contact = { id: 'a', name: 'Mary Ann Byron King', first_name: 'Mary Ann', last_name: 'Byron King' };
    expect(present('contact', contact)).toStrictEqual(contact);
    const answers = [{ key: 'company', value: 'Engines' }];
    const booking = { id: 'a', invitee_name: 'Ada King', invitee_first_name: null, invitee_last_name: 'King', answers };
    expect(present('booking', booking)).toStrictEqual(booking);
  });

  const eight = '2030-01-31T08:00:00Z';
  const nineInBerlin = {
    readable_start: 'Thursday 31 January 2030, 09:00 (Europe/Berlin, UTC+1)',
    invitee_start_time: '2030-01-31T09:00:00+01:00',
    invitee_end_time: '2030-01-31T10:00:00+01:00',
  };
  const eightInUtc = { readable_start: 'Thursday 31 January 2030, 08:00 (UTC)', invitee_start_time: eight };
  it.each<[Record<string, unknown>, object]>([
    [{ start_time: eight, end_time: at, invitee_timezone: 'Europe/Berlin' }, nineInBerlin],
    [{ start_time: eight, end_time: 'later', invitee_timezone: 'UTC' }, eightInUtc],
    [
      {
        start_time: '2030-07-31T22:00:00.000Z',
        previous_start_time: '2030-01-31T24:00:00Z',
        invitee_timezone: 'Europe/London',
        locale: 'es-MX',
      },
      {
        readable_start: 'miércoles, 31 de julio de 2030, 23:00 (Europe/London, UTC+1)',
        readable_previous_start: 'viernes, 1 de febrero de 2030, 00:00 (Europe/London, UTC+0)',
        invitee_start_time: '2030-07-31T23:00:00+01:00',
      },
    ],
    [{ start_time: eight, previous_start_time: null }, { readable_previous_start: null }],
    [{ start_time: '2030-01-31T08:00:00', invitee_timezone: 'Europe/London' }, {}],
    [{ start_time: '2030-07-31T08:00:00Z', invitee_timezone: 'BST' }, {}],
    [{ start_time: '2030-07-31T08:00:00Z', invitee_timezone: 'Europe/Atlantis' }, {}],
  ])('of %j, shows the times on the clock of the invitee, also for people to read', (times, shown) => {
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
    // There is room for what the service sent.
    const short = { id: 'bkg_1', invitee_name: 'Ada', locale: 'en' };
    expect([show('booking', booking, 'presented'), show('booking', booking, 'simplified')]).toStrictEqual([whole, short]);
    const user = { id: 'usr_1', created_at: null };
    expect([show('user', user, 'presented'), show('user', user, 'simplified'), mainPart('user', user)]).toEqual([user, user, user]);
    const event = { event: 'BOOKING_CREATED', change_key: 'key' };
    const row = { record: 'booking' } as const;
    expect(showWith(row, booking, { ...event, other: 1 }, 'presented')).toStrictEqual({ ...whole, ...event, other: 1 });
    expect(showWith(row, booking, { ...event, other: 1 }, 'simplified')).toStrictEqual({ ...short, event: 'BOOKING_CREATED' });
  });

  it('labels the fields of a record, those of a delivery and those that an operation adds', () => {
    const labels = (...given: Parameters<typeof outputFields>) => outputFields(...given).map(({ label }) => label);
    const user = ['Name', 'Email', 'Time Zone', 'Language', 'Plan', 'User ID'];
    const alone = ['Event', 'Delivered At', 'Delivery Key'];
    expect(labels('user')).toEqual(user);
    const adds = [{ key: 'more', label: 'More', type: 'boolean' } as const];
    expect(labels('user', { delivery: 'whole', adds })).toEqual([...user, ...alone, 'Delivery ID', 'Change Key', 'More']);
    expect(labels('user', { delivery: 'alone' })).toEqual([...user, ...alone]);
  });

  it('comes in the order in which people read it, whatever the service sends first, and with what is in no table', () => {
    const sent = { room: 'a', created_at: 's', id: 'bkg_1', status: 'CONFIRMED', event_type_name: 'Call', invitee_name: 'Ada' };
    const keys = [
      'invitee_name',
      'event_type_name',
      'status',
      'invitee_first_name',
      'invitee_last_name',
      'answers',
      'id',
      'created_at',
      'room',
    ];
    expect(Object.keys(present('booking', sent))).toEqual(keys);
    expect(Object.keys(present('contact', { id: 'a', email: 'e', name: 'Ada' }))).toEqual([
      'name',
      'email',
      'first_name',
      'last_name',
      'id',
    ]);
  });

  describe('the short form', () => {
    const links = 'reschedule_url cancel_url booking_url';

    it.each<[RecordKind, string]>([
      ['booking', `invitee_name event_type_name readable_start status invitee_email start_time id ${links}`],
      ['contact', 'name email id phone timezone notes'],
      ['eventType', 'name duration_minutes active id description requires_approval location questions'],
    ])('of a %s has its main fields in order, at most ten, without empty ones', (kind, main) => {
      const names = main.split(' ');
      expect(simpleFields(kind)).toEqual(names);
      const zone = { invitee_timezone: 'UTC', readable_start: '' };
      const whole = Object.fromEntries([...names, 'locale', 'created_at', 'of_the_service'].reverse().map((name) => [name, `the ${name}`]));
      expect(Object.keys(show(kind, { ...whole, ...zone, start_time: '2030-01-31T08:00:00Z' }, 'simplified'))).toEqual(names);
      const all = (value: unknown) => Object.keys(show(kind, Object.fromEntries(names.map((name) => [name, value])), 'simplified'));
      for (const nothing of [null, undefined, '']) expect(all(nothing)).toEqual([]);
      for (const something of [false, 0, [], {}]) expect(all(something)).toEqual(names);
    });

    it.each(eventRows)('of the record of $name has at most ten fields, and among them the event and what it tells', (row) => {
      const fields = simpleEventFields(row);
      expect(fields.length).toBeLessThanOrEqual(10);
      expect([fields[0], ...(row.tells === undefined ? [] : fields.slice(-1))]).toEqual([
        'event',
        ...(row.tells === undefined ? [] : [row.tells]),
      ]);
      expect(fields).toEqual(
        expect.arrayContaining(row.record === 'contact' ? ['email'] : ['readable_start', 'reschedule_url', 'cancel_url']),
      );
    });

    it('has what the service sent, up to ten fields, where it would have fewer than half of its own', () => {
      const sent = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`sent_${index}`, index]));
      const shown = show('booking', { id: 'bkg_1', empty: '', ...sent }, 'simplified');
      expect(Object.keys(shown)).toEqual(['id', ...Object.keys(sent).slice(0, 9)]);
    });

    it('is shorter than what a model gets, who cannot ask for more', () => {
      const record = Object.fromEntries([...mainFields('booking'), 'updated_at'].map((key) => [key, 'x']));
      expect(Object.keys(mainPart('booking', record))).toEqual(mainFields('booking'));
      expect(mainFields('booking')).toEqual(expect.arrayContaining(['notes', 'question_responses', 'meeting_url', 'reschedule_url']));
    });
  });

  describe('in the order of people', () => {
    describe('the times of a booking', () => {
      const times = { start_time: '2030-01-31T19:00:00Z', end_time: '2030-01-31T20:00:00Z' };
      const booking = { id: 'bkg_1', ...times, invitee_timezone: 'Asia/Kolkata' };
      const invitee = {
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
        const zoneless = { ...booking, invitee_timezone: null };
        const times = [booking, zoneless, { id: 'bkg_1' }].map((record) => show('booking', record, 'presented'));
        expect(times.map((record) => localTimes('booking', record, undefined))).toStrictEqual([invitee, {}, {}]);
        expect(times.map((record) => localTimes('booking', record, 'Europe/Berlin'))).toStrictEqual([
          { ...host, ...invitee },
          host,
          { host_timezone: 'Europe/Berlin' },
        ]);
      });

      it('are those of the host only if the user shows a zone', () => {
        const zones = [{ timezone: 'Europe/Berlin' }, { timezone: '' }, { timezone: 7 }, {}].map(zoneOf);
        expect(zones).toEqual(['Europe/Berlin', undefined, undefined, undefined]);
      });
    });

    it('orders bookings: the next one first, then the latest past one, cancelled ones last', () => {
      const now = Date.parse('2030-01-02T08:00:00Z');
      const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
      const inOrder = [
        { id: 'now', status: 'CONFIRMED', start_time: at(0) },
        { id: 'next', status: 'PENDING', start_time: at(1) },
        // Some services show a local time without an offset.
        { id: 'late', status: 'CONFIRMED', start_time: at(9).slice(0, 19) },
        { id: 'as late', status: 'CONFIRMED', start_time: at(9) },
        { id: 'past', status: 'CONFIRMED', start_time: at(-2) },
        { id: 'long past', status: 'CONFIRMED', start_time: at(-9).slice(0, 19) },
        { id: 'without a time', status: 'CONFIRMED' },
        { id: 'without one either', status: 'CONFIRMED', start_time: 'soon' },
        { id: 'denied', status: 'DENIED', start_time: at(2) },
        { id: 'cancelled past', status: 'CANCELLED', start_time: at(-1) },
      ];
      // Those that are equal stay in their order.
      const mixed = [9, 6, 7, 5, 2, 4, 1, 8, 0, 3].flatMap((place) => inOrder[place] ?? []);
      expect(sortByRelevance(mixed, now)).toEqual(inOrder);
    });
  });
});
