import type { Fetch } from '../../shared/client/httpClient.ts';
import { ServiceError } from '../../shared/serviceError.ts';
import { copied } from '../../shared/values.ts';

/** One request to the service, for logs, metrics and traces. It contains no id, no token and nothing about a person. */
export interface RequestInfo {
  /** The call that sent the request, such as `bookings.create` or `poller.poll`. */
  operation: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** The path without ids and without the query, such as `/v1/bookings/:id`. */
  path: string;
  /** 1 when this request is sent for the first time. */
  attempt: number;
  /** The status of the response, or `undefined` if no complete response arrived. */
  status: number | undefined;
}

/**
 * What happens while a client works. A hook that throws, rejects or never resolves does not affect the call.
 *
 * @example
 * ```ts
 * // With OpenTelemetry
 * const seconds = metrics.getMeter('app').createHistogram('http.client.request.duration', { unit: 's' });
 * const attributes = ({ method, path, status }) => ({ 'http.request.method': method, 'url.template': path, 'http.response.status_code': status });
 * const client = createClient({ auth, onRequest: (info) => seconds.record(info.durationMs / 1000, attributes(info)) });
 * ```
 */
export interface TelemetryHooks {
  /** Called when a request got a response, or failed without one. Token requests are not included. */
  onRequest?: ((request: RequestInfo & { durationMs: number }) => unknown) | undefined;
  /** Called before the wait that precedes a retry. `attempt` and `status` are those of the request that failed. */
  onRetry?: ((request: RequestInfo & { waitMs: number }) => unknown) | undefined;
}

/** How a client reaches the service. */
export interface ClientOptions extends TelemetryHooks {
  /** An access token, a function that returns one, or a connection from `./oauth`, which refreshes its token automatically. */
  auth: Auth;
  /**
   * The address of the service's API. It ends in `/api/v1`, which is added to an address without a path. Default: the published address.
   */
  baseUrl?: string | undefined;
  /** Sends the requests. Default: the global `fetch`, looked up for each request, so that tests can replace it. */
  fetch?: Fetch | undefined;
  /** The IANA time zone for starts without an offset, if the call names none. If neither is set, such a start is refused. */
  timeZone?: string | undefined;
  /** How long one request may take before its response counts as lost. Milliseconds. Default: 20 seconds. */
  timeoutMs?: number | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /**
   * Cancels the call. It then ends with the signal's reason, or with a ServiceError of the kind `unknownOutcome` if something may already
   * have changed.
   */
  signal?: AbortSignal | undefined;
}

/** Options of a call that returns a list. */
export interface ListOptions extends CallOptions {
  /** The maximum number of records. Default: all. */
  limit?: number | undefined;
}

/**
 * The records of a list. Nothing is requested until they are read, and each page is requested only when needed.
 *
 * @throws ServiceError while the records are read, like the method that returned the list
 */
export interface RecordList<Each> extends AsyncIterable<Each> {
  /** All records at once. */
  all(): Promise<Each[]>;
  /** The first record, or `undefined` if there is none. */
  first(): Promise<Each | undefined>;
  /** The records page by page, as the service sends them: up to 100 per page. */
  pages(): AsyncIterable<Each[]>;
  /** What you should know about the result once you have read it: for example, that a search of a large account read only a part of it. */
  readonly note: string | undefined;
}

/**
 * Provides the access token of the account that a client calls for. A connection from `./oauth` is one, and so is any object with these two
 * methods.
 */
export interface Authorization {
  /** The access token to send now. */
  token(signal?: AbortSignal): Promise<string>;
  /**
   * Called when a token was refused with 401, so nothing was done. Resolves when there is a new token.
   *
   * @param refused the token that was sent; if there is already a newer one, there is nothing to do
   * @param isCertain whether the service itself refused it; otherwise something in front of the service, such as a gateway or a firewall,
   * may have
   */
  renew?(refused: string, signal?: AbortSignal, isCertain?: boolean): Promise<void>;
}

/** An access token, a function that returns one, or a connection that renews it. */
export type Auth = string | (() => string | Promise<string>) | Authorization;

/**
 * Converts each form of `auth` to the one that the client uses.
 *
 * @throws ServiceError `invalid` if it is none of them, for example because the environment variable with the token is not set
 */
export function authorizationOf(auth: Auth): Authorization {
  if (typeof auth === 'function') return { token: async () => tokenIn(await auth()) };
  if (typeof (auth as Partial<Authorization> | undefined)?.token === 'function') return auth as Authorization;
  const token = tokenIn(auth);
  return { token: async () => token };
}

function tokenIn(given: unknown): string {
  if (typeof given === 'string' && copied(given) !== '') return given;
  throw new ServiceError('invalid', {
    message: '"auth" is not an access token, and does not return one.',
    advice: 'Check the value that you pass as "auth".',
  });
}
