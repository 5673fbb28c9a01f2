import { isUtf8 } from 'node:buffer';
import type { MiddlewareHandler } from 'hono';
import type { Env, Parts, Request } from './context.ts';
import { invalid, Refusal } from './errors.ts';

const BODY_MAX_BYTES = 64 * 1024;

/** Reads each request completely, once, before anything else, and records it in the ledger. */
export function intake({ ledger }: Parts): MiddlewareHandler<Env> {
  return async (c, next) => {
    const body = await readBytes(c.req.raw);
    c.set('body', typeof body === 'string' ? new Uint8Array() : body);
    c.set('entry', ledger.add(c.req.method, new URL(c.req.url), c.req.raw.headers, c.get('body')));
    if (typeof body === 'string')
      throw new Refusal('VALIDATION_ERROR', `body: ${body}`, {
        details: [{ field: 'body', message: body }],
        headers: { connection: 'close' },
      });
    await next();
  };
}

/**
 * The JSON body of a request.
 *
 * @param empty the value for a missing body; without it, a body is required
 * @throws {Refusal} VALIDATION_ERROR if it is not JSON or not declared as JSON
 */
export function jsonBody(c: Request, empty?: unknown): unknown {
  const bytes = c.get('body');
  if (bytes.length === 0 && empty !== undefined) return empty;
  const type = (c.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw invalid('Content-Type', 'must be application/json');
  if (!isUtf8(bytes)) throw invalid('body', 'is not UTF-8');
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid('body', 'is not valid JSON');
    throw error;
  }
}

/** The bytes of the body, or what is wrong with it. */
async function readBytes(request: globalThis.Request): Promise<Uint8Array | string> {
  if (request.method === 'GET' || request.method === 'HEAD' || request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body as ReadableStream<Uint8Array>) {
      size += chunk.length;
      if (size > BODY_MAX_BYTES) return `is larger than ${BODY_MAX_BYTES / 1024} kB`;
      chunks.push(chunk);
    }
  } catch {
    // The client has gone; only the ledger gets the answer.
    return 'was not sent completely';
  }
  return Buffer.concat(chunks);
}
