import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import nock from 'nock';
import { createAppTester, type ZObject } from 'zapier-platform-core';
import { brand } from '../../shared/brand.ts';
import { maxBytes } from '../../shared/client/index.ts';
import type { ApiRequest } from '../../shared/client/ports.ts';
import { clock, environment } from '../../zapier/adapter/connection.ts';
import { dropdown } from '../../zapier/adapter/fields.ts';
import { answerKeys } from '../../zapier/adapter/names.ts';
import { stepTime, transportOf } from '../../zapier/adapter/transport.ts';
import app from '../../zapier/app.ts';
import { authentication } from '../../zapier/authentication.ts';
import { method } from './definition.ts';
import { delivered, errorOf, listOf, oneOf } from '../support/wire.ts';

// The app through Zapier's own tester.
const appTester = createAppTester(app);
const origin = 'https://scheduling.example';
const me = () => nock(origin).get('/api/v1/me');
const check = () => appTester(authentication.test, { authData: { access_token: 'at_1' } } as never);

beforeEach(() => void (process.env['BASE_URL'] = `${origin}/api/v1`));
afterEach(() => {
  Reflect.deleteProperty(process.env, 'BASE_URL');
  jest.restoreAllMocks();
  nock.cleanAll();
});
afterAll(() => nock.restore());

/** Fails with this answer, also when it is asked again. The platform puts an error of the app into its message as JSON. */
async function failure(status: number, body: object, headers: Record<string, string> = {}): Promise<{ name: string; said: unknown }> {
  me().reply(status, body, headers).persist();
  jest.spyOn(clock, 'sleep').mockResolvedValue();
  const { name, message } = await check().then(
    () => fail('It should have failed.'),
    (error: unknown) => error as Error,
  );
  return { name, said: JSON.parse(message) as unknown };
}

test.each([
  [429, { 'retry-after': '7' }, 7],
  // The length of the documented windows.
  [429, {}, 60],
  // By mistake, it is in milliseconds.
  [429, { 'retry-after': '30000' }, 60],
  [429, { 'retry-after': 'Thu, 01 Jan 2099 00:00:00 GMT' }, 60],
  [503, { 'retry-after': '20' }, 20],
  [503, { 'retry-after': '30000' }, 60],
])('a %i with %j holds the step for %d seconds (G16)', async (status, headers, delay) => {
  const { name, said } = await failure(status, { error: 'Too many requests' }, headers);
  expect([name, said]).toEqual(['ThrottledError', { message: expect.any(String) as string, delay }]);
});

test('a limit of bookings a day holds the step for as long as the service says', async () => {
  const { said } = await failure(429, { error: 'Daily limit of bookings reached' }, { 'retry-after': '7200' });
  expect(said).toMatchObject({ delay: 7200 });
});

test('a limit of bookings a day is told at once, and not tried again each minute', async () => {
  const { name, said } = await failure(429, { error: 'Daily limit of bookings reached' });
  expect([name, said]).toMatchObject(['AppError', { message: expect.stringContaining('Daily limit of bookings reached') as string }]);
});

test.each([
  [errorOf('No', 'E_7'), 'E_7'],
  [{ error: 'No' }, 'invalid'],
])("an error carries the service's code for it, or the kind of error if there is none", async (body, code) => {
  expect(await failure(422, body)).toEqual({ name: 'AppError', said: { message: expect.any(String) as string, code, status: 422 } });
});

test('a read that failed is tried once more, after up to a second', async () => {
  me().reply(500);
  me().reply(200, oneOf({ id: 'usr_1', email: 'ada@example.com', name: 'Ada' }));
  jest.spyOn(Math, 'random').mockReturnValue(0.3);
  const sleep = jest.spyOn(clock, 'sleep').mockResolvedValue();
  expect(await check()).toMatchObject({ id: 'usr_1', label: 'Ada (ada@example.com)' });
  expect(sleep.mock.calls).toEqual([[300]]);
});

test('without a BASE_URL the app uses the address of the brand', () => {
  for (const [given, used] of [
    ['', brand.baseUrl],
    [' "" ', brand.baseUrl],
    ['https://test.example/api/v1', 'https://test.example/api/v1'],
    ["'https://test.example'\n", 'https://test.example/api/v1'],
  ] as const) {
    process.env['BASE_URL'] = given;
    expect(environment().baseUrl).toBe(used);
  }
});

test('an id and a secret that were copied with a line end or quotes lose them', () => {
  const before = { CLIENT_ID: process.env['CLIENT_ID'], CLIENT_SECRET: process.env['CLIENT_SECRET'] };
  Object.assign(process.env, { CLIENT_ID: 'id\r\n', CLIENT_SECRET: '\u201csecret\u201d' });
  expect(environment()).toMatchObject({ clientId: 'id', clientSecret: 'secret' });
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
});

test('a BASE_URL that is no HTTPS address is said to be wrong, and no secret is sent to it', async () => {
  process.env['BASE_URL'] = 'http://scheduling.example/api/v1';
  const inputData = { code: 'c', redirect_uri: 'http://localhost:9000' };
  for (const work of [check(), appTester(authentication.oauth2Config.getAccessToken, { inputData } as never)])
    await expect(work).rejects.toThrow(/base URL.*https:\/\//);
});

const address = 'https://scheduling.example/api/v1/bookings';
const read: ApiRequest = { method: 'GET', url: address, headers: {} };
const booking: ApiRequest = { method: 'POST', url: address, headers: {}, body: { notes: 'x' } };

/** A step of a Zap whose requests are noted, and answered or failed. */
function step(answer: () => Promise<unknown> = () => Promise.resolve({ status: 200, headers: new Headers(), content: '' })) {
  const asked: Record<string, unknown>[] = [];
  const request = (options: Record<string, unknown>): Promise<unknown> => {
    asked.push(options);
    return answer();
  };
  return { z: { request } as unknown as ZObject, asked };
}

/** How node-fetch, which carries out the platform's requests, fails. */
const failed = (name: string, more: object) => Object.assign(new Error('request failed'), { name, ...more });

test('the requests of a step share its 30 seconds: a write may take half, and after the last moment nothing is sent, as is known', async () => {
  let now = 5_000_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const { z, asked } = step();
  const transport = transportOf(z, stepTime());
  for (const afterMs of [0, 20_000, 7_999]) {
    now += afterMs;
    for (const request of [read, booking]) await transport(request);
  }
  now += 1;
  await expect(transport(booking)).rejects.toMatchObject({ name: 'NetworkFault', code: 'ETIMEDOUT', sent: false });
  expect(asked.map(({ timeout }) => timeout)).toEqual([28_000, 14_000, 8_000, 8_000, 1, 1]);
});

test.each([
  ['no answer in time', { type: 'request-timeout' }, 'ETIMEDOUT'],
  ['an answer that does not end in time', { type: 'body-timeout' }, 'ETIMEDOUT'],
  ['an answer that is too large', { type: 'max-size' }, 'EMSGSIZE'],
  ['a failure that nobody knows', {}, 'request failed'],
])('%s may have reached the service', async (_, error, code) => {
  const { z } = step(() => Promise.reject(failed('FetchError', error)));
  await expect(transportOf(z, () => 1)(booking)).rejects.toMatchObject({ name: 'NetworkFault', code, sent: true });
});

test.each([failed('RefreshAuthError', { type: 'request-timeout' }), failed('ThrottledError', {})])(
  "the platform's own signal reaches it unchanged: %p",
  async (signal) => {
    const { z } = step(() => Promise.reject(signal));
    await expect(transportOf(z, () => 1)(read)).rejects.toBe(signal);
  },
);

test('a request is sent as it is: with its query, its body as JSON, and no redirect followed', async () => {
  const { z, asked } = step();
  await transportOf(z, () => 1)({ ...read, query: { email: 'a+b@example.com' } });
  await transportOf(z, () => 1)(booking);
  expect(asked[0]).toMatchObject({ method: 'GET', url: `${address}?email=a%2Bb%40example.com`, redirect: 'manual', size: maxBytes });
  expect(asked[0]).not.toHaveProperty('body');
  expect(asked[1]).toMatchObject({ method: 'POST', url: address, body: '{"notes":"x"}' });
});

test('an answer is read as JSON, also after a byte order mark, or else as text, with the names of its headers in lower case', async () => {
  const headers = { forEach: (each: (value: string, name: string) => void) => each('7', 'Retry-After') };
  for (const [content, body] of [
    ['<html>', '<html>'],
    ['\uFEFF{"a":[]}', { a: [] }],
  ] as const) {
    const { z } = step(() => Promise.resolve({ status: 503, headers, data: undefined, content }));
    expect(await transportOf(z, () => 1)(read)).toEqual({ status: 503, headers: { 'retry-after': '7' }, body });
  }
});

describe('a dropdown', () => {
  const shown = (name: 'contacts' | 'bookings', token?: string | null) =>
    appTester(dropdown(name).perform, { meta: { paging_token: token } } as never) as Promise<{ results: object[]; paging_token: unknown }>;
  const service = () => nock(origin).get('/api/v1/contacts');

  // Zapier's value for the first page: nothing in the editor, null if its own tool asks on a terminal.
  test.each([undefined, null])(
    'requests the first page without a cursor if the token is %s, and the next one with its own',
    async (none) => {
      service()
        .query(({ cursor }) => cursor === undefined)
        .reply(200, listOf([{ id: 'con_1', name: 'Ana', email: 'ana@example.com' }], 'c2'));
      service()
        .query(({ cursor }) => cursor === 'c2')
        .reply(200, listOf([{ id: 'con_2', name: 'Bo', email: 'bo@example.com' }]));
      const first = await shown('contacts', none);
      expect(first.results).toEqual([{ id: 'con_1', label: 'Ana, ana@example.com' }]);
      expect(await shown('contacts', String(first.paging_token))).toEqual({
        results: [{ id: 'con_2', label: 'Bo, bo@example.com' }],
        paging_token: null,
      });
    },
  );

  test('says where it stopped looking, in an entry that selects nothing', async () => {
    let ids = 0;
    const past = { status: 'CONFIRMED', start_time: '2020-01-02T08:00:00Z', invitee_email: 'ada@example.com' };
    const page = () => Array.from({ length: 100 }, () => ({ id: `bkg_${(ids += 1)}`, ...past }));
    nock(origin)
      .persist()
      .get('/api/v1/bookings')
      .query(true)
      .reply(200, () => listOf(page(), `after ${ids}`));
    expect((await shown('bookings')).results).toEqual([
      { id: '', label: expect.stringMatching(/^Not all are listed: only [\d,]+ bookings/) as string },
    ]);
  });
});

test('a contact that is found among a part of those that may have its email says so in its first field; none is not told', async () => {
  let ids = 0;
  const page = () =>
    Array.from({ length: 100 }, () => ({ id: `con_${(ids += 1)}`, email: ids === 7 ? 'ada@example.com' : 'x@example.com' }));
  nock(origin)
    .persist()
    .get('/api/v1/contacts')
    .query(true)
    .reply(200, () => listOf(page(), `after ${ids}`));
  const search = method('searches.find_contact.operation.perform');
  const found = (email: string) => appTester(search, { inputData: { email }, meta: {} } as never);
  const { results } = (await found('ada@example.com')) as { results: Record<string, unknown>[] };
  expect(results.map((each) => Object.entries(each)[0])).toEqual([
    ['search_note', 'Only the first 1,000 contacts were searched, so there may be others that fit. Use the ID.'],
  ]);
  await expect(found('nobody@example.com')).rejects.toThrow('has more than 1,000 contacts that may have this email');
});

describe('the keys of the fields for questions', () => {
  const { encode, decoded } = answerKeys('answers');

  test('any key of a question comes back from its field unchanged, and no field looks like a path', () => {
    // The library's own unit for all of Unicode takes a second to build.
    const unit = fc.integer({ min: 0, max: 0x10_ff_ff }).map((code) => String.fromCodePoint(code));
    const key = fc.oneof(fc.string({ minLength: 1, unit }), fc.stringMatching(/^[a-f0-9_.-]{1,12}$/));
    const form = { answers: { a: 1 }, start: 'now' };
    const comesBack = (each: string): void => {
      expect(encode(each)).toMatch(/^(?!.*__)answers_[A-Za-z0-9_-]+$/);
      expect(Object.keys(decoded({ ...form, [encode(each)]: 1 }))).toEqual([each]);
    };
    for (const each of ['a.b', 'a_b', 'a__b', 'a b', '_a', '__a', 'a-2e-b', 'ä', '🙂', '-', '_']) comesBack(each);
    fc.assert(fc.property(key, comesBack));
  });
});

describe('a delivery to a trigger', () => {
  afterAll(() => Reflect.deleteProperty(process.env, 'LOG_TO_STDOUT'));

  /** A header of the service under the name that Zapier gives it. */
  const header = (name: string) => `Http-${brand.headerPrefix}-${name}`;

  /** The headers of a genuine delivery. Computed here and not by the core, as an independent check. */
  const signed = (body: string, key: string): Record<string, string> => ({
    [header('Signature')]: `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
    [header('Event')]: 'BOOKING_CREATED',
  });

  const secret = 'whsec_of-this-zap';
  const content = JSON.stringify(delivered('BOOKING_CREATED', { id: 'bkg_1', event_type_id: '42' }));
  const genuine = signed(content, secret);

  const trigger = method('triggers.booking_created.operation.perform');

  /** One trigger's `perform` as Zapier calls it, with an empty store, and what it logs. */
  async function perform(bundle: object) {
    process.env['LOG_TO_STDOUT'] = 'yes';
    const printed = jest.spyOn(console, 'log').mockReset().mockImplementation();
    const given = { inputData: {}, subscribeData: { id: 'sub_1', signing_secret: secret }, ...bundle };
    const items = (await appTester(trigger, given as never, true)) as Record<string, unknown>[];
    // The platform prints each line, and while it is tested prints it a second time.
    return { items, log: [...new Set(printed.mock.calls.map(([line]) => String(line).trim()))] };
  }
  const received = (headers: object, more: object = {}) => perform({ rawRequest: { content, headers }, ...more });
  const renamed = (rename: (name: string) => string) =>
    Object.fromEntries(Object.entries(genuine).map(([name, value]) => [rename(name), value]));

  describe('whatever comes in, a trigger ends in items and never in an error, which would switch the Zap off', () => {
    it.each<[string, unknown]>([
      ['the request is null', null],
      ['the body is an object', { content: { event: 'BOOKING_CREATED' }, headers: genuine }],
      ['a header is an object', { content, headers: { ...genuine, [header('Signature')]: { toString: 1 } } }],
      ['the signature is forged', { content, headers: signed(content, 'guessed') }],
    ])('%s: no item, and one log line without the body', async (_, rawRequest) => {
      const { items, log } = await perform({ rawRequest });
      expect(items).toEqual([]);
      expect(log).toEqual([expect.stringMatching(/^Not passed on\. (?!.*bkg_1)/)]);
    });

    it("there is no delivery, as when Zapier's command line tool calls it: no item, and nothing to log", async () => {
      expect(await perform({})).toEqual({ items: [], log: [] });
    });

    it("a stranger's header hides no genuine delivery", async () => {
      expect((await received({ ...genuine, 'Http-constructor': 'x', 'Http-__proto__': 'y' })).items).toHaveLength(1);
    });

    it.each([null, 'sub_1', { id: 5, signing_secret: {} }])(
      'what Zapier kept of the subscription is %p: no item, and a line that says what to do',
      async (subscribeData) => {
        const { items, log } = await received(genuine, { subscribeData });
        expect(items).toEqual([]);
        expect(log).toEqual([expect.stringContaining('off and on again')]);
      },
    );

    it('anything at all', async () => {
      await fc.assert(
        fc.asyncProperty(fc.anything(), fc.anything(), async (body, headers) => {
          for (const rawRequest of [body, { content: body, headers }, { content, headers }])
            expect((await perform({ rawRequest })).items).toEqual([]);
        }),
        // The platform ends a large process after 250 calls.
        { numRuns: 25 },
      );
    });
  });

  it.each<[string, (name: string) => string]>([
    ['without the prefix that Zapier puts before it', (name) => name.replace(/^Http-/, '')],
    ['in lower case', (name) => name.toLowerCase()],
  ])('the signature is found %s', async (_, rename) => {
    expect((await received(renamed(rename))).items).toHaveLength(1);
  });

  it.each<[string, object, number]>([
    ['has an empty line beside the id', { inputData: { event_type_ids: ['', '42'] } }, 1],
    ['is another id', { inputData: { event_type_ids: ['7'] } }, 0],
    ['is empty', { inputData: { event_type_ids: [] }, inputDataRaw: {} }, 1],
    ['is filled in, and came out empty', { inputData: {}, inputDataRaw: { event_type_ids: ['{{bundle.inputData.type}}'] } }, 0],
  ])('the filter by event type %s', async (_, form, items) => {
    expect((await received(genuine, form)).items).toHaveLength(items);
  });
});
