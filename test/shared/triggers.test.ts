import { asDelivered, fittingRecords, recentRecords } from '../../shared/webhooks/testData.ts';
import { eventRows } from '../../shared/events.ts';
import { booking as sample } from '../../shared/records/samples.ts';
import { refusal } from '../support/service.ts';
import { shownLists, type Lists } from '../support/shownLists.ts';
import { chosenTexts, eventTypeMatches, filterFields, TriggerFilter } from '../../shared/webhooks/filter.ts';
import { DeliveryMemory } from '../../shared/webhooks/memory.ts';

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
      confirmed('created', { created_at: '2030-01-02T00:00:00Z' }),
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
      (await fitting('BOOKING_RESCHEDULED', { bookings: [confirmed('a'), confirmed('b', { previous_start_time: '2030' })] })).ids,
    ).toEqual(['b']);
  });

  it('is read from the first hundred records, and is empty if there are none', async () => {
    const bookings = Array.from({ length: 150 }, (_, index) => confirmed(String(index)));
    expect((await fitting('BOOKING_CREATED', { bookings }, { limit: 200 })).ids).toHaveLength(100);
    expect((await fitting('BOOKING_CREATED', { bookings: [] })).ids).toEqual([]);
    expect(await fitting('CONTACT_CREATED', { contacts: [] })).toMatchObject({ ids: [], asked: ['contacts'] });
  });

  it('that cannot be read says which records were meant', async () => {
    const service = shownLists();
    service.refused['bookings'] = 404;
    expect((await refusal(fittingRecords(service.client, rowOf('BOOKING_CREATED')))).message).toContain('The list of bookings ');
  });

  it('knows a status in lower case', async () => {
    const bookings = ['cancelled', 'confirmed'].map((status) => ({ id: status, status, updated_at: '2030-01-03T00:00:00Z' }));
    expect((await fitting('BOOKING_CREATED', { bookings })).ids).toEqual(['confirmed']);
    expect((await fitting('BOOKING_CANCELLED', { bookings })).ids).toEqual(['cancelled']);
  });

  it('is shown even if event types cannot be read, because they only say what fits better', async () => {
    const service = shownLists({ bookings: [{ id: 'denied', status: 'CANCELLED', cancellation_reason: 'Ill' }] });
    service.refused['event-types'] = 403;
    expect(await fittingRecords(service.client, rowOf('BOOKING_DENIED'))).toMatchObject([{ id: 'denied' }]);
  });

  it('has a key for each record and event, which stays the same', async () => {
    const { client } = shownLists({ bookings: [confirmed('one'), confirmed('two')] });
    const keys = async (name: string) => (await recentRecords(client, rowOf(name))).map((record) => record['delivery_key']);
    const first = await keys('BOOKING_CREATED');
    expect(await keys('BOOKING_CREATED')).toEqual(first);
    expect(new Set([...first, ...(await keys('BOOKING_APPROVED'))]).size).toBe(4);
  });

  it('is of the chosen event types', async () => {
    const bookings = [confirmed('one', { event_type_id: 'evt_1' }), confirmed('two', { event_type_id: 'evt_2' })];
    expect((await fitting('BOOKING_CREATED', { bookings }, { eventTypeIds: ['evt_2'] })).ids).toEqual(['two']);
    expect((await fitting('BOOKING_CREATED', { bookings }, { eventTypeIds: ['evt_3'] })).ids).toEqual([]);
  });

  it('looks like a delivery: prepared for people, with its marks', async () => {
    const row = rowOf('BOOKING_CREATED');
    const service = shownLists({ bookings: [confirmed('bkg_1', { invitee_name: 'Ada Lovelace', updated_at: '2030-01-03T00:00:00Z' })] });
    expect(await recentRecords(service.client, row)).toMatchObject([
      {
        id: 'bkg_1',
        invitee_first_name: 'Ada',
        event: 'BOOKING_CREATED',
        delivery_id: 'sample-bkg_1',
        delivered_at: '2030-01-03T00:00:00Z',
        delivery_key: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        change_key: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      },
    ]);
    expect(asDelivered(row, { id: 'a', created_at: '2030-01-02T00:00:00Z' })).toMatchObject({ delivered_at: '2030-01-02T00:00:00Z' });
    expect(asDelivered(row, { id: 'a', updated_at: 7 })).toMatchObject({ delivered_at: sample['updated_at'] });
  });
});

describe('the choice of event types', () => {
  it.each<[unknown, string[]]>([
    [
      ['evt_1', ' evt_2 '],
      ['evt_1', 'evt_2'],
    ],
    ['evt_1, evt_2,,', ['evt_1', 'evt_2']],
    ['evt_1', ['evt_1']],
    [7, ['7']],
    [
      [7, 'evt_1', 7.5],
      ['7', 'evt_1'],
    ],
    [['', ' ', null, undefined, {}, ['evt_1'], true], []],
    [undefined, []],
    [null, []],
    ['', []],
    [{ id: 'evt_1' }, []],
  ])('reads the choice %j as %j', (value, texts) => {
    expect(chosenTexts(value)).toEqual(texts);
  });

  it.each<[object, string[], boolean]>([
    [{ event_type_id: 'evt_1' }, ['evt_1', 'evt_2'], true],
    [{ event_type_id: 'evt_3' }, ['evt_1', 'evt_2'], false],
    [{ event_type_id: 'evt_3' }, [], true],
    [{}, ['evt_1'], true],
    [{ event_type_id: null }, ['evt_1'], true],
  ])('a booking %j is of the types %j: %p', (record, chosen, matches) => {
    expect(eventTypeMatches(record, chosen)).toBe(matches);
  });

  it('triggers for bookings offer the choice of event types, and it may be left empty', () => {
    for (const row of eventRows) {
      const fields = filterFields(row);
      if (row.record === 'contact') expect(fields).toEqual([]);
      else
        expect(fields).toMatchObject([
          { key: 'event_type_ids', label: 'Event Types', control: 'choices', lookup: 'eventTypes', required: false },
        ]);
    }
    const { schema } = TriggerFilter.event_type_ids;
    expect(schema.parse(undefined)).toBeUndefined();
    expect(schema.parse(['evt_1'])).toEqual(['evt_1']);
  });
});

describe('the memory of deliveries', () => {
  it('releases a claim, and only that one', () => {
    const memory = new DeliveryMemory();
    expect(['a', 'b'].map((key) => memory.claim([key]))).toEqual([true, true]);
    memory.release(['a']);
    memory.release(['never claimed'], 'nowhere');
    expect(['a', 'b'].map((key) => memory.claim([key]))).toEqual([true, false]);
  });

  it('claims several keys completely or not at all', () => {
    const memory = new DeliveryMemory();
    expect(memory.claim(['b'])).toBe(true);
    expect(memory.claim(['a', 'b'])).toBe(false);
    expect(memory.claim(['a'])).toBe(true);
  });

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

  it('forgets nothing at one place because of a flood at another, which forgets its own oldest', () => {
    const memory = new DeliveryMemory(100);
    for (let index = 0; index < 40; index += 1) memory.claim([`quiet ${index}`], 'here');
    for (let index = 0; index < 5_000; index += 1) memory.claim([`flood ${index}`], 'there');
    expect(Array.from({ length: 40 }, (_, index) => memory.claim([`quiet ${index}`], 'here'))).not.toContain(true);
    expect(Array.from({ length: 50 }, (_, index) => memory.claim([`flood ${4_950 + index}`], 'there'))).not.toContain(true);
    expect(memory.claim(['flood 4000'], 'there')).toBe(true);
  });

  it('divides itself among more places than it holds', () => {
    const memory = new DeliveryMemory(10);
    for (let index = 0; index < 1_000; index += 1) expect(memory.claim(['one'], `place ${index}`)).toBe(true);
    const known = Array.from({ length: 1_000 }, (_, index) => memory.claim(['one'], `place ${999 - index}`)).filter((isFirst) => !isFirst);
    expect(known.length).toBeGreaterThan(0);
    expect(known.length).toBeLessThanOrEqual(11);
  });

  it('forgets once it holds a tenth too many, and then only the excess', () => {
    const memory = new DeliveryMemory(100);
    const known = (place: string, from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => !memory.claim([`${from + index}`], place)).filter(Boolean).length;
    memory.claim(['0'], 'here');
    for (let index = 0; index < 109; index += 1) memory.claim([`${index}`], 'there');
    expect(known('there', 0, 109)).toBe(109);
    memory.claim(['109'], 'there');
    expect(known('there', 11, 110)).toBe(99);
    expect(memory.claim(['0'], 'here')).toBe(false);
    expect(memory.claim(['10'], 'there')).toBe(true);
  });

  it('forgets keys of the largest place, even if that came first', () => {
    const memory = new DeliveryMemory(100);
    for (let index = 0; index < 80; index += 1) memory.claim([`flood ${index}`], 'there');
    for (let index = 0; index < 20; index += 1) memory.claim([`quiet ${index}`], 'here');
    for (let index = 80; index < 200; index += 1) memory.claim([`flood ${index}`], 'there');
    expect(Array.from({ length: 20 }, (_, index) => memory.claim([`quiet ${index}`], 'here'))).not.toContain(true);
  });

  it('does not count released claims', () => {
    const memory = new DeliveryMemory(10);
    memory.claim(['kept']);
    for (let index = 0; index < 100; index += 1) {
      memory.claim([`${index}`]);
      memory.release([`${index}`]);
    }
    expect(memory.claim(['kept'])).toBe(false);
  });

  /** How many of its newest keys a place still knows. */
  const knownOf = (memory: DeliveryMemory, place: string, count: number): number => {
    let known = 0;
    while (known < count && !memory.claim([`${count - 1 - known}`], place)) known += 1;
    return known;
  };
  const fill = (memory: DeliveryMemory, place: string, count: number) =>
    Array.from({ length: count }, (_, index) => memory.claim([`${index}`], place));

  it('takes from equally large places equally, whatever places there were before', () => {
    const memory = new DeliveryMemory(100);
    for (let index = 0; index < 1_000; index += 1) {
      memory.claim(['one'], `gone ${index}`);
      memory.release(['one'], `gone ${index}`);
    }
    const places = ['a', 'b', 'c'];
    for (const place of places) fill(memory, place, 37);
    expect(places.map((place) => knownOf(memory, place, 37))).toEqual([33, 33, 34]);
  });
});
