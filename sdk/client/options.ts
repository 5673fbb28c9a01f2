import type { Fetch } from '../../shared/client/httpClient.ts';
import type { Auth } from '../auth.ts';
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
