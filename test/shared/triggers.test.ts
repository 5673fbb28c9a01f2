import type { ServiceError } from '../../shared/serviceError.ts';
import { fittingRecords, recentRecords } from '../../shared/webhooks/testData.ts';
import { eventRows, eventTypeMatches } from '../../shared/events.ts';
import { shownLists, type Lists } from '../support/service.ts';
import { checkEventTypes, chosenEventTypes, chosenTexts } from '../../shared/operations/eventTypeFilter.ts';
import { DeliveryMemory } from '../../shared/webhooks/memory.ts';
import { leastBetween, pollEvery, Polls } from '../../shared/polling/pace.ts';

describe('test data of a trigger', () => {
  const rowOf = (name: string) => {
    const row = eventRows.find((each) => each.name === name);
    if (row === undefined) throw new Error(`There is no event ${name}.`);
    return row;
  };
  const fitting = async (name: string, lists: Lists, recent: Parameters<typeof fittingRecords>[2] = {}) => {
    const service = shownLists(lists);
    const records = await fittingRecords(service.client, rowOf(name), recent);
    return { ids: records.map(({ id }) => id), ...service };
  };
  const confirmed = (id: string, change: object = {}) => ({ id, status: 'CONFIRMED', ...change });

  it('is the newest first, three records if nothing else is said', async () => {
    const bookings = [
      confirmed('created', { updated_at: '', created_at: '2030-01-02T00:00:00Z' }),
      confirmed('untimed'),
      confirmed('updated', { updated_at: '2030-01-03T00:00:00Z', created_at: '2030-01-01T00:00:00Z' }),
      confirmed('old', { updated_at: '2030-01-01T00:00:00Z' }),
    ];
    expect((await fitting('BOOKING_CREATED', { bookings })).ids).toEqual(['updated', 'created', 'old']);
    expect((await fitting('BOOKING_CREATED', { bookings }, { limit: 9 })).ids).toEqual(['updated', 'created', 'old', 'untimed']);
  });

  it('asks first for records in the status of the event, and for any others only if none fits', async () => {
    const first = await fitting('BOOKING_CREATED', { bookings: [confirmed('one')] });
    expect([first.asked, first.filters]).toEqual([['bookings'], [{ status: 'CONFIRMED' }]]);
    const second = await fitting('BOOKING_CREATED', { bookings: [{ id: 'one', status: 'PENDING' }] });
    expect([second.ids, second.filters]).toEqual([['one'], [{ status: 'CONFIRMED' }, {}]]);
    const third = await fitting('CONTACT_CREATED', { contacts: [{ id: 'one' }] });
    expect([third.ids, third.asked, third.filters]).toEqual([['one'], ['contacts'], [{}]]);
    expect((await fitting('CONTACT_CREATED', { contacts: [] })).asked).toEqual(['contacts']);
  });

  it('is what shows the most signs of the event', async () => {
    const bookings = [
      { id: 'plain', status: 'CANCELLED', updated_at: '2030-01-09T00:00:00Z', cancellation_reason: '' },
      { id: 'reason', status: 'CANCELLED', cancellation_reason: 'Ill' },
      { id: 'denied', status: 'CANCELLED', cancellation_reason: 'Ill', event_type_id: 'evt_1' },
    ];
    const types = [{ id: 'evt_1', requires_approval: true }, { id: 'evt_2' }];
    expect((await fitting('BOOKING_CANCELLED', { bookings })).ids).toEqual(['reason', 'denied']);
    const denied = await fitting('BOOKING_DENIED', { bookings, 'event-types': types });
    expect([denied.ids, denied.asked]).toEqual([['denied'], ['event-types', 'bookings']]);
    expect(
      (
        await fitting('BOOKING_RESCHEDULED', {
          bookings: [confirmed('a'), confirmed('b', { previous_start_time: '2030-01-01T09:00:00Z' })],
        })
      ).ids,
    ).toEqual(['b']);
  });

  it('has a key for each record and event, which stays the same', async () => {
    const { client } = shownLists({ bookings: [confirmed('one'), confirmed('two')] });
    const keys = async (name: string) => (await recentRecords(client, rowOf(name))).map((record) => record['delivery_key']);
    const first = await keys('BOOKING_CREATED');
    expect(await keys('BOOKING_CREATED')).toEqual(first);
    expect(new Set([...first, ...(await keys('BOOKING_APPROVED'))]).size).toBe(4);
  });
});

describe('the choice of event types', () => {
  it('is read from whatever a field gives', () => {
    for (const both of [['evt_1\u200b', ' evt_2 '], 'evt_1, evt_2,,', ['evt_1,evt_2'], '["evt_1", "evt_2"] ', 'evt_1;evt_2\nevt_1'])
      expect(chosenTexts(both)).toEqual(['evt_1', 'evt_2']);
    expect([7, ['', null, {}, ['evt_1'], true], undefined, '[]'].map(chosenTexts)).toEqual([['7'], [], [], []]);
  });

  it.each([undefined, null, '', [], [''], ' \u200b', {}])('is refused if it was filled in and came out as %j: all would pass', (value) => {
    expect(() => chosenEventTypes(value, { isSet: true })).toThrow('"Event Types" is set, but it is empty, so it would filter nothing.');
  });

  it('lets pass what was chosen, and a booking without an event type; no choice means all', () => {
    const matches = (id: unknown, ...chosen: string[]) => eventTypeMatches({ event_type_id: id }, chosen);
    for (const passes of [matches('evt_1', 'evt_1'), matches(null, 'evt_1'), matches('', 'evt_1'), matches('evt_3')])
      expect(passes).toBe(true);
    expect(matches('evt_3', 'evt_1')).toBe(false);
  });
});

describe('the event types of a new filter', () => {
  const type = (id: string, more: object = {}) => ({ id, ...more });
  const check = async (lists: Lists, ...ids: string[]) => {
    const service = shownLists(lists);
    for (const gone of ['evt_2', 'evt_3']) service.refused[gone] = 404;
    const said = await checkEventTypes(service.client, ids).then(
      () => undefined,
      (error: ServiceError) => error.sentence,
    );
    return { said, asked: service.asked };
  };

  it('take one request, and one more for each that is not in the first part of the list', async () => {
    const lists = { 'event-types': [type('evt_1')], hidden: type('hidden') };
    expect(await check(lists)).toEqual({ said: undefined, asked: [] });
    expect(await check(lists, 'evt_1')).toEqual({ said: undefined, asked: ['event-types'] });
    expect(await check(lists, 'evt_1', 'hidden')).toEqual({ said: undefined, asked: ['event-types', 'hidden'] });
    const many = Array.from({ length: 40 }, (_, index) => `gone_${index}`);
    expect((await check(lists, ...many)).asked).toHaveLength(11);
  });

  it('are not held against a connection that may not read them', async () => {
    const { client, refused } = shownLists({});
    refused['event-types'] = 403;
    await expect(checkEventTypes(client, ['evt_2'])).resolves.toBeUndefined();
  });

  it('are named if they do not exist, with the ID where a name or a slug was entered', async () => {
    const lists = { 'event-types': [type('evt_1', { name: 'Intro Call', slug: 'intro' })], old: type('evt_9') };
    for (const name of ['Intro Call', 'intro call', 'INTRO'])
      expect((await check(lists, name)).said).toBe(
        `"${name}" is the name of an event type, whose ID is "evt_1". No booking would ever pass this filter for it. Choose from the list, or enter the ID.`,
      );
    expect((await check(lists, 'old')).said).toContain('"old" is the name of an event type, whose ID is "evt_9".');
    expect((await check(lists, 'evt_2', 'evt_3')).said).toMatch(/"evt_2" was not found\..*"evt_3" was not found\..* for them\./);
  });
});

describe('the memory of deliveries', () => {
  it('holds the last 10,000, however many come and are repeated, and not many more', () => {
    const memory = new DeliveryMemory();
    const isFirst = (index: number) => memory.claim([`delivery ${index}`]);
    for (let index = 0; index < 35_000; index += 1) {
      if (!isFirst(index)) throw new Error(`${index} was never claimed.`);
      if (isFirst(index) || isFirst(Math.max(0, index - 5_000))) throw new Error('A repeat was taken for a new one.');
    }
    const last = Array.from({ length: 10_000 }, (_, index) => 25_000 + index);
    expect(last.filter(isFirst)).toEqual([]);
    expect(isFirst(35_000 - 11_001)).toBe(true);
  });

  it('takes from equally large places equally, whatever places there were before, and forgets nothing at a small one', () => {
    const memory = new DeliveryMemory(100);
    const fill = (place: string, count: number) =>
      Array.from({ length: count }, (_, index) => memory.claim([`${index}`], place)).filter((isFirst) => isFirst).length;
    for (let index = 0; index < 1_000; index += 1) {
      memory.claim(['one'], `gone ${index}`);
      memory.release(['one'], `gone ${index}`);
    }
    fill('quiet', 10);
    for (let index = 0; index < 5_000; index += 1) for (const place of ['a', 'b']) memory.claim([`flood ${index}`], place);
    expect(fill('quiet', 10)).toBe(0);
    const known = ['a', 'b'].map((place) => Array.from({ length: 44 }, (_, index) => memory.claim([`flood ${4_999 - index}`], place)));
    expect(known.flat()).not.toContain(true);
  });
});

describe('how often a trigger polls', () => {
  const minute = 60_000;

  it.each([
    [100, minute, 1],
    [106, 63_600, 2],
    [205, 123_000, 2],
    [1000, 10 * minute, 10],
  ])('polls of %i calls keep to a tenth of the limit: one in %i ms, or in %i minutes', (calls, milliseconds, minutes) => {
    expect(leastBetween(calls)).toBeCloseTo(milliseconds);
    expect(pollEvery(calls)).toBe(minutes * minute);
  });

  describe('the polls of a process', () => {
    let polls: Polls;
    beforeEach(() => (polls = new Polls()));

    const begun = 1_000 * minute;
    const polled = (trigger: string, calls: number) =>
      polls.run(
        trigger,
        () => begun,
        async () => ({ calls }),
      );

    it('may begin again when the calls of the last one are made up for, up to half a minute early', async () => {
      expect(polls.early('a', begun)).toBe(0);
      expect(await polled('a', 106)).toEqual({ calls: 106 });
      expect(polls.early('a', begun)).toBe(2 * minute);
      expect(polls.early('a', begun + 1.5 * minute - 1)).toBe(0.5 * minute + 1);
      expect(polls.early('a', begun + 1.5 * minute)).toBe(0);
    });

    it('begin at once after the clock was set back', async () => {
      await polled('a', 1000);
      expect(polls.early('a', begun - 1)).toBe(0);
      expect(polls.early('a', begun)).toBe(0);
    });
  });
});
