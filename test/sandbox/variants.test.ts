import { afterEach, expect, it } from '@jest/globals';
import { HABIT_NAMES } from '../../sandbox/variants.ts';
import { FORMS, HABITS, virtualClock, type FormName, type Forms, type Sandbox } from '../../sandbox/service.ts';
import {
  at,
  bookingInput,
  type Call,
  deliveryHeader,
  listAt,
  refresh,
  replyOf,
  signatureOf,
  start,
  startReceiver,
  stopAll,
  textAt,
  tokenCall,
} from './support.ts';

afterEach(stopAll);

const NOW = Date.parse('2030-06-03T08:00:00Z');

/** Calls the API without a socket: a test makes thousands of calls. */
const within = (sandbox: Sandbox, given?: { clientId: string }): Call => {
  const authorization = `Bearer ${sandbox.issueToken(given).access_token}`;
  return async (method, path, body) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return replyOf(await sandbox.fetch(new Request(`${sandbox.baseUrl}${path}`, sent)));
  };
};

/**
 * What a client sees that uses everything once, without what differs each time: ids, rooms, ports and secrets. It books for people whom
 * every habit changes, and reads while a list may be behind and afterwards.
 */
async function seenWith(forms: Partial<Forms>): Promise<string> {
  const sandbox = await start({ clock: virtualClock(NOW), forms });
  const { host } = sandbox;
  const call = within(sandbox);
  const seen: unknown[] = [];
  const see = async (method: string, path: string, body?: unknown, by = call): Promise<void> => {
    const { status, headers, text } = await by(method, path, body);
    seen.push([method, path, status, headers.get('date'), headers.get('location'), text]);
  };
  for (const url of ['http://LocalHost:80/a b', 'http://127.0.0.1:9/x', 'http://127.0.0.1:9/x'])
    await see('POST', '/hooks', { url, events: ['CONTACT_UPDATED'] });
  const { id: clientId } = sandbox.addClient({ redirectUris: [] });
  for (const by of [call, within(sandbox, { clientId })]) await see('GET', '/hooks', undefined, by);
  host.book({}, sandbox.addAccount().id);
  // Neither the order of their starts nor that of their changes is the order in which they were made.
  host.book({ start_time: new Date(sandbox.clock.now() + 3 * 3_600_000).toISOString() });
  host.cancel(sandbox.bookings().find(({ status }) => status === 'CONFIRMED')?.id ?? '');
  for (const path of ['/bookings', '/contacts', '/event-types']) await see('GET', `${path}?limit=100`);
  for (const cursor of ['', '&cursor=2']) await see('GET', `/contacts?limit=4${cursor}`);
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
  await see('POST', '/bookings', bookingInput(sandbox, { ...ada, start_time: '2030-07-01T10:10:20Z' }));
  for (const milliseconds of [0, 999, 1, 43_999, 1]) {
    await sandbox.clock.advance(milliseconds);
    for (const path of [`/bookings/${sandbox.bookings().at(-1)?.id}`, '/bookings', '/bookings']) await see('GET', path);
  }
  for (const email of ['ana.ruiz@example.com', 'Ana.Ruiz@example.com', 'ruiz@example.com', 'ana.ruiz+shop@example.com'])
    await see('GET', `/contacts?email=${encodeURIComponent(email)}`);

  const receiver = await startReceiver();
  const { body } = await call('POST', '/hooks', { url: receiver.url, events: ['BOOKING_CREATED', 'BOOKING_APPROVED'] });
  receiver.answers.push(500);
  host.book();
  await sandbox.forward(3_600_000);
  host.approve(sandbox.bookings().find(({ status }) => status === 'PENDING')?.id ?? '');
  await sandbox.settled();
  receiver.answers.push(410);
  host.book();
  await sandbox.forward(3_600_000);
  const secret = textAt(body, 'signing_secret');
  for (const each of receiver.received)
    seen.push(deliveryHeader(each, 'Event'), each.body, signatureOf(each, secret) === deliveryHeader(each, 'Signature'));

  const basic = `Basic ${Buffer.from(`${sandbox.client.id}:${sandbox.client.secret}`).toString('base64')}`;
  const fields = { grant_type: 'refresh_token', refresh_token: sandbox.issueToken().refresh_token };
  seen.push((await tokenCall(sandbox, fields, { headers: { authorization: basic }, asClient: false })).status);
  seen.push((await refresh(sandbox, sandbox.issueToken().refresh_token)).status);
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

/**
 * The forms that no probe of the API can see, or that a client sees only by chance. All others are detected by the probe, each in a sandbox
 * that has it: `test/docs/probe.test.ts`.
 */
const UNSEEN = ['cursors', 'clientAuth', 'slots', 'approval', 'emailMatch', 'hooksListed', 'targets', 'gone'] as const satisfies FormName[];

it.each([...HABIT_NAMES, ...UNSEEN])('each value of %s shows on the wire, and differs from the others', async (name) => {
  // It does to a searched address what `email` does to a stored one.
  const also: Partial<Forms> = name === 'emailMatch' ? { email: 'untagged' } : {};
  const seen = new Map([[also.email === undefined ? await usual() : await seenWith(also), 'the usual one']]);
  for (const value of { ...HABITS, ...FORMS }[name].values.slice(1)) {
    const shown = await seenWith({ ...also, [name]: value });
    expect([value, seen.get(shown)]).toEqual([value, undefined]);
    seen.set(shown, value);
  }
});

it('a list that is behind still shows for a while what was deleted, and never what was refused', async () => {
  const sandbox = await start({ clock: virtualClock(NOW), forms: { listLag: '1s', ids: 'number' } });
  const call = within(sandbox);
  const listed = async (path: string) => listAt((await call('GET', path)).body, 'data').map((record) => at(record, 'id'));
  await call('POST', '/hooks', { url: 'http://127.0.0.1:9/x', events: ['BOOKING_CREATED'] });
  await sandbox.clock.advance(1_000);
  await call('DELETE', '/hooks/1');
  const { start_time } = sandbox.host.book();
  expect(() => sandbox.host.book({ start_time, invitee_email: 'new@example.com' })).toThrow('is taken');
  expect(await listed('/hooks')).toEqual([1]);
  await sandbox.clock.advance(1_000);
  for (const path of ['/hooks', '/bookings?email=new@example.com', '/contacts?email=new@example.com'])
    expect(await listed(path)).toEqual([]);
});
