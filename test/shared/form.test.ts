import * as z from 'zod/v4';
import { createBooking, createSubscription, findContact, getManyBookings, operations, searches } from '../../shared/operations/index.ts';
import { field, type Operation } from '../../shared/operations/define.ts';
import { parseInput } from '../../shared/operations/parseInput.ts';
import { formSchema, labelsOf } from '../../shared/operations/form.ts';
import { filtersOf } from '../../shared/operations/refusedForm.ts';
import { optionalText } from '../../shared/operations/commonSchemas.ts';
import { refusalOf } from '../support/service.ts';
import { eventRows } from '../../shared/events.ts';

const words = (label: string, control: 'text' | 'number' | 'dateTime' | 'timeZone') => ({ label, help: '', control });
const input = {
  name: field(z.string(), words('Name', 'text')),
  note: field(optionalText, words('Note', 'text')),
  count: field(z.number().optional(), words('Count', 'number')),
  start: field(z.string().max(40).optional(), words('Start', 'dateTime')),
  zone: field(optionalText, words('Zone', 'timeZone')),
};
const parse = (raw: Record<string, unknown>) => parseInput({ input }, { name: 'Ada', ...raw });

it.each<[Record<string, unknown>, object]>([
  [{ note: '', count: null, start: undefined }, {}],
  [
    { note: 9007199254740991, count: 7 },
    { note: '9007199254740991', count: 7 },
  ],
  ...['undefined', 'See [object Object]', '{{1__name}}'].map((note): [object & Record<string, unknown>, object] => [{ note }, { note }]),
  ...['null', 'Undefined Studio'].map((name): [object & Record<string, unknown>, object] => [{ name }, { name }]),
  [{ start: '2030-01-31T09:00:00+01:00' }, { start: '2030-01-31T08:00:00Z' }],
  [
    { start: '2030-01-31T09:00', zone: 'America/New_York' },
    { start: '2030-01-31T14:00:00Z', zone: 'America/New_York' },
  ],
])('reads %j as %j', (raw, values) => {
  expect(parse(raw)).toStrictEqual({ name: 'Ada', ...values });
});

it.each<[Record<string, unknown>, string, string[]]>([
  [{ name: '' }, '"Name" is required. Correct it and run this again.', ['name']],
  [{ name: true }, '"Name" must be text: it is true. Correct it and run this again.', ['name']],
  [{ count: 'many' }, '"Count" must be a number: it is "many". Correct it and run this again.', ['count']],
  [{ name: Number.NaN }, '"Name" is a number that cannot be kept exactly: enter it as text. Correct it and run this again.', ['name']],
  // A zone was set, so nothing is said of a time without an offset in it.
  [{ start: '2030-01-31T09:00', zone: true }, '"Zone" must be text: it is true. Correct it and run this again.', ['zone']],
  [
    { name: 'Dear {{ $json.name }}', note: '[object Object]', start: 'soon' },
    '"Name" is "Dear {{ $json.name }}", whose braces were not replaced: map the field again, or make it an expression. "Note" is "[object Object]", which programs write in place of an object: use one of its fields. "Start" is not a date and time such as 2030-01-31T09:00:00+01:00: it is "soon". Correct them and run this again.',
    ['name', 'note', 'start'],
  ],
  ...['Ada undefined', 'undefined Lovelace', 'undefined'].map((name): [Record<string, unknown>, string, string[]] => [
    { name },
    `"Name" is "${name}", which programs write in place of a missing value. Correct it and run this again.`,
    ['name'],
  ]),
])('refuses %j with one sentence for each wrong field', async (raw, sentence, fields) => {
  expect(await refusalOf(() => parse(raw))).toMatchObject({ kind: 'invalid', sentence, fields: fields.map((each) => ({ field: each })) });
});

it('names a wrong start once, and shows no more than 80 characters of any value', async () => {
  const long = 'x'.repeat(90);
  expect((await refusalOf(() => parse({ start: long }))).message).toMatch(/^"Start" cannot be used \([^)]+\): it is "x{80}"\.$/);
  expect((await refusalOf(() => parse({ note: [long, long] }))).message).toBe(`"Note" must be text: it is ["${'x'.repeat(78)}.`);
});

it.each([
  ['name', '"Name"'],
  ['name.first.0', '"0" in "first" in "Name"'],
  ['other', 'other'],
  ['toString', 'toString'],
])('calls the field %s %s', (name, label) => {
  expect(labelsOf(input)(name)).toBe(label);
});

describe('the values of declared forms', () => {
  it.each(["ada's+sales&support/dept@example.com", 'jörg@müller.de', 'user@sub.xn--80ak6aa92e.xn--p1ai'])(
    'accepts the email address %s',
    (email) => expect(parseInput(findContact, { email: ` ${email} ` })).toEqual({ email }),
  );

  it.each([
    ...['mailto:ada@example.com', 'MAILTO:ada@example.com?subject=Hi', '<ada@example.com>', 'Ada Lovelace <ada@example.com>'],
    ...['"Lovelace, Ada (ada@example.com)" <mailto:ada@example.com>', '[ada@example.com](mailto:ada@example.com)'],
  ])('takes the address alone of %j', (email) => expect(parseInput(findContact, { email })).toEqual({ email: 'ada@example.com' }));

  it.each([
    ...['ada', 'a b@c.d', '@example.com', 'ada@', 'ada@example', 'ada@example.', 'ada@.com', 'ada@grace@example.com'],
    ...['"ada"@example.com', 'mailto:ada', 'ada@example.com, grace@example.com', 'ada@example.com;'],
    ...['Ada <ada@example.com>, Grace <grace@example.com>', 'ada@example.com, Grace <grace@example.com>', '[Ada](https://example.com)'],
  ])('refuses %j, which is not an email address, and shows it', (email) => {
    expect(() => parseInput(findContact, { email })).toThrow(`"Email" is not an email address: it is "${email}".`);
  });

  const booking = { event_type_id: 'evt_1', start_time: '2030-01-09T09:00:00Z', invitee_name: 'Ada', invitee_email: 'ada@example.com' };

  it('reads letters, digits and signs as Japanese, Arabic and Persian keyboards type them, but not in a name, a note or an id', () => {
    const typed = {
      invitee_email: 'ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ',
      invitee_timezone: 'Ａｓｉａ／Ｔｏｋｙｏ',
      invitee_name: 'Ａｄａ',
      notes: '３',
    };
    for (const start_time of ['２０３１／３／４　９：００', '٢٠٣١-٠٣-٠٤ ٠٩:٠٠', '۲۰۳۱/۳/۴ ۹:۰۰'])
      expect(parseInput(createBooking, { event_type_id: 'evt_１', start_time, ...typed })).toEqual({
        event_type_id: 'evt_１',
        start_time: '2031-03-04T00:00:00Z',
        ...{ ...typed, invitee_email: 'ada@example.com', invitee_timezone: 'Asia/Tokyo' },
      });
  });

  it.each(['America/New York (UTC-05:00)', 'America/New_York, UTC-5', '(GMT-05:00) America/New_York', '（GMT-05:00）　America/New_York'])(
    'takes a time zone as lists and readable times show it: %s',
    (zone) =>
      expect(parseInput(createBooking, { ...booking, invitee_timezone: zone })).toEqual({
        ...booking,
        invitee_timezone: 'America/New_York',
      }),
  );

  it('takes a time zone by the name that Windows and Outlook have for it, and asks where people also mean a clock without summer time', () => {
    const outlook = { ...booking, start_time: '2031-07-04T09:00', invitee_timezone: 'W. Europe Standard Time' };
    expect(parseInput(createBooking, outlook)).toMatchObject({ start_time: '2031-07-04T07:00:00Z', invitee_timezone: 'Europe/Berlin' });
    expect(() => parseInput(createBooking, { ...outlook, invitee_timezone: 'Pacific Standard Time' })).toThrow(
      'choose America/Los_Angeles',
    );
  });

  it('leaves out what nobody sees of a value that was copied from a page or a chat, but not of a name or a note', () => {
    const person = { locale: 'fr', invitee_name: 'Ada 👩\u200d💻', notes: 'a\u200bb' };
    const copied = { event_type_id: 'evt_\u200b1', start_time: '\u200e2030-01-09T09:00Z\ufeff', invitee_email: 'ada@exam\u00adple.com' };
    const read = parseInput(createBooking, { ...copied, ...person, locale: 'fr-CA', invitee_timezone: ' America/New York\u2060 ' });
    expect(read).toEqual({ ...booking, ...person, invitee_timezone: 'America/New_York' });
    const hook = parseInput(createSubscription, { url: 'https://example.com/\u200bhooks', events: ['BOOKING_CREATED'] });
    expect(hook.url).toBe('https://example.com/hooks');
  });
  it.each(['"', "'", '`', '“', '«'])(
    'takes ids, times, zones and addresses without the quotes %s around them, as models write them',
    (quote) => {
      const zone = 'Europe/Berlin';
      const { invitee_name: name, ...others } = booking;
      const quoted = Object.entries({ ...others, invitee_timezone: zone }).map(([key, value]): [string, string] => [
        key,
        quote + value + quote,
      ]);
      expect(parseInput(createBooking, { ...Object.fromEntries(quoted), invitee_name: name })).toEqual({
        ...booking,
        invitee_timezone: zone,
      });
      expect(parseInput(createBooking, { ...booking, notes: `${quote}as is${quote}` }).notes).toBe(`${quote}as is${quote}`);
    },
  );

  const subscription = { url: 'https://example.com/hooks', events: ['BOOKING_CREATED'] };
  const eventNames = eventRows.map(({ name }) => name);

  it.each<[Operation, Record<string, unknown>, string]>([
    [createBooking, { ...booking, event_type_id: 2 ** 53 }, '"Event Type" is a number that cannot be kept exactly: enter it as text.'],
    [createBooking, { ...booking, notes: 10n }, '"Notes" must be text: it is a value of the type bigint.'],
    [createBooking, { ...booking, question_responses: ['x'] }, '"Answers" must be an object: it is ["x"].'],
    [createBooking, { ...booking, locale: 'de' }, '"Language" is not one of the languages en, es, fr: it is "de".'],
    [createBooking, { ...booking, invitee_name: ' ' }, '"Invitee Name" is required.'],
    [createBooking, { ...booking, start_time: ' ' }, '"Start" is required.'],
    [createSubscription, { ...subscription, events: true }, '"Events" must be a list: it is true.'],
    [createSubscription, { ...subscription, events: ['LOST'] }, `"Events" may only contain ${eventNames.join(', ')}: it is ["LOST"].`],
    ...[[], '', [' ']].map((events): [Operation, Record<string, unknown>, string] => [
      createSubscription,
      { ...subscription, events },
      '"Events" is required.',
    ]),
    [
      createBooking,
      { ...booking, invitee_timezone: 'Mars Base' },
      '"Invitee Time Zone" is not a time zone such as Europe/Berlin: it is "Mars Base".',
    ],
    [createBooking, { ...booking, invitee_name: '\u200b\u3164' }, '"Invitee Name" is required.'],
    [
      createSubscription,
      { ...subscription, url: 'ftp://a.b' },
      '"Target URL" is not a URL such as https://example.com/hooks: it is "ftp://a.b".',
    ],
  ])('a wrong value of %# ends in an English sentence with the label and the value', (operation, raw, sentence) => {
    expect(() => parseInput(operation, raw)).toThrow(sentence);
  });

  it.each([
    ['yes', true],
    [' TRUE ', true],
    ['No', false],
    ['1', true],
  ])('takes %j as an answer to yes or no', (upcoming, meant) => {
    expect(parseInput(getManyBookings, { upcoming })).toEqual({ upcoming: meant });
    expect(() => parseInput(getManyBookings, { upcoming: `${upcoming}!` })).toThrow('"Upcoming" must be yes or no');
  });

  it('takes the one value of a list where there can be one, as expressions and models give it, and no other list', () => {
    const read = { email: 'ada@example.com', status: 'CONFIRMED', upcoming: true };
    expect(parseInput(getManyBookings, { email: ['ada@example.com'], status: ['confirmed'], upcoming: ['yes'] })).toEqual(read);
    expect(() => parseInput(getManyBookings, { status: ['CONFIRMED', 'PENDING'] })).toThrow('"Status" is not one of');
  });

  it('takes events by their labels and in any letter case', () => {
    for (const events of [
      ['booking_created', ' Booking Cancelled '],
      'BOOKING_CREATED,Booking Cancelled',
      '["BOOKING_CREATED", "BOOKING_CANCELLED"]',
    ])
      expect(parseInput(createSubscription, { ...subscription, events })).toMatchObject({
        events: ['BOOKING_CREATED', 'BOOKING_CANCELLED'],
      });
  });
});

describe('a filter that somebody filled in and that came out empty', () => {
  const nothings = [undefined, null, '', ' \n', '\u200b', '\u00a0\ufeff', '\u3164', '\u0000', [], [''], [null, ' ']];
  const lists = [...operations, ...searches].filter(({ yields }) => yields === 'many');
  const filters = lists.flatMap((operation) => filtersOf(operation).map(({ key, label }) => ({ operation, key, label })));

  it.each(filters)(
    '"$label" of $operation.resource $operation.name is refused by its name, or left out with a note where it may be empty',
    ({ operation, key, label }) => {
      const sentence = `"${label}" is set, but it is empty, so it would filter nothing. Fill it in, or remove the field to get everything.`;
      for (const nothing of nothings) {
        for (const others of [{}, { email: 'ada@example.com', status: 'CONFIRMED' }])
          expect(() => parseInput(operation, { ...others, [key]: nothing })).toThrow(
            expect.objectContaining({ kind: 'invalid', sentence }) as Error,
          );
        const notes: string[] = [];
        expect(parseInput(operation, { [key]: nothing }, { mayBeEmpty: [key], note: (text) => notes.push(text) })).toEqual({});
        expect(notes).toEqual([`Nothing was filtered by "${label}", because it is empty.`]);
      }
    },
  );

  it('is named with all others, and with what else is wrong', () => {
    expect(() => parseInput(getManyBookings, { email: '', status: null, from: 'soon' })).toThrow(
      '"Status" is set, but it is empty, so it would filter nothing. "Invitee Email" is set, but it is empty, so it would filter nothing. "After" is not a date',
    );
    const notes: string[] = [];
    parseInput(getManyBookings, { email: '', status: '' }, { mayBeEmpty: ['email', 'status'], note: (text) => notes.push(text) });
    expect(notes).toEqual(['Nothing was filtered by "Status" and "Invitee Email", because they are empty.']);
  });

  it('is no field of a form that makes something: there, what is empty is left out', () => {
    const form = { event_type_id: 'evt_1', start_time: '2030-01-09T09:00:00Z', invitee_name: 'Ada', invitee_email: 'ada@example.com' };
    for (const nothing of nothings)
      expect(parseInput(createBooking, { ...form, notes: nothing, locale: nothing, invitee_timezone: nothing })).toEqual(form);
  });
});

describe('as a JSON Schema', () => {
  const text = (change: object = {}) => ({ label: 'Name', help: '', control: 'text' as const, ...change });

  it('describes each field by its help, or else its label, a remark and its example', () => {
    const form = { bare: field(z.string(), text()), full: field(z.string().optional(), text({ help: 'Who comes', example: 'Ada' })) };
    expect(formSchema(form, ({ key }) => (key === 'full' ? 'From the list.' : undefined))).toEqual({
      type: 'object',
      properties: {
        bare: { type: 'string', description: 'Name.' },
        full: { type: 'string', description: 'Who comes. From the list. Example: Ada' },
      },
      required: ['bare'],
      additionalProperties: false,
    });
  });

  it('says what a field accepts, without the patterns that its own messages explain better', () => {
    const { properties, required } = formSchema(createBooking.input);
    expect(required).toEqual(['event_type_id', 'start_time', 'invitee_name', 'invitee_email']);
    expect(Object.keys(properties)).toEqual(Object.keys(createBooking.input));
    expect(properties['invitee_name']).toEqual({ type: 'string', description: "The invitee's full name. Example: Ada Lovelace" });
    expect(properties['invitee_email']).not.toHaveProperty('pattern');
    expect(properties['question_responses']).toEqual({
      type: 'object',
      description: "Answers to the event type's questions: the key or the text of each question, with its answer.",
    });
  });
});
