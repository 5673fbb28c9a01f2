import type { Fetch } from '../../shared/client/httpClient.ts';
import type { TelemetryHooks } from './telemetry.ts';

/** How a client reaches the service. */
export interface ClientOptions extends TelemetryHooks {
  /** An access token, a function that returns one, or a connection of `./oauth`, which refreshes its token automatically. */
  auth: Auth;
  /** Ends in `/api/v1`. Default: the published address. */
  baseUrl?: string | undefined;
  /** Sends the requests. Default: the global `fetch`. It is looked up for each request, so a test may replace it. */
  fetch?: Fetch | undefined;
  /** The IANA time zone for starts without an offset, if the call names none. If neither is set, such a start is refused. */
  timeZone?: string | undefined;
  /** How long one request may take before it counts as lost. Milliseconds. Default: 20 seconds. */
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

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /** The maximum number of records. Default: all. */
  limit?: number | undefined;
}

/** Says for whom a client calls. A connection of `./oauth` is one, and so is any object with these two methods. */
export interface Authorization {
  /** The access token to send now. */
  token(signal?: AbortSignal): Promise<string>;
  /**
   * Called when a token was refused with 401, so nothing was done. Resolves when there is a new token.
   *
   * @param refused the token that was sent; if there is already a newer one, nothing has to be done
   */
  renew?(refused: string, signal?: AbortSignal): Promise<void>;
}

/** An access token, a function that gives one, or a connection that renews it. */
export type Auth = string | (() => string | Promise<string>) | Authorization;

/** Any of the three as the form that the client uses. */
export function authorizationOf(auth: Auth): Authorization {
  if (typeof auth === 'string') return { token: async () => auth };
  return typeof auth === 'function' ? { token: async () => auth() } : auth;
}
