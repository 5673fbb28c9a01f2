import type { Authorization } from '../../sdk/client/options.ts';
import { authorizedTransport, ownHttpClient } from '../../sdk/client/transport.ts';
import { ownWire, type TokenWire } from '../../sdk/oauth/connection.ts';
import type { TransportFor } from './account.ts';

/** The time limits of requests. A request that changes something is given up early enough to look for its result. Milliseconds. */
const timeouts = { GET: 20_000, POST: 18_000, DELETE: 18_000 } as const;

/** How requests are sent. @param userAgent shows the service that an agent asks, rather than an application */
export const wireAs = (userAgent: string): TokenWire => ({
  ...ownWire(),
  httpClient: (address, request, signal) =>
    ownHttpClient()(address, { ...request, headers: { ...request.headers, 'user-agent': userAgent } }, signal),
});

/**
 * The core's transport for one call. @param authorization the token and its renewal; gets the remaining time of the call, in milliseconds
 */
export const transportWith =
  (authorization: (leftMs: () => number) => Authorization, wire: TokenWire): TransportFor =>
  (leftMs) =>
    authorizedTransport({ ...wire, timeoutMs: (method) => Math.min(timeouts[method], leftMs()), authorization: authorization(leftMs) });
