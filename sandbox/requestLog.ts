import { isUtf8 } from 'node:buffer';
import type { MiddlewareHandler } from 'hono';
import type { SandboxClock } from './clock.ts';
import type { SandboxEnv, Request, RequestEntry } from './context.ts';
import { invalid } from './errors.ts';
import { instant } from './records.ts';

const BODY_MAX_BYTES = 64 * 1024;
/** Only the newest requests are kept, because a soak run makes millions. */
const KEPT = 100_000;
const HIDDEN = '[hidden]';
const SECRET_FIELDS = new Set('client_secret code code_verifier refresh_token access_token token signing_secret consent'.split(' '));
const SECRET_HEADERS = new Set(['authorization', 'cookie']);

export type RequestLog = ReturnType<typeof createRequestLog>;

/** The requests and whether they were handled, to compare with what a client told its user. In memory only. */
export function createRequestLog(clock: SandboxClock) {
  let entries: RequestEntry[] = [];
  return {
    add({ method, url: address, headers }: globalThis.Request, body: Uint8Array): RequestEntry {
      const url = new URL(address);
      const entry: RequestEntry = {
        method,
        path: url.pathname.replace(/^\/api(?=\/v1(\/|$))/, ''),
        query: hideSecrets(Object.fromEntries(url.searchParams)),
        body: readBody(headers.get('content-type') ?? '', body),
        headers: Object.fromEntries([...headers].map(([name, value]) => [name, SECRET_HEADERS.has(name) ? HIDDEN : value])),
        status: null,
        at: instant(clock.now()),
        committed: false,
      };
      entries.push(entry);
      if (entries.length > KEPT * 1.1) entries = entries.slice(-KEPT);
      return entry;
    },
    all: (): RequestEntry[] => structuredClone(entries),
    clear(): void {
      entries = [];
    },
  };
}

function readBody(type: string, bytes: Uint8Array): unknown {
  if (bytes.length === 0) return null;
  const text = new TextDecoder().decode(bytes);
  if (type.startsWith('application/x-www-form-urlencoded')) return hideSecrets(Object.fromEntries(new URLSearchParams(text)));
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function hideSecrets(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, SECRET_FIELDS.has(name) ? HIDDEN : value]));
}

/** Reads each request's whole body once, before anything else, and logs the request. */
export function readRequest({ requests }: { requests: RequestLog }): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    // If the client has left in the middle of its body, only the log gets the response.
    const sent = await c.req.arrayBuffer().catch(() => undefined);
    const wrong = sent === undefined ? 'was not sent completely' : sent.byteLength > BODY_MAX_BYTES && 'is larger than 64 kB';
    c.set('body', wrong ? new Uint8Array() : new Uint8Array(sent ?? []));
    c.set('entry', requests.add(c.req.raw, c.get('body')));
    if (wrong) throw invalid('body', wrong);
    await next();
  };
}

/**
 * The JSON body of a request.
 *
 * @param empty the value for a missing body; without it, a body is required
 * @throws {ApiRefusal} VALIDATION_ERROR if it is not JSON or not declared as JSON
 */
export function jsonBody(c: Request, empty?: unknown): unknown {
  const bytes = c.get('body');
  if (bytes.length === 0 && empty !== undefined) return empty;
  const type = (c.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw invalid('Content-Type', 'must be application/json');
  if (!isUtf8(bytes)) throw invalid('body', 'is not UTF-8');
  return parsedJson(new TextDecoder().decode(bytes));
}

/** @throws {ApiRefusal} VALIDATION_ERROR */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalid('body', 'is not valid JSON');
  }
}
