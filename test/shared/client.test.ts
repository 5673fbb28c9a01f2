import { brand } from '../../shared/brand.ts';
import { createClient } from '../../shared/client/client.ts';
import { accountLimiter } from '../../shared/client/limiter.ts';
import { backgroundPolicy } from '../../shared/client/retry.ts';
import type { ServiceError } from '../../shared/client/errors.ts';
import { VirtualTime } from '../../tools/rigs/simulation/virtualTime.ts';
import { NetworkFault, networkFault, type Clock } from '../../shared/client/transport.ts';
import { cancelBooking, createBooking, getCurrentUser } from '../../shared/operations/index.ts';
import { notRenewed, unreachableRenewal } from '../../shared/oauth/tokenRefresher.ts';
import { startReceiver } from '../support/receiver.ts';
import { refusal } from '../support/refusal.ts';
import { clockOf, fetchTransport, serve, testStart, type TestService } from '../support/service.ts';

let service: TestService;
const begin = async (options: Parameters<typeof serve>[0] = {}) => (service = await serve(options));
afterEach(() => service.sandbox.stop());

const me = () => getCurrentUser.run(service.client, {}, {});
const calls = (path: string) => service.sandbox.requests().filter((request) => request.path === path);

it.each(['drop-before', 'drop-after', 'reset-before', 'reset-mid-body', 'truncate'] as const)(
  'reads again after %s, which does no harm',
  async (kind) => {
    await begin();
    service.sandbox.faults.add({ route: 'GET /v1/me', kind, times: 2 });
    expect(await me()).toMatchObject({ email: service.sandbox.account.email });
    expect(calls('/v1/me')).toHaveLength(3);
  },
);

it.each([500, 502, 503, 504])('reads again after a %s, and gives up with a sentence if it persists', async (status) => {
  await begin();
  service.sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status, times: 2 });
  await me();
  service.sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status, times: 'always' });
  const error = await refusal(me());
  expect(error).toMatchObject({ kind: 'server', status });
  expect(error.message).toContain(`status ${status}`);
});

it.each([400, 401, 403, 404, 409, 422])('asks once if the answer is a %s', async (status) => {
  await begin();
  service.sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status, times: 'always', headers: { 'retry-after': '1' } });
  await refusal(me());
  expect(calls('/v1/me')).toHaveLength(1);
});

it('waits for as long as a 429 asks, and no longer than the platform has patience', async () => {
  await begin();
  service.sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status: 429, headers: { 'retry-after': '20' }, times: 2 });
  await me();
  expect(service.sandbox.clock.now() - testStart).toBeGreaterThanOrEqual(40_000);
  expect(service.sandbox.clock.now() - testStart).toBeLessThan(45_000);
  service.sandbox.faults.add({ route: 'GET /v1/me', kind: 'status', status: 429, headers: { 'retry-after': '3000' } });
  expect(await refusal(me())).toMatchObject({ kind: 'rateLimited', retryAfterSeconds: 3000 });
});

it('backs off by itself if a 429 names no time, and gets through within the minute of the window', async () => {
  await begin({ forms: { rateLimit: 'none' }, limits: { api: 1 } });
  await me();
  await me();
  expect(service.sandbox.clock.now() - testStart).toBeLessThan(130_000);
});

it('names the host that it could not reach', async () => {
  await begin();
  const closed = await startReceiver();
  await closed.close();
  const { host } = new URL(closed.url);
  const client = createClient({
    baseUrl: `http://${host}/api/v1`,
    transport: fetchTransport('token'),
    clock: clockOf(service.sandbox),
    retryPolicy: backgroundPolicy,
  });
  const error = await refusal(getCurrentUser.run(client, {}, {}));
  expect(error.kind).toBe('unreachable');
  expect(error.message).toContain(`could not be reached at ${host} (ECONNREFUSED)`);
});

it('says at once that the base address is wrong if a page answers', async () => {
  await begin();
  service.sandbox.faults.add({
    route: 'GET /v1/me',
    kind: 'status',
    status: 200,
    body: '<!doctype html><title>Home</title>',
    times: 'always',
  });
  const error = await refusal(me());
  expect(error.sentence).toContain('answered with a web page');
  expect(error.advice).toContain('Check the base address');
  expect(calls('/v1/me')).toHaveLength(1);
});

it('sends a create that never left the machine again, because it cannot have been carried out', async () => {
  await begin();
  let tries = 0;
  const client = service.clientWith({
    transport: (inner) => (request) => ((tries += 1) < 3 ? Promise.reject(new NetworkFault('ECONNREFUSED', false)) : inner(request)),
  });
  await createBooking.run(
    client,
    {
      event_type_id: service.sandbox.eventTypes()[0]?.id ?? '',
      start_time: '2030-01-09T09:00:00Z',
      invitee_name: 'Ada',
      invitee_email: 'ada@example.com',
    },
    {},
  );
  expect(calls('/v1/bookings')).toHaveLength(1);
});

it.each(['drop-before', 'drop-after', 'reset-mid-body'] as const)(
  'a cancellation whose answer was lost by %s is looked up, and ends as cancelled once',
  async (kind) => {
    await begin();
    const id = service.sandbox.bookings().find(({ status }) => status === 'CONFIRMED')?.id ?? '';
    service.sandbox.faults.add({ route: 'POST /v1/bookings/:id/cancel', kind });
    expect(await cancelBooking.run(service.client, { booking_id: id, reason: 'a test' }, {})).toMatchObject({
      id,
      status: 'CANCELLED',
      already_cancelled: false,
    });
    expect(service.sandbox.deliveries().filter(({ event }) => event === 'BOOKING_CANCELLED').length).toBeLessThanOrEqual(1);
  },
);

it('passes on what the platform itself throws, unchanged', async () => {
  await begin();
  const signal = new Error('refresh the token');
  const client = service.clientWith({ transport: () => () => Promise.reject(signal) });
  await expect(getCurrentUser.run(client, {}, {})).rejects.toBe(signal);
});

it.each([
  ['ECONNREFUSED', false],
  ['ENOTFOUND', false],
  ['UND_ERR_CONNECT_TIMEOUT', false],
  ['ECONNRESET', true],
  ['ETIMEDOUT', true],
  ['HPE_INVALID_CONSTANT', true],
  ['EHOSTUNREACH', true],
  ['EPROTO', true],
  ['ENETDOWN', true],
  ['ENOTCONN', true],
  ['ERR_STREAM_DESTROYED', true],
  ['ERR_SSL_BAD_RECORD_TYPE', true],
  ['UND_ERR_DESTROYED', true],
])('knows that a request which ended in %s may have been sent: %p', async (code, sent) => {
  await begin();
  expect(networkFault(Object.assign(new Error('x'), { cause: Object.assign(new Error('y'), { code }) }))).toMatchObject({ code, sent });
});

it("names a connection that broke in Node.js's words", () => {
  expect(networkFault({ cause: { code: 'UND_ERR_SOCKET' } })).toMatchObject({ code: 'ECONNRESET', sent: true });
});

it.each(['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])('knows that %s while connecting was never sent', async (code) => {
  await begin();
  expect(
    networkFault(Object.assign(new Error('x'), { code, cause: Object.assign(new Error('y'), { code, syscall: 'connect' }) })),
  ).toMatchObject({ code, sent: false });
});

it.each<[unknown, string]>([
  [Object.assign(new Error('read EIO'), { code: 'EIO', syscall: 'read' }), 'EIO'],
  [new Error('socket closed'), 'socket closed'],
  [new TypeError('fetch failed', { cause: new Error('something new') }), 'fetch failed'],
  [Object.assign(new Error('Proxy answered'), { code: 502 }), 'Proxy answered'],
  [Object.assign(new Error('x'), { code: 'ERR_ASSERTION' }), 'ERR_ASSERTION'],
  ['text', 'text'],
  [undefined, 'undefined'],
])('counts a request as sent if no table knows the error %p', (error, code) => {
  expect(networkFault(error)).toMatchObject({ code, sent: true });
});

it.each(['ERR_INVALID_URL', 'ERR_INVALID_CHAR', 'ERR_UNESCAPED_CHARACTERS', 'UND_ERR_INVALID_ARG'])(
  'leaves a request that could not be formed (%s) as it is: the mistake is in the program',
  (code) => {
    expect(networkFault(Object.assign(new TypeError('x'), { code }))).toBeUndefined();
  },
);

it('a failed refresh is certain: the write was not carried out, and is not sent again', async () => {
  await begin();
  let sent = 0;
  const failed = notRenewed(unreachableRenewal('ECONNRESET'));
  const client = service.clientWith({
    transport: () => async () => {
      sent += 1;
      if (sent === 1) throw new NetworkFault('ECONNRESET', true);
      throw failed;
    },
  });
  const write = () => client.write({ method: 'POST', path: ['bookings'], scope: 'bookings:write', resourceName: 'booking' });
  expect(await write()).toMatchObject({ state: 'unknown' });
  expect(await write()).toEqual({ state: 'rejected', error: failed });
  expect(sent).toBe(2);
});

describe('the limiter', () => {
  const virtual = (): Clock => {
    let now = 0;
    return { now: () => now, sleep: async (milliseconds) => void (now += milliseconds), random: () => 0.5 };
  };

  it('lets a burst through at once and keeps every window under the limit', async () => {
    await begin();
    const clock = virtual();
    const limiter = accountLimiter({ requests: 10, windowMs: 1000 }).for('person');
    const times: number[] = [];
    for (let request = 0; request < 35; request += 1) {
      await limiter.pass(clock);
      times.push(clock.now());
    }
    expect(times.slice(0, 10)).toEqual(Array(10).fill(0));
    for (const time of times) expect(times.filter((other) => other > time - 1000 && other <= time).length).toBeLessThanOrEqual(10);
    expect(clock.now()).toBeLessThan(4000);
  });

  /** How many requests, twelve at a time, were done or refused, and how many were sent. Each takes 100 ms. */
  async function many(count: number, answer: (sent: number) => { status: number; headers?: Record<string, string> }) {
    const time = new VirtualTime(1);
    const begun = time.now();
    let sent = 0;
    const client = createClient({
      baseUrl: 'https://service.invalid/api/v1',
      clock: time,
      retryPolicy: backgroundPolicy,
      limiter: accountLimiter().for('bulk'),
      transport: async () => {
        sent += 1;
        const { status, headers = {} } = answer(sent);
        await time.sleep(100);
        return { status, headers, body: status === 200 ? { data: { id: '1', email: 'ada@example.com' } } : undefined };
      },
    });
    const errors: ServiceError[] = [];
    let [left, firstAfter] = [count, Infinity];
    const worker = async () => {
      while (left > 0) {
        left -= 1;
        try {
          await getCurrentUser.run(client, {}, {});
        } catch (error) {
          firstAfter = Math.min(firstAfter, time.now() - begun);
          errors.push(error as ServiceError);
        }
      }
    };
    await time.during(Promise.all(Array.from({ length: 12 }, worker)));
    return { sent, errors, firstAfter, endedAfter: time.now() - begun };
  }
  const refused = (seconds: number) => ({ status: 429, headers: { 'retry-after': String(seconds) } });

  it('stops a run of 500 after its first requests if the service asks it to wait an hour, and each item says so', async () => {
    await begin();
    const { sent, errors, endedAfter } = await many(500, () => refused(3600));
    expect(sent).toBeLessThanOrEqual(12);
    expect(errors).toHaveLength(500);
    expect(new Set(errors.map(({ kind }) => kind))).toEqual(new Set(['rateLimited']));
    expect(errors.at(-1)?.advice).toBe('Try again in 60 minutes; the limit is 1000 requests a minute.');
    expect(endedAfter).toBeLessThan(1000);
  });

  it('lets each item ask for itself if the service refuses with a reason of its own, and holds nobody else', async () => {
    await begin();
    const time = new VirtualTime(1);
    const limiter = accountLimiter();
    const words = { error: 'Daily limit of bookings for this event type reached', code: 'RATE_LIMITED' };
    const client = createClient({
      baseUrl: 'https://service.invalid/api/v1',
      clock: time,
      retryPolicy: backgroundPolicy,
      limiter: limiter.for('bulk'),
      transport: async ({ method }) =>
        method === 'POST' ? { status: 429, headers: { 'retry-after': '5400' }, body: words } : { status: 200, headers: {}, body: {} },
    });
    const call = { path: ['bookings'], scope: 'bookings:write', resourceName: 'booking' } as const;
    const write = () => client.write({ method: 'POST', ...call });
    for (let item = 0; item < 3; item += 1) {
      const sent = await write();
      expect(sent.state === 'rejected' && sent.error.sentence).toBe(
        `${brand.name} does not accept this for now. ${brand.name} says: "${words.error}". Try again in 90 minutes.`,
      );
    }
    expect(limiter.isBusy(time)).toBe(false);
    expect(await client.read({ method: 'GET', ...call })).toMatchObject({ body: {} });
  });

  it('ends a run of 5,000 within minutes if the service keeps asking for a minute, with its first error about as soon', async () => {
    await begin();
    const { sent, errors, firstAfter, endedAfter } = await many(5000, () => refused(60));
    expect(errors).toHaveLength(5000);
    expect(firstAfter).toBeLessThanOrEqual(185_000);
    expect(endedAfter).toBeLessThanOrEqual(300_000);
    expect(sent).toBeLessThanOrEqual(60);
  });

  it('continues a run if the service accepts requests again after a minute or two', async () => {
    await begin();
    const { errors } = await many(1000, (sent) => (sent <= 13 ? refused(60) : { status: 200 }));
    expect(errors).toEqual([]);
  });

  it('treats no other answer as a refusal', async () => {
    await begin();
    const { errors } = await many(60, (sent) => ([1, 30].includes(sent) ? refused(100) : { status: 404 }));
    expect(errors.map(({ kind }) => kind)).not.toContain('rateLimited');
  });

  it('makes everybody wait if the service refused one request for the rate', async () => {
    await begin();
    const clock = virtual();
    const limiter = accountLimiter({ requests: 10, windowMs: 1000 }).for('person');
    limiter.pause(1500, clock);
    await limiter.pass(clock);
    expect(clock.now()).toBe(1500);
  });
});
