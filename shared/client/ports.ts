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
  /** When it is too late to send it, because others rely on that. Milliseconds since the epoch. */
  notAfter?: number;
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
    super(`No response came (${code}).`);
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
