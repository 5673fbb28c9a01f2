import type { HttpBindings } from '@hono/node-server';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type { Fault, FaultKind } from './faultKinds.ts';

/** Tells the HTTP adapter that the answer has already been written. */
export const SENT = new Response(null, { headers: { 'x-hono-already-sent': 'true' } });

/** An answer as it would have been sent. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** An answer as it is sent instead. */
interface Wrong extends Answer {
  /** The length that it announces; that of its body unless set. */
  length: number;
  /** What happens to the connection after the body; it is closed properly unless set. */
  then: 'close' | 'reset' | 'stall';
}

type SpoiltKind = Exclude<FaultKind, 'delay' | 'delay-after' | 'drop-before' | 'drop-after' | 'reset-before' | 'late-commit' | 'stall'>;

const ENDLESS_BYTES = 1024 ** 3;
const PIECE = Buffer.alloc(64 * 1024, ' ');
const NOTHING = Buffer.alloc(0);

const half = (body: Buffer): Buffer => body.subarray(0, Math.ceil(body.length / 2));
const cut = ({ body }: Answer, then: Wrong['then']): Partial<Wrong> => ({ body: half(body), length: body.length, then });

/** In what each kind differs from the right answer, which already has the fault's own status, headers and body. */
const WRONG: Record<SpoiltKind, (right: Answer, fault: Fault) => Partial<Wrong>> = {
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
};

/**
 * Writes an answer that is wrong in one way.
 *
 * @param correct the fault's own status, headers and body replace its parts
 * @param wait waits for the fault's delay once
 * @returns the status that the client saw, or null if the connection broke before the answer was complete
 */
export async function spoil(
  outgoing: HttpBindings['outgoing'],
  kind: SpoiltKind,
  correct: Answer,
  fault: Fault,
  wait: () => Promise<void>,
): Promise<number | null> {
  const right = ownParts(correct, fault);
  const { status, headers, body, length = body.length, then } = { ...right, ...WRONG[kind](right, fault) };
  const bodiless = status === 204 || status === 304;
  outgoing.writeHead(status, bodiless || kind === 'endless' ? headers : { ...headers, 'content-length': String(length) });
  if (kind === 'endless') await pourOut(outgoing);
  else if (kind === 'slow') {
    for (const piece of pieces(body, 8)) {
      await written(piece);
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

function ownParts(right: Answer, { status, headers, body }: Fault): Answer {
  const { 'content-length': _length, 'transfer-encoding': _encoding, ...rightHeaders } = right.headers;
  return {
    status: status ?? right.status,
    headers: { ...rightHeaders, ...Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])) },
    body: body === undefined ? right.body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  };
}

function pieces(body: Buffer, count: number): Buffer[] {
  const size = Math.max(1, Math.ceil(body.length / count));
  return Array.from({ length: Math.ceil(body.length / size) }, (_, index) => body.subarray(index * size, (index + 1) * size));
}

function* blanks(): Generator<Buffer> {
  for (let sent = 0; sent < ENDLESS_BYTES; sent += PIECE.length) yield PIECE;
}

async function pourOut(outgoing: HttpBindings['outgoing']): Promise<void> {
  await pipeline(Readable.from(blanks()), outgoing).catch((error: unknown) => {
    // This answer is meant to make the client leave before the end, so that is not an error.
    if (!outgoing.destroyed) throw error;
  });
}
