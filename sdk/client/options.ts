import type { Fetch } from '../../shared/api/overFetch.ts';
import type { Auth } from '../auth.ts';

/** How a client reaches the service. */
export interface ClientOptions {
  /** An access token, a function that gives one, or a connection of `./oauth`, which renews its token by itself. */
  auth: Auth;
  /** Ends in `/api/v1`; the published address where it is absent. */
  baseUrl?: string | undefined;
  /** Sends the requests in place of the global `fetch`. */
  fetch?: Fetch | undefined;
  /** The IANA zone in which a start without an offset is read where the call names none. Without it such a start is refused. */
  timeZone?: string | undefined;
  /** How long one request may take before it counts as lost. Milliseconds; 20 seconds where it is absent. */
  timeoutMs?: number | undefined;
}

/** What one call is made with. */
export interface CallOptions {
  /**
   * Gives the call up. It then ends with the signal's own reason; where something may have been changed already, with a
   * ServiceError of the kind `unknownOutcome`.
   */
  signal?: AbortSignal | undefined;
}

/** What a list is read with. */
export interface ListOptions extends CallOptions {
  /** The most records wanted; all where it is absent. */
  limit?: number | undefined;
}
