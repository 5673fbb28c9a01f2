export { memoryClaims, type ChangeClaims, type Claim, type Claims } from './claims.ts';
export { postgresStores, type PostgresClient } from './postgres.ts';
export { sqliteStores, type SqliteDatabase } from './sqlite.ts';
export { sqlStores, type Row, type Sql, type SqlOptions, type SqlStores } from './sql.ts';
export type { HandedOut, KnownChanges } from './knownChanges.ts';
export type { Soon, Store } from './store.ts';
