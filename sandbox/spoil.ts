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

/** What the client saw of the answer: its status, or null if the connection broke before the answer was complete. */
export interface Spoilt {
  status: number | null;
}

export type SpoiltKind = Exclude<
  FaultKind,
  'delay' | 'delay-after' | 'drop-before' | 'drop-after' | 'reset-before' | 'late-commit' | 'stall'
>;

type Outgoing = HttpBindings['outgoing'];

const ENDLESS_BYTES = 1024 ** 3;
const PIECE = Buffer.alloc(64 * 1024, ' ');

/**
 * Writes an answer that is wrong in one way.
 *
 * @param right the correct answer; the fault's own status, headers and body replace its parts
 * @param wait waits for the fault's delay once
 */
export async function spoil(outgoing: Outgoing, kind: SpoiltKind, right: Answer, fault: Fault, wait: () => Promise<void>): Promise<Spoilt> {
  const { status, headers, body } = ownParts(right, fault);
  const half = body.subarray(0, Math.ceil(body.length / 2));
  switch (kind) {
    case 'status':
      return send(status, headers, body);
    case 'redirect':
      return send(fault.status ?? 307, { location: 'http://other.invalid/', ...headers }, Buffer.alloc(0));
    case 'not-json':
      return send(
        status,
        { ...headers, 'content-type': 'application/json' },
        fault.body === undefined ? Buffer.from('{"data": oops') : body,
      );
    case 'html':
      return send(
        status,
        { ...headers, 'content-type': 'text/html' },
        fault.body === undefined ? Buffer.from(`<html><body><h1>${status}</h1>proxy</body></html>`) : body,
      );
    case 'empty':
      return send(status, headers, Buffer.alloc(0));
    case 'wrong-type':
      return send(status, { ...headers, 'content-type': 'text/plain' }, body);
    case 'invalid-utf8':
      return send(status, headers, Buffer.concat([half, Buffer.from([0xc3, 0x28, 0xff]), body.subarray(half.length)]));
    case 'extra-bytes':
      head(body.length);
      outgoing.end(Buffer.concat([body, Buffer.from('{"extra": true}')]));
      return { status };
    case 'truncate':
      head(body.length);
      await written(half);
      outgoing.socket?.end();
      return { status: null };
    case 'reset-mid-body':
      head(body.length);
      await written(half);
      outgoing.socket?.resetAndDestroy();
      return { status: null };
    case 'stall-mid-body':
      head(body.length);
      await written(half);
      return { status: null };
    case 'slow':
      head(body.length);
      for (const piece of pieces(body, 8)) {
        await written(piece);
        await wait();
      }
      outgoing.end();
      return { status };
    case 'endless':
      head(undefined);
      await pourOut(outgoing);
      return { status };
    case 'gzip-bomb':
      return send(status, { ...headers, 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(64 * 1024 * 1024, ' ')));
  }

  function head(length: number | undefined): void {
    outgoing.writeHead(status, { ...headers, ...(length === undefined ? {} : { 'content-length': String(length) }) });
  }
  function written(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => outgoing.write(bytes, () => resolve()));
  }
  function send(sentStatus: number, sentHeaders: Record<string, string>, bytes: Buffer): Spoilt {
    const bodiless = sentStatus === 204 || sentStatus === 304;
    outgoing.writeHead(sentStatus, bodiless ? sentHeaders : { ...sentHeaders, 'content-length': String(bytes.length) });
    outgoing.end(bodiless ? undefined : bytes);
    return { status: sentStatus };
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

async function pourOut(outgoing: Outgoing): Promise<void> {
  await pipeline(Readable.from(blanks()), outgoing).catch((error: unknown) => {
    // This answer is meant to make the client leave before the end, so that is not an error.
    if (!outgoing.destroyed) throw error;
  });
}
