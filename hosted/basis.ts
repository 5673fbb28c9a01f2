import type { Database } from './database/database.ts';
import type { SealedRows } from './database/sealedRows.ts';
import type { Shares } from './database/shares.ts';
import type { Vault } from './database/vault.ts';
import type { Log } from './log.ts';
import type { ServerSettings } from './settings.ts';

/** What every part of one process is built on. */
export interface Basis {
  settings: ServerSettings;
  log: Log;
  database: Database;
  vault: Vault;
  rows: SealedRows;
  shared: Shares;
}

/** Some of it, for what needs no more. */
export type Some<Name extends keyof Basis> = Pick<Basis, Name>;
