import { openDatabase } from './database/database.ts';
import { openRows } from './database/sealedRows.ts';
import { sharesIn } from './database/shares.ts';
import { makeVault } from './database/vault.ts';
import type { Log } from './log.ts';
import type { ServerSettings } from './settings.ts';

/** The foundation of every part of one process. @throws an error for operators */
export async function openBasis(settings: ServerSettings, log: Log) {
  const vault = makeVault(settings.keys);
  const database = await openDatabase({ url: settings.databaseUrl, folder: settings.folder });
  const rows = await openRows(database, vault);
  return { settings, log, vault, database, rows, shared: sharesIn(database, rows.hash) };
}

export type Basis = Awaited<ReturnType<typeof openBasis>>;

/** A selection of it, for parts that need no more. */
export type Some<Name extends keyof Basis> = Pick<Basis, Name>;
