export { memoryClaims, type ChangeClaims, type Claim, type Claims } from './claims.ts';
export { postgresStores, sqliteStores, type PostgresClient, type SqliteDatabase, sqlStores, type SqlStores } from './sql.ts';
export type { Row, Sql, SqlOptions } from './sqlTable.ts';
export type { HandedOut, KnownChanges, Soon, Store } from './store.ts';
