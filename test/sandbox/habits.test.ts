import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { brand } from '../../shared/brand.ts';
import { HABIT_NAMES, HABITS, virtualClock, type Forms, type HabitName, type Sandbox } from '../../sandbox/service.ts';
import type { Expectations } from './listForms.ts';
import {
  at,
  bookingInput,
  caller,
  hostCaller,
  listAt,
  start,
  startReceiver,
  stopAll,
  textAt,
  type Received,
  type Reply,
} from './support.ts';

afterEach(stopAll);

const NOW = Date.parse('2030-06-03T08:00:00Z');

const get = (sandbox: Sandbox, path: string) => caller(sandbox)('GET', path);
const listed = async (sandbox: Sandbox, path: string) => listAt((await get(sandbox, path)).body, 'data');
const keysOf = (value: unknown) => Object.keys(value as object);
const idsOf = (records: unknown[]) => records.map((record) => at(record, 'id'));
const book = (sandbox: Sandbox, more: Record<string, unknown> = {}) =>
  caller(sandbox)('POST', '/bookings', bookingInput(sandbox, { start_time: '2030-07-01T09:10:20Z', ...more }));

/** What each of these becomes in the answer to the request that sent it, in a read, and in a list. */
const becomes = (field: string, ...pairs: [sent: string, shown: unknown][]) =>
  async function check(sandbox: Sandbox): Promise<void> {
    for (const [index, [sent, shown]] of pairs.entries()) {
      const start_time = `2030-07-0${index + 1}T09:10:20Z`;
      const made = at((await book(sandbox, { start_time, [field]: sent })).body, 'data');
      const read = at((await get(sandbox, `/bookings/${textAt(made, 'id')}`)).body, 'data');
      const [first] = await listed(sandbox, '/bookings');
      expect([made, read, first].map((record) => at(record, field))).toEqual([shown, shown, shown]);
    }
  };
const named = (sent: string, shown: string) => becomes('invitee_name', [sent, shown]);
const stamped = (created: unknown) => async (sandbox: Sandbox) => {
  const made = at((await book(sandbox)).body, 'data');
  expect(at(made, 'created_at')).toEqual(created);
  expect(at(made, 'updated_at')).toEqual(created);
};
const starts = (start_time: string, end_time: string) => async (sandbox: Sandbox) => {
  const { id } = at((await book(sandbox)).body, 'data') as { id: string };
  expect(at((await get(sandbox, `/bookings/${id}`)).body, 'data')).toMatchObject({ start_time, end_time, previous_start_time: null });
  sandbox.host.reschedule(id, { start_time: '2030-07-02T10:00:00Z' });
  expect(at((await get(sandbox, `/bookings/${id}`)).body, 'data', 'previous_start_time')).toBe(start_time);
};
const created = (status: number, body: unknown) => async (sandbox: Sandbox) => {
  const reply = await book(sandbox);
  const made = sandbox.bookings().at(-1);
  expect(made?.invitee_email).toBe('nadia@example.com');
  expect([reply.status, reply.body]).toEqual([status, typeof body === 'function' ? (body as (id: unknown) => unknown)(made?.id) : body]);
};
const troubled = (status: number, said: RegExp) => async (sandbox: Sandbox) => {
  const before = sandbox.bookings().length;
  const reply: Reply = await book(sandbox);
  expect([reply.status, sandbox.bookings().length]).toEqual([status, before]);
  expect(reply.text).toMatch(said);
};
const typed = (id: (sandbox: Sandbox) => { sent: unknown; shown: unknown }) => async (sandbox: Sandbox) => {
  const { sent, shown } = id(sandbox);
  const made = at((await book(sandbox, { event_type_id: sent })).body, 'data');
  expect(at(made, 'event_type_id')).toBe(shown);
  expect(at((await get(sandbox, `/event-types/${String(shown)}`)).body, 'data', 'name')).toBe('Intro Call');
};
const chosen = (status: number) => async (sandbox: Sandbox) => {
  const event_type_id = sandbox.eventTypes()[1]?.id;
  const question_responses = { company: 'x', budget: 'Other', services: ['Design', 'Cooking'] };
  expect((await book(sandbox, { event_type_id, question_responses })).status).toBe(status);
};
const intro = (sandbox: Sandbox) => sandbox.eventTypes()[0]?.id;
const hookShown = (key: string | undefined, stored: string) => async (sandbox: Sandbox) => {
  const reply = await caller(sandbox)('POST', '/hooks', { url: 'http://LocalHost:80/a b', events: ['BOOKING_CREATED'] });
  const shown = keysOf(at(reply.body, 'data'));
  expect(shown).toEqual(['id', ...(key === undefined ? [] : [key]), 'events', 'active', 'created_at']);
  if (key !== undefined) expect(at((await listed(sandbox, '/hooks'))[0], key)).toBe(stored);
  expect(sandbox.subscriptions()[0]?.url).toBe(stored);
};
const unfiltered = (holds: (booking: { status: string; start_time: string }) => boolean) => async (sandbox: Sandbox) => {
  const all = sandbox.bookings();
  const count = async (query: string) => (await listed(sandbox, `/bookings?limit=100${query}`)).length;
  expect(await count('')).toBe(all.filter(holds).length);
  for (const status of ['CONFIRMED', 'CANCELLED', 'PENDING'])
    expect(await count(`&status=${status}`)).toBe(all.filter((each) => each.status === status).length);
};
/** When a new booking and its cancellation are first seen: after each of these seconds. */
const seenAfter = (seconds: number, see: (sandbox: Sandbox, id: string) => Promise<unknown>) => async (sandbox: Sandbox) => {
  const seen = (id: string) => see(sandbox, id);
  const step = async (change: () => unknown, id: string, before: unknown, after: unknown) => {
    change();
    if (seconds > 0) {
      await sandbox.clock.advance(seconds * 1000 - 1);
      expect(await seen(id)).toBe(before);
      await sandbox.clock.advance(1);
    }
    expect(await seen(id)).toBe(after);
  };
  const { id } = sandbox.host.book();
  await step(() => undefined, id, undefined, 'CONFIRMED');
  await step(() => sandbox.host.cancel(id), id, 'CONFIRMED', 'CANCELLED');
};
const inLists = async (sandbox: Sandbox, id: string) =>
  at(
    (await listed(sandbox, '/bookings')).find((record) => at(record, 'id') === id),
    'status',
  );
const byId = async (sandbox: Sandbox, id: string) => at((await get(sandbox, `/bookings/${id}`)).body, 'data', 'status');
const oddIds = (odd: unknown) => async (sandbox: Sandbox) => {
  for (const path of ['/bookings', '/contacts', '/event-types']) {
    const ids = idsOf(await listed(sandbox, `${path}?limit=100`));
    expect([path, ids.length > 5, ids.filter((id) => typeof id !== 'string')]).toEqual([path, true, odd === undefined ? [] : [odd]]);
  }
};
const seesTeam = (sees: boolean) => async (sandbox: Sandbox) => {
  const { id } = sandbox.host.book({}, sandbox.addAccount().id);
  expect(idsOf(await listed(sandbox, '/bookings')).includes(id)).toBe(sees);
  expect((await get(sandbox, `/bookings/${id}`)).status).toBe(sees ? 200 : 404);
};
const filters = (from: string, until: string, works: boolean) => async (sandbox: Sandbox) => {
  const starts = [...sandbox.bookings().map(({ start_time }) => start_time)].sort();
  const shown = await listed(sandbox, `/bookings?limit=100&${from}=${starts[3]}&${until}=${starts[6]}`);
  expect(shown).toHaveLength(works ? 3 : starts.length);
  expect((await get(sandbox, `/bookings?${from}=soon`)).status).toBe(works ? 400 : 200);
};
/** How many minutes the header and the records are off our own clock. */
const off = (header: number, records: number) => async (sandbox: Sandbox) => {
  const { headers, body } = await book(sandbox);
  const minutes = (at: string | null) => (Date.parse(at ?? '') - NOW) / 60_000;
  expect([minutes(headers.get('date')), minutes(textAt(body, 'data', 'created_at'))]).toEqual([header, records]);
  sandbox.faults.add({ route: '*', kind: 'status' });
  expect(minutes((await get(sandbox, '/me')).headers.get('date'))).toBe(header);
};

/** Two tries of one delivery, and the secret of its subscription. */
async function tries(sandbox: Sandbox): Promise<[first: Received, second: Received, secret: string]> {
  const receiver = await startReceiver();
  const { body } = await caller(sandbox)('POST', '/hooks', { url: receiver.url, events: ['BOOKING_CREATED'] });
  receiver.answers.push(500);
  sandbox.host.book();
  await sandbox.settled();
  await sandbox.clock.advance(1_000);
  await sandbox.settled();
  const [first, second] = receiver.received;
  if (first === undefined || second === undefined) throw new Error('There were not two tries.');
  return [first, second, textAt(body, 'signing_secret')];
}
const headerOf = ({ headers }: Received, name: string) => String(headers[`${brand.headerPrefix}-${name}`.toLowerCase()]);
const signed = ({ body }: Received, secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** What each habit looks like on the wire. A new habit or value without an entry does not compile. */
const EXPECTED: Expectations<HabitName> = {
  email: {
    sent: becomes('invitee_email', ['Ada+Shop@Example.com', 'Ada+Shop@Example.com'], ['ada@bücher.example', 'ada@bücher.example']),
    lower: becomes('invitee_email', ['Ada+Shop@Example.com', 'ada+shop@example.com']),
    untagged: becomes('invitee_email', ['Ada+Shop@Example.com', 'Ada@Example.com']),
    punycode: async (sandbox) => {
      await becomes('invitee_email', ['ada@bücher.example', 'ada@xn--bcher-kva.example'])(sandbox);
      // The filter compares what is stored.
      expect(await listed(sandbox, `/bookings?email=${encodeURIComponent('ada@bücher.example')}`)).toHaveLength(0);
      expect(await listed(sandbox, '/bookings?email=ADA@xn--bcher-kva.example')).toHaveLength(1);
    },
  },
  name: {
    sent: named("Zoë  O'Neil 🎉", "Zoë  O'Neil 🎉"),
    collapsed: named('Zoë   \t O’Neil', 'Zoë O’Neil'),
    escaped: named(`Zoë "Z" O'Neil & <Co>`, 'Zoë &quot;Z&quot; O&#39;Neil &amp; &lt;Co&gt;'),
    curled: named("Zoë O'Neil", 'Zoë O’Neil'),
    plain: named('Zoë 👩‍💻 O’Neil 🎉❤️', 'Zoë  O’Neil'),
    cut: named('Maximiliane von und zu Hohenstein', 'Maximiliane von und'),
    turned: becomes('invitee_name', ['Ada Augusta King', 'King, Ada Augusta'], ['Ada', 'Ada']),
    contact: async (sandbox) => {
      const ruiz = { invitee_email: 'ana.ruiz@example.com', invitee_name: 'Anita' };
      expect(at((await book(sandbox, ruiz)).body, 'data', 'invitee_name')).toBe('Ana Ruiz');
      expect(sandbox.contacts()[0]?.name).toBe('Ana Ruiz');
    },
  },
  choices: { listed: chosen(400), any: chosen(201) },
  typeId: {
    same: async (sandbox) => {
      await typed((of) => ({ sent: intro(of), shown: intro(of) }))(sandbox);
      expect((await book(sandbox, { event_type_id: 'intro-call' })).status).toBe(400);
    },
    slug: typed((of) => ({ sent: 'intro-call', shown: intro(of) })),
    number: typed((of) => ({ sent: intro(of), shown: 1 })),
    prefixed: typed((of) => ({ sent: intro(of), shown: `type:${intro(of)}` })),
  },
  start: {
    utc: starts('2030-07-01T09:10:20.000Z', '2030-07-01T09:40:20.000Z'),
    offset: starts('2030-07-01T11:10:20+02:00', '2030-07-01T11:40:20+02:00'),
    minutes: starts('2030-07-01T09:10Z', '2030-07-01T09:40Z'),
    local: starts('2030-07-01T11:10:20', '2030-07-01T11:40:20'),
    rounded: starts('2030-07-01T09:10:00.000Z', '2030-07-01T09:40:00.000Z'),
  },
  createdAt: {
    utc: stamped('2030-06-03T08:00:00.000Z'),
    absent: stamped(undefined),
    seconds: stamped(NOW / 1000),
    milliseconds: stamped(NOW),
    local: stamped('2030-06-03T10:00:00.000Z'),
    behind: stamped('2030-06-03T07:57:00.000Z'),
    ahead: stamped('2030-06-03T08:03:00.000Z'),
  },
  bookingShape: {
    flat: async (sandbox) => expect(keysOf((await listed(sandbox, '/bookings'))[0])).toHaveLength(18),
    times: async (sandbox) => {
      const [first] = await listed(sandbox, '/bookings');
      expect(first).toMatchObject({ times: { start: expect.any(String), end: expect.any(String) } });
      expect(first).not.toHaveProperty('start_time');
    },
    attributes: async (sandbox) => {
      const [first] = await listed(sandbox, '/bookings');
      expect(keysOf(first)).toEqual(['id', 'attributes']);
      expect(keysOf(at(first, 'attributes'))).toHaveLength(17);
    },
  },
  hookAddress: {
    sent: hookShown('url', 'http://LocalHost:80/a b'),
    normal: hookShown('url', 'http://localhost/a%20b'),
  },
  hookField: {
    usual: hookShown('url', 'http://LocalHost:80/a b'),
    endpoint: hookShown('endpoint', 'http://LocalHost:80/a b'),
    target: hookShown('target', 'http://LocalHost:80/a b'),
    absent: hookShown(undefined, 'http://LocalHost:80/a b'),
  },
  created: {
    record: created(201, (id: string) => ({ data: expect.objectContaining({ id, status: 'CONFIRMED' }) })),
    200: created(200, (id: string) => ({ data: expect.objectContaining({ id, status: 'CONFIRMED' }) })),
    id: created(201, (id: string) => ({ data: { id } })),
    202: created(202, undefined),
    204: created(204, undefined),
    '{}': created(200, {}),
    success: created(200, { success: true }),
    location: async (sandbox) => {
      const { status, text, headers } = await book(sandbox);
      expect([status, text, headers.get('location')]).toEqual([201, '', `/api/v1/bookings/${sandbox.bookings().at(-1)?.id}`]);
    },
  },
  trouble: {
    none: created(201, expect.anything()),
    500: troubled(500, /^{"error":.*"code":.*calendar is disconnected/),
    503: troubled(503, /Maintenance until 14:00/),
    page: troubled(500, /^<html>/),
    'page-200': troubled(200, /^<html>/),
  },
  unfiltered: {
    all: unfiltered(() => true),
    confirmed: unfiltered(({ status }) => status === 'CONFIRMED'),
    upcoming: unfiltered(({ start_time }) => Date.parse(start_time) >= NOW),
  },
  typesListed: {
    all: async (sandbox) => expect(await listed(sandbox, '/event-types')).toHaveLength(8),
    active: async (sandbox) => {
      expect(await listed(sandbox, '/event-types')).toHaveLength(7);
      expect((await get(sandbox, `/event-types/${sandbox.eventTypes().at(-1)?.id}`)).status).toBe(200);
    },
  },
  listLag: {
    none: seenAfter(0, inLists),
    '1s': seenAfter(1, inLists),
    '45s': seenAfter(45, inLists),
    replicas: async (sandbox) => {
      const { id } = sandbox.host.book();
      const seen = [];
      for (let index = 0; index < 4; index++) seen.push(await inLists(sandbox, id));
      expect(seen).toEqual(['CONFIRMED', undefined, 'CONFIRMED', undefined]);
    },
  },
  readLag: { none: seenAfter(0, byId), '1s': seenAfter(1, byId), '45s': seenAfter(45, byId) },
  oddRecord: { none: oddIds(undefined), null: oddIds(null), big: oddIds(2 ** 53 + 2) },
  bookingsSeen: { own: seesTeam(false), team: seesTeam(true) },
  dateFilters: {
    none: filters('from', 'to', false),
    'from-to': filters('from', 'to', true),
    'after-before': filters('after', 'before', true),
    'start_after-start_before': filters('start_after', 'start_before', true),
  },
  dateHeader: { same: off(0, 0), behind: off(-2, 0), ahead: off(2, 0) },
  serviceClock: { same: off(0, 0), behind: off(-3, -3), ahead: off(3, 3) },
  signing: {
    once: async (sandbox) => {
      const [first, second, secret] = await tries(sandbox);
      expect([second.body, headerOf(second, 'Signature')]).toEqual([first.body, signed(first, secret)]);
    },
    attempt: async (sandbox) => {
      const [first, second, secret] = await tries(sandbox);
      expect([first, second].map(({ body }) => at(JSON.parse(body), 'attempt'))).toEqual([1, 2]);
      expect([first, second].map((each) => headerOf(each, 'Signature'))).toEqual([signed(first, secret), signed(second, secret)]);
      expect(headerOf(second, 'Delivery-ID')).toBe(headerOf(first, 'Delivery-ID'));
    },
    list: async (sandbox) => {
      const [first, second, secret] = await tries(sandbox);
      const headers = [first, second].map((each) => headerOf(each, 'Signature'));
      expect(headers[0]).not.toBe(headers[1]);
      for (const header of headers) expect(header).toMatch(new RegExp(`^sha256=[0-9a-f]{64}, ${signed(first, secret)}$`));
    },
  },
};

describe.each(HABIT_NAMES)('the habit %s', (name) => {
  it.each([...HABITS[name].values])('can be %s', async (value) => {
    const sandbox = await start({ clock: virtualClock(NOW), forms: { [name]: value } });
    const expected: Record<string, (sandbox: Sandbox) => Promise<void>> = EXPECTED[name];
    const check = expected[value];
    if (check === undefined) throw new Error(`Nothing says what ${name}=${value} looks like.`);
    await check(sandbox);
  });
});

describe('habits together', () => {
  it('of a list that is behind: a deleted subscription with a number is still listed for a while', async () => {
    const sandbox = await start({ clock: virtualClock(NOW), forms: { listLag: '1s', ids: 'number' } });
    const call = caller(sandbox);
    await call('POST', '/hooks', { url: 'http://127.0.0.1:9/x', events: ['BOOKING_CREATED'] });
    await sandbox.clock.advance(1_000);
    await call('DELETE', '/hooks/1');
    expect(idsOf(await listed(sandbox, '/hooks'))).toEqual([1]);
    await sandbox.clock.advance(1_000);
    expect(await listed(sandbox, '/hooks')).toEqual([]);
  });

  it('what was refused never shows in a list that is behind', async () => {
    const sandbox = await start({ clock: virtualClock(NOW), forms: { listLag: '1s' } });
    const { start_time } = sandbox.host.book();
    expect(() => sandbox.host.book({ start_time, invitee_email: 'new@example.com' })).toThrow('is taken');
    await sandbox.clock.advance(1_000);
    expect(await listed(sandbox, '/bookings?email=new@example.com')).toEqual([]);
    expect(await listed(sandbox, '/contacts?email=new@example.com')).toEqual([]);
  });

  it('an approval whose event only the header names is delivered twice with equal bytes', async () => {
    const receiver = await startReceiver();
    const sandbox = await start({ forms: { deliveryEvent: 'absent' } });
    await caller(sandbox)('POST', '/hooks', { url: receiver.url, events: ['BOOKING_APPROVED', 'BOOKING_CREATED'] });
    const waiting = sandbox.bookings().find(({ status }) => status === 'PENDING');
    await hostCaller(sandbox)('POST', `/bookings/${waiting?.id}/approve`, {});
    await sandbox.settled();
    const [first, second] = receiver.received;
    expect([first?.body, receiver.received.length]).toEqual([second?.body, 2]);
    expect(receiver.received.map((each) => headerOf(each, 'Event')).sort()).toEqual(['BOOKING_APPROVED', 'BOOKING_CREATED']);
  });

  it('all of them at once still make a booking', async () => {
    const last = Object.fromEntries(HABIT_NAMES.map((name) => [name, HABITS[name].values.at(-1)])) as Partial<Forms>;
    const sandbox = await start({ clock: virtualClock(NOW), forms: { ...last, trouble: 'none' } });
    expect((await book(sandbox, { event_type_id: `type:${intro(sandbox)}` })).status).toBe(201);
    await sandbox.clock.advance(45_000);
    expect((await get(sandbox, '/bookings')).status).toBe(200);
  });
});
