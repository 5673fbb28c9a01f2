import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { createPoller } from '../../sdk/changes/index.ts';
import type { Tokens } from '../../sdk/oauth/index.ts';
import { typed } from '../../sdk/client/typed.ts';
import { createClient, isServiceError, type ClientOptions, type Fetch, type RequestInfo, type ServiceFailure } from '../../sdk/index.ts';
import { createBooking, createClientOf, listBookings } from '../../sdk/operations.ts';
import { memoryStore } from '../../sdk/stores/store.ts';
import { keepSubscription, type Subscribed } from '../../sdk/webhooks/index.ts';
import { until } from '../support/until.ts';
import { failureOf, Stage } from './stage.ts';
import { listOf, oneOf } from '../support/wire.ts';

let stage: Stage;
beforeEach(async () => void (stage = await Stage.open()));
afterEach(() => stage.close());

test('a start may be a Date', async () => {
  const start_time = new Date('2033-03-02T09:00:00Z');
  expect((await stage.client().bookings.create({ ...stage.wanted, start_time })).start_time).toBe('2033-03-02T09:00:00.000Z');
});

test.each(['+1 (415) 555-1234', 'ada@example.com', '42', '😊'])(
  'an invitee who is called %s is told by that name, also if the answer was lost, and has one booking',
  async (invitee_name) => {
    stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-after' });
    const wanted = { ...stage.wanted, invitee_name };
    expect((await stage.hurriedClient().bookings.create(wanted)).invitee_name).toBe(invitee_name);
    expect(stage.bookingsOf(wanted.invitee_email)).toHaveLength(1);
  },
);

test('an id in place of the object that a method takes, and a misspelt field, are refused with what it takes, and nothing is sent', async () => {
  const id = (await failureOf(stage.client().bookings.get('bkg_1' as never))) as ServiceFailure;
  expect(id.sentence).toBe('"bookings.get" takes an object with booking_id: it is "bkg_1". Correct it and run this again.');
  const misspelt = { ...stage.wanted, invitee_emial: 'ada@example.com' };
  const error = (await failureOf(stage.client().bookings.create(misspelt))) as ServiceFailure;
  expect(error).toMatchObject({ kind: 'invalid', fields: [{ field: 'invitee_emial' }] });
  expect(error.message).toContain('invitee_email');
  const list = stage.client().bookings.list({ limit: 1 } as never);
  expect(((await failureOf(list.all())) as ServiceFailure).message).toBe('"limit" belongs in the second argument of bookings.list.');
  const current = stage.client().users.current({ limit: 1, signal: undefined } as never);
  expect(((await failureOf(current)) as ServiceFailure).message).toBe(
    '"limit" is not a field of users.current: it takes none. "signal" belongs in the second argument of users.current.',
  );
  expect(stage.sandbox.requests()).toEqual([]);
});

test('a client of chosen operations has their methods alone, which do what they do in the whole one', async () => {
  const options = { auth: stage.token(), baseUrl: stage.sandbox.baseUrl };
  const client = createClientOf(options, [createBooking, listBookings]);
  expect(Object.entries(client).map(([group, methods]) => [group, ...Object.keys(methods)])).toEqual([['bookings', 'create', 'list']]);
  const { id, invitee_email: email = '' } = await client.bookings.create(stage.wanted);
  expect(await client.bookings.list({ email: email ?? '' }).all()).toEqual([await createClient(options).bookings.get({ booking_id: id })]);
  expect(await failureOf(client.bookings.create({ ...stage.wanted, invitee_email: 'nobody' }))).toMatchObject({ kind: 'invalid' });
  const none = createClientOf(options, []);
  expect(none).toEqual({});
  const seen: string[] = [];
  const poller = createPoller({ client: none, store: memoryStore(), upcomingAtFirst: true }).on('BOOKING_CREATED', ({ record }) =>
    seen.push(record.id),
  );
  await poller.poll();
  expect(seen).toContain(id);
});

describe('a list', () => {
  test('is read record by record, page by page or at once; it requests nothing until then, and no page that nobody wants', async () => {
    for (let made = 0; made < 130; made += 1) stage.sandbox.host.book({ invitee_email: 'list@example.com' });
    const list = stage.client().bookings.list({ email: 'list@example.com' }, { limit: 120 });
    expect(stage.sandbox.requests()).toEqual([]);
    const [one, pages]: [string[], string[][]] = [[], []];
    for await (const { id } of list) if (one.push(id) > 0) break;
    expect(stage.requestsTo('/v1/bookings')).toHaveLength(1);
    for await (const page of list.pages()) pages.push(page.map(({ id }) => id));
    expect(pages.map(({ length }) => length)).toEqual([100, 20]);
    expect((await list.all()).map(({ id }) => id)).toEqual(pages.flat());
    expect([(await list.first())?.id, one]).toEqual([one[0], pages.flat().slice(0, 1)]);
  });

  test.each([
    [0, []],
    [101, [100, 1]],
  ])('of %d records that were found comes in pages of 100', async (length, expected) => {
    const contacts = Array.from({ length }, (_, index) => ({ id: `con_${index}`, email: 'ada@example.com' }));
    const body = listOf(contacts);
    stage.sandbox.faults.add({ route: 'GET /v1/contacts', kind: 'status', status: 200, body, times: 'always' });
    const list = stage.client().contacts.search({ email: 'ada@example.com' });
    const pages: number[] = [];
    for await (const page of list.pages()) pages.push(page.length);
    expect(pages).toEqual(expected);
  });
});

describe('an error', () => {
  test('has a kind, a status and a sentence; one from another copy of the package is recognised as well', async () => {
    const error = await failureOf(stage.client().bookings.get({ booking_id: 'bkg_none' }));
    expect(isServiceError(error) && [error.kind, error.status, error.sentence]).toEqual([
      'notFound',
      404,
      expect.stringMatching(/^The booking "bkg_none" was not found\./),
    ]);
    const other = Object.assign(new Error('x'), { name: 'ServiceError', kind: 'server', advice: '' });
    expect([isServiceError(other), isServiceError(new Error('x')), isServiceError(undefined)]).toEqual([true, false, false]);
  });

  test.each([
    ['another site', { status: 404, body: { error: 'Not Found' } }, /^The user was not found\. The address was (\S+)\. Check the base URL/],
    [
      'the pages of a site',
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' },
      /answered: (\S+) answered with a web page/,
    ],
    ['a sign-in', { status: 302, headers: { location: '/sign-in' } }, /at (\S+) redirected the request/],
  ])('about an origin in place of the base URL that leads to %s names the address that was tried', async (_, answer, sentence) => {
    stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', ...answer });
    const error = (await failureOf(stage.client({ baseUrl: stage.sandbox.origin }).users.current())) as ServiceFailure;
    expect(sentence.exec(error.sentence)?.[1]).toMatch(/^(?:http:\/\/)?127\.0\.0\.1:\d+\/api\/v1\/me$/);
  });

  test('about a token that is not there, a zone that is none, or a base URL without https is thrown before anything is sent', async () => {
    for (const auth of [undefined, null, '', ' ', { access_token: 'token' }] as never[])
      expect(() => stage.client({ auth })).toThrow('"auth" is not an access token, and does not return one.');
    await expect(stage.client({ auth: () => undefined as never }).users.current()).rejects.toThrow('"auth" is not an access token');
    expect(() => stage.client({ timeZone: 'Berlin' })).toThrow('"timeZone" is not a time zone such as Europe/Berlin.');
    expect(() => stage.client({ baseUrl: 'http://elsewhere.example/api/v1' })).toThrow('The base URL cannot be used');
  });
});

test('a filter that came out empty is refused, and one that is undefined left out, which the note says; a limit is a count, or null for none', async () => {
  const { bookings, eventTypes } = stage.client();
  for (const email of ['', ' ', null as never])
    expect(await failureOf(bookings.list({ email, status: 'CONFIRMED' }).all())).toMatchObject({
      message: '"Invitee Email" is set, but it is empty, so it would filter nothing.',
    });
  const list = bookings.list({ email: undefined }, { limit: 1 });
  expect([(await list.all()).length, list.note]).toEqual([1, 'Nothing was filtered by "Invitee Email", because it is empty.']);
  for (const limit of [Number.NaN, -1, 1.5])
    expect(await failureOf(bookings.list({}, { limit }).all())).toMatchObject({
      message: expect.stringMatching(/^"limit" must be a whole/) as string,
    });
  expect(await bookings.list({}, { limit: 0 }).all()).toEqual([]);
  expect(await eventTypes.list({}, { limit: null as never }).all()).toHaveLength(stage.sandbox.eventTypes().length);
});

test('a token may come from a function; an authorization of your own is asked for a new one when one is refused, and only then', async () => {
  let asked = 0;
  const simple = stage.client({ auth: async () => ((asked += 1), stage.token()) });
  for (let calls = 0; calls < 2; calls += 1) await simple.users.current();
  expect(asked).toBe(2);
  stage.sandbox.forgetRequests();
  const refused: string[] = [];
  let token = 'spent';
  const renew = async (given: string): Promise<void> => {
    refused.push(given);
    token = stage.token();
  };
  const client = stage.client({ auth: { token: async () => token, renew } });
  for (let calls = 0; calls < 2; calls += 1) expect(await client.users.current()).toMatchObject({ email: stage.sandbox.account.email });
  stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status: 403 });
  expect(await failureOf(client.users.current())).toMatchObject({ status: 403 });
  expect(refused).toEqual(['spent']);
  expect(stage.requestsTo('/v1/me')).toHaveLength(4);
});

test('a request that takes too long is given up, and none is sent if it may take no time', async () => {
  stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'stall', times: 'always' });
  expect(await failureOf(stage.hurriedClient({ timeoutMs: 0 }).users.current())).toMatchObject({ kind: 'unreachable' });
  expect(stage.sandbox.requests()).toEqual([]);
  expect(await failureOf(stage.hurriedClient({ timeoutMs: 50 }).users.current())).toMatchObject({ kind: 'unreachable' });
});

test("the runtime's fetch, even if it is replaced later, is never asked for what a framework or a browser kept of an earlier answer; where it knows no such option, it is not given", async () => {
  const client = stage.client();
  const ofRuntime = jest.spyOn(globalThis, 'fetch');
  await client.users.current();
  const known = Object.getOwnPropertyDescriptor(Request.prototype, 'cache') ?? {};
  Reflect.deleteProperty(Request.prototype, 'cache');
  await stage
    .client()
    .users.current()
    .finally(() => Object.defineProperty(Request.prototype, 'cache', known));
  expect(ofRuntime.mock.calls.map(([, init]) => init?.cache)).toEqual(['no-store', undefined]);
  ofRuntime.mockRestore();
  // cross-fetch 4.1.0 writes the time into the address of each GET for this option, in browsers.
  const given = jest.fn((...request: Parameters<Fetch>) => fetch(...request));
  await stage.client({ fetch: given }).users.current();
  expect(given.mock.calls.map(([, init]) => init)).toEqual([expect.not.objectContaining({ cache: 'no-store' })]);
});

test.each<[what: string, of: (answer: Response) => unknown]>([
  ['node-fetch, whose body is a stream of Node.js', (answer) => Object.defineProperty(answer, 'body', { value: Readable.from([]) })],
  ['a polyfill, which has no stream', (answer) => Object.defineProperty(answer, 'body', { value: undefined })],
  ['a double in a test', (answer) => ({ ok: answer.ok, status: answer.status, json: () => answer.json() as unknown })],
  ['one with headers as an object', (answer) => ({ status: answer.status, headers: { 'x-a': 'b' }, text: () => answer.text() })],
])('the answer of %s is read too', async (_, of) => {
  const client = stage.client({ fetch: async (...request) => of(await fetch(...request)) as Response });
  expect(await client.users.current()).toMatchObject({ name: 'Morgan Host' });
  expect(await failureOf(client.bookings.get({ booking_id: 'bkg_none' }))).toMatchObject({ kind: 'notFound', status: 404 });
  const { id } = await client.subscriptions.create({ url: 'http://127.0.0.1:9/', events: ['BOOKING_CREATED'] });
  const gone = stage.client({ fetch: async (...request) => ({ status: (await fetch(...request)).status }) as Response });
  expect(await gone.subscriptions.delete({ subscription_id: id })).toMatchObject({ deleted: true });
});

describe('a record', () => {
  test('that the service sent has the types that are declared', async () => {
    const record = { id: 'b', status: 7, room: { floor: 3 } };
    stage.sandbox.faults.add({ route: 'GET /v1/bookings/:id', kind: 'status', status: 200, body: oneOf(record) });
    expect(await stage.client().bookings.get({ booking_id: 'b' })).toMatchObject({ status: '7', room: { floor: 3 } });
  });

  test.each([
    ['booking', { id: 12, notes: { a: 1 }, answers: 'one' }, { id: '12', notes: '{"a":1}', answers: ['one'] }],
    ['booking', { question_responses: 'none' }, { question_responses: undefined }],
    ['eventType', { duration_minutes: '30', active: 'true' }, { duration_minutes: 30, active: true }],
    ['eventType', { duration_minutes: ' ', active: 0 }, { duration_minutes: undefined, active: false }],
    ['eventType', { duration_minutes: 'half an hour', active: 'yes' }, { duration_minutes: undefined, active: undefined }],
    ['eventType', { duration_minutes: 30, active: false, questions: [], location: null }, undefined],
  ] as const)('of a %s with %j has %j, or is returned itself, and unknown fields stay', (kind, fields, right) => {
    const record = { ...fields, what_we_do_not_know: 5 };
    if (right === undefined) expect(typed(kind, record)).toBe(record);
    else expect(typed(kind, record)).toEqual({ ...right, what_we_do_not_know: 5 });
    expect(record).toMatchObject(fields);
  });
});

const reason = new Error('not wanted any more');

describe('a call that is given up', () => {
  test('before it begins sends nothing and ends with the reason of the signal', async () => {
    const signal = AbortSignal.abort(reason);
    expect(await failureOf(stage.client().bookings.create(stage.wanted, { signal }))).toBe(reason);
    expect(await failureOf(stage.client().bookings.list({}, { signal }).all())).toBe(reason);
    expect(await failureOf(stage.client().bookings.create(stage.wanted, { signal: AbortSignal.abort('enough') }))).toMatchObject({
      message: 'The call was given up.',
      cause: 'enough',
    });
    expect(stage.sandbox.requests()).toEqual([]);
  });

  test.each([
    ['refused for now, which changes nothing', 429, 'not wanted any more'],
    ['answered with an error of the service', 500, 'bookings.create was cancelled after it was sent'],
  ])('after a write was %s, during the wait that follows: the reason says whether something may have changed', async (_, status, words) => {
    const over = new AbortController();
    stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', status, headers: { 'retry-after': '30' }, times: 'always' });
    stage.sandbox.faults.add({ route: 'GET /v1/bookings', kind: 'stall', times: 'always' });
    let waits = false;
    const client = stage.client({ onRetry: () => (waits = true) });
    const ended = failureOf(client.bookings.create(stage.wanted, { signal: over.signal }));
    await until(() => waits || stage.requestsTo('/v1/bookings').some(({ method }) => method === 'GET'));
    over.abort(reason);
    expect(await ended).toMatchObject({ message: expect.stringContaining(words) as string });
    expect(stage.requestsTo('/v1/bookings').filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('in the middle of a list ends it with the reason, and no further page is requested', async () => {
    const over = new AbortController();
    stage.sandbox.host.book(stage.wanted);
    stage.sandbox.host.book(stage.wanted);
    const read = async (): Promise<void> => {
      for await (const [first] of stage.client().bookings.list({}, { signal: over.signal, limit: 1 }).pages())
        if (first !== undefined) over.abort(reason);
      for await (const { id } of stage.client().bookings.list({}, { signal: over.signal })) throw new Error(`${id} was not to be read.`);
    };
    expect(await failureOf(read())).toBe(reason);
    expect(stage.requestsTo('/v1/bookings')).toHaveLength(1);
  });

  test('takes its request along, and leaves nothing behind on a signal that many calls share', async () => {
    const over = new AbortController();
    let sent: AbortSignal | null | undefined;
    const client = stage.client({ fetch: (address, init) => fetch(address, ((sent = init.signal), init)) });
    await client.users.current({}, { signal: over.signal });
    expect(getEventListeners(over.signal, 'abort')).toEqual([]);
    stage.sandbox.forgetRequests();
    stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'stall' });
    const ended = failureOf(client.users.current({}, { signal: over.signal }));
    await until(() => stage.requestsTo('/v1/me').length > 0);
    over.abort(reason);
    expect([await ended, sent?.aborted]).toEqual([reason, true]);
  });
});

describe('telemetry', () => {
  let requests: RequestInfo[];
  let retries: RequestInfo[];
  beforeEach(() => void ([requests, retries] = [[], []]));

  const clientThatTells = (options: Partial<ClientOptions> = {}) =>
    stage.hurriedClient({ onRequest: (request) => requests.push(request), onRetry: (retry) => retries.push(retry), ...options });

  const lines = () => requests.map(({ method, path, attempt, status }) => [method, path, attempt, status ?? 'no answer'].join(' '));

  test('onRequest gets what was called, and nothing that is secret or about a person', async () => {
    const auth = stage.token();
    const client = clientThatTells({ auth });
    const { id } = await client.bookings.create(stage.wanted);
    const own = { operation: 'bookings.create', method: 'POST', path: '/v1/bookings', attempt: 1, status: 201 };
    expect(requests).toEqual([{ ...own, durationMs: expect.any(Number) as number }]);
    await client.bookings.get({ booking_id: id });
    await client.bookings.list({ email: 'ada@example.com' }).all();
    await client.bookings.get({ booking_id: 'eve@example.com' }).catch(() => undefined);
    expect(lines().slice(1)).toEqual(['GET /v1/bookings/:id 1 200', 'GET /v1/bookings 1 200', 'GET /v1/bookings/:id 1 404']);
    for (const part of [id, auth, 'example.com']) expect(JSON.stringify(requests)).not.toContain(part);
  });

  test('onRetry is called before the wait for each request that is sent again', async () => {
    stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status: 429, headers: { 'retry-after': '1' } });
    stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'drop-before' });
    const client = clientThatTells({ onRetry: (retry) => retries.push({ ...retry, attempt: requests.length }) });
    await client.users.current();
    expect(lines()).toEqual(['GET /v1/me 1 429', 'GET /v1/me 2 no answer', 'GET /v1/me 3 200']);
    const about = { operation: 'users.current', method: 'GET', path: '/v1/me', waitMs: expect.any(Number) as number };
    expect(retries).toEqual([
      { ...about, attempt: 1, status: 429 },
      { ...about, attempt: 2, status: undefined },
    ]);
  });

  test('a request that is sent again with a new token is told as such', async () => {
    await clientThatTells({ auth: stage.oauth().connection(stage.expiredStore()) }).users.current();
    expect(lines()).toEqual(['GET /v1/me 1 401', 'GET /v1/me 2 200']);
    expect(retries).toMatchObject([{ attempt: 1, status: 401, waitMs: 0 }]);
  });

  test('a new token that is refused at first gets a second try, a moment later', async () => {
    stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status: 401, times: 2 });
    const { access_token, refresh_token } = stage.sandbox.issueToken();
    const client = clientThatTells({ auth: stage.oauth().connection(memoryStore<Tokens>({ access_token, refresh_token })) });
    expect(await client.users.current()).toHaveProperty('email');
    expect(lines()).toEqual(['GET /v1/me 1 401', 'GET /v1/me 2 401', 'GET /v1/me 3 200']);
    expect(retries).toMatchObject([{ waitMs: 0 }, { waitMs: 1_000 }]);
  });

  test('a search for a lost answer belongs to the call; the poller and a kept subscription tell under their own names', async () => {
    stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'drop-after' });
    await clientThatTells().bookings.create(stage.wanted);
    expect(lines()).toEqual(['POST /v1/bookings 1 no answer', 'GET /v1/bookings 1 200']);
    const client = clientThatTells();
    await keepSubscription(client, { url: 'http://localhost:9/deliveries', store: memoryStore<Subscribed>() });
    await createPoller({ client, store: memoryStore() })
      .on('BOOKING_CREATED', () => undefined)
      .poll();
    const names = ['bookings.create', 'keepSubscription', 'poller.poll'];
    expect([...new Set(requests.map(({ operation }) => operation))]).toEqual(names);
  });

  test('a hook that throws or never resolves neither fails nor delays a call', async () => {
    const logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status: 503 });
    const onRequest = (): never => {
      throw new Error('of the hook');
    };
    const onRetry = () => new Promise(() => undefined);
    expect((await clientThatTells({ onRequest, onRetry }).users.current()).email).toContain('@');
    // Two requests.
    expect(logged).toHaveBeenCalledTimes(2);
    logged.mockRestore();
  });
});
