import { asText, isObject } from '../values.ts';
import { certificateCodes, proxyCode } from './faultCodes.ts';

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
 *
 * @param route the path without ids, such as `/v1/bookings/:id`
 */
export type Transport = (request: ApiRequest, route?: string) => Promise<ApiResponse>;

/** Time and random numbers. Passed in, so that tests can run in virtual time. Milliseconds. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  random(): number;
}

/** No complete answer came. `sent` says whether the request may have reached the service. */
export class NetworkFault extends Error {
  readonly sent: boolean;
  /** The error's code, or its words if it has none. */
  readonly code: string;
  /** The host or address and the port to which no connection was made, as far as the error says so. */
  readonly at: readonly [host: string, port: string] | undefined;

  constructor(code: string, sent: boolean, at?: readonly [host: string, port: string]) {
    super(`No answer came (${code}).`);
    this.name = 'NetworkFault';
    this.code = code;
    this.sent = sent;
    this.at = at;
  }
}

/** The code of a fault by which an answer was cut off because it was too long. */
export const tooLongCode = 'EMSGSIZE';

/** The host ends a run before its next request was sent: what that request would have changed is certainly unchanged. */
export class NotSent extends Error {}

/** Error codes of a connection that was never made: the request cannot have reached the service. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'UND_ERR_CONNECT_TIMEOUT', ...certificateCodes]);

/** Error codes that mean the same, but only while connecting: an open connection can also fail with them. */
const neverSentByConnect = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'ETIMEDOUT']);

/** Error codes of a request that could not even be formed, such as one with an invalid header: a mistake of the program. */
const notFormed = /^(?:UND_)?ERR_(?:INVALID|UNESCAPED)_/;

/**
 * The network fault behind an error of an HTTP client. If it is not certain that the connection was never made, the request counts as sent,
 * whatever the error: otherwise something could be booked twice. `undefined` only for a request that could not be formed; that error should
 * be thrown unchanged, as should a host's own signals, which a transport must recognise before it asks here.
 */
export function networkFault(error: unknown): NetworkFault | undefined {
  const chain: Record<string, unknown>[] = [];
  for (let current = error; isObject(current) && chain.length < 5; current = current['cause']) chain.push(current);
  const fault = chain.find((link) => link instanceof NetworkFault);
  if (fault !== undefined) return fault;
  const codes = chain.map(({ code }) => code).filter((code) => typeof code === 'string' && isCode.test(code)) as string[];
  if (codes.some((code) => notFormed.test(code))) return undefined;
  const isConnecting = chain.some(({ syscall }) => syscall === 'connect');
  const proxy = proxyFault(chain);
  if (proxy !== undefined) return proxy;
  const before = codes.find((code) => neverSent.has(code) || (isConnecting && neverSentByConnect.has(code)));
  if (before !== undefined) return new NetworkFault(before, false, placeIn(chain));
  const [code] = codes.map((each) => plainCodes[each] ?? each);
  return new NetworkFault(code ?? (error instanceof Error ? error.message || error.name : String(error)), true);
}

/** The fault if a proxy answered in place of the service, in the words of Node.js and undici. */
function proxyFault(chain: readonly Record<string, unknown>[]): NetworkFault | undefined {
  const [outer, inner] = chain;
  // So `fetch` throws for every 407, without any words.
  if (outer?.['message'] === 'fetch failed' && inner?.['message'] === '' && inner['code'] === undefined)
    return new NetworkFault(proxyCode('407'), true);
  for (const { code, message } of chain) {
    const text = asText(message);
    const [said, status] = /^Proxy response \((\d{3})\)/i.exec(text) ?? [];
    if (said !== undefined || code === 'ERR_PROXY_TUNNEL')
      return new NetworkFault(proxyCode(status ?? /\b[45]\d\d\b/.exec(text)?.[0]), false);
  }
  return undefined;
}

/** Where a connection was tried. Node.js tries several addresses of a host, and keeps their errors in a list. */
function placeIn(chain: readonly Record<string, unknown>[]): readonly [string, string] | undefined {
  const tried = chain.flatMap((link) => [link, ...(Array.isArray(link['errors']) ? link['errors'].filter(isObject) : [])]);
  const found = tried.find((link) => asText(link['hostname'] ?? link['address']) !== '');
  return found && [asText(found['hostname'] ?? found['address']), asText(found['port'])];
}

/** Node.js's words for the codes of its `fetch`: people read them. */
const plainCodes: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: 'ECONNRESET',
  UND_ERR_HEADERS_TIMEOUT: 'ETIMEDOUT',
  UND_ERR_BODY_TIMEOUT: 'ETIMEDOUT',
};

/** System errors and those of HTTP clients. Libraries put other things, such as a status, into `code` as well. */
const isCode = /^[A-Z][A-Z0-9_]+$/;
