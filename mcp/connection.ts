import type { Fetch } from '../shared/api/overFetch.ts';
import type { Renewals } from '../shared/renewal.ts';
import { authorizedTransport } from '../sdk/client/transport.ts';
import { connectionOver, ownRenewals, type Connection } from '../sdk/oauth/connection.ts';
import { ownWire } from '../sdk/oauth/post.ts';
import { storeIn, type Keeping } from '../sdk/node/connectionFile.ts';
import type { TransportFor } from './adapter/account.ts';

/** How long a request may take. One that changes something is given up early enough for looking after it. Milliseconds. */
const timeouts = { GET: 20_000, POST: 18_000, DELETE: 18_000 } as const;

/** What requests are sent by. */
export interface Ports {
  fetch: Fetch;
  timeout: (milliseconds: number) => AbortSignal;
  /** The renewals of this process; other processes are kept out by the lock beside the connection. */
  renewals: Renewals;
}

const own: Ports = { ...ownWire(), renewals: ownRenewals() };

const connectionOf = (kept: Keeping, { fetch, timeout, renewals }: Ports): Connection =>
  connectionOver({
    credentials: () => kept.read(),
    store: storeIn(kept),
    wire: { fetch, timeout },
    renewals,
    name: () => `${kept.path} ${kept.read().id}`,
  });

/** Ends the connection at the service and forgets it here, see {@link Connection.disconnect}. */
export const disconnect = (file: Keeping): Promise<void> => connectionOf(file, own).disconnect();

/** The core's port over `fetch`, with the token of the connection, for one call. */
export const transportOf = (kept: Keeping, ports: Ports = own): TransportFor => {
  const connection = connectionOf(kept, ports);
  return (leftMs) =>
    authorizedTransport({
      fetch: ports.fetch,
      timeout: ports.timeout,
      timeoutMs: (method) => Math.min(timeouts[method], leftMs()),
      authorization: {
        token: () => connection.token(),
        renew: (refused) => connection.renew(refused, ports.timeout(Math.max(1, leftMs()))),
      },
    });
};
