import type { PollState } from '../../shared/polling/poll.ts';
import { refusal } from '../support/service.ts';
import { booking, changesOf, numbers, polled, saved, service, show } from '../support/polledLists.ts';

const bookings = (count: number, prefix = '') => numbers(count).map((id) => booking(`${prefix}${id}`));
beforeEach(() => Object.assign(service.lists, { me: { id: 'usr_1', email: 'host@example.com' }, bookings: [], contacts: [] }));

describe('a credential that changes to another account', () => {
  it.each([0, 1, 5, 6, 15, 19, 20, 400])('reports none of its 400 bookings, if %i were known', async (count) => {
    await changesOf(bookings(count));
    service.lists['me'] = { id: 'usr_2' };
    show(bookings(400, 'other_'));
    expect(await polled({ upcomingAtFirst: true })).toMatchObject({ changes: [], stock: 'elsewhere', mustKeep: true });
    expect((saved.kept as PollState).lists.booking).toHaveLength(400 * 19);
    show([...bookings(400, 'other_'), booking('new')]);
    const next = await polled();
    expect(next.changes).toEqual(['BOOKING_CREATED bkg_new']);
    expect(next.stock).toBeUndefined();
  });

  it('reports none, even if the other account has the same ids', async () => {
    await changesOf(bookings(30));
    service.lists['me'] = { id: 'usr_2' };
    show(bookings(30).map((each) => ({ ...each, status: 'CANCELLED', start_time: '2032-01-01T09:00:00Z' })));
    expect(await polled()).toMatchObject({ changes: [], stock: 'elsewhere' });
  });

  it('is recognised by the email if the user has no id, whatever its letter case', async () => {
    service.lists['me'] = { email: 'Host@example.com' };
    await changesOf(bookings(3));
    service.lists['me'] = { email: 'host@EXAMPLE.com' };
    expect(await changesOf(bookings(4))).toEqual(['BOOKING_CREATED bkg_3']);
    service.lists['me'] = { email: 'other@example.com' };
    show(bookings(5, 'other_'));
    expect(await polled()).toMatchObject({ changes: [], stock: 'elsewhere' });
    expect(JSON.stringify(saved.kept)).not.toContain('example');
  });

  it('is not assumed if all records are others', async () => {
    await changesOf(bookings(30));
    expect(await changesOf(bookings(2, 'later_'))).toEqual(['BOOKING_CREATED bkg_later_0', 'BOOKING_CREATED bkg_later_1']);
  });

  it.each([403, 404, 500])(
    'is not looked for if the service answers %i to that question: the poll goes on by what is known',
    async (status) => {
      await changesOf(bookings(3));
      service.refused['me'] = status;
      expect(await changesOf(bookings(4))).toEqual(['BOOKING_CREATED bkg_3']);
      delete service.refused['me'];
      service.lists['me'] = { id: 'usr_2' };
      expect(await polled()).toMatchObject({ changes: [], stock: 'elsewhere' });
    },
  );

  it.each([401, 429])('%i is no answer: the poll fails, and the next one finds the same changes', async (status) => {
    await changesOf(bookings(3));
    service.refused['me'] = status;
    show(bookings(4));
    expect((await refusal(polled())).status).toBe(status);
    delete service.refused['me'];
    expect((await polled()).changes).toEqual(['BOOKING_CREATED bkg_3']);
  });
});

it('half a list for eight polls, and then the whole one again, gives nothing and is told once', async () => {
  await changesOf(bookings(180));
  show(bookings(180).slice(0, 90));
  const told: number[] = [];
  for (let left = 8; left > 0; left -= 1) {
    const found = await polled();
    expect(found.changes).toEqual([]);
    told.push(found.missing);
  }
  expect(told).toEqual([90, 0, 0, 0, 0, 0, 0, 0]);
  show(bookings(180));
  expect(await polled()).toMatchObject({ changes: [], missing: 0 });
});

it('a record that was gone and comes back is reported only if it changed', async () => {
  const [stays, comesBack, changes] = [booking(0), booking(1), booking(2)];
  await changesOf([stays, comesBack, changes]);
  for (let left = 20; left > 0; left -= 1) {
    expect(await changesOf([stays])).toEqual([]);
  }
  expect(await changesOf([stays, comesBack, { ...changes, status: 'CANCELLED' }])).toEqual(['BOOKING_CANCELLED bkg_2']);
});

describe('copies of a database that answer in turn: new, old, new', () => {
  const updated = (text: unknown) => ({ updated_at: text });
  const times: [string, object, object][] = [
    ['which show when a record was updated', updated('2031-01-01T00:00:00Z'), updated('2031-01-01T00:00:01Z')],
    ['which count seconds', updated(1_900_000_000), updated(1_900_000_001)],
    ['which show no time', {}, {}],
    ['whose time never changes', updated('2031-01-01T00:00:00Z'), updated('2031-01-01T00:00:00Z')],
  ];
  const cases: [string, object, object, string[]][] = [
    ['a cancellation', {}, { status: 'CANCELLED' }, ['BOOKING_CANCELLED bkg_1']],
    ['an approval', { status: 'PENDING' }, {}, ['BOOKING_APPROVED bkg_1', 'BOOKING_CREATED bkg_1']],
    ['a denial', { status: 'PENDING' }, { status: 'CANCELLED' }, ['BOOKING_DENIED bkg_1']],
    ['a move', {}, { start_time: '2031-02-02T09:00:00Z' }, ['BOOKING_RESCHEDULED bkg_1']],
  ];
  it.each(times.flatMap(([shown, early, late]) => cases.map((each) => [shown, each[0], early, late, each] as const)))(
    '%s: %s is reported once, and the old state is not',
    async (_, __, early, late, [, before, after, events]) => {
      const [old, now] = [[booking(1, { ...before, ...early })], [booking(1, { ...after, ...late })]];
      await changesOf(old);
      const given: string[] = [];
      for (const shown of [now, old, now, old, old, now]) {
        given.push(...(await changesOf(shown)));
      }
      expect(given.sort()).toEqual(events);
    },
  );

  it('an edited contact is reported once, and so is what the poll was told', async () => {
    const contact = (change: object) => [{ id: 'con_1', name: 'Ada', ...change }];
    const [old, now] = [contact({ ...updated('2031-01-01T00:00:00Z') }), contact({ name: 'Grace', ...updated('2031-01-02T00:00:00Z') })];
    await changesOf([], now);
    for (const [shown, outdated] of [
      [old, 1],
      [now, 0],
      [old, 1],
    ] as const) {
      show([], [...shown]);
      expect(await polled()).toMatchObject({ changes: [], outdated });
    }
  });

  it('a booking that really goes back is reported, if it says that it was updated', async () => {
    const at = (hour: number, change: object) => [booking(1, { ...change, ...updated(`2031-01-01T0${hour}:00:00Z`) })];
    const [monday, tuesday] = [{ start_time: '2031-02-03T09:00:00Z' }, { start_time: '2031-02-04T09:00:00Z' }];
    await changesOf(at(1, monday));
    for (const [hour, change, event] of [
      [2, tuesday, 'BOOKING_RESCHEDULED'],
      [3, monday, 'BOOKING_RESCHEDULED'],
      [4, tuesday, 'BOOKING_RESCHEDULED'],
      [5, { ...tuesday, status: 'CANCELLED' }, 'BOOKING_CANCELLED'],
      [6, tuesday, 'BOOKING_CREATED'],
    ] as const) {
      expect(await changesOf(at(hour, change))).toEqual([`${event} bkg_1`]);
    }
  });
});

it('a cancellation is reported, even if the machine that stored it has a clock that is behind', async () => {
  await changesOf([booking(1, { updated_at: '2031-01-01T00:00:05Z' })]);
  expect(await changesOf([booking(1, { status: 'CANCELLED', updated_at: '2031-01-01T00:00:03Z' })])).toEqual(['BOOKING_CANCELLED bkg_1']);
});

it('a start or a status that some readings do not show is compared with the last one that was shown', async () => {
  await changesOf([booking(1)]);
  expect(await changesOf([booking(1, { start_time: undefined, status: undefined })])).toEqual([]);
  expect(await changesOf([booking(1, { start_time: '2031-02-02T09:00:00Z', status: 'CANCELLED' })])).toEqual(['BOOKING_CANCELLED bkg_1']);
});

it('a record without an id stops no poll and is no change', async () => {
  await changesOf([booking(1)]);
  expect(await changesOf([booking(1), { ...booking(2), id: null }, booking(3)])).toEqual(['BOOKING_CREATED bkg_3']);
});
