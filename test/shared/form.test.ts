import * as z from 'zod/v4';
import { createBooking, createSubscription, findContact, getManyBookings, operations, searches } from '../../shared/operations/index.ts';
import { ServiceError } from '../../shared/serviceError.ts';
import { answersByKey, answersFrom, askingFields, checkedAnswers, questionsRead } from '../../shared/operations/questions.ts';
import { type Question, readQuestions } from '../../shared/reading/index.ts';
import { field, type Operation } from '../../shared/operations/define.ts';
import { parseInput } from '../../shared/operations/parseInput.ts';
import { formSchema, labelsOf } from '../../shared/operations/form.ts';
import { filtersOf } from '../../shared/operations/refusedForm.ts';
import { optionalText } from '../../shared/operations/commonSchemas.ts';
import { refusalOf, serve } from '../support/service.ts';
import { eventRows } from '../../shared/events.ts';

const words = (label: string, control: 'text' | 'number' | 'dateTime' | 'timeZone') => ({ label, help: '', control });
const input = {
  name: field(z.string(), words('Name', 'text')),
  note: field(optionalText, words('Note', 'text')),
  count: field(z.number().optional(), words('Count', 'number')),
  start: field(z.string().max(40).optional(), words('Start', 'dateTime')),
  zone: field(optionalText, words('Zone', 'timeZone')),
};
const parse = (raw: Record<string, unknown>, timeZone?: string) => parseInput({ input }, { name: 'Ada', ...raw }, { timeZone });

it.each<[Record<string, unknown>, object]>([
  [{ note: '', count: null, start: undefined }, {}],
  [
    { note: 9007199254740991, count: 7 },
    { note: '9007199254740991', count: 7 },
  ],
  ...['undefined', 'See [object Object]', '{{1__name}}'].map((note): [object & Record<string, unknown>, object] => [{ note }, { note }]),
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
  [{ name: true }, '"Name" must be a text: it is true. Correct it and run this again.', ['name']],
  [{ count: 'many' }, '"Count" must be a number: it is "many". Correct it and run this again.', ['count']],
  [{ name: Number.NaN }, '"Name" is a number that cannot be kept exactly: enter it as text. Correct it and run this again.', ['name']],
  // A zone was set, so nothing is said of a time without an offset in it.
  [{ start: '2030-01-31T09:00', zone: true }, '"Zone" must be a text: it is true. Correct it and run this again.', ['zone']],
  [
    { name: 'Dear {{ $json.name }}', note: '[object Object]', start: 'soon' },
    '"Name" is "Dear {{ $json.name }}", in which nothing has replaced the braces: map the field again, or make it an expression. "Note" is "[object Object]", which programs write in place of an object: use one of its fields. "Start" is not a date and time such as 2030-01-31T09:00:00+01:00: it is "soon". Correct them and run this again.',
    ['name', 'note', 'start'],
  ],
])('refuses %j with one sentence for each wrong field', async (raw, sentence, fields) => {
  expect(await refusalOf(() => parse(raw))).toMatchObject({ kind: 'invalid', sentence, fields: fields.map((each) => ({ field: each })) });
});

it('names a wrong start once, and shows no more than 80 characters of any value', async () => {
  const long = 'x'.repeat(90);
  expect((await refusalOf(() => parse({ start: long }))).message).toMatch(/^"Start" cannot be used \([^)]+\): it is "x{80}"\.$/);
  expect((await refusalOf(() => parse({ note: [long, long] }))).message).toBe(`"Note" must be a text: it is ["${'x'.repeat(78)}.`);
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
      const quoted = Object.entries({ ...others, invitee_timezone: zone }).map(([key, value]) => [key, `${quote}${value}${quote}`]);
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
    [createBooking, { ...booking, notes: 10n }, '"Notes" must be a text: it is a value of the type bigint.'],
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
    [createBooking, { ...booking, invitee_timezone: 'Mars_Base' }, 'it is "Mars_Base".'],
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
    '"$label" of $operation.resource $operation.name is refused by its name, whatever else is filled in',
    ({ operation, key, label }) => {
      for (const nothing of nothings) {
        const sentence = `"${label}" is set, but it is empty, so it would filter nothing. Fill it in, or remove the field to get everything.`;
        for (const others of [{}, { email: 'ada@example.com', status: 'CONFIRMED' }])
          expect(() => parseInput(operation, { ...others, [key]: nothing })).toThrow(
            expect.objectContaining({ kind: 'invalid', sentence }) as Error,
          );
      }
    },
  );

  it.each(filters)(
    '"$label" of $operation.resource $operation.name is left out with a note where it may be empty',
    ({ operation, key, label }) => {
      for (const nothing of nothings) {
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

describe('the questions of an event type (G6)', () => {
  const question = (change: Partial<Question>): Question => ({
    key: 'q',
    label: 'The question',
    control: 'text',
    required: false,
    choices: [],
    ...change,
  });
  const choices = [
    { value: 'a', label: 'Apple' },
    { value: 'b', label: 'Banana' },
  ];

  it.each<[Partial<Question>, unknown, unknown]>([
    [{ control: 'number' }, '12.5', 12.5],
    [{ control: 'boolean' }, 'yes', true],
    [{ control: 'choice', choices }, 'b', 'b'],
    [{ control: 'choice', choices }, ' banana\u200b', 'b'],
    [{ control: 'choices', choices }, ['a', 'Banana'], ['a', 'b']],
    [{ control: 'boolean' }, ' No ', false],
    [{ control: 'date' }, '2032-02-29', '2032-02-29'],
    [{ control: 'date' }, '2030-01-31T00:00:00.000Z', '2030-01-31'],
    [{ control: 'text' }, 7, '7'],
    [{ control: 'text' }, false, 'false'],
    [{ control: 'boolean' }, 1, true],
    [{ control: 'choice', choices: [{ value: '7', label: 'Seven' }] }, 7, '7'],
    [{ control: 'choices', choices: [{ value: '[a', label: 'Apple' }] }, '[a', ['[a']],
    // Zapier hands a list on as text with commas.
    ...['a,b', 'Apple, banana', 'Apple,b,', ['a,Banana'], ['Apple,b']].map((given): [Partial<Question>, unknown, unknown] => [
      { control: 'choices', choices },
      given,
      ['a', 'b'],
    ]),
    [{ control: 'choices', choices }, 'Apple, Cherry', ['Apple, Cherry']],
    [{ control: 'choices', choices: [...choices, { value: 'c', label: 'Apple, Banana' }] }, 'Apple, Banana', ['c']],
    [{ control: 'choices', choices: [...choices, { value: 'c', label: 'Cherries, sour' }] }, 'Apple,Banana', ['Apple,Banana']],
    // What an event type does not list is for the service to decide.
    [{ control: 'choices', choices }, ['banana', 'Other'], ['b', 'Other']],
    [{ isFree: true }, true, true],
    [{ isFree: true }, ['a', 2], ['a', 2]],
    [{ isFree: true, control: 'number' }, '2', 2],
    [{ isFree: true, control: 'choices', choices }, 'Apple', ['a']],
    [{ isFree: true, control: 'boolean' }, 'perhaps', 'perhaps'],
    // Digits are never lost.
    [{ control: 'number' }, '9007199254740993', '9007199254740993'],
    [{ control: 'number' }, ' 007 ', '007'],
    [{ control: 'number' }, '123456789012345', 123_456_789_012_345],
    [{ control: 'number' }, '\u200e-1.5e3 ', -1500],
    // What platforms and expressions make of a value.
    [{ control: 'number' }, [3], 3],
    [{ control: 'text' }, ['Ada'], 'Ada'],
    [{ control: 'choice', choices }, ['banana'], 'b'],
    [{ control: 'boolean' }, '\u200bYES', true],
    [{ control: 'date' }, ' 2030-01-31 ', '2030-01-31'],
    [{ control: 'date' }, '2030-01-31 23:30', '2030-01-31'],
    [{ control: 'date' }, '2030-01-31T23:30:00-05:00', '2030-01-31'],
  ])('answers %j with %j as %j', (change, value, answer) => {
    expect(answersFrom({ q: value }, [question(change)])).toEqual({ q: answer });
  });

  it.each<[Partial<Question>, unknown, string]>([
    [{ control: 'number' }, 'many', 'takes a number'],
    [{ control: 'text' }, { a: 1 }, 'takes text'],
    [{ control: 'date' }, 'on 2030-01-31', 'takes a date such as 2030-01-31'],
    [{ control: 'date' }, 'soon', 'takes a date such as 2030-01-31'],
    [{ required: true }, '', 'is required for this event type'],
    [{ control: 'date' }, '2030-01-315', 'takes a date such as 2030-01-31'],
    [{ control: 'boolean' }, 'yes and no', 'takes yes or no'],
    ...['05/06/2026', '01.06.2056', 'Table 5', '12', 12, true, '2030-01-31 or later', '2030-02-30', '20300131'].map(
      (value): [Partial<Question>, unknown, string] => [{ control: 'date' }, value, 'takes a date such as 2030-01-31'],
    ),
    ...[true, {}, [1, 2], '0x10', '1,5', 'Infinity'].map((value): [Partial<Question>, unknown, string] => [
      { control: 'number' },
      value,
      'takes a number',
    ]),
    [{ control: 'choice', choices }, { a: true }, 'takes a choice'],
    [{ control: 'choices', choices }, [{ a: true }], 'takes choices'],
    ...(['number', 'text'] as const).map((control): [Partial<Question>, unknown, string] => [
      { control },
      Number('9007199254740993'),
      'is answered with a number that cannot be kept exactly: enter it as text',
    ]),
    [{ required: true, control: 'choices', choices }, '[]', 'is required for this event type (options: "Apple", "Banana")'],
  ])('refuses to answer %j with %j, naming the question', (change, value, sentence) => {
    expect(() => answersFrom({ q: value }, [question(change)])).toThrow(ServiceError);
    expect(() => answersFrom({ q: value }, [question(change)])).toThrow(`The question "The question" ${sentence}.`);
  });

  it.each(['\t', [], null])('treats %j as unanswered', (value) => {
    expect(answersFrom({ q: value }, [question({})])).toEqual({});
  });

  it('answers questions whose keys are names that every object inherits, and never mistakes such an inherited value for an answer', () => {
    const keys = ['constructor', '__proto__', 'toString'];
    const asked = keys.map((key) => question({ key, required: true }));
    const given = JSON.parse('{"constructor": "a", "__proto__": "b", "toString": "c"}') as Record<string, unknown>;
    expect(Object.entries(answersFrom(given, asked))).toEqual(Object.entries(given));
    expect(Object.entries(checkedAnswers({ byKey: given }, undefined) ?? {})).toEqual(Object.entries(given));
    expect(() => answersFrom({}, asked)).toThrow('is required for this event type');
  });

  const exact = '{"a": 9007199254740993, "b": 0.12345678901234567, "c": "9007199254740993", "d": 12}';
  it.each<[unknown, object | undefined]>([
    [' {"a": "x", "b": " ", "c": null} ', { a: 'x' }],
    [{ a: ['', null], b: [0] }, { b: [0] }],
    ['[{"question": "a", "answer": "x"}, {"question": "b", "answer": null}]', { a: 'x' }],
    ...[' ', null, '[]'].map((none): [unknown, undefined] => [none, undefined]),
    [exact, { a: '9007199254740993', b: 0.123_456_789_012_345_67, c: '9007199254740993', d: 12 }],
  ])('reads the answers %j, without empty ones', (given, answers) => {
    expect(answersByKey(given, 'Answers')).toEqual(answers);
  });

  it.each([['[1]'], ['text'], [7]])('refuses answers that are %j', (given) => {
    expect(() => answersByKey(given, 'Answers')).toThrow('"Answers" is not an object.');
  });

  describe('answers in fields and answers under a written key', () => {
    const given = { inFields: { q: 'shown', old: 'x' }, byKey: { q: 'written', other: 'y' } };

    const sent = { q: 'shown', other: 'y' };

    it.each<[string, Question[] | undefined, object | undefined]>([
      ['are sent where they answer a question, and a written key also where it answers none: the service refuses it', [question({})], sent],
      ['under both take the one in the field, unless that is empty', [question({}), question({ key: 'other' })], sent],
      ['are left out if they are in fields and the event type no longer asks anything', [], { q: 'written', other: 'y' }],
      ['are sent as they came if the questions are not known', undefined, { q: 'shown', old: 'x', other: 'y' }],
    ])('%s', (_, questions, sent) => {
      expect(checkedAnswers(given, questions)).toEqual(sent);
    });

    it.each<[Record<string, unknown>, Record<string, unknown>]>([
      [{ 'team size': 3 }, { team_size: '3' }],
      [{ 'How many are you?': 3 }, { team_size: '3' }],
      [{ 'HOW MANY ARE YOU': 3, team_size: 4 }, { team_size: '4' }],
      // Two questions have these words, so the service decides.
      [{ Company: 'x' }, { Company: 'x' }],
      [{ '?': 'x' }, { '?': 'x' }],
    ])('%j, as a person reads a question, is %j', (byKey, sent) => {
      const others = ['a', 'b'].map((key) => question({ key, label: 'Company' }));
      expect(checkedAnswers({ byKey }, [question({ key: 'team_size', label: 'How many are you?' }), ...others])).toEqual(sent);
    });

    it('are not sent at all if none is left', () => {
      expect(checkedAnswers({ inFields: { old: 'x' } }, [])).toBeUndefined();
      expect(checkedAnswers({ inFields: { q: ' ' } }, undefined)).toBeUndefined();
      expect(checkedAnswers({ byKey: { q: ' ' } }, [question({})])).toBeUndefined();
    });
  });

  it('reads questions in any form, and skips a question without a key', () => {
    const questions = [{ type: 'text' }, 'text', null, { id: 7, type: 'select', options: [] }, { label: 'Label' }];
    const free = (key: string) => question({ key, label: key, isFree: true });
    expect(readQuestions({ questions })).toEqual([free('7'), free('Label')]);
  });

  it.each([
    [{ id: 7, question: 'Which company?', name: 'company' }, '7: Which company?'],
    [{ id: 'q1', name: 'Company' }, 'q1: Company'],
    [{ question: 'Which company?' }, 'Which company?: Which company?'],
  ])('shows the words of the question %j, wherever they are', (asked, read) => {
    const [{ key = '', label = '' } = {}] = readQuestions({ questions: [asked] });
    expect(`${key}: ${label}`).toBe(read);
  });

  it('does not ask, or require, what the host has turned off', () => {
    const questions = [{ enabled: false }, { hidden: true }, { active: 1 }].map((off, key) => ({ key, required: true, ...off }));
    expect(readQuestions({ questions }).map(({ key }) => key)).toEqual(['2']);
  });

  it.each([
    [{ type: 'select', options: ['a', 7] }, 'choice of a (a), 7 (7)'],
    [{ type: 'multiselect', options: [...choices, { value: 7 }, { label: 'C' }, null] }, 'choices of a (Apple), b (Banana), 7 (7), C (C)'],
    [{ type: 'SELECT', options: [{ id: 3, name: 'Three' }, { key: 'b', label: 'B' }, { name: 'C' }] }, 'choice of 3 (Three), b (B), C (C)'],
    [{ type: 'Number' }, 'number'],
    [{ type: 'multiselect', options: [] }, 'free text'],
    [{ type: 'toString' }, 'free text'],
    [{ type: 'number', required: 1 }, 'required number'],
    [{ type: 'number', required: 'yes' }, 'number'],
    // Other services' names of the types and of their options.
    [{ type: 'multi_select', answer_choices: ['a'] }, 'choices of a (a)'],
    [{ type: 'checkbox', choices: ['a'] }, 'free choices of a (a)'],
    [{ type: 'checkbox' }, 'free boolean'],
    [{ type: 'Single-Select', options: ['a'] }, 'free choice of a (a)'],
    [{ type: 'integer' }, 'free number'],
  ])('reads the question %j as a %s', (given, read) => {
    const [{ control = '', choices = [], required, isFree } = {}] = readQuestions({ questions: [{ key: 'q', ...given }] });
    const listed = choices.map(({ value, label }) => `${value} (${label})`).join(', ');
    expect([isFree && 'free', required && 'required', control, listed && `of ${listed}`].filter(Boolean).join(' ')).toBe(read);
  });

  it('the questions are read once for all items of a run, and again after a reading that failed', async () => {
    const service = await serve({ limits: false });
    const { client, clientWith, sandbox } = service;
    const [one, other] = sandbox.eventTypes().map(({ id }) => id);
    const reads = () => sandbox.requests().filter(({ path }) => path.startsWith('/v1/event-types/')).length;
    sandbox.faults.add({ route: 'GET /v1/event-types/:id', kind: 'status', status: 400 });
    expect(await questionsRead(client, one ?? '')).toBeUndefined();
    const [first, second] = await Promise.all([questionsRead(client, one ?? ''), questionsRead(client, one ?? '')]);
    expect(second).toBe(first);
    expect(await questionsRead(client, one ?? '')).toBe(first);
    expect(reads()).toBe(2);
    await questionsRead(client, other ?? '');
    await questionsRead(clientWith({}), one ?? '');
    expect(reads()).toBe(4);
  });

  it('a form asks questions only with a field for the answers and one for the event type', () => {
    const { question_responses: answers, event_type_id: type, notes } = createBooking.input;
    expect(askingFields({ notes, type, answers })).toEqual({ answers: 'answers', label: 'Answers', eventType: 'type' });
    expect([askingFields({ notes, answers }), askingFields({ notes, type })]).toEqual([undefined, undefined]);
    const asking = [...operations, ...searches].filter(({ input }) => Object.values(input).some(({ control }) => control === 'answers'));
    expect(asking.map((each) => 'answering' in each)).toEqual([true]);
  });
});
