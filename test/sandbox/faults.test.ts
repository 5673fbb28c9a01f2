import { isUtf8 } from 'node:buffer';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { FAULTS, virtualClock, type FaultKind, type Sandbox } from '../../sandbox/service.ts';
import { until } from '../support/until.ts';
import { bookingInput, caller, hostCaller, start } from './support.ts';
import { errorOf } from '../support/wire.ts';

/** Where an answer stops without an end. Only what never comes is waited for so briefly. */
const STALLED: readonly FaultKind[] = ['stall', 'stall-mid-body'];

/**
 * Books over a bare socket, because no HTTP client would pass these answers on. Ends when the connection is closed, or when nothing has
 * come for a while.
 *
 * @returns in words: the status, the body, and how the connection ended
 */
function book(sandbox: Sandbox, day: number, patienceMs = 120_000): Promise<string> {
  const body = JSON.stringify(bookingInput(sandbox, {}, day));
  const { access_token } = sandbox.issueToken();
  const { port } = new URL(sandbox.origin);
  const request = `POST /api/v1/bookings HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${access_token}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  return new Promise((resolve) => {
    let all = Buffer.alloc(0);
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(request));
    const end = (how: string) => {
      socket.destroy();
      const split = all.indexOf('\r\n\r\n');
      const head = split < 0 ? '' : all.subarray(0, split).toString().toLowerCase();
      resolve([head.split(' ')[1] ?? 'nothing', ...(split < 0 ? [] : [inWords(head, all.subarray(split + 4))]), how].join(', '));
    };
    socket.setTimeout(patienceMs, () => end('open'));
    socket.on('data', (chunk) => {
      all = Buffer.concat([all, chunk]);
      if (all.length > 2_000_000) end('more and more');
    });
    socket.on('error', () => end('reset'));
    socket.on('close', () => end('closed'));
  });
}

/** What a body is, and what its head says that it is not. */
function inWords(head: string, body: Buffer): string {
  const announced = Number(/content-length: (\d+)/.exec(head)?.[1] ?? Infinity);
  const [, type = 'no type'] = /content-type: ([^;\r]+)/.exec(head) ?? [];
  const [, location] = /location: (\S+)/.exec(head) ?? [];
  const words = (): string => {
    if (location !== undefined) return `to ${location}`;
    if (head.includes('content-encoding: gzip')) return `gzip of less than 100 kB: ${announced < 100_000}`;
    if (body.length === 0) return 'empty';
    if (body.length < announced) return 'a part';
    if (!isUtf8(body)) return 'not UTF-8';
    const text = body.subarray(0, announced).toString();
    const rest = body.subarray(announced).toString();
    return `${/"status":"CONFIRMED"/.test(text) && text.endsWith('}') ? 'the booking' : text}${rest === '' ? '' : ` and ${rest}`}`;
  };
  return type === 'application/json' ? words() : `${type}: ${words()}`;
}

const whole = '201, the booking, closed';
/** For each kind of fault: how many bookings are made, and what of the answer the client sees. */
const EXPECTED: Record<FaultKind, { delayMs?: number; booked: 0 | 1; seen: string }> = {
  status: { booked: 0, seen: '500, {"error":"Internal server error","code":"INTERNAL_ERROR"}, closed' },
  delay: { delayMs: 50, booked: 1, seen: whole },
  'delay-after': { delayMs: 50, booked: 1, seen: whole },
  'drop-before': { booked: 0, seen: 'nothing, closed' },
  'drop-after': { booked: 1, seen: 'nothing, closed' },
  'reset-before': { booked: 0, seen: 'nothing, reset' },
  'late-commit': { delayMs: 30, booked: 1, seen: 'nothing, closed' },
  stall: { booked: 0, seen: 'nothing, open' },
  'not-json': { booked: 1, seen: '201, {"data": oops, closed' },
  html: { booked: 0, seen: '502, text/html: <html><body><h1>502</h1>proxy</body></html>, closed' },
  empty: { booked: 1, seen: '201, empty, closed' },
  'wrong-type': { booked: 1, seen: '201, text/plain: the booking, closed' },
  'invalid-utf8': { booked: 1, seen: '201, not UTF-8, closed' },
  truncate: { booked: 1, seen: '201, a part, closed' },
  'extra-bytes': { booked: 1, seen: '201, the booking and {"extra": true}, closed' },
  'reset-mid-body': { booked: 1, seen: expect.stringMatching(/^(201, a part|nothing), reset$/) as unknown as string },
  'stall-mid-body': { booked: 1, seen: '201, a part, open' },
  slow: { delayMs: 20, booked: 1, seen: whole },
  endless: { booked: 1, seen: '201, a part, more and more' },
  'gzip-bomb': { booked: 1, seen: '201, gzip of less than 100 kB: true, closed' },
  redirect: { booked: 0, seen: '307, to http://other.invalid/, closed' },
};

it.each(Object.keys(FAULTS) as FaultKind[])('the fault %s does once what it says', async (kind) => {
  const sandbox = await start();
  const before = sandbox.bookings().length;
  const { delayMs, booked, seen } = EXPECTED[kind];
  sandbox.faults.add({ route: 'POST /v1/bookings', kind, delayMs });
  expect(await book(sandbox, 60, STALLED.includes(kind) ? 1_000 : undefined)).toEqual(seen);
  // A late commit comes after the connection was closed.
  if (booked === 0) await new Promise((resolve) => setTimeout(resolve, 60));
  else await until(() => sandbox.bookings().length - before >= booked);
  expect(sandbox.bookings().length - before).toBe(booked);
  expect(sandbox.requests()[0]).toMatchObject({ committed: booked === 1 });
  expect(sandbox.faults.waiting()).toEqual([]);
  expect(await book(sandbox, 61)).toBe(whole);
});

describe('faults', () => {
  it('answer with a status, headers and body of their own, also after they have done what was asked', async () => {
    const sandbox = await start();
    const own = { status: 429, headers: { 'Retry-After': '-5' }, body: errorOf('Slow down', 'RATE_LIMITED') };
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
