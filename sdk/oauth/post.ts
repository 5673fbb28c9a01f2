import { exchange, type Fetch, type FetchRequest } from '../../shared/api/overFetch.ts';
import { NetworkFault, type ApiResponse } from '../../shared/api/transport.ts';
import type { TokenRequest } from '../../shared/oauth.ts';
import { unreachableRenewal } from '../../shared/renewal.ts';
import { ownFetch } from '../fetch.ts';

/** What token calls are sent by. */
export interface TokenWire {
  fetch: Fetch;
  timeout: (milliseconds: number) => AbortSignal;
}

const tokenMs = 15_000;

export const ownWire = (fetch?: Fetch): TokenWire => ({
  fetch: ownFetch(fetch),
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
});

/** @throws ServiceError where no answer came: what failed is the token call, and never what it was made for */
export async function post({ method, url, headers, form }: TokenRequest, { fetch, timeout }: TokenWire): Promise<ApiResponse> {
  const request: FetchRequest = { method, headers, body: new URLSearchParams(form).toString() };
  try {
    return await exchange(fetch, url, request, timeout(tokenMs));
  } catch (error) {
    throw error instanceof NetworkFault ? unreachableRenewal(error.code) : error;
  }
}
