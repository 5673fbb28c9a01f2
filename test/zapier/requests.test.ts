import nock from 'nock';
import { createAppTester, type ZObject } from 'zapier-platform-core';
import { brand } from '../../shared/brand.ts';
import { maxBytes } from '../../shared/client/index.ts';
import type { ApiRequest } from '../../shared/client/transport.ts';
import { clock, environment } from '../../zapier/adapter/connection.ts';
import app from '../../zapier/app.ts';
import { stepTime, transportOf } from '../../zapier/adapter/transport.ts';
import { authentication } from '../../zapier/authentication.ts';

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
  [503, { 'retry-after': '20' }, 20],
])('a %i with %j holds the step for %d seconds (G16)', async (status, headers, delay) => {
  const { name, said } = await failure(status, { error: 'Not now' }, headers);
  expect([name, said]).toEqual(['ThrottledError', { message: expect.any(String) as string, delay }]);
});

test.each([
  [{ error: 'No', code: 'E_7' }, 'E_7'],
  [{ error: 'No' }, 'invalid'],
])("an error carries the service's code for it, or the kind of error if there is none", async (body, code) => {
  expect(await failure(422, body)).toEqual({ name: 'AppError', said: { message: expect.any(String) as string, code, status: 422 } });
});

test('a read that failed is tried once more, after up to a second', async () => {
  me().reply(500);
  me().reply(200, { data: { id: 'usr_1', email: 'ada@example.com', name: 'Ada' } });
  jest.spyOn(Math, 'random').mockReturnValue(0.3);
  const sleep = jest.spyOn(clock, 'sleep').mockResolvedValue();
  expect(await check()).toMatchObject({ id: 'usr_1', label: 'Ada (ada@example.com)' });
  expect(sleep.mock.calls).toEqual([[300]]);
});

test('without a BASE_URL the app uses the address of the brand', () => {
  for (const [given, used] of [
    ['', brand.baseUrl],
    ['https://test.example/api/v1', 'https://test.example/api/v1'],
  ] as const) {
    process.env['BASE_URL'] = given;
    expect(environment().baseUrl).toBe(used);
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
    ['\uFEFF{"data":[]}', { data: [] }],
  ] as const) {
    const { z } = step(() => Promise.resolve({ status: 503, headers, data: undefined, content }));
    expect(await transportOf(z, () => 1)(read)).toEqual({ status: 503, headers: { 'retry-after': '7' }, body });
  }
});
