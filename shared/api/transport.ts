import { isObject } from '../values.ts';

/** JSON as it is sent and received. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}

export interface ApiRequest {
  method: 'GET' | 'POST' | 'DELETE';
  /** The whole address without the query. */
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
  /** The parsed JSON; the text itself if it is not JSON; `undefined` or `''` if the body is empty. */
  body: unknown;
}

/**
 * The port through which the core sends requests: Zapier's `z.request`, n8n's authenticated helper, plain `fetch`.
 *
 * It adds the bearer token (section 5), resolves for *every* status, follows no redirect (the token must not reach another origin) and
 * never tries again. It throws a {@link NetworkFault} if no complete answer came. Errors of the platform itself, such as Zapier's signal to
 * refresh or n8n's "reconnect", pass through unchanged.
 */
export type Transport = (request: ApiRequest) => Promise<ApiResponse>;

/** Time and random numbers. Passed in, so that tests can run in virtual time. Milliseconds. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  random(): number;
}

/** No complete answer came. `sent` says whether the request may have reached the service. */
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

/** The host ends a run before its next request was sent: what that request would have changed is certainly unchanged. */
export class NotSent extends Error {}

/** Error codes of a connection that was never made: the request cannot have reached the service. */
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

/** Error codes that mean the same, but only while connecting: an open connection can also fail with them. */
const neverSentByConnect = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'ETIMEDOUT']);

/** Error codes of a connection that broke while or after the request was sent ... */
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
/** ... and the beginnings of such codes in Node.js, its HTTP clients and their parsers. */
const perhapsSentKinds = /^(?:HPE_|Z_|UND_ERR_|ERR_(?:STREAM|SOCKET|HTTP|SSL|TLS|CONTENT|NETWORK|BAD_RESPONSE))/;

/**
 * The network fault behind an error of an HTTP client, found by `code` in the chain of causes. `undefined` if the error is of another kind
 * and should be thrown unchanged. If it is not certain that the connection was never made, the request counts as sent: otherwise something
 * could be booked twice.
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
    // Libraries have their own codes that begin with E. A system error also names the system call that failed.
    if (perhapsSent.has(code) || perhapsSentKinds.test(code) || (calls.length > 0 && /^E[A-Z]+$/.test(code)))
      return new NetworkFault(code, true);
  }
  return undefined;
}
