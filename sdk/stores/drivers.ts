import { sqlStores, type Row, type Sql, type SqlOptions, type SqlStores } from './sql.ts';

/** The part that `node:sqlite`, `better-sqlite3` and `bun:sqlite` have in common. */
export interface SqliteDatabase {
  prepare(statement: string): {
    all(...values: (string | number | null)[]): unknown[];
    run(...values: (string | number | null)[]): unknown;
  };
}

/**
 * The stores in an open SQLite database. You pass in the database, so that the package depends on no driver: `new DatabaseSync(file)` of
 * `node:sqlite`, or `new Database(file)` of `better-sqlite3` or `bun:sqlite`. Make the file readable only by its user, because it contains
 * tokens and signing secrets.
 *
 * @example
 * ```ts
 * const { claims, tokens, subscription } = sqliteStores(new DatabaseSync('app.sqlite'));
 * ```
 */
export function sqliteStores(database: SqliteDatabase, options?: SqlOptions): SqlStores {
  // Another process may be writing: without this, a driver fails at once.
  const [{ timeout } = { timeout: 0 }] = database.prepare('PRAGMA busy_timeout').all() as { timeout?: number }[];
  if (timeout === 0) database.prepare('PRAGMA busy_timeout = 5000').all();
  const sql: Sql = async (statement, values) => {
    const prepared = database.prepare(statement);
    if (givesRows.test(statement)) return prepared.all(...values) as Row[];
    prepared.run(...values);
    return [];
  };
  return sqlStores(sql, options);
}

/** A driver may refuse to return rows for a statement that has none. */
const givesRows = /^SELECT|\bRETURNING\b/;

/** The part of `pg` that is used: a `Pool` or a connected `Client`. Other drivers that accept `$1` and return rows also work. */
export interface PostgresClient {
  query(statement: string, values: (string | number | null)[]): Promise<{ rows: unknown[] }>;
}

/**
 * The stores in PostgreSQL. You pass in the pool, so that the package depends on no driver.
 *
 * @example
 * ```ts
 * const { claims, tokens, subscription } = postgresStores(new Pool({ connectionString }));
 * ```
 */
export function postgresStores(client: PostgresClient, options?: SqlOptions): SqlStores {
  const sql: Sql = async (statement, values) => {
    let count = 0;
    return (
      await client.query(
        statement.replaceAll('?', () => `$${(count += 1)}`),
        [...values],
      )
    ).rows as Row[];
  };
  return sqlStores(sql, options);
}
