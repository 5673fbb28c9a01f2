import type Provider from 'oidc-provider';
import type { Accounts } from './accounts.ts';
import type { Connections } from './connections.ts';
import type { Database } from './database/database.ts';
import type { SealedRows } from './database/sealedRows.ts';
import type { Shares } from './database/shares.ts';
import type { Vault } from './database/vault.ts';
import type { Log } from './log.ts';
import type { Settings } from './settings.ts';
import type { ServiceSignIn } from './signIn/service.ts';

/** What one process of the server consists of. */
export interface Parts {
  settings: Settings;
  log: Log;
  database: Database;
  vault: Vault;
  rows: SealedRows;
  shared: Shares;
  signIn: ServiceSignIn;
  connections: Connections;
  provider: Provider;
  accounts: Accounts;
}

/** Some of them, for what needs no more. */
export type Some<Name extends keyof Parts> = Pick<Parts, Name>;
