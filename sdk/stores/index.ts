export { memoryClaims, type ChangeClaims, type Claim, type Claims } from './claims.ts';
export {
  postgresStores,
  sqliteStores,
  type PostgresClient,
  type SqliteDatabase,
  sqlStores,
  type Row,
  type Sql,
  type SqlOptions,
  type SqlStores,
} from './sql.ts';
export type { HandedOut, KnownChanges, Soon, Store } from './store.ts';
