import type { HttpRequestOptions, ZObject } from 'zapier-platform-core';
import { maxBytes, networkFault, NetworkFault, tooLongCode, type ApiResponse, type Transport } from '../../shared/client/index.ts';
import { parsed } from '../../shared/values.ts';

/** Zapier ends a step after 30 seconds. Work is given up a little earlier, so that an error can still be shown. */
const STEP_MS = 28_000;

/** The time limit of a create, short enough to leave time for two searches after it. */
const POST_MS = 14_000;

/** Options of `z.request` that its types lack. */
interface RequestOptions extends HttpRequestOptions {
  url: string;
  /** Off, because values are data. Zapier would remove `{{...}}` from them, or refuse them. */
  merge: boolean;
  /** Off, so that a 429 reaches the core with its headers. The core understands more forms of the delay than the platform does. */
  throwForThrottlingEarly: boolean;
}

/** The parts of a response that are used. The platform's own type needs a package that it does not include. */
interface PlatformAnswer {
  status: number;
  headers: { forEach(each: (value: string, name: string) => void): void };
  data: unknown;
  content: string;
}

export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  /** The complete body, as sent. */
  body?: string;
  /** Not sent. Tells the app's own middleware about the request. */
  middlewareData?: { isTokenCall: boolean };
}

/**
 * Sends one request through `z.request`, which logs it with secrets hidden. Resolves for every status except 401, for which the platform
 * throws its own signal to refresh the token. Follows no redirects.
 *
 * @param timeoutMs how long to wait for the complete response
 * @throws NetworkFault if no complete response came
 */
export async function send(z: ZObject, request: OutgoingRequest, timeoutMs: number): Promise<ApiResponse> {
  const options: RequestOptions = {
    ...request,
    headers: { 'user-agent': 'Zapier', ...request.headers },
    redirect: 'manual',
    skipThrowForStatus: true,
    merge: false,
    throwForThrottlingEarly: false,
    timeout: timeoutMs,
    size: maxBytes,
  };
  try {
    const response: PlatformAnswer = await z.request<unknown>(options);
    return { status: response.status, headers: namedHeaders(response), body: response.data ?? parsed(response.content) };
  } catch (error) {
    throw faultOf(error) ?? error;
  }
}

/**
 * The remaining time of a step that begins now, in milliseconds. It uses a monotonic clock, so setting the system clock does not change it.
 */
export function stepTime(): () => number {
  const end = performance.now() + STEP_MS;
  return () => end - performance.now();
}

/**
 * The core's transport inside one step of a Zap. All its requests share the step's time.
 *
 * @param leftMs the remaining time of the step
 */
export function transportOf(z: ZObject, leftMs: () => number): Transport {
  return async ({ method, url, query, headers, body }) => {
    const left = leftMs();
    if (left <= 0) throw new NetworkFault('ETIMEDOUT', false);
    const address = query === undefined ? url : `${url}?${new URLSearchParams(query).toString()}`;
    const request = { method, url: address, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return send(z, request, Math.min(method === 'POST' ? POST_MS : STEP_MS, left));
  };
}

function namedHeaders({ headers }: PlatformAnswer): Record<string, string> {
  const named: Record<string, string> = {};
  headers.forEach((value, name) => (named[name.toLowerCase()] = value));
  return named;
}

/** The platform's own signals, such as the one to refresh the token. They follow a response which shows that nothing was done. */
const signals = ['RefreshAuthError', 'ExpiredAuthError', 'ThrottledError', 'HaltedError', 'ResponseError', 'AppError'];

/** For a timeout and for a response that is too long, node-fetch throws its own type without a code. */
function faultOf(error: unknown): NetworkFault | undefined {
  if (error instanceof Error && signals.includes(error.name)) return undefined;
  const codes: Record<string, string> = { 'request-timeout': 'ETIMEDOUT', 'body-timeout': 'ETIMEDOUT', 'max-size': tooLongCode };
  const code = error instanceof Error && 'type' in error ? codes[String(error.type)] : undefined;
  return code === undefined ? networkFault(error) : new NetworkFault(code, true);
}
