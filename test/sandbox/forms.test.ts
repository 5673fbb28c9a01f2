import { afterEach, describe, expect, it } from '@jest/globals';
import { HABIT_NAMES } from '../../sandbox/forms.ts';
import { HABITS, virtualClock, type Forms, type Sandbox } from '../../sandbox/service.ts';
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

/** Checks what a sandbox with one form shows on the wire. */
type Check = (sandbox: Sandbox) => Promise<void>;

/** A new value without an entry does not compile. */
type Expectations<Names extends keyof Forms> = { [Name in Names]: { [Value in Forms[Name]]: Check } };

const NOW = Date.parse('2030-06-03T08:00:00Z');

const get = (sandbox: Sandbox, path: string): Promise<Reply> => caller(sandbox)('GET', path);
const post = (sandbox: Sandbox, path: string, body: unknown = {}): Promise<Reply> => caller(sandbox)('POST', path, body);
const listed = async (sandbox: Sandbox, path: string): Promise<unknown[]> => listAt((await get(sandbox, path)).body, 'data');
const hook = (sandbox: Sandbox, more: Record<string, unknown> = {}): Promise<Reply> =>
  post(sandbox, '/hooks', { url: 'http://127.0.0.1:9/x', events: ['BOOKING_CREATED'], ...more });

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

/**
 * What a client sees that uses everything once, without what differs each time: ids, rooms, ports and secrets. It books for people whom
 * every habit changes, and reads while a list may be behind and afterwards.
 */
async function seenWith(forms: Partial<Forms>): Promise<string> {
  const sandbox = await start({ clock: virtualClock(NOW), forms });
  const call = caller(sandbox);
  const seen: unknown[] = [];
  const see = async (method: string, path: string, body?: unknown): Promise<void> => {
    const { status, headers, text } = await call(method, path, body);
    seen.push([method, path, status, headers.get('date'), headers.get('location'), text]);
  };
  await see('POST', '/hooks', { url: 'http://LocalHost:80/a b', events: ['CONTACT_UPDATED'] });
  await see('GET', '/hooks');
  sandbox.host.book({}, sandbox.addAccount().id);
  for (const path of ['/bookings', '/contacts', '/event-types']) await see('GET', `${path}?limit=100`);
  for (const [from, to] of [
    ['from', 'to'],
    ['after', 'before'],
    ['start_after', 'start_before'],
  ])
    await see('GET', `/bookings?${from}=2030-06-04T00:00:00Z&${to}=2030-06-08T00:00:00Z`);
  const [intro, kickOff] = sandbox.eventTypes().map(({ id }) => id);
  const ada = { invitee_name: 'Ada "Augusta"  O\'Lovelace 🎉', invitee_email: 'Ada+Shop@Bücher.example', event_type_id: intro };
  for (const [hour, booking] of [
    ada,
    { ...ada, event_type_id: 'intro-call' },
    { ...ada, invitee_name: 'Anita', invitee_email: 'ana.ruiz@example.com' },
    { ...ada, event_type_id: kickOff, question_responses: { company: 'x', budget: 'Other', services: ['Cooking'] } },
  ].entries())
    await see('POST', '/bookings', bookingInput(sandbox, { ...booking, start_time: `2030-07-01T${10 + hour}:10:20Z` }));
  for (const milliseconds of [0, 999, 1, 43_999, 1]) {
    await sandbox.clock.advance(milliseconds);
    for (const path of [`/bookings/${sandbox.bookings().at(-1)?.id}`, '/bookings', '/bookings']) await see('GET', path);
  }
  const { received, secret } = await deliver(sandbox, [500]);
  for (const each of received) seen.push(each.body, signatureOf(each, secret) === deliveryHeader(each, 'Signature'));
  const ids = new Map<string, string>();
  return JSON.stringify(seen, null, 1)
    .replaceAll(/whsec_[\w-]+|127\.0\.0\.1:\d+|meet\.example\/\w+/g, '')
    .replaceAll(
      /\b([a-z]{3})_[0-9a-z]{16}\b/g,
      (id, kind: string) => ids.get(id) ?? (ids.set(id, `${kind} ${ids.size}`), `${kind} ${ids.size - 1}`),
    );
}

let usualOne: Promise<string> | undefined;
const usual = () => (usualOne ??= seenWith({}));
it('two services without a habit show the same', async () => expect((await seenWith({})) === (await usual())).toBe(true));

it.each(HABIT_NAMES)('each value of the habit %s shows on the wire, and differs from the others', async (name) => {
  const seen = new Map([[await usual(), 'the usual one']]);
  for (const value of HABITS[name].values.slice(1)) {
    const shown = await seenWith({ [name]: value });
    expect([value, seen.get(shown)]).toEqual([value, undefined]);
    seen.set(shown, value);
  }
});

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

describe.each(Object.keys(OF_FORMS) as (keyof typeof OF_FORMS)[])('a service whose %s', (name) => {
  it.each(Object.entries<Check>(OF_FORMS[name]))('is %s shows it on the wire', async (value, check) => {
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
