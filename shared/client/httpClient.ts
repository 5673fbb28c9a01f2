import { parsed } from '../values.ts';
import { networkFault } from './networkFaults.ts';
import { NetworkFault, tooLongCode, type ApiRequest, type ApiResponse } from './ports.ts';

/** The part of the global `fetch` that is used. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

export interface HttpRequest {
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

/**
 * Sends one request with a runtime's HTTP client. It resolves for every status and follows no redirect.
 *
 * @param signal ends the request, for example after a timeout; a request that has begun then counts as sent
 * @throws NetworkFault if no complete response arrived
 */
export type HttpClient = (address: string, request: HttpRequest, signal: AbortSignal) => Promise<ApiResponse>;

/** The maximum size of a response, more than any page of records has. Longer ones are cut off. Bytes. */
export const maxBytes = 20_000_000;

/** A client that uses plain `fetch`. It follows no redirect, because that would send the token along. */
export const fetchClient =
  (fetch: Fetch): HttpClient =>
  async (address, { method, headers, body }, signal) => {
    if (signal.aborted) throw new NetworkFault('ETIMEDOUT', false);
    try {
      const response = await fetch(address, { method, headers, redirect: 'manual', signal, ...(body !== undefined && { body }) });
      // A test double may have no headers.
      const named = Symbol.iterator in (response.headers ?? {}) ? Object.fromEntries(response.headers) : {};
      return { status: response.status, headers: named, body: parsed(await textOf(response)) };
    } catch (error) {
      throw timeoutOf(error) ?? networkFault(error) ?? error;
    }
  };

/**
 * Characters that no token has (RFC 6750), unless it was copied badly, perhaps from a header. The runtime would refuse them with an error
 * that shows a part of the token.
 */
const notOfTokens = /^\s*bearer\s+|[^\x21-\x7e]+/gi;

/** Sends a request of the core with the connection's token (section 5). */
export const sendAuthorized = (
  send: HttpClient,
  { method, url, query, headers, body }: ApiRequest,
  token: string,
  signal: AbortSignal,
): Promise<ApiResponse> =>
  send(
    query === undefined ? url : `${url}?${new URLSearchParams(query).toString()}`,
    { method, headers: { ...headers, authorization: `Bearer ${token.replace(notOfTokens, '')}` }, body: body && JSON.stringify(body) },
    signal,
  );

/** An aborted signal. Its error must be recognized by name: its code is a number, which is in no table of network errors. */
export function timeoutOf(error: unknown): NetworkFault | undefined {
  const name = typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined;
  return name === 'TimeoutError' || name === 'AbortError' ? new NetworkFault('ETIMEDOUT', true) : undefined;
}

async function textOf(response: Partial<Response>): Promise<string> {
  const body = response.body as Partial<ReadableStream<Uint8Array>> | null | undefined;
  if (body === null) return '';
  // In node-fetch, the body is a stream of Node.js; in polyfills there is none; and many test doubles have only `json()`.
  if (body?.getReader === undefined) return (await response.text?.()) ?? JSON.stringify(await response.json?.()) ?? '';
  const decoder = new TextDecoder();
  const reader: ReadableStreamDefaultReader<Uint8Array> = (body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  let read = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    read += piece.value.byteLength;
    if (read > maxBytes) {
      await reader.cancel();
      throw new NetworkFault(tooLongCode, true);
    }
    text += decoder.decode(piece.value, { stream: true });
  }
  return text + decoder.decode();
}
