import { sqlStores, type Row, type Sql, type SqlOptions, type SqlStores } from './sql.ts';

/** The part of `pg` that is used: a `Pool`, or a `Client` that is connected. Others that take `$1` and give rows fit as well. */
export interface PostgresClient {
  query(statement: string, values: (string | number | null)[]): Promise<{ rows: unknown[] }>;
}

/**
 * The stores over PostgreSQL. The pool is handed in, so that no driver is a dependency.
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
