import { sqlStores, type Row, type Sql, type SqlOptions, type SqlStores } from './sql.ts';

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
