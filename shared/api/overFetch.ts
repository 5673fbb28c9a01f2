import { networkFault, NetworkFault, type ApiRequest, type ApiResponse } from './transport.ts';

/** What is used of a host's `fetch`. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

export interface FetchRequest {
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

/** One request by some HTTP client of a host; it resolves for every status and follows no redirect. @throws NetworkFault when no whole answer came */
export type Exchange = (address: string, request: FetchRequest, given: AbortSignal) => Promise<ApiResponse>;

/** More than any page of records holds; an endless answer ends here. */
export const mostBytes = 20_000_000;

/**
 * One request over plain `fetch`, as the core's port wants it: it resolves for every status, and follows no redirect, because the
 * token would travel along.
 *
 * @param given ends the request, such as after a time; one that ended so counts as sent
 * @throws NetworkFault when no whole answer came
 */
export async function exchange(
  fetch: Fetch,
  address: string,
  { method, headers, body }: FetchRequest,
  given: AbortSignal,
): Promise<ApiResponse> {
  try {
    const response = await fetch(address, { method, headers, redirect: 'manual', signal: given, ...(body !== undefined && { body }) });
    return { status: response.status, headers: Object.fromEntries(response.headers), body: parsed(await textOf(response)) };
  } catch (error) {
    throw timeoutOf(error) ?? networkFault(error) ?? error;
  }
}

/** A host's `fetch` as the way in which requests are exchanged. */
export const exchangeOver =
  (fetch: Fetch): Exchange =>
  (address, request, given) =>
    exchange(fetch, address, request, given);

/** The same for a request of the core's port, with the token of the connection (section 5). */
export const sendOver = (fetch: Fetch, request: ApiRequest, token: string, given: AbortSignal): Promise<ApiResponse> =>
  sendBy(exchangeOver(fetch), request, token, given);

/** The same by another client than `fetch`. */
export const sendBy = (
  send: Exchange,
  { method, url, query, headers, body }: ApiRequest,
  token: string,
  given: AbortSignal,
): Promise<ApiResponse> =>
  send(
    query === undefined ? url : `${url}?${new URLSearchParams(query).toString()}`,
    { method, headers: { ...headers, authorization: `Bearer ${token}` }, body: body && JSON.stringify(body) },
    given,
  );

/** A signal's own error has a number for a code, which no table of network errors knows. */
export function timeoutOf(error: unknown): NetworkFault | undefined {
  const name = typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined;
  return name === 'TimeoutError' || name === 'AbortError' ? new NetworkFault('ETIMEDOUT', true) : undefined;
}

async function textOf({ body }: Response): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  const reader: ReadableStreamDefaultReader<Uint8Array> = (body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  let read = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    read += piece.value.byteLength;
    if (read > mostBytes) {
      await reader.cancel();
      throw new NetworkFault('EMSGSIZE', true);
    }
    text += decoder.decode(piece.value, { stream: true });
  }
  return text + decoder.decode();
}

/** What a body says: the text itself where it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
