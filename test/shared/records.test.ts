import { recordTables, type FieldRows } from '../../shared/records/fields.ts';
import { inexactId, readings, readOne, readRecord, recordIn, type RecordKind } from '../../shared/records/records.ts';
import { assumptions } from '../../shared/assumptions.ts';
import { idText } from '../../shared/values.ts';
import { matchBooking } from '../../shared/operations/booking/match.ts';
import { addressForms, isSameAddress, mayBeSameAddress } from '../../shared/records/emailForms.ts';

const kinds = Object.keys(recordTables) as RecordKind[];
/** JSON also reads 9007199254740993 as this number: its last digit is lost. */
const beyond = 2 ** 53;

describe('an id', () => {
  it.each([
    ['bkg_1', 'bkg_1'],
    ['9007199254740993', '9007199254740993'],
  ])('%j is read as %s', (value, text) => {
    expect(idText(value)).toBe(text);
  });

  it.each([beyond, -beyond, 1e21, 1.5, Number.NaN, Infinity, '', 'b\uFFFDg', null, undefined, true, {}, ['a']])(
    '%j is not an id',
    (value) => {
      expect(idText(value)).toBeUndefined();
    },
  );
});

describe.each(kinds)('a %s', (kind) => {
  it('with an id beyond 2^53 is unreadable, and the field is named', () => {
    for (const id of [beyond, -beyond, 1e21]) {
      expect(readRecord(kind, { id, email: 'ada@example.com' })).toBeUndefined();
      expect(inexactId(kind, { id })).toBe('id');
    }
    expect(readRecord(kind, { id: 1.5, email: 'ada@example.com' })).toBeUndefined();
    expect(inexactId(kind, { id: 1.5 })).toBeUndefined();
    expect(readRecord(kind, { id: beyond - 1 })).toEqual({ id: '9007199254740991' });
    expect(readRecord(kind, { id: '9007199254740993' })).toEqual({ id: '9007199254740993' });
  });
});

it.each([
  ['event_type_id', { id: 'a', event_type_id: beyond }],
  ['id', { id: beyond, event_type_id: beyond }],
])('a booking whose %s is beyond 2^53 is unreadable: %j', (field, value) => {
  expect(readRecord('booking', value)).toBeUndefined();
  expect(inexactId('booking', value)).toBe(field);
});

it('a record is read inside the object in which its envelope puts it', () => {
  expect(readOne('booking', { status: 'success', data: { booking: { id: 'a' } } }, 'GET /v1/bookings/:id')).toEqual({ id: 'a' });
  expect(readOne('booking', { data: { id: 'a', booking: { id: 'b' } } }, 'GET /v1/bookings/:id')).toMatchObject({ id: 'a' });
});

const person = { id: 'a', name: 'Ada', email: 'ada@example.com' };
it.each<[RecordKind, object]>([
  ['contact', { id: 'req_1', created_at: 's', updated_at: 's', person }],
  ['booking', { id: 'req_1', created_at: 's', resource: { id: 'a', status: 'CONFIRMED', start_time: 's' } }],
  ['booking', { id: 'req_1', reservation: { id: 'a', startTime: 's', inviteeEmail: 'e' } }],
  ['booking', { data: { id: 'req_1', booking: { id: 'a', status: 'CONFIRMED', start_time: 's' } } }],
  ['user', { id: 'ses_1', account: person }],
  ['subscription', { id: 'req_1', webhook: { id: 'a' } }],
])('the id of a %s is never that of the envelope around it: %j', (kind, body) => {
  expect(recordIn(kind, body)).toMatchObject({ id: 'a' });
});

it.each([{ data: { event_type: { id: 'evt_1', status: 'ACTIVE' } } }, { success: true, uuid: 'req_1' }])(
  "the id of something else in an answer is never the record's: %j",
  (body) => {
    expect(recordIn('booking', body)).toBeUndefined();
  },
);

describe.each([
  ['user', 'userRecord'],
  ['booking', 'bookingRecord'],
  ['eventType', 'eventTypeRecord'],
  ['contact', 'contactRecord'],
  ['subscription', 'subscriptionRecord'],
] as const)('the table of a %s', (kind, name) => {
  const rows: FieldRows = recordTables[kind].fields;

  it('has the fields that the assumption states', () => {
    const stated = assumptions[name].assumed
      .replace(/;.*/, '')
      .split(', ')
      .map((field) => field.replaceAll('`', ''));
    expect(
      Object.entries(rows)
        .filter(([, { isMade }]) => isMade !== true)
        .map(([field]) => field),
    ).toEqual(stated);
  });

  it('reads other places only as the assumption states', () => {
    const starts = new Set(Object.values(rows).flatMap(({ alsoAt = [] }) => alsoAt.map(([start]) => start)));
    const { alsoRead } = assumptions[name];
    for (const start of starts) expect(alsoRead).toContain(`\`${start}\``);
  });
});

describe('a record', () => {
  const changing = (Object.keys(readings) as RecordKind[]).flatMap((kind) => {
    const { aliases, ids } = readings[kind];
    const starts = new Set(aliases.flatMap(([, paths]) => paths.map(([start = '']) => start)));
    return [
      ...[...starts].map((start) => [kind, { id: 'a', [start]: 'other' }] as const),
      ...ids.map((field) => [kind, { id: 'a', [field]: 7 }] as const),
    ];
  });
  it.each(changing)('of a %s is known to need a change: %j', (kind, value) => {
    expect(readRecord(kind, value)).toMatchObject({ id: expect.any(String) as string });
    expect(readRecord(kind, value)).not.toBe(value);
  });

  it.each<[RecordKind, object, object]>([
    ['booking', { id: 7, event_type_id: 8 }, { id: '7', event_type_id: '8' }],
    ['booking', { id: 'a', event_type: { id: 9, name: 'Call' } }, { event_type_id: '9', event_type_name: 'Call' }],
    ['booking', { id: 'a', invitee: { name: 'Ada' }, invitee_name: 'Countess' }, {}],
    ['booking', { id: null, uid: 'a', status: null }, { id: 'a' }],
    ['booking', { id: 'a', invitee_email: null, invitee: { email: 'e', name: null } }, { invitee_email: 'e' }],
    ['booking', { id: 'a', event_type_id: '', event_type: { id: 'evt_1' } }, { event_type_id: 'evt_1' }],
    ['booking', { id: 'a', invitee: { time_zone: 'z' } }, { invitee_timezone: 'z' }],
    ['user', { id: 'a', timeZone: 'z' }, { timezone: 'z' }],
    ['booking', { id: 'a', start_at: 's', end_at: 'e' }, { start_time: 's', end_time: 'e' }],
    ['booking', { id: 'a', start: { dateTime: 's' } }, { start_time: 's' }],
    ['booking', { id: 'a', attributes: { startTime: 's' } }, { startTime: 's', start_time: 's' }],
    ['eventType', { eventTypeId: 'a', custom_questions: [] }, { id: 'a', questions: [] }],
    ['user', { email: 'ada@example.com' }, {}],
  ])('of a %s is copied, with its canonical names: %j', (kind, value, added) => {
    const before = JSON.stringify(value);
    expect(readRecord(kind, value)).toEqual({ ...value, ...added });
    expect(JSON.stringify(value)).toBe(before);
  });

  it('lets no name reach a prototype', () => {
    const record = readRecord('contact', JSON.parse('{"id":"a","__proto__":{"name":"x"},"constructor":1,"prototype":2}'));
    expect([Object.entries(record ?? {}), Object.getPrototypeOf(record)]).toEqual([[['id', 'a']], Object.prototype]);
  });
});

describe('the addresses of invitees', () => {
  describe('the forms of an email address', () => {
    test.each([
      ['ada@example.com', ['ada@example.com']],
      [' Ada@Example.com ', ['Ada@Example.com', 'ada@example.com']],
      ['+ada@example.com', ['+ada@example.com']],
      ['a.da+x@gmail.com', ['a.da+x@gmail.com', 'a.da@gmail.com', 'ada@gmail.com']],
    ])('%s is asked for as it was typed, then in lower case, then in what else a service may make of it', (email, forms) => {
      expect(addressForms(email)).toEqual(forms);
    });

    test.each([
      ['ADA@example.com', 'ada@Example.com'],
      ['ada@example.com', 'ada+x@example.com'],
      ['ada@xn--bcher-kva.example', 'ada@bücher.example'],
      ['ada@gmail.com', 'A.da+x@googlemail.com'],
      [undefined, 'ada@example.com'],
      [null, 'ada@example.com'],
      [7, 'ada@example.com'],
      ['a***@example.com', 'ada@example.com'],
      ['Ada <ada@example.com>', 'ada@example.com'],
    ])('a record with %j may be for %s', (inRecord, email) => {
      expect(mayBeSameAddress(inRecord, email)).toBe(true);
    });

    test.each([
      ['grace@example.com', 'ada@example.com'],
      ['ada+y@example.com', 'ada+x@example.com'],
      ['xada@example.com', 'ada@example.com'],
      ['a***@e******.org', 'ada@example.com'],
    ])('a record with %s is certainly not for %s', (inRecord, email) => {
      expect(mayBeSameAddress(inRecord, email)).toBe(false);
    });

    test('only letter case and the spelling of the domain leave an address the same', () => {
      expect(isSameAddress('ADA@bücher.example', 'ada@xn--bcher-kva.example')).toBe(true);
      expect(isSameAddress('ada@example.com', 'ada+x@example.com')).toBe(false);
      expect([undefined, 'it&#39;s@example.com'].map((shown) => isSameAddress(shown, "it's@example.com"))).toEqual([false, true]);
    });
  });

  it.each([
    ['ada@example.com', 'person', 'same'],
    ['a***@example.com', 'person', 'possible'],
    ['a***@example.com', 'everybody', 'possible'],
    ['b***@example.com', 'everybody', 'possible'],
  ] as const)(
    'a booking of this slot for %s, among those of %s and without a name, may be the one that was sent: %s',
    (invitee_email, foundIn, match) => {
      const slot = { event_type_id: 'evt_1', start_time: '2030-01-02T09:00:00Z' };
      const sent = { ...slot, invitee_name: 'Ada', invitee_email: 'ada@example.com' };
      expect(matchBooking({ id: 'a', ...slot, invitee_email }, sent, 0, foundIn)).toBe(match);
      // A type that is not shown speaks neither for nor against it.
      for (const event_type_id of [undefined, null, ''])
        expect(matchBooking({ id: 'a', ...slot, event_type_id, invitee_email }, sent, 0, foundIn)).toBe(match);
    },
  );
});
