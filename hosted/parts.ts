import type Provider from 'oidc-provider';
import type { Accounts } from './accounts.ts';
import type { Basis } from './basis.ts';
import type { Connections } from './connections.ts';
import type { ServiceSignIn } from './signIn/service.ts';

/** What one process of the server consists of. */
export interface ServerParts extends Basis {
  signIn: ServiceSignIn;
  connections: Connections;
  provider: Provider;
  accounts: Accounts;
}
