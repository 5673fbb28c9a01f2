import { parseInput, type Operation } from '../../shared/operations/define.ts';
import { createBooking, createSubscription, findContact, getManyBookings } from '../../shared/operations/index.ts';

it.each([
  'ada@example.com',
  'sales&support@example.com',
  'prvs=123=ada@example.com',
  'first.last/dept@example.org',
  "o'brien@example.com",
  'jörg@example.com',
  'a@müller.de',
  'user@xn--80ak6aa92e.xn--p1ai',
  'a.b+c@sub.example.co.uk',
])('accepts the email address %s', (email) => {
  expect(parseInput(findContact, { email: ` ${email} ` })).toEqual({ email });
});

it.each([
  'ada',
  'a b@c.d',
  '@example.com',
  'ada@',
  'ada@example',
  'ada@example.',
  'ada@.com',
  'ada@example..com',
  'ada@grace@example.com',
  '"ada"@example.com',
  'Ada <ada@example.com>',
  'ada@example.com, grace@example.com',
])('refuses %j, which is not an email address, and shows it', (email) => {
  expect(() => parseInput(findContact, { email })).toThrow(`"Email" is not an email address: it is "${email}".`);
});

const booking = { event_type_id: 'evt_1', start_time: '2030-01-09T09:00:00Z', invitee_name: 'Ada', invitee_email: 'ada@example.com' };
const subscription = { url: 'https://example.com/hooks', events: ['BOOKING_CREATED'] };

it.each<[Operation, Record<string, unknown>, string]>([
  [createBooking, { ...booking, event_type_id: 2 ** 53 }, '"Event Type" is a number that cannot be kept exactly: enter it as text.'],
  [createBooking, { ...booking, notes: true }, '"Notes" must be a text: it is true.'],
  [createBooking, { ...booking, notes: 10n }, '"Notes" must be a text: it is a value of the type bigint.'],
  [createBooking, { ...booking, question_responses: ['x'] }, '"Answers" must be an object: it is ["x"].'],
  [createBooking, { ...booking, locale: 'de' }, '"Language" is not one of the languages en, es, fr: it is "de".'],
  [createBooking, { ...booking, invitee_name: ' ' }, '"Invitee Name" is required.'],
  [createBooking, { ...booking, start_time: ' ' }, '"Start" is required.'],
  [createSubscription, { ...subscription, events: 'BOOKING_CREATED' }, '"Events" must be a list: it is "BOOKING_CREATED".'],
  [createSubscription, { ...subscription, events: ['BOOKING_LOST'] }, '"Events" contains an unknown event: it is ["BOOKING_LOST"].'],
  [createSubscription, { ...subscription, events: [] }, '"Events" must contain at least one event: it is [].'],
  ...['ftp://example.com', 'xhttp://example.com', 'httpsx://example.com'].map((url): [Operation, Record<string, unknown>, string] => [
    createSubscription,
    { ...subscription, url },
    `"Target URL" is not a URL such as https://example.com/hooks: it is "${url}".`,
  ]),
  [
    createSubscription,
    { ...subscription, url: 'example' },
    '"Target URL" is not a URL such as https://example.com/hooks: it is "example".',
  ],
])('a wrong value of %# ends in an English sentence with the label and the value', (operation, raw, sentence) => {
  expect(() => parseInput(operation, raw)).toThrow(sentence);
});

it.each([
  ['yes', true],
  [' TRUE ', true],
  ['No', false],
  ['false', false],
])('takes %j as an answer to yes or no', (upcoming, meant) => {
  expect(parseInput(getManyBookings, { upcoming })).toEqual({ upcoming: meant });
  expect(() => parseInput(getManyBookings, { upcoming: `${upcoming}!` })).toThrow('"Upcoming" must be yes or no');
});

it('takes events by their labels and in any letter case', () => {
  const events = ['booking_created', ' Booking Cancelled '];
  expect(parseInput(createSubscription, { ...subscription, events })).toMatchObject({ events: ['BOOKING_CREATED', 'BOOKING_CANCELLED'] });
});
