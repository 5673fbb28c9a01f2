import { afterEach, describe, expect, it } from '@jest/globals';
import { virtualClock, type FormName, type Forms, type HabitName, type Sandbox } from '../../sandbox/service.ts';
import { refresh, tokenCall } from './authorize.ts';
import {
  at,
  bookingInput,
  caller,
  deliveryHeader,
  listAt,
  signatureOf,
  start,
  startReceiver,
  stopAll,
  textAt,
  type Received,
  type Reply,
} from './support.ts';

afterEach(stopAll);

/** Checks what a sandbox with one form or habit shows on the wire. */
type Check = (sandbox: Sandbox) => Promise<void>;

/** A new value without an entry does not compile. */
type Expectations<Names extends keyof Forms> = { [Name in Names]: { [Value in Forms[Name]]: Check } };

const NOW = Date.parse('2030-06-03T08:00:00Z');

const get = (sandbox: Sandbox, path: string): Promise<Reply> => caller(sandbox)('GET', path);
const post = (sandbox: Sandbox, path: string, body: unknown = {}): Promise<Reply> => caller(sandbox)('POST', path, body);
const listed = async (sandbox: Sandbox, path: string): Promise<unknown[]> => listAt((await get(sandbox, path)).body, 'data');
const hook = (sandbox: Sandbox, more: Record<string, unknown> = {}): Promise<Reply> =>
  post(sandbox, '/hooks', { url: 'http://127.0.0.1:9/x', events: ['BOOKING_CREATED'], ...more });

/** One check for each of these values. */
const each = <const V extends string>(values: readonly V[], check: (value: V) => Check): Record<V, Check> =>
  Object.fromEntries(values.map((value) => [value, check(value)])) as Record<V, Check>;

/** What the answer to a GET has at a place, such as `data.0.id`. */
const shows =
  (path: string, place: string, expected: unknown): Check =>
  async (sandbox) =>
    expect(at((await get(sandbox, path)).body, ...place.split('.'))).toEqual(expected);

/** What a subscriber receives of a booking that it first answers with these statuses, within an hour. */
async function deliver(sandbox: Sandbox, statuses: number[]): Promise<{ received: Received[]; secret: string }> {
  const receiver = await startReceiver();
  const { body } = await hook(sandbox, { url: receiver.url, events: ['BOOKING_CREATED'] });
  receiver.answers.push(...statuses);
  sandbox.host.book();
  await sandbox.forward(3_600_000);
  return { received: receiver.received, secret: textAt(body, 'signing_secret') };
}

const idsOf = (records: unknown[]) => records.map((record) => at(record, 'id'));
const book = (sandbox: Sandbox, more: Record<string, unknown> = {}) =>
  post(sandbox, '/bookings', bookingInput(sandbox, { start_time: '2030-07-01T09:10:20Z', ...more }));

/** What each of these becomes in the answer to the request that sent it, in a read, and in a list. */
const becomes =
  (field: string, ...pairs: [sent: string, shown: unknown][]): Check =>
  async (sandbox) => {
    for (const [index, [sent, shown]] of pairs.entries()) {
      const start_time = `2030-07-0${index + 1}T09:10:20Z`;
      const made = at((await book(sandbox, { start_time, [field]: sent })).body, 'data');
      const read = at((await get(sandbox, `/bookings/${textAt(made, 'id')}`)).body, 'data');
      const [first] = await listed(sandbox, '/bookings');
      expect([made, read, first].map((record) => at(record, field))).toEqual([shown, shown, shown]);
    }
  };
const named = (sent: string, shown: string) => becomes('invitee_name', [sent, shown]);
const stamped =
  (created_at: unknown): Check =>
  async (sandbox) => {
    const made = at((await book(sandbox)).body, 'data');
    expect([at(made, 'created_at'), at(made, 'updated_at')]).toEqual([created_at, created_at]);
  };
const starts =
  (start_time: string, end_time: string): Check =>
  async (sandbox) => {
    const id = textAt((await book(sandbox)).body, 'data', 'id');
    expect(at((await get(sandbox, `/bookings/${id}`)).body, 'data')).toMatchObject({ start_time, end_time, previous_start_time: null });
    sandbox.host.reschedule(id, { start_time: '2030-07-02T10:00:00Z' });
    await shows(`/bookings/${id}`, 'data.previous_start_time', start_time)(sandbox);
  };
const created =
  (status: number, body: (id: unknown) => unknown): Check =>
  async (sandbox) => {
    const reply = await book(sandbox);
    const made = sandbox.bookings().at(-1);
    expect([made?.invitee_email, reply.status, reply.body]).toEqual(['nadia@example.com', status, body(made?.id)]);
  };
const whole = (id: unknown) => ({ data: expect.objectContaining({ id, status: 'CONFIRMED' }) });
const troubled =
  (status: number, said: RegExp): Check =>
  async (sandbox) => {
    const before = sandbox.bookings().length;
    expect(await book(sandbox)).toMatchObject({ status, text: expect.stringMatching(said) as unknown });
    expect(sandbox.bookings()).toHaveLength(before);
  };
const intro = (sandbox: Sandbox) => sandbox.eventTypes()[0]?.id;
const typed =
  (ids: (intro: string | undefined) => { sent: unknown; shown: unknown }): Check =>
  async (sandbox) => {
    const { sent, shown } = ids(intro(sandbox));
    expect(at((await book(sandbox, { event_type_id: sent })).body, 'data', 'event_type_id')).toBe(shown);
    await shows(`/event-types/${String(shown)}`, 'data.name', 'Intro Call')(sandbox);
  };
const chosen =
  (status: number): Check =>
  async (sandbox) => {
    const question_responses = { company: 'x', budget: 'Other', services: ['Design', 'Cooking'] };
    expect((await book(sandbox, { event_type_id: sandbox.eventTypes()[1]?.id, question_responses })).status).toBe(status);
  };
const sentAddress = 'http://LocalHost:80/a b';
const hookShown =
  (key: string | undefined, stored = sentAddress): Check =>
  async (sandbox) => {
    const { body } = await hook(sandbox, { url: sentAddress });
    expect(Object.keys(at(body, 'data') as object)).toEqual(['id', ...(key === undefined ? [] : [key]), 'events', 'active', 'created_at']);
    if (key !== undefined) await shows('/hooks', `data.0.${key}`, stored)(sandbox);
    expect(sandbox.subscriptions()[0]?.url).toBe(stored);
  };
const unfiltered =
  (holds: (booking: { status: string; start_time: string }) => boolean): Check =>
  async (sandbox) => {
    const all = sandbox.bookings();
    const count = async (query: string) => (await listed(sandbox, `/bookings?limit=100${query}`)).length;
    expect(await count('')).toBe(all.filter(holds).length);
    expect(await count('&status=CANCELLED')).toBe(all.filter(({ status }) => status === 'CANCELLED').length);
  };
const inLists = async (sandbox: Sandbox, id: string) =>
  at(
    (await listed(sandbox, '/bookings')).find((record) => at(record, 'id') === id),
    'status',
  );
const byId = async (sandbox: Sandbox, id: string) => at((await get(sandbox, `/bookings/${id}`)).body, 'data', 'status');
/** A new booking and its cancellation are seen after so many seconds, and no millisecond earlier. */
const seenAfter =
  (seconds: number, see: typeof byId): Check =>
  async (sandbox) => {
    const { id } = sandbox.host.book();
    const changes = async (before: unknown, after: unknown) => {
      if (seconds > 0) {
        await sandbox.clock.advance(seconds * 1000 - 1);
        expect(await see(sandbox, id)).toBe(before);
        await sandbox.clock.advance(1);
      }
      expect(await see(sandbox, id)).toBe(after);
    };
    await changes(undefined, 'CONFIRMED');
    sandbox.host.cancel(id);
    await changes('CONFIRMED', 'CANCELLED');
  };
const oddIds =
  (...odd: unknown[]): Check =>
  async (sandbox) => {
    for (const path of ['/bookings', '/contacts', '/event-types'])
      expect(idsOf(await listed(sandbox, `${path}?limit=100`)).filter((id) => typeof id !== 'string')).toEqual(odd);
  };
const seesTeam =
  (sees: boolean): Check =>
  async (sandbox) => {
    const { id } = sandbox.host.book({}, sandbox.addAccount().id);
    expect(idsOf(await listed(sandbox, '/bookings')).includes(id)).toBe(sees);
    expect((await get(sandbox, `/bookings/${id}`)).status).toBe(sees ? 200 : 404);
  };
const filters =
  (from: string, until: string, works = true): Check =>
  async (sandbox) => {
    const starts = [...sandbox.bookings().map(({ start_time }) => start_time)].sort();
    const shown = await listed(sandbox, `/bookings?limit=100&${from}=${starts[3]}&${until}=${starts[6]}`);
    expect(shown).toHaveLength(works ? 3 : starts.length);
    expect((await get(sandbox, `/bookings?${from}=soon`)).status).toBe(works ? 400 : 200);
  };
/** How many minutes the header and the records are off our own clock. */
const off =
  (header: number, records: number): Check =>
  async (sandbox) => {
    const minutes = (time: string | null) => (Date.parse(time ?? '') - NOW) / 60_000;
    const { headers, body } = await book(sandbox);
    sandbox.faults.add({ route: '*', kind: 'status' });
    const faulty = await get(sandbox, '/me');
    const seen = [headers.get('date'), faulty.headers.get('date'), textAt(body, 'data', 'created_at')].map(minutes);
    expect(seen).toEqual([header, header, records]);
  };
/** Two tries of one delivery, and the signatures that their bodies should have. */
async function tries(sandbox: Sandbox) {
  const { received, secret } = await deliver(sandbox, [500]);
  expect(received).toHaveLength(2);
  return {
    bodies: received.map(({ body }) => body),
    right: received.map((each) => signatureOf(each, secret)),
    sent: received.map((each) => deliveryHeader(each, 'Signature')),
  };
}

/** What each habit looks like on the wire. */
const OF_HABITS: Expectations<HabitName> = {
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
      await typed((id) => ({ sent: id, shown: id }))(sandbox);
      expect((await book(sandbox, { event_type_id: 'intro-call' })).status).toBe(400);
    },
    slug: typed((id) => ({ sent: 'intro-call', shown: id })),
    number: typed((id) => ({ sent: id, shown: 1 })),
    prefixed: typed((id) => ({ sent: id, shown: `type:${id}` })),
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
    flat: async (sandbox) => expect(Object.keys((await listed(sandbox, '/bookings'))[0] as object)).toHaveLength(18),
    times: shows('/bookings', 'data.0', expect.objectContaining({ times: { start: expect.any(String), end: expect.any(String) } })),
    attributes: async (sandbox) => {
      await shows('/bookings', 'data.0', { id: expect.any(String), attributes: expect.any(Object) })(sandbox);
      expect(Object.keys(at((await listed(sandbox, '/bookings'))[0], 'attributes') as object)).toHaveLength(17);
    },
  },
  hookAddress: { sent: hookShown('url'), normal: hookShown('url', 'http://localhost/a%20b') },
  hookField: { usual: hookShown('url'), ...each(['endpoint', 'target'], (key) => hookShown(key)), absent: hookShown(undefined) },
  created: {
    record: created(201, whole),
    200: created(200, whole),
    id: created(201, (id) => ({ data: { id } })),
    202: created(202, () => undefined),
    204: created(204, () => undefined),
    '{}': created(200, () => ({})),
    success: created(200, () => ({ success: true })),
    location: async (sandbox) => {
      const { status, text, headers } = await book(sandbox);
      expect([status, text, headers.get('location')]).toEqual([201, '', `/api/v1/bookings/${sandbox.bookings().at(-1)?.id}`]);
    },
  },
  trouble: {
    none: created(201, whole),
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
  oddRecord: { none: oddIds(), null: oddIds(null), big: oddIds(2 ** 53 + 2) },
  bookingsSeen: { own: seesTeam(false), team: seesTeam(true) },
  dateFilters: {
    none: filters('from', 'to', false),
    'from-to': filters('from', 'to'),
    'after-before': filters('after', 'before'),
    'start_after-start_before': filters('start_after', 'start_before'),
  },
  dateHeader: { same: off(0, 0), behind: off(-2, 0), ahead: off(2, 0) },
  serviceClock: { same: off(0, 0), behind: off(-3, -3), ahead: off(3, 3) },
  signing: {
    once: async (sandbox) => {
      const { bodies, right, sent } = await tries(sandbox);
      expect([bodies[1], sent]).toEqual([bodies[0], right]);
    },
    attempt: async (sandbox) => {
      const { bodies, right, sent } = await tries(sandbox);
      expect([bodies.map((body) => at(JSON.parse(body), 'attempt')), sent]).toEqual([[1, 2], right]);
    },
    list: async (sandbox) => {
      const { right, sent } = await tries(sandbox);
      expect(sent[0]).not.toBe(sent[1]);
      for (const [index, header] of sent.entries()) expect(header).toMatch(new RegExp(`^sha256=[0-9a-f]{64}, ${right[index]}$`));
    },
  },
};

const clientAuth =
  (inBody: number, basic: number): Check =>
  async (sandbox) => {
    const { id, secret } = sandbox.client;
    const headers = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
    const byBasic = { grant_type: 'refresh_token', refresh_token: sandbox.issueToken().refresh_token };
    expect((await refresh(sandbox, sandbox.issueToken().refresh_token)).status).toBe(inBody);
    expect((await tokenCall(sandbox, byBasic, { headers, asClient: false })).status).toBe(basic);
  };
/** How many of an account's subscriptions each of two applications sees, after the first has made one. */
const hooksShown =
  (...counts: number[]): Check =>
  async (sandbox) => {
    await hook(sandbox);
    const other = sandbox.addClient({ redirectUris: ['http://127.0.0.1:9/back'] });
    const token = sandbox.issueToken({ clientId: other.id }).access_token;
    const lists = [await get(sandbox, '/hooks'), await caller(sandbox, token)('GET', '/hooks')];
    expect(lists.map(({ body }) => listAt(body, 'data').length)).toEqual(counts);
  };
const secondToOneAddress =
  (status: number): Check =>
  async (sandbox) => {
    const statuses = [];
    for (const url of ['http://127.0.0.1:9/x', 'http://127.0.0.1:9/x', 'http://127.0.0.1:9/y'])
      statuses.push((await hook(sandbox, { url })).status);
    expect(statuses).toEqual([201, status, 201]);
  };
const gone =
  (left: number, sent: number): Check =>
  async (sandbox) => {
    const { received } = await deliver(sandbox, [410]);
    expect([sandbox.subscriptions().length, received.length]).toEqual([left, sent]);
  };
const finds =
  (path: string, expected: Record<string, number>): Check =>
  async (sandbox) => {
    for (const [email, count] of Object.entries(expected))
      expect([email, (await listed(sandbox, `${path}?email=${encodeURIComponent(email)}&limit=100`)).length]).toEqual([email, count]);
  };
const approves =
  (deliveries: number): Check =>
  async (sandbox) => {
    await hook(sandbox, { events: ['BOOKING_APPROVED', 'BOOKING_CREATED'] });
    sandbox.host.approve(sandbox.bookings().find(({ status }) => status === 'PENDING')?.id ?? '');
    await sandbox.settled();
    expect(sandbox.deliveries()).toHaveLength(deliveries);
  };
const bookTwice = (sandbox: Sandbox) => () => sandbox.host.book({ start_time: sandbox.host.book().start_time });

/**
 * The forms that no probe of the API can see, or that a client sees only by chance. All others are detected by the probe, each in a sandbox
 * that has it: `test/docs/probe.test.ts`.
 */
const OF_FORMS: Expectations<'cursors' | 'clientAuth' | 'slots' | 'approval' | 'emailMatch' | 'hooksListed' | 'targets' | 'gone'> = {
  cursors: {
    opaque: shows('/contacts', 'next_cursor', expect.stringMatching(/\D/)),
    page: async (sandbox) => {
      const ids = sandbox.contacts().map(({ id }) => id);
      await shows('/contacts?limit=10', 'next_cursor', '2')(sandbox);
      const second = (await listed(sandbox, '/contacts?limit=4&cursor=2')).map((contact) => at(contact, 'id'));
      expect(second).toEqual(ids.reverse().slice(4, 8));
      expect((await get(sandbox, '/contacts?cursor=zero')).status).toBe(400);
    },
  },
  clientAuth: { either: clientAuth(200, 200), body: clientAuth(200, 401), basic: clientAuth(401, 200) },
  slots: {
    one: async (sandbox) => expect(bookTwice(sandbox)).toThrow('is taken by another booking'),
    shared: async (sandbox) => expect(bookTwice(sandbox)).not.toThrow(),
  },
  approval: { created: approves(2), approved: approves(1) },
  emailMatch: {
    exact: finds('/contacts', { 'ruiz@example.com': 0, 'Ana.Ruiz@example.com': 1 }),
    partial: async (sandbox) => {
      await finds('/contacts', { 'RUIZ@example.com': 1 })(sandbox);
      await finds('/bookings', { 'example.com': sandbox.bookings().length })(sandbox);
    },
    case: finds('/contacts', { 'ana.ruiz@example.com': 1, 'Ana.Ruiz@example.com': 0 }),
    made: async () =>
      finds('/contacts', { 'Ana.Ruiz+shop@example.com': 1, 'ana@example.com': 0 })(
        await start({ forms: { emailMatch: 'made', email: 'untagged' } }),
      ),
  },
  hooksListed: { account: hooksShown(1, 1), client: hooksShown(1, 0) },
  targets: { any: secondToOneAddress(201), unique: secondToOneAddress(400) },
  gone: { removed: gone(0, 1), retried: gone(1, 2) },
};

const ALL: Record<string, Record<string, Check>> = { ...OF_FORMS, ...OF_HABITS };
describe.each(Object.keys(ALL) as (FormName | HabitName)[])('a service whose %s', (name) => {
  it.each(Object.entries(ALL[name] ?? {}))('is %s shows it on the wire', async (value, check) => {
    await check(await start({ clock: virtualClock(NOW), forms: { [name]: value } }));
  });
});

it('of a list that is behind: a deleted subscription with a number is still listed for a while', async () => {
  const sandbox = await start({ clock: virtualClock(NOW), forms: { listLag: '1s', ids: 'number' } });
  await hook(sandbox);
  await sandbox.clock.advance(1_000);
  await caller(sandbox)('DELETE', '/hooks/1');
  expect(idsOf(await listed(sandbox, '/hooks'))).toEqual([1]);
  await sandbox.clock.advance(1_000);
  expect(await listed(sandbox, '/hooks')).toEqual([]);
});

it('what was refused never shows in a list that is behind', async () => {
  const sandbox = await start({ clock: virtualClock(NOW), forms: { listLag: '1s' } });
  const { start_time } = sandbox.host.book();
  expect(() => sandbox.host.book({ start_time, invitee_email: 'new@example.com' })).toThrow('is taken');
  await sandbox.clock.advance(1_000);
  for (const list of ['bookings', 'contacts']) expect(await listed(sandbox, `/${list}?email=new@example.com`)).toEqual([]);
});
