import { isUtf8 } from 'node:buffer';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FAULTS, virtualClock, type FaultKind, type Sandbox } from '../../sandbox/service.ts';
import { until } from '../support/until.ts';
import { at, bookingInput, caller, hostCaller, start, stopAll } from './support.ts';

afterEach(stopAll);

interface Seen {
  /** What the client received over the socket; the parts after the first line of the head and its headers. */
  status: string;
  head: string;
  body: Buffer;
  /** Whether the service closed the connection, properly or not. */
  closed: boolean;
  reset: boolean;
}

/** Where an answer stops without an end. Only what never comes is waited for so briefly. */
const STALLED: readonly FaultKind[] = ['stall', 'stall-mid-body'];

/**
 * Books over a bare socket, because no HTTP client would pass these answers on. Ends when the connection is closed, or when nothing has
 * come for a while.
 */
function book(sandbox: Sandbox, day: number, patienceMs = 120_000): Promise<Seen> {
  const body = JSON.stringify(bookingInput(sandbox, {}, day));
  const { access_token } = sandbox.issueToken();
  const { port } = new URL(sandbox.origin);
  const request = `POST /api/v1/bookings HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${access_token}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  return new Promise((resolve) => {
    let all = Buffer.alloc(0);
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(request));
    const end = (closed: boolean, reset: boolean) => {
      const split = all.indexOf('\r\n\r\n');
      const head = split < 0 ? '' : all.subarray(0, split).toString().toLowerCase();
      socket.destroy();
      resolve({ status: head.split(' ')[1] ?? '', head, body: split < 0 ? all : all.subarray(split + 4), closed, reset });
    };
    socket.setTimeout(patienceMs, () => end(false, false));
    socket.on('data', (chunk) => {
      all = Buffer.concat([all, chunk]);
      if (all.length > 2_000_000) end(false, false);
    });
    socket.on('error', () => end(true, true));
    socket.on('close', () => end(true, false));
  });
}

const announced = ({ head }: Seen) => Number(/content-length: (\d+)/.exec(head)?.[1]);
const isBooking = (body: Buffer) => at(JSON.parse(body.toString()), 'data', 'status') === 'CONFIRMED';

/** For each kind of fault: how many bookings are made, and what of the answer the client sees. */
const EXPECTED: Record<FaultKind, { delayMs?: number; booked: 0 | 1; seen: (seen: Seen) => unknown; is: unknown }> = {
  status: {
    booked: 0,
    seen: ({ status, body }) => [status, JSON.parse(body.toString()) as unknown],
    is: ['500', { error: 'Internal server error', code: 'INTERNAL_ERROR' }],
  },
  delay: { delayMs: 50, booked: 1, seen: ({ status, body }) => [status, isBooking(body)], is: ['201', true] },
  'delay-after': { delayMs: 50, booked: 1, seen: ({ status, body }) => [status, isBooking(body)], is: ['201', true] },
  'drop-before': { booked: 0, seen: ({ status, closed }) => [status, closed], is: ['', true] },
  'drop-after': { booked: 1, seen: ({ status, closed }) => [status, closed], is: ['', true] },
  'reset-before': { booked: 0, seen: ({ status, reset }) => [status, reset], is: ['', true] },
  'late-commit': { delayMs: 30, booked: 1, seen: ({ status, closed }) => [status, closed], is: ['', true] },
  stall: { booked: 0, seen: ({ status, closed }) => [status, closed], is: ['', false] },
  'not-json': { booked: 1, seen: ({ head, body }) => [head.includes('application/json'), body.toString()], is: [true, '{"data": oops'] },
  html: {
    booked: 0,
    seen: ({ status, head, body }) => [status, head.includes('text/html'), body.toString().startsWith('<html>')],
    is: ['502', true, true],
  },
  empty: { booked: 1, seen: ({ status, body }) => [status, body.length], is: ['201', 0] },
  'wrong-type': { booked: 1, seen: ({ head, body }) => [head.includes('content-type: text/plain'), isBooking(body)], is: [true, true] },
  'invalid-utf8': { booked: 1, seen: ({ body }) => isUtf8(body), is: false },
  truncate: { booked: 1, seen: (seen) => [seen.closed, seen.body.length === Math.ceil(announced(seen) / 2)], is: [true, true] },
  'extra-bytes': { booked: 1, seen: (seen) => seen.body.subarray(announced(seen)).toString(), is: '{"extra": true}' },
  'reset-mid-body': {
    booked: 1,
    seen: (seen) => [seen.reset, seen.body.length < (announced(seen) || Infinity)],
    is: [true, true],
  },
  'stall-mid-body': { booked: 1, seen: (seen) => [seen.closed, seen.body.length === Math.ceil(announced(seen) / 2)], is: [false, true] },
  slow: { delayMs: 20, booked: 1, seen: ({ body }) => isBooking(body), is: true },
  endless: { booked: 1, seen: (seen) => [announced(seen), seen.body.length > 1_000_000], is: [NaN, true] },
  'gzip-bomb': { booked: 1, seen: (seen) => [/content-encoding: gzip/.test(seen.head), announced(seen) < 100_000], is: [true, true] },
  redirect: { booked: 0, seen: ({ status, head }) => [status, head.includes('location: http://other.invalid/')], is: ['307', true] },
};

describe.each(Object.keys(FAULTS) as FaultKind[])('the fault %s', (kind) => {
  it(`${FAULTS[kind].says}, once`, async () => {
    const sandbox = await start();
    const before = sandbox.bookings().length;
    const { delayMs, booked, seen, is } = EXPECTED[kind];
    sandbox.faults.add({ route: 'POST /v1/bookings', kind, delayMs });
    expect(seen(await book(sandbox, 60, STALLED.includes(kind) ? 1_000 : undefined))).toEqual(is);
    // A late commit comes after the connection was closed.
    if (booked === 0) await new Promise((resolve) => setTimeout(resolve, 60));
    else await until(() => sandbox.bookings().length - before >= booked);
    expect(sandbox.bookings().length - before).toBe(booked);
    expect(sandbox.requests()[0]).toMatchObject({ committed: booked === 1 });
    expect(sandbox.faults.waiting()).toEqual([]);
    expect((await book(sandbox, 61)).status).toBe('201');
  });
});

describe('faults', () => {
  it('answer with a status, headers and body of their own, also after they have done what was asked', async () => {
    const sandbox = await start();
    const own = { status: 429, headers: { 'Retry-After': '-5' }, body: { error: 'Slow down', code: 'RATE_LIMITED' } };
    sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'status', ...own, commits: true });
    const { status, headers, body } = await caller(sandbox)('POST', '/bookings', bookingInput(sandbox));
    expect([status, headers.get('retry-after'), body]).toEqual([429, '-5', own.body]);
    expect(sandbox.bookings().at(-1)?.invitee_email).toBe('nadia@example.com');
    expect(sandbox.requests()).toMatchObject([{ status: 429, committed: true }]);
  });

  it('happen only to their route, after those that pass, as often as asked', async () => {
    const sandbox = await start();
    const call = caller(sandbox);
    sandbox.faults.add({ route: 'GET /v1/bookings/:id', kind: 'status', after: 1, times: 2 });
    const id = sandbox.bookings()[0]?.id;
    const statuses = [];
    for (const path of [
      `/bookings/${id}`,
      '/bookings',
      `/bookings/${id}`,
      `/contacts/${sandbox.contacts()[0]?.id}`,
      `/bookings/${id}`,
      `/bookings/${id}`,
    ])
      statuses.push((await call('GET', path)).status);
    expect(statuses).toEqual([200, 200, 500, 200, 500, 200]);
  });

  it("wait by the sandbox's clock: a late commit is made when its time comes", async () => {
    const sandbox = await start({ clock: virtualClock() });
    const before = sandbox.bookings().length;
    sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'late-commit' });
    await expect(caller(sandbox)('POST', '/bookings', bookingInput(sandbox))).rejects.toThrow();
    await sandbox.clock.advance(19_999);
    expect(sandbox.bookings()).toHaveLength(before);
    await sandbox.clock.advance(1);
    expect(sandbox.bookings()).toHaveLength(before + 1);
    expect(sandbox.requests().at(-1)).toMatchObject({ status: null, committed: true });
  });

  it('can also be set and cleared through the host interface, and happen to every route with *', async () => {
    const sandbox = await start();
    const host = hostCaller(sandbox);
    const teapot = { route: '*', kind: 'status', times: 'always', status: 418, body: { teapot: true } };
    expect((await host('POST', '/faults', teapot)).status).toBe(204);
    expect((await host('GET', '/faults')).body).toMatchObject({ waiting: [teapot] });
    for (const path of ['/me', '/nothing'])
      expect(await caller(sandbox)('GET', path)).toMatchObject({ status: 418, body: { teapot: true } });
    expect((await host('POST', '/faults', { ...teapot, kind: 'explode' })).status).toBe(400);
    await host('DELETE', '/faults');
    expect((await caller(sandbox)('GET', '/me')).status).toBe(200);
  });
});
