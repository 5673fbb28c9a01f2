import { createClient, isServiceError, type Fetch, type ServiceFailure } from '../../sdk/index.ts';
import { typed } from '../../sdk/client/typed.ts';
import { failureOf, Stage } from './stage.ts';

let stage: Stage;
beforeEach(async () => void (stage = await Stage.open()));
afterEach(() => stage.close());

test('a start may be a Date', async () => {
  const start_time = new Date('2033-03-02T09:00:00Z');
  expect((await stage.client().bookings.create({ ...stage.wanted, start_time })).start_time).toBe('2033-03-02T09:00:00.000Z');
});

test('an id in place of the object that a method takes, and a misspelt field, are refused with what it takes, and nothing is sent', async () => {
  const id = (await failureOf(stage.client().bookings.get('bkg_1' as never))) as ServiceFailure;
  expect(id.sentence).toBe('"bookings.get" takes an object with booking_id: it is "bkg_1". Correct it and run this again.');
  const misspelt = { ...stage.wanted, invitee_emial: 'ada@example.com' };
  const error = (await failureOf(stage.client().bookings.create(misspelt))) as ServiceFailure;
  expect(error).toMatchObject({ kind: 'invalid', fields: [{ field: 'invitee_emial' }] });
  expect(error.message).toContain('invitee_email');
  expect(stage.sandbox.requests()).toEqual([]);
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
    const data = Array.from({ length }, (_, index) => ({ id: `con_${index}`, email: 'ada@example.com' }));
    const body = { data, next_cursor: null };
    stage.sandbox.faults.add({ route: 'GET /v1/contacts', kind: 'status', status: 200, body, times: 'always' });
    const list = stage.client().contacts.search({ email: 'ada@example.com' });
    const pages: number[] = [];
    for await (const page of list.pages()) pages.push(page.length);
    expect(pages).toEqual(expected);
    expect((await list.first())?.id).toBe(data[0]?.id);
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

  test('about a base URL without https is thrown before anything is sent', () => {
    expect(() => createClient({ auth: 'token', baseUrl: 'http://elsewhere.example/api/v1' })).toThrow('The base URL cannot be used');
  });
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

test("requests are sent with the given fetch, or with the runtime's, even if that is replaced later", async () => {
  const given = jest.fn((...request: Parameters<Fetch>) => fetch(...request));
  const [own, other] = [stage.client(), stage.client({ fetch: given })];
  const replaced = jest.spyOn(globalThis, 'fetch');
  await own.users.current();
  expect([replaced.mock.calls.length, given.mock.calls.length]).toEqual([1, 0]);
  await other.users.current();
  expect(given).toHaveBeenCalledTimes(1);
  replaced.mockRestore();
});

describe('a record', () => {
  test('that the service sent has the types that are declared', async () => {
    const data = { id: 'b', status: 7, room: { floor: 3 } };
    stage.sandbox.faults.add({ route: 'GET /v1/bookings/:id', kind: 'status', status: 200, body: { data } });
    expect(await stage.client().bookings.get({ booking_id: 'b' })).toMatchObject({ status: '7', room: { floor: 3 } });
  });

  test('whose fields have their types is returned itself', () => {
    const record = { id: 'evt_1', duration_minutes: 30, active: false, questions: [], location: null, what_we_do_not_know: 5 };
    expect(typed('eventType', record)).toBe(record);
  });

  test.each([
    ['booking', 'id', 12, '12'],
    ['booking', 'notes', { a: 1 }, '{"a":1}'],
    ['booking', 'question_responses', 'none', undefined],
    ['booking', 'answers', 'one', ['one']],
    ['eventType', 'duration_minutes', '30', 30],
    ['eventType', 'duration_minutes', ' ', undefined],
    ['eventType', 'duration_minutes', 'half an hour', undefined],
    ['eventType', 'active', 'true', true],
    ['eventType', 'active', 0, false],
    ['eventType', 'active', 'yes', undefined],
  ] as const)('in a %s, the %s %j becomes %j, and unknown fields stay', (kind, field, sent, right) => {
    const record = { [field]: sent, what_we_do_not_know: 5 };
    expect(typed(kind, record)).toEqual({ [field]: right, what_we_do_not_know: 5 });
    expect(record[field]).toBe(sent);
  });
});
