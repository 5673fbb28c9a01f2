import { isUtf8 } from 'node:buffer';
import type { MiddlewareHandler } from 'hono';
import type { Clock } from './clock.ts';
import type { Env, Parts, Request } from './context.ts';
import { invalid, Refusal } from './errors.ts';
import { instant } from './records.ts';

/** One request that reached the sandbox. */
export interface RequestEntry {
  method: string;
  /** With the published prefix: `/v1/bookings`, `/api/oauth/token`, `/oauth/authorize`, `/host/...`. */
  path: string;
  query: Record<string, string>;
  /** The parsed JSON body, or a form's fields, with secrets replaced; null if there was none. */
  body: unknown;
  /** Headers by lowercase name; secret ones without their value. */
  headers: Record<string, string>;
  /** The status of the answer; null if there is no answer yet, or if the connection was broken. */
  status: number | null;
  at: string;
  /** Whether the request changed any data. */
  committed: boolean;
}

const BODY_MAX_BYTES = 64 * 1024;
/** Only the newest are kept, because a soak run makes millions. */
const KEPT = 100_000;
/** How deep a body may be nested to be kept as a value; deeper ones are kept as text. */
const DEEPEST = 50;
const HIDDEN = '[hidden]';
const SECRET_FIELDS = new Set('client_secret code code_verifier refresh_token access_token token signing_secret consent start'.split(' '));
const SECRET_HEADERS = new Set(['authorization', 'cookie']);

export type RequestLog = ReturnType<typeof createRequestLog>;

/** The requests and whether they were handled, for comparison with what a client told its user. In memory only. */
export function createRequestLog(clock: Clock) {
  let entries: RequestEntry[] = [];
  return {
    add(method: string, url: URL, headers: Headers, body: Uint8Array): RequestEntry {
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
    const parsed = JSON.parse(text) as unknown;
    return isTooDeep(parsed) ? text : parsed;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/**
 * Whether a value is nested too deeply to be copied or converted to text. The list of requests does both, and one request must not break it
 * for all others. Checked level by level, because recursion would fail in the same way.
 */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? (Object.values(each) as unknown[]) : []));
    if (level.length === 0) return false;
  }
  return true;
}

function hideSecrets(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, SECRET_FIELDS.has(name) ? HIDDEN : value]));
}

/** Reads each request completely, once, before anything else, and records it in the log. */
export function readRequest({ requests }: Parts): MiddlewareHandler<Env> {
  return async (c, next) => {
    const body = await readBytes(c.req.raw);
    c.set('body', typeof body === 'string' ? new Uint8Array() : body);
    c.set('entry', requests.add(c.req.method, new URL(c.req.url), c.req.raw.headers, c.get('body')));
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
    // The client has gone; only the log gets the answer.
    return 'was not sent completely';
  }
  return Buffer.concat(chunks);
}
