import * as z from 'zod/v4';
import { createClient, isServiceError, type ServiceFailure } from '../../sdk/index.ts';
import { clientOf } from '../../sdk/client/methods.ts';
import { placeOf } from '../../sdk/client/names.ts';
import { defineOne, field } from '../../shared/operations/define.ts';
import { getContact, operations, searches } from '../../shared/operations/index.ts';
import { sdkTypes } from '../../tools/docs/sdkTypes.ts';
import { failureOf, Stage } from './stage.ts';

let stage: Stage;
beforeEach(async () => void (stage = await Stage.open()));
afterEach(() => stage.close());

describe('the methods', () => {
  test('are the declared operations, each named after its record and verb', () => {
    const client: unknown = stage.client();
    for (const operation of [...operations, ...searches]) {
      const { group, method } = placeOf(operation);
      expect(client).toHaveProperty([group, method], expect.any(Function));
    }
    expect(
      Object.entries(client as object).flatMap(([group, methods]) => Object.keys(methods as object).map((name) => `${group}.${name}`)),
    ).toEqual([
      'bookings.cancel',
      'bookings.create',
      'bookings.get',
      'bookings.list',
      'bookings.find',
      'contacts.get',
      'contacts.list',
      'contacts.search',
      'contacts.find',
      'eventTypes.get',
      'eventTypes.list',
      'users.current',
      'subscriptions.create',
      'subscriptions.delete',
      'subscriptions.list',
    ]);
  });

  test('an operation that is added to the core becomes a method with types, without any edit in sdk/', async () => {
    const added = defineOne({
      ...getContact,
      name: 'delete',
      description: 'Says who it would be',
      input: { contact_id: field(z.string(), { label: 'Contact', help: 'Whom to name', control: 'text' }) },
      run: async (_, { contact_id: id }) => ({ id, name: 'Nobody' }),
    });
    const client = clientOf([...operations, added])({ auth: 'token', baseUrl: stage.sandbox.baseUrl });
    expect(await client['contacts']?.['delete']?.({ contact_id: 'con_1' })).toMatchObject({ id: 'con_1', name: 'Nobody' });
    const types = sdkTypes([...operations, added]);
    expect(types['methods.ts']).toContain('delete(input: DeleteContactInput, options?: CallOptions): Promise<Contact>;');
    expect(types['inputs.ts']).toMatch(/DeleteContactInput = \{\s+\/\*\* Whom to name\. \*\/\s+contact_id: string;/);
  });
});

test('books, reads, finds and cancels', async () => {
  const client = stage.client();
  const wanted = stage.wanted;
  const booking = await client.bookings.create({ ...wanted, notes: 'Bring tea' });
  expect(booking).toMatchObject({ status: 'CONFIRMED', invitee_first_name: 'Ada', notes: 'Bring tea' });
  expect(await client.bookings.get({ booking_id: booking.id })).toEqual(booking);
  expect(await client.bookings.find({ email: wanted.invitee_email }).first()).toMatchObject({ id: booking.id });
  expect(await client.bookings.cancel({ booking_id: booking.id, reason: 'Ill' })).toMatchObject({
    status: 'CANCELLED',
    already_cancelled: false,
    cancellation_reason: 'Ill',
  });
  expect(await client.users.current()).toMatchObject({ email: stage.sandbox.account.email });
  expect(await client.contacts.search({ email: wanted.invitee_email }).all()).toHaveLength(1);
});

test('a subscription returns its signing secret once', async () => {
  const client = stage.client();
  const { id, signing_secret } = await client.subscriptions.create({ url: 'http://127.0.0.1:9/hook', events: ['BOOKING_CREATED'] });
  expect(signing_secret.length).toBeGreaterThan(10);
  const listed = await client.subscriptions.list().all();
  expect(listed).toEqual([expect.objectContaining({ id })]);
  expect(JSON.stringify(listed)).not.toContain(signing_secret);
  await client.subscriptions.delete({ subscription_id: id });
  expect(stage.sandbox.subscriptions()).toEqual([]);
});

describe('a start', () => {
  test('is sent as the instant that it names, from a text with an offset or from a Date', async () => {
    const client = stage.client();
    const { start_time: _, ...wanted } = stage.wanted;
    const start = { iso: '2033-03-01T10:00:00+01:00', at: new Date('2033-03-02T09:00:00Z') };
    expect((await client.bookings.create({ ...wanted, start_time: start.iso })).start_time).toBe('2033-03-01T09:00:00.000Z');
    expect((await client.bookings.create({ ...wanted, start_time: start.at })).start_time).toBe('2033-03-02T09:00:00.000Z');
  });

  test('without an offset is refused before anything is sent, or read in the zone of the client if it has one', async () => {
    const wanted = { ...stage.wanted, start_time: '2033-07-01T09:00' };
    expect(await failureOf(stage.client().bookings.create(wanted))).toMatchObject({ kind: 'invalid' });
    expect(stage.sandbox.requests()).toEqual([]);
    const booking = await stage.client({ timeZone: 'Europe/Berlin' }).bookings.create(wanted);
    expect(booking.start_time).toBe('2033-07-01T07:00:00.000Z');
  });
});

test('a misspelt field is refused with the right ones, and nothing is sent', async () => {
  const misspelt = { ...stage.wanted, invitee_emial: 'ada@example.com' };
  const error = (await failureOf(stage.client().bookings.create(misspelt))) as ServiceFailure;
  expect(error).toMatchObject({ kind: 'invalid', fields: [{ field: 'invitee_emial' }] });
  expect(error.message).toContain('invitee_email');
  expect(
    await failureOf(
      stage
        .client()
        .eventTypes.list({ status: 'x' } as never)
        .all(),
    ),
  ).toMatchObject({ kind: 'invalid' });
  expect(stage.sandbox.requests()).toEqual([]);
});

describe('an answer', () => {
  const answerWith = (record: Record<string, unknown>): void =>
    void stage.sandbox.faults.add({ route: 'GET /v1/bookings/:id', kind: 'status', status: 200, body: { data: { id: 'b', ...record } } });

  test('keeps the fields that the service has added', async () => {
    answerWith({ room: { floor: 3 } });
    expect(await stage.client().bookings.get({ booking_id: 'b' })).toMatchObject({ room: { floor: 3 } });
  });

  test('has the types that are declared, whatever came: a text is a text, and what does not fit its type is left out', async () => {
    answerWith({ status: 7, location: { city: 'Rome' }, notes: null, question_responses: 'none', event_type_id: 5 });
    const booking = await stage.client().bookings.get({ booking_id: 'b' });
    expect(booking).toMatchObject({ status: '7', location: '{"city":"Rome"}', notes: null, event_type_id: '5' });
    expect(booking.question_responses).toBeUndefined();
  });
});

describe('a value of another type than the declared one', () => {
  const typeWith = async (field: string, value: unknown): Promise<unknown> => {
    const body = { data: { id: 'evt_1', name: 'Tea', [field]: value } };
    stage.sandbox.faults.add({ route: 'GET /v1/event-types/:id', kind: 'status', status: 200, body });
    const record = await stage.client().eventTypes.get({ event_type_id: 'evt_1' });
    return (record as unknown as Record<string, unknown>)[field];
  };

  test.each([
    ['duration_minutes', '30', 30],
    ['duration_minutes', ' 1.5 ', 1.5],
    ['duration_minutes', 'half an hour', undefined],
    ['duration_minutes', ' ', undefined],
    ['duration_minutes', 'Infinity', undefined],
    ['duration_minutes', true, undefined],
    ['duration_minutes', 0, 0],
    ['active', 'true', true],
    ['active', 1, true],
    ['active', 'false', false],
    ['active', 0, false],
    ['active', 'yes', undefined],
    ['active', false, false],
    ['description', ['a', 1], '["a",1]'],
    ['description', 7, '7'],
  ])('%s: %j becomes %j', async (field, value, expected) => {
    expect(await typeWith(field, value)).toEqual(expected);
  });
});

describe('a list', () => {
  const fill = async (count: number): Promise<void> => {
    const { event_type_id } = stage.wanted;
    const headers = { authorization: `Bearer ${stage.token()}`, 'content-type': 'application/json' };
    for (let made = 0; made < count; made += 1) {
      const start_time = new Date(Date.UTC(2040, 0, 1, 9) + 86_400_000 * made).toISOString();
      const body = JSON.stringify({ event_type_id, start_time, invitee_name: 'A', invitee_email: 'list@example.com' });
      await stage.sandbox.fetch(new Request(`${stage.sandbox.baseUrl}/bookings`, { method: 'POST', headers, body }));
    }
    stage.sandbox.forgetRequests();
  };

  test('is read record by record, page by page or at once, with the same result', async () => {
    await fill(130);
    const list = stage.client().bookings.list({ email: 'list@example.com' });
    const [one, pages]: [string[], string[][]] = [[], []];
    for await (const { id } of list) one.push(id);
    for await (const page of list.pages()) pages.push(page.map(({ id }) => id));
    expect(one).toHaveLength(130);
    expect(pages.map(({ length }) => length)).toEqual([100, 30]);
    expect(pages.flat()).toEqual(one);
    expect((await list.all()).map(({ id }) => id)).toEqual(one);
  });

  test('requests nothing until it is read, and no page that nobody wants', async () => {
    await fill(130);
    const list = stage.client().bookings.list({}, { limit: 120 });
    expect(stage.sandbox.requests()).toEqual([]);
    for await (const { id } of list) if (id !== '') break;
    expect(stage.requestsTo('/v1/bookings')).toHaveLength(1);
    expect(await list.all()).toHaveLength(120);
    expect((await stage.client().bookings.list({ email: 'list@example.com' }).first())?.invitee_email).toBe('list@example.com');
  });

  test.each([0, 1, 100, 101, 200])('of %d records that were found comes in pages of 100', async (count) => {
    const data = Array.from({ length: count }, (_, index) => ({ id: `con_${index}`, email: 'ada@example.com' }));
    stage.sandbox.faults.add({
      route: 'GET /v1/contacts',
      kind: 'status',
      status: 200,
      body: { data, next_cursor: null },
      times: 'always',
    });
    const list = stage.client().contacts.search({ email: 'ada@example.com' });
    const pages: number[] = [];
    for await (const { length } of list.pages()) pages.push(length);
    expect(pages).toEqual({ 0: [], 1: [1], 100: [100], 101: [100, 1], 200: [100, 100] }[count]);
    expect((await list.all()).map(({ id }) => id)).toEqual(data.map(({ id }) => id));
  });

  test('that is empty has no first record', async () => {
    expect(await stage.client().bookings.list({ email: 'nobody@example.com' }).first()).toBeUndefined();
  });
});

describe('an error', () => {
  test('has a kind, and the same sentence as on every platform', async () => {
    const error = await failureOf(stage.client().bookings.get({ booking_id: 'bkg_none' }));
    expect(isServiceError(error) && error.kind === 'notFound' && error.sentence).toMatch(/^The booking "bkg_none" was not found\./);
    expect(await failureOf(stage.client({ auth: 'spent' }).users.current())).toMatchObject({ kind: 'unauthenticated', status: 401 });
    const reader = stage.client({ auth: stage.token({ scopes: ['bookings:read'] }) });
    expect(await failureOf(reader.contacts.list().all())).toMatchObject({ kind: 'scope' });
  });

  test('from another copy of the package is recognised as well, and no other error is', () => {
    const other = Object.assign(new Error('x'), { name: 'ServiceError', kind: 'server', advice: '' });
    expect([isServiceError(other), isServiceError(new Error('x')), isServiceError(undefined)]).toEqual([true, false, false]);
  });

  test('about a base address without https is thrown before anything is sent', () => {
    expect(() => createClient({ auth: 'token', baseUrl: 'http://elsewhere.example/api/v1' })).toThrow('The base address cannot be used');
  });
});

test('a subscription request that is refused for the rate holds no other call', async () => {
  stage.sandbox.faults.add({ route: 'GET /v1/hooks', kind: 'status', status: 429, headers: { 'retry-after': '400' } });
  const client = stage.client();
  expect(await failureOf(client.subscriptions.list().all())).toMatchObject({ kind: 'rateLimited' });
  expect(await client.users.current()).toMatchObject({ email: stage.sandbox.account.email });
});

test('a token may come from a function, which is called for each request', async () => {
  let asked = 0;
  const client = stage.client({ auth: async () => ((asked += 1), stage.token()) });
  await client.users.current();
  await client.users.current();
  expect(asked).toBe(2);
});

test('an authorization of your own is asked for a new token when one is refused, and only then', async () => {
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

test('a redirect is not followed: the token stays where it belongs', async () => {
  stage.sandbox.faults.add({ route: 'GET /v1/me', kind: 'redirect', headers: { location: `${stage.sandbox.origin}/elsewhere` } });
  expect(await failureOf(stage.client().users.current())).toMatchObject({ kind: 'redirected' });
  expect(stage.requestsTo('/elsewhere')).toEqual([]);
});
