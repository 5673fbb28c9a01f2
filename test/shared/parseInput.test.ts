import * as z from 'zod/v4';
import { defineMany, defineOne, field, labelsOf, operationLabel, parseInput } from '../../shared/operations/define.ts';
import { formFields } from '../../shared/operations/form.ts';
import { optionalText } from '../../shared/operations/inputs.ts';
import { cancelBooking, findBooking, getBooking, getManyContacts } from '../../shared/operations/index.ts';
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
  [{ unknown: 'x', toString: 'y' }, {}],
  [
    { note: 7, count: 7 },
    { note: '7', count: 7 },
  ],
  [{ note: '9007199254740993' }, { note: '9007199254740993' }],
  [{ note: 9007199254740991 }, { note: '9007199254740991' }],
  [
    { note: 0, count: 0 },
    { note: '0', count: 0 },
  ],
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
  const { zone: _, ...zoneless } = input;
  expect(parseInput({ input: zoneless }, { name: 'Ada', start }, { timeZone: 'Europe/Berlin' })).toMatchObject({
    start: '2030-01-31T08:00:00Z',
  });
});

it.each<[Record<string, unknown>, string, string[]]>([
  [{ name: '' }, '"Name" is required. Correct it and run this again.', ['name']],
  [{ name: true }, '"Name" must be a text: it is true. Correct it and run this again.', ['name']],
  [{ name: () => 1 }, '"Name" must be a text: it is function. Correct it and run this again.', ['name']],
  [{ count: 'many' }, '"Count" must be a number: it is "many". Correct it and run this again.', ['count']],
  [{ name: Number.NaN }, '"Name" is a number that cannot be kept exactly: enter it as text. Correct it and run this again.', ['name']],
  [
    { start: '2030-01-31T09:00' },
    '"Start" has no UTC offset, and no time zone is set: it is "2030-01-31T09:00". Correct it and run this again.',
    ['start'],
  ],
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
  ['name.first.0', '"Name" to "first" to "0"'],
  ['other', 'other'],
  ['toString', 'toString'],
])('calls the field %s %s', (name, label) => {
  expect(labelsOf(input)(name)).toBe(label);
});

it('shows the fields of a form in order, with their texts, and which of them are required', () => {
  expect(formFields(input)).toEqual([
    { ...words('Name', 'text'), key: 'name', required: true },
    { ...words('Note', 'text'), key: 'note', required: false },
    { ...words('Count', 'number'), key: 'count', required: false },
    { ...words('Start', 'dateTime'), key: 'start', required: false },
    { ...words('Zone', 'timeZone'), key: 'zone', required: false },
  ]);
});

it('names operations by their verb and by one or many records', () => {
  expect([getBooking, cancelBooking, getManyContacts, findBooking].map(operationLabel)).toEqual([
    'Get Booking',
    'Cancel Booking',
    'List Contacts',
    'Find Booking',
  ]);
  const { yields: _, ...one } = getBooking;
  expect(defineOne(one).yields).toBe('one');
  const { yields: __, ...many } = getManyContacts;
  expect(defineMany(many).yields).toBe('many');
});
