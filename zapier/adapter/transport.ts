import type { HttpRequestOptions, ZObject } from 'zapier-platform-core';
import { networkFault, NetworkFault, type ApiResponse, type Transport } from '../../shared/api/transport.ts';

/** Zapier ends a step after 30 seconds. What is under way is given up a little earlier, so that a sentence still gets out. */
const STEP_MS = 28_000;

/** A create is given up early enough for two look-ups after it. */
const POST_MS = 14_000;

/** More than any page of records holds; an endless answer ends here. */
const MOST_BYTES = 20_000_000;

/** What `z.request` understands beside what its types say. */
interface RequestOptions extends HttpRequestOptions {
  url: string;
  /** Off: values are data. Zapier would strip `{{...}}` from them, or refuse them. */
  merge: boolean;
  /** Off: a 429 reaches the core with its headers, which know the delay in more forms than the platform reads. */
  throwForThrottlingEarly: boolean;
}

/** What is read of an answer; the platform's own type rests on a package that it does not bring along. */
interface Answer {
  status: number;
  headers: { forEach(each: (value: string, name: string) => void): void };
  data: unknown;
  content: string;
}

export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  /** The whole body as it is sent. */
  body?: string;
  /** Not sent: what the app's own middleware is told about the request. */
  middlewareData?: { isTokenCall: boolean };
}

/**
 * Sends one request through `z.request`, which logs it with its secrets struck out. Resolves for every status but 401, where the platform
 * raises its own signal to refresh the token; follows no redirect.
 *
 * @param timeoutMs how long to wait for the whole answer
 * @throws NetworkFault when no whole answer came
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
    size: MOST_BYTES,
  };
  try {
    const response: Answer = await z.request<unknown>(options);
    return { status: response.status, headers: namedHeaders(response), body: response.data ?? response.content };
  } catch (error) {
    throw faultOf(error) ?? error;
  }
}

/** What is left of a step that begins now, in milliseconds. A clock that is set in between does not change it. */
export function stepTime(): () => number {
  const end = performance.now() + STEP_MS;
  return () => end - performance.now();
}

/**
 * The port through which the core talks inside one step of a Zap: its requests share the step's time.
 *
 * @param leftMs what is left of the step
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

function namedHeaders({ headers }: Answer): Record<string, string> {
  const named: Record<string, string> = {};
  headers.forEach((value, name) => (named[name.toLowerCase()] = value));
  return named;
}

/** node-fetch names a time-out and an answer that is too large by a type of its own, without a code. */
function faultOf(error: unknown): NetworkFault | undefined {
  const fault = networkFault(error);
  if (fault !== undefined || !(error instanceof Error) || error.name !== 'FetchError') return fault;
  const isTimeout = 'type' in error && (error.type === 'request-timeout' || error.type === 'body-timeout');
  return new NetworkFault(isTimeout ? 'ETIMEDOUT' : 'ECONNRESET', true);
}
