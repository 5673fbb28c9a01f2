import { sendBy, type Exchange } from '../../shared/api/overFetch.ts';
import { NetworkFault, type ApiRequest, type ApiResponse, type Transport } from '../../shared/api/transport.ts';
import type { Authorization } from '../auth.ts';

/** What requests are sent by. */
export interface Wire {
  exchange: Exchange;
  authorization: Authorization;
  /** How long one request may take, by what it does. Milliseconds. */
  timeoutMs: (method: ApiRequest['method']) => number;
  /** Ends a request after a time. */
  timeout: (milliseconds: number) => AbortSignal;
}

/** Longer than an answer takes that still comes. Milliseconds. */
export const requestTimeoutMs = 20_000;

/**
 * The core's port, with the token of a connection. A 401, which means that nothing was carried out, is answered by one
 * renewal for all who wait, and the request is sent once more.
 *
 * @param over frees this caller alone
 */
export function authorizedTransport({ exchange, authorization, timeoutMs, timeout }: Wire, over?: AbortSignal): Transport {
  const send = async (request: ApiRequest, token: string): Promise<ApiResponse> => {
    const milliseconds = timeoutMs(request.method);
    if (milliseconds <= 0) throw new NetworkFault('ETIMEDOUT', false);
    const late = timeout(milliseconds);
    return sendBy(exchange, request, token, over === undefined ? late : AbortSignal.any([over, late]));
  };
  return async (request) => {
    const token = await authorization.token(over);
    const answer = await send(request, token);
    if (answer.status !== 401 || authorization.renew === undefined) return answer;
    await authorization.renew(token, over);
    return send(request, await authorization.token(over));
  };
}
