import { type HttpClient, type Fetch, type HttpRequest } from '../../shared/client/httpClient.ts';
import { NetworkFault, type ApiResponse } from '../../shared/client/transport.ts';
import type { TokenRequest } from '../../shared/oauth/oauth.ts';
import { unreachableRenewal } from '../../shared/oauth/tokenRefresher.ts';
import { ownHttpClient } from '../client/transport.ts';

/** How token requests are sent. */
export interface TokenWire {
  httpClient: HttpClient;
  timeout: (milliseconds: number) => AbortSignal;
}

const tokenMs = 15_000;

export const ownWire = (fetch?: Fetch): TokenWire => ({
  httpClient: ownHttpClient(fetch),
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
});

/** @throws ServiceError if no answer came. It names the token request, not the call that needed the token */
export async function post({ method, url, headers, form }: TokenRequest, { httpClient, timeout }: TokenWire): Promise<ApiResponse> {
  const request: HttpRequest = { method, headers, body: new URLSearchParams(form).toString() };
  try {
    return await httpClient(url, request, timeout(tokenMs));
  } catch (error) {
    throw error instanceof NetworkFault ? unreachableRenewal(error.code) : error;
  }
}
