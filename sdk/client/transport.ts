import { isRefusedToken } from '../../shared/client/intermediary.ts';
import { fetchClient, sendAuthorized, type Fetch, type HttpClient } from '../../shared/client/httpClient.ts';
import { ServiceError } from '../../shared/serviceError.ts';
import { NetworkFault, type ApiRequest, type ApiResponse, type Transport } from '../../shared/client/ports.ts';
import { throughProxy } from './proxy.ts';
import { copied } from '../../shared/values.ts';
import type { Authorization, RequestInfo, TelemetryHooks } from './options.ts';
import { guarded } from '../errors.ts';
import type { Time } from '../time.ts';

/** How requests are sent. */
export interface Wire extends Time {
  httpClient: HttpClient;
  authorization: Authorization;
  /** How long one request may take, by its method. Milliseconds. */
  timeoutMs: (method: ApiRequest['method']) => number;
}

/** After this time, a response is no longer expected. Milliseconds. */
export const requestTimeoutMs = 20_000;

/**
 * How long to wait before a new token is sent again: the server that responds may not know it yet, or its clock may be behind.
 * Milliseconds.
 */
const settlingMs = 1_000;

/**
 * The core's transport with the token of a connection. A 401 means that nothing was done, and may come from a gateway instead of the
 * service. After it, the token is refreshed once for all waiting requests, and the request is sent again. If the new token is refused at
 * first, the request is sent once more a moment later.
 *
 * @param over cancels only this caller's wait
 */
export function authorizedTransport(
  { httpClient, authorization, timeoutMs, timeout, sleep, now }: Wire,
  over?: AbortSignal,
  telemetry = telemetryOf({}, ''),
): Transport {
  const send = async (request: ApiRequest, route: string | undefined, token: string): Promise<ApiResponse> => {
    if (now() > (request.notAfter ?? Infinity)) throw stoodStill();
    const milliseconds = timeoutMs(request.method);
    if (milliseconds <= 0) throw new NetworkFault('ETIMEDOUT', false);
    const late = timeout(milliseconds);
    const signal = over === undefined ? late : AbortSignal.any([over, late]);
    return telemetry.request(request, route ?? '', () => sendAuthorized(httpClient, request, copied(token), signal));
  };
  return async (request, route) => {
    const token = await authorization.token(over);
    const answer = await send(request, route, token);
    if (answer.status !== 401 || authorization.renew === undefined) return answer;
    await authorization.renew(token, over, isRefusedToken(answer));
    const refreshed = await authorization.token(over);
    if (refreshed === token) return answer;
    telemetry.retry(request, answer.status, 0);
    const again = await send(request, route, refreshed);
    if (again.status !== 401) return again;
    await sleep(settlingMs, over);
    telemetry.retry(request, again.status, settlingMs);
    return send(request, route, await authorization.token(over));
  };
}

/** The program or its machine was halted for so long that another process may already have sent the request. */
const stoodStill = (): ServiceError =>
  new ServiceError('server', {
    message: 'Nothing was sent: this program was paused for too long before it could send it.',
    advice: 'Do it again.',
  });

/**
 * Next.js and browsers may serve a cached response, but a lost booking is looked for in a fresh list. Cloudflare's older workers throw if
 * `cache` is set.
 */
const asItIs = (): RequestInit => ('cache' in (globalThis.Request?.prototype ?? {}) ? { cache: 'no-store' } : {});

/** The runtime's `fetch`, through the environment's proxy. It is looked up for each call, because it may be replaced later. */
export const runtimeFetch: Fetch = (address, init) => globalThis.fetch(address, { ...asItIs(), ...init, ...throughProxy(address) });

/** A client that uses the given `fetch`, without adding options such as `cache` to its requests, or by default the runtime's. */
export const ownHttpClient = (replacement: Fetch = runtimeFetch): HttpClient => fetchClient(replacement);

/** Reports the requests of one call to the hooks. */
export function telemetryOf({ onRequest, onRetry }: TelemetryHooks, operation: string) {
  const sent = new WeakMap<ApiRequest, { path: string; attempt: number }>();
  const infoOn = (request: ApiRequest, status: number | undefined): RequestInfo => {
    const { path = '', attempt = 0 } = sent.get(request) ?? {};
    return { operation, method: request.method, path, attempt, status };
  };
  return {
    /** Sends a request and reports how it ended. */
    async request<Answer extends { status: number }>(request: ApiRequest, path: string, send: () => Promise<Answer>): Promise<Answer> {
      sent.set(request, { path, attempt: (sent.get(request)?.attempt ?? 0) + 1 });
      const began = performance.now();
      let status: number | undefined;
      try {
        const answer = await send();
        status = answer.status;
        return answer;
      } finally {
        const info = { ...infoOn(request, status), durationMs: performance.now() - began };
        guarded(() => onRequest?.(info));
      }
    },
    retry: (request: ApiRequest, status: number | undefined, waitMs: number): void => {
      const info = { ...infoOn(request, status), waitMs };
      guarded(() => onRetry?.(info));
    },
  };
}
