import * as z from 'zod/v4';
import { field, operationLabel, parseInput, type Operation } from '../../shared/operations/define.ts';
import { formSchema, labelsOf } from '../../shared/operations/form.ts';
import { optionalText } from '../../shared/operations/inputs.ts';
import {
  cancelBooking,
  findBooking,
  getBooking,
  getManyContacts,
  createBooking,
  createSubscription,
  findContact,
  getManyBookings,
  getManyEventTypes,
} from '../../shared/operations/index.ts';
import { refusalOf } from '../support/service.ts';

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
    { note: 7, count: 7 },
    { note: '7', count: 7 },
  ],
  [{ note: 9007199254740991 }, { note: '9007199254740991' }],
  [{ start: '2030-01-31T09:00:00+01:00' }, { start: '2030-01-31T08:00:00Z' }],
  [
    { start: '2030-01-31T09:00', zone: 'America/New_York' },
    { start: '2030-01-31T14:00:00Z', zone: 'America/New_York' },
  ],
])('reads %j as %j', (raw, values) => {
  expect(parse(raw)).toStrictEqual({ name: 'Ada', ...values });
});

it("reads a start in the form's own zone first, then in the platform's", () => {
  const start = '2030-01-31T09:00';
  expect(parse({ start }, 'Europe/Berlin')).toMatchObject({ start: '2030-01-31T08:00:00Z' });
  expect(parse({ start, zone: 'UTC' }, 'Europe/Berlin')).toMatchObject({ start: '2030-01-31T09:00:00Z' });
});
it.each<[Record<string, unknown>, string, string[]]>([
  [{ name: '' }, '"Name" is required. Correct it and run this again.', ['name']],
  [{ name: true }, '"Name" must be a text: it is true. Correct it and run this again.', ['name']],
  [{ count: 'many' }, '"Count" must be a number: it is "many". Correct it and run this again.', ['count']],
  [{ name: Number.NaN }, '"Name" is a number that cannot be kept exactly: enter it as text. Correct it and run this again.', ['name']],
  [
    { start: '2030-01-31T09:00', zone: true },
    '"Zone" must be a text: it is true. "Start" has no UTC offset, and no time zone is set: it is "2030-01-31T09:00". Correct them and run this again.',
    ['zone', 'start'],
  ],
  [
    { name: 7.5, note: {}, start: 'soon' },
    '"Note" must be a text: it is {}. "Start" is not a date and time such as 2030-01-31T09:00:00+01:00: it is "soon". Correct them and run this again.',
    ['note', 'start'],
  ],
])('refuses %j with one sentence for each wrong field', async (raw, sentence, fields) => {
  expect(await refusalOf(() => parse(raw))).toMatchObject({ kind: 'invalid', sentence, fields: fields.map((each) => ({ field: each })) });
});

it('names a wrong start once, and shows no more than 80 characters of any value', async () => {
  const long = 'x'.repeat(90);
  expect((await refusalOf(() => parse({ start: long }))).message).toMatch(/^"Start" cannot be used \([^)]+\): it is "x{80}"\.$/);
  expect((await refusalOf(() => parse({ note: [long] }))).message).toBe(`"Note" must be a text: it is ["${'x'.repeat(78)}.`);
});

it.each([
  ['name', '"Name"'],
  ['name.first.0', '"0" in "first" in "Name"'],
  ['other', 'other'],
  ['toString', 'toString'],
])('calls the field %s %s', (name, label) => {
  expect(labelsOf(input)(name)).toBe(label);
});

it('names operations by their verb and by one or many records', () => {
  const names = ['Get Booking', 'Cancel Booking', 'List Contacts', 'Find Booking'];
  expect([getBooking, cancelBooking, getManyContacts, findBooking].map(operationLabel)).toEqual(names);
});

describe('the values of declared forms', () => {
  it.each(["ada's+sales&support/dept@example.com", 'jörg@müller.de', 'user@sub.xn--80ak6aa92e.xn--p1ai'])(
    'accepts the email address %s',
    (email) => expect(parseInput(findContact, { email: ` ${email} ` })).toEqual({ email }),
  );

  it.each([
    ...['ada', 'a b@c.d', '@example.com', 'ada@', 'ada@example', 'ada@example.', 'ada@.com', 'ada@grace@example.com'],
    ...['"ada"@example.com', 'Ada <ada@example.com>', 'ada@example.com, grace@example.com'],
  ])('refuses %j, which is not an email address, and shows it', (email) => {
    expect(() => parseInput(findContact, { email })).toThrow(`"Email" is not an email address: it is "${email}".`);
  });

  const booking = { event_type_id: 'evt_1', start_time: '2030-01-09T09:00:00Z', invitee_name: 'Ada', invitee_email: 'ada@example.com' };
  const subscription = { url: 'https://example.com/hooks', events: ['BOOKING_CREATED'] };

  it.each<[Operation, Record<string, unknown>, string]>([
    [createBooking, { ...booking, event_type_id: 2 ** 53 }, '"Event Type" is a number that cannot be kept exactly: enter it as text.'],
    [createBooking, { ...booking, notes: 10n }, '"Notes" must be a text: it is a value of the type bigint.'],
    [createBooking, { ...booking, question_responses: ['x'] }, '"Answers" must be an object: it is ["x"].'],
    [createBooking, { ...booking, locale: 'de' }, '"Language" is not one of the languages en, es, fr: it is "de".'],
    [createBooking, { ...booking, invitee_name: ' ' }, '"Invitee Name" is required.'],
    [createBooking, { ...booking, start_time: ' ' }, '"Start" is required.'],
    [createSubscription, { ...subscription, events: 'BOOKING_CREATED' }, '"Events" must be a list: it is "BOOKING_CREATED".'],
    [
      createSubscription,
      { ...subscription, events: ['BOOKING_LOST'] },
      '"Events" may only contain BOOKING_CREATED, BOOKING_CANCELLED, BOOKING_RESCHEDULED, BOOKING_APPROVED, BOOKING_DENIED, CONTACT_CREATED, CONTACT_UPDATED: it is ["BOOKING_LOST"].',
    ],
    [createSubscription, { ...subscription, events: [] }, '"Events" must contain at least one event: it is [].'],
    [
      createSubscription,
      { ...subscription, url: 'ftp://example.com' },
      '"Target URL" is not a URL such as https://example.com/hooks: it is "ftp://example.com".',
    ],
  ])('a wrong value of %# ends in an English sentence with the label and the value', (operation, raw, sentence) => {
    expect(() => parseInput(operation, raw)).toThrow(sentence);
  });

  it.each([
    ['yes', true],
    [' TRUE ', true],
    ['No', false],
  ])('takes %j as an answer to yes or no', (upcoming, meant) => {
    expect(parseInput(getManyBookings, { upcoming })).toEqual({ upcoming: meant });
    expect(() => parseInput(getManyBookings, { upcoming: `${upcoming}!` })).toThrow('"Upcoming" must be yes or no');
  });

  it('takes events by their labels and in any letter case', () => {
    const events = ['booking_created', ' Booking Cancelled '];
    expect(parseInput(createSubscription, { ...subscription, events })).toMatchObject({ events: ['BOOKING_CREATED', 'BOOKING_CANCELLED'] });
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
      description: "Answers to the event type's questions: the key of each question, with its answer.",
    });
  });

  it('of a form without required fields names none', () => {
    expect(formSchema(getManyEventTypes.input)).not.toHaveProperty('required');
  });
});
