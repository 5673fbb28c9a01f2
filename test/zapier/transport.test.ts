import type { ZObject } from 'zapier-platform-core';
import { maxBytes } from '../../shared/client/index.ts';
import { NetworkFault, type ApiRequest } from '../../shared/client/transport.ts';
import { stepTime, transportOf } from '../../zapier/adapter/transport.ts';

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

describe("a step's 30 seconds", () => {
  let now = 0;
  beforeEach(() => {
    now = 5_000_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  /** How long each request may take, in a step that has been running for this long. Milliseconds. */
  async function limits(afterMs: number): Promise<unknown[]> {
    const { z, asked } = step();
    const transport = transportOf(z, stepTime());
    now += afterMs;
    for (const request of [read, booking]) await transport(request);
    return asked.map(({ timeout }) => timeout);
  }

  test.each([
    ['at its beginning a request may use nearly all of it, and a write so little that it can be looked for', 0, [28_000, 14_000]],
    ['later a request may use what is left', 20_000, [8_000, 8_000]],
    ['up to the last moment', 27_999, [1, 1]],
  ])('%s', async (_, afterMs, expected) => {
    expect(await limits(afterMs)).toEqual(expected);
  });

  test('after that nothing more is sent, and it is known that it was not', async () => {
    const { z, asked } = step();
    const transport = transportOf(z, stepTime());
    now += 28_000;
    await expect(transport(booking)).rejects.toMatchObject({ name: 'NetworkFault', code: 'ETIMEDOUT', sent: false });
    expect(asked).toEqual([]);
  });
});

test.each([
  ['no answer in time', failed('FetchError', { type: 'request-timeout' }), 'ETIMEDOUT'],
  ['an answer that does not end in time', failed('FetchError', { type: 'body-timeout' }), 'ETIMEDOUT'],
  ['an answer that is too large', failed('FetchError', { type: 'max-size' }), 'EMSGSIZE'],
  ['a failure that nobody knows', failed('Error', {}), 'request failed'],
  ['a connection that broke', failed('FetchError', { type: 'system', code: 'EPIPE' }), 'EPIPE'],
])('%s may have reached the service', async (_, error, code) => {
  const { z } = step(() => Promise.reject(error));
  const fault: unknown = await transportOf(z, () => 1)(booking).catch((reason: unknown) => reason);
  expect(fault).toBeInstanceOf(NetworkFault);
  expect(fault).toMatchObject({ code, sent: true });
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
