import { createClient, type Call } from '../../shared/client/client.ts';
import { fetchClient, type Fetch } from '../../shared/client/httpClient.ts';
import { pathSegment } from '../../shared/client/path.ts';
import { backgroundPolicy } from '../../shared/client/retry.ts';
import { NetworkFault, type ApiRequest, type ApiResponse } from '../../shared/client/transport.ts';
import { refusal, refusalOf } from '../support/refusal.ts';
import { testStart } from '../support/service.ts';

/** A client of a service that answers as written, and what it was asked. */
function answered(answers: readonly (Partial<ApiResponse> | Error)[], leftMs?: number) {
  const asked: ApiRequest[] = [];
  let slept = 0;
  const client = createClient({
    baseUrl: 'https://example.com/api/v1',
    retryPolicy: { ...backgroundPolicy, ...(leftMs !== undefined && { leftMs: () => leftMs - slept }) },
    clock: { now: () => testStart + slept, sleep: async (milliseconds) => void (slept += milliseconds), random: () => 0.5 },
    transport: (request) => {
      const answer = answers[asked.push(request) - 1] ?? answers.at(-1) ?? {};
      if (answer instanceof Error) return Promise.reject(answer);
      return Promise.resolve({ status: 200, headers: {}, body: {}, ...answer });
    },
  });
  return { client, asked, slept: () => slept };
}

const write: Call = {
  method: 'POST',
  path: ['bookings', { id: 'bkg 1' }, 'cancel'],
  scope: 'bookings:write',
  resourceName: 'booking',
  body: { a: 1 },
};
const read: Call = {
  method: 'GET',
  path: ['bookings'],
  scope: 'bookings:read',
  resourceName: 'bookings',
  query: { email: 'a', status: undefined },
};
const lost = new NetworkFault('ECONNRESET', true);
const tooLong = new NetworkFault('EMSGSIZE', true);
const unsent = new NetworkFault('ECONNREFUSED', false);

it('a call becomes a request with its own parts only', async () => {
  const { client, asked } = answered([{ body: { id: 'a' } }]);
  await client.read(read);
  await client.write(write);
  expect(asked).toStrictEqual([
    { method: 'GET', url: 'https://example.com/api/v1/bookings', headers: { accept: 'application/json' }, query: { email: 'a' } },
    {
      method: 'POST',
      url: 'https://example.com/api/v1/bookings/bkg%201/cancel',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: { a: 1 },
    },
  ]);
});

it.each<[string, Partial<ApiResponse> | Error, object]>([
  ['with a record is done', { status: 201, body: { id: 'a' } }, { state: 'succeeded' }],
  ['of 299 is done', { status: 299, body: '' }, { state: 'succeeded' }],
  ['in plain text is done', { status: 200, body: 'Created' }, { state: 'succeeded' }],
  ['with a web page is unknown', { status: 200, body: '<html>' }, { state: 'unknown', isServiceError: false }],
  ['that was cut off is unknown', { status: 200, body: '{"data": {' }, { state: 'unknown', isServiceError: false }],
  ["of 500 in the service's form is unknown", { status: 500, body: { error: 'No' } }, { state: 'unknown', isServiceError: true }],
  ["of 500 in the service's words is unknown", { status: 500, body: 'The calendar is off' }, { state: 'unknown', isServiceError: true }],
  ['of 503 in a list of words is unknown', { status: 503, body: ['No'] }, { state: 'unknown', isServiceError: true }],
  ['of 500 that only names its status is unknown', { status: 500, body: 'Internal Server Error' }, { isServiceError: false }],
  ['of 503 in words without latin letters is unknown', { status: 503, body: '休業中' }, { state: 'unknown', isServiceError: true }],
  ['of 500 that only has a number is unknown', { status: 500, body: 'error code: 1020' }, { isServiceError: false }],
  ['of 503 by a gateway is unknown', { status: 503, body: 'upstream connect error or disconnect' }, { isServiceError: false }],
  ['of 504 in words is unknown', { status: 504, body: 'The calendar is off' }, { isServiceError: false }],
  ['of 502 with a page is unknown', { status: 502, body: '<html>' }, { state: 'unknown', isServiceError: false }],
  ['of 408 is unknown', { status: 408 }, { state: 'unknown' }],
  ['of 302 is unknown: some servers act first', { status: 302 }, { state: 'unknown', error: { kind: 'redirected' } }],
  ['of 199 is rejected', { status: 199, body: { id: 'a' } }, { state: 'rejected', error: { kind: 'invalid' } }],
  ['of 400 is rejected', { status: 400 }, { state: 'rejected', error: { kind: 'invalid' } }],
  ['that was lost is unknown', lost, { state: 'unknown', error: { kind: 'unreachable' } }],
  ['that never ends is unknown', tooLong, { state: 'unknown', error: { kind: 'unreadable' } }],
  ['to a request that never left is rejected', unsent, { state: 'rejected', error: { kind: 'unreachable' } }],
])('to a write, an answer %s', async (_, answer, end) => {
  const { client, asked } = answered([answer]);
  expect(await client.write(write)).toMatchObject(end);
  expect(asked).toHaveLength(answer === unsent ? 3 : 1);
});

it.each<[Partial<ApiResponse> | Error, string, number]>([
  [{ status: 500 }, 'server', 3],
  [{ status: 408 }, 'invalid', 3],
  [lost, 'unreachable', 3],
  [tooLong, 'unreadable', 1],
  [{ status: 303 }, 'redirected', 1],
  [{ status: 404 }, 'notFound', 1],
])('a read that is answered by %p ends as "%s" after %i tries', async (answer, kind, tries) => {
  const { client, asked } = answered([answer]);
  expect((await refusal(client.read(read))).kind).toBe(kind);
  expect(asked).toHaveLength(tries);
});

it('no wait begins that is longer than the host has left', async () => {
  const busy = { status: 429, headers: { 'retry-after': '10' } };
  const { client, asked, slept } = answered([busy, { body: { id: 'a' } }], 10_500);
  expect((await refusal(client.read(read))).kind).toBe('rateLimited');
  expect([asked.length, slept()]).toEqual([1, 0]);
  const patientOne = answered([busy, { body: { id: 'a' } }], 10_501);
  expect(await patientOne.client.read(read)).toMatchObject({ body: { id: 'a' } });
  expect(patientOne.slept()).toBe(10_500);
});

it("knows the service's time by the date of its last answer", async () => {
  const { client } = answered([{}, { headers: { date: new Date(testStart + 60_000).toUTCString() } }, { headers: { date: 'today' } }]);
  expect(client.serviceNow()).toBeUndefined();
  await client.read(read);
  expect(client.serviceNow()).toBeUndefined();
  await client.read(read);
  expect(client.serviceNow()).toBe(testStart + 60_000);
  await client.read(read);
  expect(client.serviceNow()).toBe(testStart + 60_000);
});

describe('an id in an address', () => {
  it.each([
    ['bkg_1', 'bkg_1'],
    ['a b?c#d', 'a%20b%3Fc%23d'],
    ['...', '...'],
    ['x'.repeat(512), 'x'.repeat(512)],
  ])('%s is encoded', (given, segment) => {
    expect(pathSegment(given, 'booking')).toBe(segment);
  });

  it.each(['.', '..', 'a/b', 'a\\b', 'a\u0000', '\ud800', 'x'.repeat(513)])('%j is refused, and shown shortened', async (given) => {
    const why = `"${given.slice(0, 60)}" cannot be an id.`;
    expect(await refusalOf(() => pathSegment(given, 'booking'))).toMatchObject({
      kind: 'invalid',
      sentence: `The id of the booking cannot be used. ${why} Enter the id alone, without an address around it.`,
      fields: [{ field: 'id', message: why }],
    });
  });

  it('that is empty is asked for', async () => {
    expect((await refusalOf(() => pathSegment('', 'booking'))).sentence).toBe(
      'The id of the booking cannot be used. It is empty. Choose the booking from the list, or enter its id.',
    );
  });
});

describe('over plain fetch', () => {
  const over = (answer: Response | Error) => {
    const inits: RequestInit[] = [];
    const fetch: Fetch = (_, init) => {
      inits.push(init);
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    };
    const ask = (body?: string) =>
      fetchClient(fetch)('https://example.com', { method: 'POST', headers: { a: 'b' }, body }, new AbortController().signal);
    return { ask, inits };
  };

  it('sends a body only if there is one, and follows no redirect', async () => {
    const bare = over(new Response(null, { status: 204 }));
    expect(await bare.ask()).toMatchObject({ status: 204, body: '' });
    expect(bare.inits[0]).not.toHaveProperty('body');
    const full = over(new Response('{"a":1}', { headers: { 'X-A': 'b' } }));
    expect(await full.ask('{}')).toMatchObject({ status: 200, headers: { 'x-a': 'b' }, body: { a: 1 } });
    expect(full.inits[0]).toMatchObject({ method: 'POST', headers: { a: 'b' }, redirect: 'manual', body: '{}' });
  });

  it('reads a letter whose bytes come in two pieces, and what is no JSON as text', async () => {
    const bytes = new TextEncoder().encode('ü');
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    expect((await over(new Response(pieces)).ask()).body).toBe('ü');
  });

  it.each([
    [{ name: 'TimeoutError' }, 'ETIMEDOUT'],
    [{ name: 'AbortError' }, 'ETIMEDOUT'],
    [{ code: 'ECONNRESET' }, 'ECONNRESET'],
  ])('takes an error with %j for a request that may have been carried out', async (error, code) => {
    await expect(over(Object.assign(new Error('It failed.'), error)).ask()).rejects.toMatchObject({ code, sent: true });
  });

  it('counts an error that it does not know as a lost answer', async () => {
    await expect(over(new Error('something new')).ask()).rejects.toMatchObject({ name: 'NetworkFault', code: 'something new', sent: true });
  });
});
