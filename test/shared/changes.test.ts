import { changeKey, sha256 } from '../../shared/webhooks/key.ts';
import { changeItem, poll, type PollState, type ChangeStore } from '../../shared/polling/poll.ts';
import { Known } from '../../shared/polling/known.ts';
import { openDelivery } from '../../shared/webhooks/delivery.ts';
import { subscribe } from '../../shared/webhooks/subscriptions.ts';
import { eventRows } from '../../shared/events.ts';
import { startReceiver } from '../support/receiver.ts';
import { serve, type TestService, testStart, refusal } from '../support/service.ts';
import { shownLists, type Lists } from '../support/shownLists.ts';
import { booking, changesOf, numbers, polled, saved, service, show } from '../support/polledLists.ts';

const all = eventRows.map(({ name }) => name);

let real: TestService;
let kept: unknown;
const begin = async (forms: NonNullable<Parameters<typeof serve>[0]>['forms'] = {}) => {
  real = await serve({ limits: false, forms });
  kept = undefined;
};
const changes = async () => {
  const store = { read: () => kept, write: (next: PollState) => void (kept = structuredClone(next)) };
  return (await poll(real.client, store, { events: all }, sha256)).changes;
};

let day = 0;
const book = (eventType = 'Intro Call', invitee_email = 'ana.ruiz@example.com') =>
  real.sandbox.host.book({
    event_type_id: real.sandbox.eventTypes().find(({ name }) => name === eventType)?.id ?? '',
    start_time: new Date(Date.parse('2031-01-01T09:00:00Z') + (day += 1) * 86_400_000).toISOString(),
    invitee_email,
    invitee_name: 'Ana Ruiz',
    question_responses: eventType === 'Design Review' ? { link: 'https://example.com/drafts' } : {},
  }).id;
const firstContact = () => real.sandbox.contacts()[0]?.id ?? '';

/** Something of every kind happens at the real. @returns what is reported of it */
async function happening(meanwhile: () => Promise<unknown>): Promise<string[]> {
  const { host, contacts } = real.sandbox;
  const [approved, denied, moved, cancelled] = [book('Design Review'), book('Design Review'), book(), book()];
  await meanwhile();
  host.approve(approved);
  host.deny(denied);
  host.reschedule(moved, { start_time: '2032-02-02T10:00:00Z' });
  host.cancel(cancelled);
  host.editContact(firstContact(), { notes: 'Likes tea' });
  const created = book('Intro Call', 'new@example.com');
  return [
    `BOOKING_APPROVED ${approved}`,
    `BOOKING_CANCELLED ${cancelled}`,
    // The list also shows an approved booking as created.
    `BOOKING_CREATED ${approved}`,
    `BOOKING_CREATED ${created}`,
    `BOOKING_DENIED ${denied}`,
    `BOOKING_RESCHEDULED ${moved}`,
    `CONTACT_CREATED ${contacts().find(({ email }) => email === 'new@example.com')?.id}`,
    `CONTACT_UPDATED ${firstContact()}`,
  ].sort();
}

it('a change is the record as a trigger gives it, with the event and a key, and nothing of a delivery', async () => {
  await begin();
  await changes();
  const id = book();
  const [change] = await changes();
  if (change === undefined) throw new Error('Nothing was found.');
  const whole = changeItem(change, 'presented');
  const change_key = expect.stringMatching(/^[0-9a-f]{64}$/) as unknown;
  expect(whole).toMatchObject({ id, event: 'BOOKING_CREATED', invitee_first_name: 'Ana', change_key });
  expect(Object.keys(whole).filter((key) => key.startsWith('deliver'))).toEqual([]);
  expect(changeItem(change, 'simplified')).toMatchObject({ id, event: 'BOOKING_CREATED', change_key: whole['change_key'] });
});

describe('the key of a change', () => {
  it('is the same as in earlier releases', () => {
    const record = { id: 'bkg_1', start_time: '2030-01-31T10:00:00+01:00', name: 'Ada', email: 'ada@example.com' };
    expect(Object.fromEntries(eventRows.map((row) => [row.name, changeKey(row, record)]))).toEqual({
      BOOKING_CREATED: '2799602b509e5d40f220a8f567c44062c63028908fe2caa405e54c0ed6cbf7fd',
      BOOKING_CANCELLED: '48d6aafb782667856c35642580856318f36e9346102e7c314fb453e6bbc1e85a',
      BOOKING_RESCHEDULED: '150624069fc3bc7858419f254a0988889f3daca8e6d935e93bdbe94531b63255',
      BOOKING_APPROVED: '08c7cf09f6e0ff9aea0d141937d92b5827d6c04f644cacba42e7014f7292fa1a',
      BOOKING_DENIED: '765bfcd58758ea04338c1f565f353f5ae472e424d2fdf99d1ff510e0ba9dbeee',
      CONTACT_CREATED: 'e61adb2f200f6ad0becd8991757e2032fc8f0827386a5ae933c963c0a9ddc8b5',
      CONTACT_UPDATED: '4d69f398eb5f9dd9fb9703763a63eda39d5d04a73a2441d2a4c422c40b0b3cf0',
    });
  });

  it('is the same as that of the delivery, whatever happened', async () => {
    await begin();
    const receiver = await startReceiver();
    try {
      let subscription: Awaited<ReturnType<typeof subscribe>> | undefined;
      await happening(async () => {
        await changes();
        subscription = await subscribe(real.client, { url: receiver.url, events: all });
      });
      await real.sandbox.settled();
      const { id: subscriptionId = '', signing_secret: secret } = subscription ?? {};
      const delivered = receiver.received.map((delivery) => {
        const opened = openDelivery(delivery, { secret, subscriptionId, events: all, now: testStart });
        if (opened.outcome !== 'accepted') throw new Error(`${opened.outcome}: ${opened.message}`);
        return `${opened.event} ${opened.delivery.change_key}`;
      });
      expect(new Set(delivered.map((each) => each.split(' ')[0]))).toEqual(new Set(all));
      expect((await changes()).map(({ row, key }) => `${row.name} ${key}`)).toEqual(expect.arrayContaining(delivered));
    } finally {
      await receiver.close();
    }
  });
});

it('uses the first version of a record that one reading shows twice', () => {
  const known = Known.nothing('booking', sha256);
  const confirmed = (text: string) => ({ state: 'confirmed' as const, text, updatedAt: undefined });
  expect(known.see('bkg_1', confirmed('2031-01-01T09:00:00Z'))).toMatchObject({ isNew: true });
  expect(known.see('bkg_1', confirmed('2032-01-01T09:00:00Z'))).toBeUndefined();
});

describe('between two readings', () => {
  /** The events that a poll reports after the lists were different before, and whether it must be saved. */
  async function shown(before: Lists, now: Lists, events: readonly string[] = eventRows.map(({ name }) => name)) {
    const service = shownLists(before);
    let kept: unknown;
    const store: ChangeStore = { read: () => kept, write: (state) => void (kept = structuredClone(state)) };
    await poll(service.client, store, { events }, sha256);
    service.lists = now;
    const { changes, mustKeep } = await poll(service.client, store, { events }, sha256);
    return { events: changes.map(({ row }) => row.name).sort(), mustKeep };
  }

  const nine = '2031-01-01T09:00:00Z';
  const ten = '2031-01-01T10:00:00Z';
  const booking = (change: object | undefined): Lists => ({
    bookings: change === undefined ? [] : [{ id: 'bkg_1', start_time: nine, ...change }],
    'event-types': [
      { id: 'evt_1', requires_approval: true },
      { id: 'evt_2', requires_approval: 1 },
    ],
  });
  const contact = (change: object | undefined): Lists => ({
    contacts: change === undefined ? [] : [{ id: 'con_1', name: 'Ada', updated_at: nine, ...change }],
  });

  const approved = { event_type_id: 'evt_1' };

  it.each<[string, object | undefined, object, string[]]>([
    ['a new confirmed booking', undefined, { status: 'CONFIRMED' }, ['CREATED']],
    ['a new booking with its status in small letters', undefined, { status: 'confirmed' }, ['CREATED']],
    ['a new booking without a status', undefined, {}, ['CREATED']],
    ['a new booking that waits', undefined, { status: 'PENDING' }, []],
    ['a new booking with a status that nobody knows', undefined, { status: 'COMPLETED' }, []],
    ['a new cancelled booking', undefined, { status: 'CANCELLED' }, ['CANCELLED']],
    ['a new confirmed booking whose type needs approval', undefined, { status: 'CONFIRMED', ...approved }, ['APPROVED', 'CREATED']],
    ['a new cancelled booking whose type needs approval', undefined, { status: 'CANCELLED', ...approved }, ['DENIED']],
    ['the same where yes is 1', undefined, { status: 'CANCELLED', event_type_id: 'evt_2' }, ['DENIED']],
    ['a status that the list did not show before', {}, { status: 'CONFIRMED' }, []],
    ['a cancellation that the list did not show before', {}, { status: 'CANCELLED' }, []],
    ['an approval', { status: 'PENDING' }, { status: 'CONFIRMED' }, ['APPROVED', 'CREATED']],
    ['a denial', { status: 'PENDING' }, { status: 'CANCELLED' }, ['DENIED']],
    ['a cancellation', { status: 'CONFIRMED' }, { status: 'CANCELLED' }, ['CANCELLED']],
    ['a cancellation of what nobody knows', { status: 'COMPLETED' }, { status: 'CANCELLED' }, ['CANCELLED']],
    ['a booking that is confirmed again', { status: 'CANCELLED', updated_at: nine }, { status: 'CONFIRMED', updated_at: ten }, ['CREATED']],
    ['a confirmation of what nobody knows', { status: 'COMPLETED' }, { status: 'CONFIRMED' }, ['CREATED']],
    ['a confirmed booking that waits again', { status: 'CONFIRMED' }, { status: 'PENDING' }, []],
    ['a status that is no longer shown', { status: 'PENDING' }, {}, []],
    ['a move', { status: 'CONFIRMED' }, { status: 'CONFIRMED', start_time: ten }, ['RESCHEDULED']],
    ['a move of a booking that waits', { status: 'PENDING' }, { status: 'PENDING', start_time: ten }, ['RESCHEDULED']],
    ['a move and an approval', { status: 'PENDING' }, { status: 'CONFIRMED', start_time: ten }, ['APPROVED', 'CREATED']],
    ['a move and a cancellation', { status: 'CONFIRMED' }, { status: 'CANCELLED', start_time: ten }, ['CANCELLED']],
    ['a move of a cancelled booking', { status: 'CANCELLED' }, { status: 'CANCELLED', start_time: ten }, []],
    ...['2031-01-01T10:00:00.000+01:00', '2031-01-01T10:00+01:00[Europe/Berlin]', '2031-01-01 09:00:00 UTC', 1925024400].map(
      (start_time): [string, object, object, string[]] => [
        `the same start, written as ${start_time}`,
        { status: 'CONFIRMED' },
        { status: 'CONFIRMED', start_time },
        [],
      ],
    ),
    ['a start that was not shown before', { status: 'CONFIRMED', start_time: undefined }, { status: 'CONFIRMED' }, []],
    ['a start that is no longer shown', { status: 'CONFIRMED' }, { status: 'CONFIRMED', start_time: null }, []],
    [
      'a start that is not a time',
      { status: 'CONFIRMED', start_time: 'soon' },
      { status: 'CONFIRMED', start_time: 'later' },
      ['RESCHEDULED'],
    ],
    ['other notes', { status: 'CONFIRMED', notes: 'a' }, { status: 'CONFIRMED', notes: 'b' }, []],
  ])('%s is reported as it should be', async (_, before, now, names) => {
    expect((await shown(booking(before), booking(now))).events).toEqual(names.map((name) => `BOOKING_${name}`));
  });

  it.each<[string, object | undefined, object, string[]]>([
    ['a new contact', undefined, {}, ['CREATED']],
    ['another name', {}, { name: 'Grace' }, ['UPDATED']],
    ['another email', {}, { email: 'ada@example.com' }, ['UPDATED']],
    ['another phone', {}, { phone: '+44 20 7946 0000' }, ['UPDATED']],
    ['another time zone', {}, { timezone: 'Europe/London' }, ['UPDATED']],
    ['another language', {}, { locale: 'fr' }, ['UPDATED']],
    ['other notes', { notes: 'Likes tea' }, { notes: '' }, ['UPDATED']],
    ['a value that moved to another field', { name: 'a', email: '' }, { name: '', email: 'a' }, ['UPDATED']],
    ['another time of the last update', {}, { updated_at: ten }, []],
    ['a field that is not about the person', {}, { bookings_count: 7 }, []],
    ['the same data, with null for an absent field', {}, { notes: null }, []],
  ])('of a contact, %s is reported as it should be', async (_, before, now, names) => {
    expect((await shown(contact(before), contact(now))).events).toEqual(names.map((name) => `CONTACT_${name}`));
  });

  /** Whether the state must be saved, for the sake of an event, because a record was seen in a new form. */
  it.each<[string, string, Lists, Lists, boolean]>([
    ['only a known booking can be seen to move', 'BOOKING_RESCHEDULED', booking(undefined), booking({}), true],
    ['only a known contact can be seen to change', 'CONTACT_UPDATED', contact(undefined), contact({}), true],
    ['it may be confirmed again', 'BOOKING_CREATED', booking({ status: 'CONFIRMED' }), booking({ status: 'CANCELLED' }), true],
    ['its approval shows in the booking alone', 'BOOKING_APPROVED', booking(undefined), booking({ status: 'PENDING' }), false],
    ['its denial shows in the booking alone', 'BOOKING_DENIED', booking(undefined), booking({ status: 'PENDING' }), false],
    ['its cancellation shows in the booking alone', 'BOOKING_CANCELLED', booking(undefined), booking({ status: 'CONFIRMED' }), false],
    ['a later move shows all the same', 'BOOKING_RESCHEDULED', booking({ status: 'CONFIRMED' }), booking({ status: 'CANCELLED' }), false],
    ['the next edit shows all the same', 'CONTACT_UPDATED', contact({}), contact({ name: 'Grace' }), false],
    ['only new ones are wanted, and it is known by then', 'CONTACT_CREATED', contact(undefined), contact({}), false],
    ['only new ones are wanted', 'CONTACT_CREATED', contact({}), contact({ name: 'Grace' }), false],
    ['nothing changed', 'BOOKING_RESCHEDULED', booking({}), booking({}), false],
  ])('%s: for %s, whether the state must be saved', async (_, event, before, now, mustKeep) => {
    expect((await shown(before, now, [event])).mustKeep).toBe(mustKeep);
  });

  it('saves the state if one of the wanted events needs it', async () => {
    const events = ['BOOKING_CREATED', 'BOOKING_RESCHEDULED'];
    expect((await shown(booking(undefined), booking({ status: 'CONFIRMED' }), events)).mustKeep).toBe(true);
  });
});

describe('nothing is invented', () => {
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
});
