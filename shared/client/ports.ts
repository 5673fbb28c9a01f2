/** JSON as it is sent and received. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}

export interface ApiRequest {
  method: 'GET' | 'POST' | 'DELETE';
  /** The whole URL without the query. */
  url: string;
  query?: Record<string, string>;
  headers: Record<string, string>;
  /** Sent as JSON. */
  body?: JsonObject;
  /** The time after which the request must not be sent, because others rely on that. Milliseconds since the epoch. */
  notAfter?: number;
}

export interface ApiResponse {
  status: number;
  /** Names are in lowercase. */
  headers: Record<string, string>;
  /** The parsed JSON; the text itself if it is not JSON; `undefined` or `''` if the body is empty. */
  body: unknown;
}

/**
 * The port through which the core sends requests: Zapier's `z.request`, n8n's authenticated helper, plain `fetch`.
 *
 * It adds the bearer token (section 5), resolves for *every* status, follows no redirect (the token must not reach another origin) and
 * never retries. It throws a {@link NetworkFault} if no complete response arrived. Errors of the platform itself, such as Zapier's signal
 * to refresh or n8n's "reconnect", pass through unchanged.
 *
 * @param route the path without ids, such as `/v1/bookings/:id`
 */
export type Transport = (request: ApiRequest, route?: string) => Promise<ApiResponse>;

/** Time and random numbers, passed in so that tests can run in virtual time. Milliseconds. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  random(): number;
}

/** No complete response arrived. `sent` says whether the request may have reached the service. */
export class NetworkFault extends Error {
  readonly sent: boolean;
  /** The error's code, or its message if it has none. */
  readonly code: string;
  /** The host or address and the port to which no connection was made, if the error names them. */
  readonly at: readonly [host: string, port: string] | undefined;

  constructor(code: string, sent: boolean, at?: readonly [host: string, port: string]) {
    super(`No response came (${code}).`);
    this.name = 'NetworkFault';
    this.code = code;
    this.sent = sent;
    this.at = at;
  }
}

/** The code of the fault for a response that was cut off because it was too long. */
export const tooLongCode = 'EMSGSIZE';

/** The host ends a run before its next request is sent, so that this request has certainly changed nothing. */
export class NotSent extends Error {}
