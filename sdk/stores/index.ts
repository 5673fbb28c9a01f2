export { memoryClaims, type ChangeClaims, type Claim, type Claims } from './claims.ts';
export { postgresStores, sqliteStores, type PostgresClient, type SqliteDatabase } from './drivers.ts';
export { sqlStores, type Row, type Sql, type SqlOptions, type SqlStores } from './sql.ts';
export type { HandedOut, KnownChanges } from './knownChanges.ts';
export type { Soon, Store } from './store.ts';
