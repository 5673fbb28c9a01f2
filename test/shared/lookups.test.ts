import type { Call } from '../../shared/call.ts';
import { lookups, type LookupQuery } from '../../shared/operations/lookups.ts';
import type { LookupName } from '../../shared/operations/define.ts';
import { isZone } from '../../shared/time/time.ts';
import { shownLists, type Lists } from '../support/service.ts';

const page = (name: LookupName, lists: Lists, query: LookupQuery = {}) => lookups[name](shownLists(lists).client, query);
const labels = async (name: LookupName, lists: Lists, query: LookupQuery = {}) =>
  (await page(name, lists, query)).choices.map(({ label }) => label);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('event types', () => {
  it.each<[object, string]>([
    [{ name: 'Intro', duration_minutes: 30, active: true }, 'Intro (30 min)'],
    [{ name: 'Intro', duration_minutes: 30, active: false }, 'Intro (30 min), inactive'],
    [{ name: 'Intro', duration_minutes: '30', active: 0 }, 'Intro (30 min), inactive'],
    [{ name: 'Intro' }, 'Intro'],
    [{ name: '' }, 'evt_1'],
  ])('%j is shown as "%s"', async (type, label) => {
    expect(await page('eventTypes', { 'event-types': [{ id: 'evt_1', ...type }] })).toStrictEqual({ choices: [{ value: 'evt_1', label }] });
  });

  it.each<[string, (string | undefined)[], string[]]>([
    ['the newest first are turned around', ['2029-03-01', '2029-02-01', '2029-01-01'], ['2', '1', '0']],
    ['the oldest first stay', ['2029-01-01', '2029-02-01'], ['0', '1']],
    ['one of them without its time stay', ['2029-03-01', undefined, '2029-01-01'], ['0', '1', '2']],
  ])('%s', async (_, days, order) => {
    const types = days.map((day, index) => ({ id: String(index), ...(day !== undefined && { created_at: `${day}T00:00:00Z` }) }));
    expect(await labels('eventTypes', { 'event-types': types })).toEqual(order);
  });

  it('that cannot be booked come last', async () => {
    const types = Object.entries({ a: false, b: true, c: 0, d: 1 }).map(([id, active]) => ({ id, active }));
    expect(await labels('eventTypes', { 'event-types': types })).toEqual(['b', 'd', 'a, inactive', 'c, inactive']);
  });

  it('are found by a part of what is shown, or by their whole id', async () => {
    const types = ['Intro', 'Kick-off'].map((name, index) => ({ id: `evt_1${index}`, name }));
    const found = (text: string) => labels('eventTypes', { 'event-types': types }, { text });
    expect(await Promise.all([' KICK ', 'EVT_10', 'evt', ' '].map(found))).toEqual([['Kick-off'], ['Intro'], [], ['Intro', 'Kick-off']]);
  });
});

it.each([
  ['bookings', 'bookings'],
  ['contacts', 'contacts'],
  ['eventTypes', 'event-types'],
] as const)('%s without a usable id are not offered, and a note says so', async (name, path) => {
  const { choices, note } = await page(name, { [path]: [{ id: 'a' }, { id: null }, { id: 2 ** 60 }] });
  expect([choices, note]).toEqual([
    [expect.objectContaining({ value: 'a' })],
    expect.stringMatching(/^Some cannot be chosen, because .+ shows no usable id for them\.$/),
  ]);
});

describe('bookings', () => {
  const at = '2030-02-01T09:00:00Z';
  const ada = { id: 'bkg_1', start_time: at, invitee_name: 'Ada', invitee_email: 'ada@example.com', event_type_name: 'Intro' };
  const berlin = { me: { id: 'usr_1', timezone: 'Europe/Berlin' } };
  const values = async (lists: Lists, query: LookupQuery = {}) =>
    (await page('bookings', { ...berlin, ...lists }, query)).choices.map(({ value }) => value);

  it.each<[object, object, string]>([
    [berlin, { invitee_timezone: 'Asia/Tokyo' }, '2030-02-01 10:00 UTC+01:00, Ada, Intro'],
    [{ me: { id: 'usr_1', timezone: 'Mars/Olympus' } }, { invitee_timezone: 'Asia/Tokyo' }, '2030-02-01 18:00 UTC+09:00, Ada, Intro'],
    [berlin, { invitee_name: '', event_type_name: null }, '2030-02-01 10:00 UTC+01:00, ada@example.com'],
    [berlin, { start_time: 'soon' }, 'Ada, Intro'],
    [berlin, { start_time: Date.parse(at) / 1000 }, '2030-02-01 10:00 UTC+01:00, Ada, Intro'],
    [berlin, { start_time: '2030-02-01T10:00' }, '2030-02-01T10:00, Ada, Intro'],
    [{}, { invitee_timezone: 'Asia/Tokyo' }, '2030-02-01 18:00 UTC+09:00, Ada, Intro'],
  ])('for the host %j, one with %j is shown as "%s"', async (host, change, label) => {
    expect(await page('bookings', { ...host, bookings: [{ ...ada, ...change }] })).toStrictEqual({ choices: [{ value: 'bkg_1', label }] });
  });

  it('that begin now or later, or at an unknown time, are listed, soonest first; cancelled and past ones are not', async () => {
    const bookings = [
      { id: 'unknown' },
      { id: 'past', start_time: '2030-01-02T07:59:59Z' },
      { id: 'past in every zone', start_time: '2030-01-01T07:59:59' },
      { id: 'now', start_time: '2030-01-02T08:00:00Z' },
      { id: 'cancelled', start_time: at, status: 'CANCELLED' },
      { id: 'cancelled too', start_time: at, status: 'canceled' },
      { id: 'waiting', start_time: at, status: 'PENDING' },
      { id: 'soon', start_time: '2030-01-03T08:00:00Z' },
    ];
    expect(await values({ bookings })).toEqual(['now', 'soon', 'waiting', 'unknown']);
  });

  it('are found by a part of what is shown or of the email, and by the whole id alone', async () => {
    const bookings = [ada, { ...ada, id: 'bkg_12', invitee_name: 'Grace', invitee_email: 7 }];
    const found = async (text: string) => (await values({ bookings }, { text })).join(' ');
    const texts = [' ADA@ ', 'grace', 'BKG_1', '10:00', 'undefined'];
    expect(await Promise.all(texts.map(found))).toEqual(['bkg_1', 'bkg_12', 'bkg_1', 'bkg_1 bkg_12', '']);
  });

  it('come a hundred at a time, and the last page has no next one', async () => {
    const bookings = numbers(200).map((id) => ({ id: String(id), start_time: new Date(Date.parse(at) + id * 60_000).toISOString() }));
    const first = await page('bookings', { ...berlin, bookings });
    const last = await page('bookings', { ...berlin, bookings }, { cursor: first.cursor });
    expect([...first.choices, ...last.choices].map(({ value }) => value)).toEqual(bookings.map(({ id }) => id));
    expect([first.choices.length, last.cursor]).toEqual([100, undefined]);
  });
});

describe('contacts', () => {
  it.each<[object, string]>([
    [{ name: 'Ada', email: 'ada@example.com' }, 'Ada, ada@example.com'],
    [{ name: '', email: 'ada@example.com' }, 'ada@example.com'],
    [{}, 'con_1'],
  ])('%j is shown as "%s"', async (contact, label) => {
    expect(await page('contacts', { contacts: [{ id: 'con_1', ...contact }] })).toStrictEqual({ choices: [{ value: 'con_1', label }] });
  });

  it.each([
    [' Ada@example.co.uk ', [{ email: 'Ada@example.co.uk' }, { email: 'ada@example.co.uk' }]],
    ['ada@example', [{}]],
    ['ada@grace@example.com', [{}]],
    [undefined, [{}]],
  ])('for "%s", the service is asked with %j', async (text, filters) => {
    const service = shownLists({ contacts: [] });
    await lookups.contacts(service.client, { text });
    expect(service.filters).toEqual(filters);
  });

  it('are searched until a screen is full, so that whoever finds few of them sees all', async () => {
    const named = (ids: number[]) => numbers(700).map((id) => ({ id: `con_${id}`, name: ids.includes(id) ? 'Ada' : 'Grace' }));
    const found = async (ids: number[], text: string) => page('contacts', { contacts: named(ids) }, { text });
    const ada = (id: number) => ({ value: `con_${id}`, label: 'Ada' });
    expect(await found([4, 650], ' ada ')).toStrictEqual({ choices: [ada(4), ada(650)] });
    expect(await found([650], 'CON_650')).toStrictEqual({ choices: [ada(650)] });
    expect(await found(numbers(20), 'ada')).toMatchObject({ cursor: '100', choices: { length: 20 } });
  });

  it.each(['jose', 'JOSÉ', 'Jose\u0301'])('are found as people type their names, with accents or without: %s', async (text) => {
    const names = ['Jos\u00e9', 'Jose\u0301', 'Joss'];
    expect(await labels('contacts', { contacts: names.map((name, index) => ({ id: `con_${index}`, name })) }, { text })).toEqual(
      names.slice(0, 2),
    );
  });

  it('are searched among a thousand at once, and a note says so', async () => {
    const contacts = numbers(1_001).map((id) => ({ id: `con_${id}`, name: id === 1_000 ? 'Ada' : 'Grace' }));
    const note = 'The search ended after 1,000 contacts. If yours is not listed, type its full email address.';
    expect(await page('contacts', { contacts }, { text: 'ada' })).toStrictEqual({ choices: [], note });
    expect(await page('contacts', { contacts: contacts.slice(1) }, { text: 'ada' })).toMatchObject({ choices: [{ label: 'Ada' }] });
  });
});

it('a list that fails says why, even if another request beside it fails later for a reason of its own', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  let fail: (reason: Error) => void = () => undefined;
  const answer = (isHost: boolean) =>
    isHost ? new Promise<never>((_, reject) => (fail = reject)) : Promise.reject(new Error('The list fails.'));
  const client = { ...shownLists().client, read: ({ path }: Call) => answer(path.includes('me')) };
  await expect(lookups.bookings(client, {})).rejects.toThrow('The list fails.');
  fail(new Error('Given up.'));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

describe('time zones', () => {
  it('are in alphabetical order, each once and valid, with those that the engine leaves out', async () => {
    const { choices } = await page('timeZones', {});
    const names = choices.map(({ value }) => value);
    expect(names).toEqual([...new Set(names)].sort());
    expect(names.filter((name) => !isZone(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['UTC', 'Asia/Kolkata', 'Asia/Kathmandu', 'Europe/Kyiv', 'America/Nuuk']));
  });

  it('are found by any part of their name', async () => {
    const found = (text: string) => labels('timeZones', {}, { text });
    expect(await found(' YORK ')).toEqual(['America/New York (UTC-05:00)']);
    expect(await found('port of sp')).toEqual(['America/Port of Spain (UTC-04:00)']);
    expect(await found('São Pau')).toEqual(['America/Sao Paulo (UTC-03:00)']);
    expect(await found('nowhere')).toEqual([]);
  });
});

it.each<[LookupName, Lists]>([
  ['eventTypes', { 'event-types': [{ id: 'a', name: 'In\u202etro\u200b' }] }],
  ['contacts', { contacts: [{ id: 'a', name: 'In\u202etro\u200b' }] }],
  ['bookings', { bookings: [{ id: 'a', invitee_name: 'In\u202etro\u200b' }] }],
])('a name of %s is shown without what nobody sees of it, or what turns its direction', async (name, lists) => {
  expect(await labels(name, lists)).toEqual(['Intro']);
});
