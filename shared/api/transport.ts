import { isObject } from '../values.ts';

/** JSON as it travels: what a request carries and a response brings. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}

export interface ApiRequest {
  method: 'GET' | 'POST' | 'DELETE';
  /** Whole address without the query. */
  url: string;
  query?: Record<string, string>;
  headers: Record<string, string>;
  /** Sent as JSON. */
  body?: JsonObject;
}

export interface ApiResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** The parsed JSON; the text itself where it is none; `undefined` or `''` where nothing came. */
  body: unknown;
}

/**
 * The port through which the core talks: Zapier's `z.request`, n8n's authenticated helper, plain `fetch`.
 *
 * It adds the bearer token (section 5), resolves for *every* status, follows no redirect (the token must not travel to
 * another origin) and never retries. It throws a {@link NetworkFault} when no whole answer came. What the platform
 * itself raises – Zapier's signal to refresh, n8n's "reconnect" – passes through untouched.
 */
export type Transport = (request: ApiRequest) => Promise<ApiResponse>;

/** Time and chance, handed in so that tests can run in virtual time. Milliseconds. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  random(): number;
}

/** No whole answer came. `sent` tells whether the request may have reached the service. */
export class NetworkFault extends Error {
  readonly sent: boolean;
  readonly code: string;

  constructor(code: string, sent: boolean) {
    super(`No answer came (${code}).`);
    this.name = 'NetworkFault';
    this.code = code;
    this.sent = sent;
  }
}

/** The host ends a run before the request that it was to send next: whatever that would have changed is surely not changed. */
export class NotSent extends Error {}

/** Codes of a connection that was never made: the request cannot have reached the service. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** Codes that mean the same, but only of the attempt to connect: a connection that stands can break with them too. */
const neverSentByConnect = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'ETIMEDOUT']);

/** Codes of a connection that broke after, or while, the request was on its way … */
const perhapsSent = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'ENOTCONN',
  'EPIPE',
  'EPROTO',
  'EMSGSIZE',
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'ABORT_ERR',
]);
/** … and what such codes of Node, its HTTP clients and their parsers begin with. */
const perhapsSentKinds = /^(?:HPE_|Z_|UND_ERR_|ERR_(?:STREAM|SOCKET|HTTP|SSL|TLS|CONTENT|NETWORK|BAD_RESPONSE))/;

/**
 * The network fault behind an error that some HTTP client threw, looked for by `code` down the chain of causes;
 * `undefined` where the error is of another kind and should travel on as it is. A code that is not surely of a connection
 * never made counts as sent: believing the opposite could book twice.
 */
export function networkFault(error: unknown): NetworkFault | undefined {
  const chain: Record<string, unknown>[] = [];
  for (let current = error; isObject(current) && chain.length < 5; current = current['cause']) chain.push(current);
  const calls = chain.map(({ syscall }) => syscall).filter((syscall) => typeof syscall === 'string');
  for (const current of chain) {
    if (current instanceof NetworkFault) return current;
    const { code } = current;
    if (typeof code !== 'string') continue;
    if (neverSent.has(code) || (neverSentByConnect.has(code) && calls.includes('connect'))) return new NetworkFault(code, false);
    // Libraries have codes of their own that begin with E; one of the system comes with the call that failed.
    if (perhapsSent.has(code) || perhapsSentKinds.test(code) || (calls.length > 0 && /^E[A-Z]+$/.test(code)))
      return new NetworkFault(code, true);
  }
  return undefined;
}
