import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { dateHeader, type SandboxClock } from './clock.ts';
import type { SandboxEnv } from './context.ts';
import { errorBodyForStatus } from './errors.ts';
import { FAULTS, type Fault, type FaultKind } from './faultKinds.ts';
import type { Forms } from './variants.ts';

const DEFAULT_DELAY_MS: Partial<Record<FaultKind, number>> = { 'late-commit': 20_000, slow: 200 };

interface Active {
  fault: Fault;
  passing: number;
  left: number;
}

export type Faults = ReturnType<typeof createFaults>;

/**
 * The faults that are waiting for requests.
 *
 * @param stopped ends their delays when the sandbox stops
 */
export function createFaults(clock: SandboxClock, forms: Forms, stopped: AbortSignal) {
  let all: Active[] = [];

  function take(method: string, path: string): Fault | undefined {
    const active = all.find(({ fault }) => matches(fault.route, method, path));
    if (active === undefined) return undefined;
    if (active.passing > 0) {
      active.passing -= 1;
      return undefined;
    }
    active.left -= 1;
    if (active.left <= 0) all = all.filter((each) => each !== active);
    return active.fault;
  }

  const middleware: MiddlewareHandler<SandboxEnv> = async (c, next) => {
    const fault = take(c.req.method, c.get('entry').path);
    if (fault === undefined) return next();
    const { kind } = fault;
    const { incoming, outgoing } = c.env;
    const commits = fault.commits ?? FAULTS[kind].commits;
    const wait = (): Promise<void> => clock.sleep(fault.delayMs ?? DEFAULT_DELAY_MS[kind] ?? 1000, stopped);

    if (kind === 'late-commit') incoming.socket.destroy();
    if (kind === 'delay' || kind === 'late-commit') await wait();
    if (commits && !stopped.aborted) await next();
    if (kind === 'delay-after') await wait();
    if ((kind === 'delay' || kind === 'delay-after') && !stopped.aborted) return undefined;
    if (kind === 'drop-before' || kind === 'drop-after') incoming.socket.destroy();
    if (kind === 'reset-before') incoming.socket.resetAndDestroy();
    // Null if the client got no response, or an incomplete one.
    let seen: number | null = null;
    if (isWrong(fault)) {
      // Some statuses that a fault may have, such as 204, are not allowed in a `Response` with a body.
      const status = commits ? c.res.status : (fault.status ?? (kind === 'html' ? 502 : 500));
      const right = commits ? c.res : Response.json(errorBodyForStatus(status));
      const headers = { ...Object.fromEntries(right.headers), date: dateHeader(clock.now(), forms) };
      seen = await sendWrong(outgoing, { status, headers, body: Buffer.from(await right.arrayBuffer()) }, fault, wait);
    }
    c.get('entry').status = seen;
    c.res = SENT.clone();
    return c.res;
  };

  return {
    middleware,
    add: (fault: Fault): void =>
      void all.push({ fault, passing: fault.after ?? 0, left: fault.times === 'always' ? Infinity : (fault.times ?? 1) }),
    clear(): void {
      all = [];
    },
    /** The faults that have not yet happened often enough. */
    waiting: (): Fault[] => all.map(({ fault }) => fault),
  };
}

function matches(route: string, method: string, path: string): boolean {
  if (route === '*') return !path.startsWith('/host');
  const [routeMethod, routePath = ''] = route.split(' ', 2);
  if (routeMethod !== '*' && routeMethod !== method) return false;
  const expected = routePath.split('/');
  const actual = path.split('/');
  return expected.length === actual.length && expected.every((segment, index) => segment.startsWith(':') || segment === actual[index]);
}

/** Tells the HTTP adapter that the response has already been written. */
const SENT = new Response(null, { headers: { 'x-hono-already-sent': 'true' } });

/** The response that would have been sent. */
interface SentAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** The faulty response that is sent instead. */
interface Wrong extends SentAnswer {
  /** The announced length; that of the body unless set. */
  length: number;
  /** How the connection ends after the body; it is closed properly unless set. */
  then: 'close' | 'reset' | 'stall';
}

const NOTHING = Buffer.alloc(0);

const half = (body: Buffer): Buffer => body.subarray(0, Math.ceil(body.length / 2));
const cut = ({ body }: SentAnswer, then: Wrong['then']): Partial<Wrong> => ({ body: half(body), length: body.length, then });

/** How each kind differs from the correct response, which already has the fault's own status, headers and body. */
const WRONG = {
  status: () => ({}),
  redirect: ({ headers }, { status = 307 }) => ({ status, headers: { location: 'http://other.invalid/', ...headers }, body: NOTHING }),
  'not-json': ({ headers, body }, fault) => ({
    headers: { ...headers, 'content-type': 'application/json' },
    body: fault.body === undefined ? Buffer.from('{"data": oops') : body,
  }),
  html: ({ status, headers, body }, fault) => ({
    headers: { ...headers, 'content-type': 'text/html' },
    body: fault.body === undefined ? Buffer.from(`<html><body><h1>${status}</h1>proxy</body></html>`) : body,
  }),
  empty: () => ({ body: NOTHING }),
  'wrong-type': ({ headers }) => ({ headers: { ...headers, 'content-type': 'text/plain' } }),
  'invalid-utf8': ({ body }) => ({
    body: Buffer.concat([half(body), Buffer.from([0xc3, 0x28, 0xff]), body.subarray(half(body).length)]),
  }),
  'extra-bytes': ({ body }) => ({ body: Buffer.concat([body, Buffer.from('{"extra": true}')]), length: body.length }),
  truncate: (right) => cut(right, 'close'),
  'reset-mid-body': (right) => cut(right, 'reset'),
  'stall-mid-body': (right) => cut(right, 'stall'),
  slow: () => ({}),
  endless: () => ({}),
  'gzip-bomb': ({ headers }) => ({
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: gzipSync(Buffer.alloc(64 * 1024 * 1024, ' ')),
  }),
} satisfies Partial<Record<FaultKind, (right: SentAnswer, fault: Fault) => Partial<Wrong>>>;

type WrongFault = Fault & { kind: keyof typeof WRONG };
const isWrong = (fault: Fault): fault is WrongFault => Object.hasOwn(WRONG, fault.kind);

/**
 * Writes a response that is wrong in one way.
 *
 * @param correct the response whose parts the fault's own status, headers and body replace
 * @param wait waits for the fault's delay once
 * @returns the status that the client saw, or null if the connection broke before the response was complete
 */
async function sendWrong(outgoing: HttpBindings['outgoing'], correct: SentAnswer, fault: WrongFault, wait: () => Promise<void>) {
  const { kind } = fault;
  const right = ownParts(correct, fault);
  const change: Partial<Wrong> = WRONG[kind](right, fault);
  const { status, headers, body, length = body.length, then } = { ...right, ...change };
  const bodiless = status === 204 || status === 304;
  outgoing.writeHead(status, bodiless || kind === 'endless' ? headers : { ...headers, 'content-length': String(length) });
  if (kind === 'endless') {
    const gigabyte = Readable.from(Array<Buffer>(16_384).fill(Buffer.alloc(64 * 1024, ' ')));
    await pipeline(gigabyte, outgoing).catch((error: unknown) => {
      // The client is expected to leave before the end, so that is not an error.
      if (!outgoing.destroyed) throw error;
    });
  } else if (kind === 'slow') {
    const size = Math.max(1, Math.ceil(body.length / 8));
    for (let sent = 0; sent < body.length; sent += size) {
      await written(body.subarray(sent, sent + size));
      await wait();
    }
    outgoing.end();
  } else if (then === undefined) outgoing.end(bodiless ? undefined : body);
  else {
    await written(body);
    if (then === 'close') outgoing.socket?.end();
    if (then === 'reset') outgoing.socket?.resetAndDestroy();
  }
  return then === undefined ? status : null;

  function written(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => outgoing.write(bytes, () => resolve()));
  }
}

function ownParts(right: SentAnswer, { status, headers, body }: Fault): SentAnswer {
  const { 'content-length': _length, 'transfer-encoding': _encoding, ...rightHeaders } = right.headers;
  return {
    status: status ?? right.status,
    headers: { ...rightHeaders, ...Object.fromEntries(new Headers(headers)) },
    body: body === undefined ? right.body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  };
}
