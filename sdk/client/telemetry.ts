import type { ApiRequest } from '../../shared/client/transport.ts';
import { guarded } from '../guarded.ts';

/** One request to the service, for logs, metrics and traces. It contains no id, no token and nothing about a person. */
export interface RequestInfo {
  /** The call that sent it, such as `bookings.create` or `poller.poll`. */
  operation: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** The path without ids and without the query, such as `/v1/bookings/:id`. */
  path: string;
  /** 1 for the first time that this request is sent. */
  attempt: number;
  /** The status of the answer. `undefined` if no complete answer came. */
  status: number | undefined;
}

/**
 * What happens while a client works. A hook that throws, rejects or never resolves changes nothing about the call.
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
  /** Called when a request was answered, or failed without an answer. Token requests are not included. */
  onRequest?: ((request: RequestInfo & { durationMs: number }) => unknown) | undefined;
  /** Called when a request will be sent again, before the wait for it. `attempt` and `status` are those of the request that failed. */
  onRetry?: ((request: RequestInfo & { waitMs: number }) => unknown) | undefined;
}

/** Tells the hooks about the requests of one call. */
export class Telemetry {
  readonly #hooks: TelemetryHooks;
  readonly #operation: string;
  readonly #sent = new WeakMap<ApiRequest, { path: string; attempt: number }>();

  constructor(hooks: TelemetryHooks, operation: string) {
    this.#hooks = hooks;
    this.#operation = operation;
  }

  /** Sends a request and tells how it ended. */
  async request<Answer extends { status: number }>(request: ApiRequest, path: string, send: () => Promise<Answer>): Promise<Answer> {
    this.#sent.set(request, { path, attempt: (this.#sent.get(request)?.attempt ?? 0) + 1 });
    const began = performance.now();
    let status: number | undefined;
    try {
      const answer = await send();
      status = answer.status;
      return answer;
    } finally {
      const { onRequest } = this.#hooks;
      const info = { ...this.#infoOn(request, status), durationMs: performance.now() - began };
      if (onRequest !== undefined) guarded(() => onRequest(info));
    }
  }

  retry(request: ApiRequest, status: number | undefined, waitMs: number): void {
    const { onRetry } = this.#hooks;
    if (onRetry !== undefined) guarded(() => onRetry({ ...this.#infoOn(request, status), waitMs }));
  }

  #infoOn(request: ApiRequest, status: number | undefined): RequestInfo {
    const { path = '', attempt = 0 } = this.#sent.get(request) ?? {};
    return { operation: this.#operation, method: request.method, path, attempt, status };
  }
}
