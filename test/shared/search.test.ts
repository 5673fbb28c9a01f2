import { maxScanned } from '../../shared/client/pages.ts';
import type { BookingSearch } from '../../shared/operations/booking/fit.ts';
import { searchBookings } from '../../shared/operations/booking/search.ts';
import { refusal, shownLists, testStart, type Lists } from '../support/service.ts';

const email = 'ada@example.com';
const start = '2030-02-01T08:00:00Z';
const all = { email, event_type_id: 'evt_1', start_time: start };
const booked = { id: 'a', invitee_email: email, event_type_id: 'evt_1', start_time: start };
/** Nine o'clock on somebody's clock. */
const local = '2030-02-01T09:00:00';
const berlin = { id: 'usr_1', timezone: 'Europe/Berlin' };
const atNineInBerlin: Lists = { bookings: [{ ...booked, start_time: local }], me: berlin };

async function search(lists: Lists, wanted: BookingSearch) {
  const service = shownLists(lists);
  const notes: string[] = [];
  const records = await searchBookings(service.client, wanted, { note: (sentence) => notes.push(sentence) });
  return { ids: records.map(({ id }) => id), notes, asked: service.asked, filters: service.filters };
}

describe('a search without a start, or without an email', () => {
  it.each<[string, object[], BookingSearch, string[]]>([
    ['nothing', [], { email }, []],
    ['those that show no email, whatever their start', [{ id: 'a', start_time: start }, { id: 'b' }], { email }, ['a', 'b']],
    ['the one that shows the email, and none that shows none', [booked, { id: 'b' }], { email }, ['a']],
    ['one with the email among its attendees', [{ id: 'a', attendees: [{ email }, { email: 'bob@example.com' }] }], { email }, ['a']],
    ['one whose event type is empty', [{ ...booked, event_type_id: '' }], { email, event_type_id: 'evt_1' }, ['a']],
    ['none of an event type that cannot be read', [{ ...booked, event_type_id: 'evt_2' }], { email, event_type_id: 'evt_1' }, []],
  ])('finds %s', async (_, bookings, wanted, ids) => {
    expect((await search({ bookings }, wanted)).ids).toEqual(ids);
  });

  it('reads no event type, and has nothing to say, if there is nothing to compare', async () => {
    const { asked, notes } = await search({ bookings: [] }, { event_type_id: 'evt_1' });
    expect([new Set(asked), notes]).toEqual([new Set(['bookings']), []]);
  });

  it('says that there may be others if a booking shows too little', async () => {
    const bookings = [{ id: 'a', start_time: local }];
    const { ids, notes } = await search({ bookings, me: berlin }, { event_type_id: 'evt_1', start_time: start });
    expect([ids, notes]).toEqual([[], [expect.stringContaining('may be others that fit. Add an email.') as string]]);
  });

  it('by email and start says so of one whose start cannot be read', async () => {
    const bookings = [{ ...booked, start_time: '9:00am' }];
    const { ids, notes } = await search({ bookings, me: berlin }, { email, start_time: start });
    expect([ids, notes]).toEqual([['a'], [expect.stringContaining('may start at another time.') as string]]);
  });

  it('of more than it reads needs nobody who is told', async () => {
    const bookings = Array.from({ length: maxScanned + 1 }, (_, index) => ({ ...booked, id: `${index}` }));
    expect(await searchBookings(shownLists({ bookings }).client, all)).toHaveLength(maxScanned);
  });
});

describe('a search for whether a booking exists', () => {
  it('asks for the bookings that have not ended, list by list, and reads nothing else once one fits', async () => {
    const filters = [undefined, 'PENDING', 'CONFIRMED'].map((status) => ({ ...(status && { status }), email }));
    expect((await search({ bookings: [] }, all)).filters).toEqual(filters);
    expect((await search({ bookings: [booked] }, all)).asked).toEqual(['bookings']);
  });

  const ofBerliner = { ...booked, start_time: local, invitee_timezone: 'Europe/Berlin' };
  const newYork = { id: 'usr_1', timezone: 'America/New_York' };
  it.each<[string, Lists, string]>([
    ["the host's clock, to the minute", atNineInBerlin, '2030-02-01T07:59:30Z'],
    ["the invitee's clock, whatever the host's is", { bookings: [ofBerliner], me: newYork }, start],
    [
      'a clock that shows this time twice',
      { bookings: [{ ...booked, start_time: '2030-10-27T02:30:00' }], me: berlin },
      '2030-10-27T01:30:00Z',
    ],
    ['UTC, if no clock is known', { bookings: [{ ...booked, start_time: local }] }, '2030-02-01T09:00:00Z'],
  ])('finds it by %s', async (_, lists, start_time) => {
    expect((await search(lists, { ...all, start_time })).ids).toEqual(['a']);
  });

  it('does not find one a minute later on a local clock', async () => {
    expect((await search(atNineInBerlin, { ...all, start_time: '2030-02-01T08:01:00Z' })).ids).toEqual([]);
  });

  it("asks for the host's clock only if a start is on a clock, and then compares all", async () => {
    const open = { ...booked, event_type_id: undefined };
    expect((await search({ bookings: [open] }, all)).asked).not.toContain('me');
    const bookings = [open, { ...open, id: 'b', start_time: local }];
    expect((await search({ bookings, me: berlin }, all)).ids).toEqual(['a', 'b']);
  });

  it('finds one under another id of the wanted type, reads each type once, and believes nothing of one that cannot be compared', async () => {
    const bookings = ['a', 'b'].map((id) => ({ ...booked, id, event_type_id: 'intro-2' }));
    const { ids, asked } = await search({ bookings, evt_1: { id: 'evt_1' }, 'intro-2': { id: 'evt_1' } }, all);
    expect([ids, asked.filter((each) => each === 'intro-2')]).toEqual([['a', 'b'], ['intro-2']]);
    expect((await search({ bookings, evt_1: { id: 'evt_1' }, 'intro-2': { id: 'evt_2' } }, all)).ids).toEqual([]);
    const unclear = search({ bookings: [{ ...booked, start_time: '2030-02-01T13:00:00' }], me: berlin }, all);
    expect((await refusal(unclear)).message).toContain('the start of the booking "a" of ada@example.com cannot be compared');
  });
});

it("a search among more of a person's bookings than it reads tells neither that there is none, nor which comes first (G31)", async () => {
  const at = (index: number) => new Date(testStart + index * 3_600_000).toISOString();
  const booked = (_: unknown, index: number) => ({
    id: `${index}`,
    event_type_id: 'evt_1',
    invitee_email: email,
    start_time: at(index),
  });
  const among = (count: number) => {
    const { client } = shownLists({ bookings: Array.from({ length: count }, booked) });
    const notes: string[] = [];
    const context = { bound: {}, note: (sentence: string) => notes.push(sentence) };
    const found = async (fields: BookingSearch) => (await searchBookings(client, { email, ...fields }, context)).length;
    return { found, notes };
  };
  const all = among(maxScanned + 100);
  expect([await all.found({}), all.notes]).toEqual([maxScanned + 100, []]);

  const { found, notes } = among(10_100);
  const only = (count: string) => `only ${count} bookings were read in the time for one search, and there are more.`;
  const first = await refusal(found({}));
  expect([first.kind, first.sentence]).toEqual([
    'invalid',
    `Nobody can tell yet which of these bookings comes first: ${only('9,700')} Add a start or a status to the search, or use the ID.`,
  ]);
  // The list is sorted by start, so a later booking cannot have this one.
  expect([await found({ start_time: at(999) }), notes]).toEqual([1, []]);
  expect([await found({ event_type_id: 'evt_1', start_time: at(999) }), notes]).toEqual([
    1,
    [`This is not the whole answer: ${only('1,000')} Add a status to the search, or use the ID.`],
  ]);
  const never = '2040-01-01T09:00:00Z';
  for (const [asked, count] of [
    [{ event_type_id: 'evt_1', start_time: never }, '1,000'],
    [{ start_time: never }, '9,700'],
  ] as const)
    expect((await refusal(found(asked))).sentence).toBe(
      `Nobody can tell yet whether there is such a booking: ${only(count)} Add a status to the search, or use the ID.`,
    );
});

it('a search does not tell the next booking by the ten that it reads by their ids, where lists show only ids', async () => {
  const lists = (count: number) => {
    const all = Array.from({ length: count }, (_, index) => ({ id: `${index}`, event_type_id: index % 2 ? 'evt_1' : 'evt_2' }));
    return { bookings: all.map(({ id }) => ({ id })), ...Object.fromEntries(all.map((each) => [each.id, each])) };
  };
  expect((await search(lists(10), { event_type_id: 'evt_1' })).ids).toHaveLength(5);
  for (const [type, words] of [
    ['evt_1', 'which of these bookings comes first: only 10 bookings'],
    ['evt_3', 'whether there is such a booking: only 10 bookings'],
  ])
    expect((await refusal(search(lists(11), { event_type_id: type }))).message).toContain(words);
});
