import type { Clock } from './clock.ts';
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

/** Only the newest are kept, because a soak run makes millions. */
const KEPT = 100_000;
/** How deep a body may be nested to be kept as a value; deeper ones are kept as text. */
const DEEPEST = 50;
const HIDDEN = '[hidden]';
const SECRET_FIELDS = new Set('client_secret code code_verifier refresh_token access_token token signing_secret consent start'.split(' '));
const SECRET_HEADERS = new Set(['authorization', 'cookie']);

export type Ledger = ReturnType<typeof createLedger>;

/** The requests and whether they were handled, for comparison with what a client told its user. In memory only. */
export function createLedger(clock: Clock) {
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
