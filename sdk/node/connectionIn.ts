import type { HttpClient } from '../../shared/client/httpClient.ts';
import type { TokenRefresher } from '../../shared/oauth/tokenRefresher.ts';
import { connectionOver, ownRenewals, type Connection } from '../oauth/connection.ts';
import { ownWire } from '../oauth/post.ts';
import { storeIn, type ConnectionFile } from './connectionFile.ts';

/** How requests are sent. */
export interface Ports {
  httpClient: HttpClient;
  timeout: (milliseconds: number) => AbortSignal;
  /** The refreshes of this process. The lock next to the connection keeps out other processes. */
  renewals: TokenRefresher;
}

export const ownPorts: Ports = { ...ownWire(), renewals: ownRenewals() };

/** The connection whose tokens and application are saved in a file. */
export const connectionIn = (kept: ConnectionFile, { httpClient, timeout, renewals }: Ports = ownPorts): Connection =>
  connectionOver({
    credentials: () => kept.read(),
    store: storeIn(kept),
    wire: { httpClient, timeout },
    renewals,
    name: () => `${kept.path} ${kept.read().id}`,
  });
