import { authorizedTransport, ownHttpClient } from '../sdk/client/transport.ts';
import { type ConnectionFile, connectionIn, ownPorts, type Ports } from '../sdk/node/connectionFile.ts';
import { connectedAgain } from '../sdk/oauth/connection.ts';
import { brand } from '../shared/brand.ts';
import { ServiceError } from '../shared/client/index.ts';
import type { TransportFor } from './adapter/account.ts';

/** How long a request may take. A request that changes something is given up early enough to look for its result. Milliseconds. */
const timeouts = { GET: 20_000, POST: 18_000, DELETE: 18_000 } as const;

/** The service sees who asks: an agent, or an application. */
const own: Ports = {
  ...ownPorts,
  httpClient: (address, request, signal) =>
    ownHttpClient()(address, { ...request, headers: { ...request.headers, 'user-agent': `${brand.slug}-mcp` } }, signal),
};

/**
 * The core's transport with the connection's token, for one call.
 *
 * @param id the connection's: what was begun in one account is never continued in another
 * @param ended gets the refusal of a connection that has expired or was revoked, and returns the error to report
 */
export const transportOf = (
  kept: ConnectionFile,
  id: string,
  ports: Ports = own,
  ended?: (refused: ServiceError) => ServiceError,
): TransportFor => {
  const connection = connectionIn(kept, ports);
  const checked = async <Result>(work: Promise<Result>): Promise<Result> => {
    const result = await work.catch((error: unknown) => {
      throw error instanceof ServiceError && error.kind === 'unauthenticated' ? (ended?.(error) ?? error) : error;
    });
    if (kept.read().id !== id) throw connectedAgain();
    return result;
  };
  return (leftMs) =>
    authorizedTransport({
      httpClient: ports.httpClient,
      timeout: ports.timeout,
      timeoutMs: (method) => Math.min(timeouts[method], leftMs()),
      authorization: {
        token: () => checked(connection.token()),
        renew: (refused) => checked(connection.renew(refused, ports.timeout(Math.max(1, leftMs())))),
      },
    });
};
