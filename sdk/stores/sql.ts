import type { Tokens } from '../../shared/oauth/oauth.ts';
import { parseAccount } from '../../shared/client/account.ts';
import type { StoredSubscription, Subscribed } from '../../shared/webhooks/storedSubscription.ts';
import { isObject } from '../../shared/values.ts';
import type { ChangeClaims } from './claims.ts';
import { knownIn, type KnownChanges, tokensIn, type Store } from './store.ts';
import { sqlClaims, withClaim } from './sqlClaims.ts';
import { makeTable, once, type Row, type Sql, type SqlOptions } from './sqlTable.ts';

/** The stores of one application in one database. */
export interface SqlStores {
  /** Records which deliveries were handled, for every process that uses the database. */
  claims: ChangeClaims;
  /**
   * The tokens of one connection. They are not encrypted: anyone who can read the database can use them.
   *
   * @param name a different one for each connection
   */
  tokens(name?: string): Store<Tokens>;
  /**
   * A subscription with its signing secret, which is not encrypted either.
   *
   * @param name a different one for each subscription
   */
  subscription(name?: string): Store<Subscribed>;
  /**
   * The state of a poller, as hashes that reveal nothing about a person. About 19 bytes per booking and per contact.
   *
   * @param name a different one for each poller
   */
  changes(name?: string): Store<KnownChanges>;
}

/**
 * Keeps claims, tokens, subscriptions and the state of pollers in a database. Its two tables are created on first use. `sqliteStores` and
 * `postgresStores` call it for a database or pool of your driver.
 *
 * @throws Error if the prefix is not a valid name
 */
export function sqlStores(sql: Sql, options: SqlOptions = {}): SqlStores {
  const { prefix = 'scheduling' } = options;
  if (!/^[a-z_]\w{0,40}$/i.test(prefix))
    throw new Error(`"${prefix.slice(0, 60)}" cannot be a table prefix. Use letters, digits and underscores.`);
  const table = `${prefix}_kept`;
  const ready = once(() => makeTable(sql, table, 'name TEXT PRIMARY KEY, value TEXT NOT NULL'));
  const claims = sqlClaims(sql, { ...options, table: `${prefix}_claims` });

  const storeOf = <Value>(name: string, parse: (value: unknown) => Value | undefined): Store<Value> => ({
    async read() {
      await ready();
      const [row] = await sql(`SELECT value FROM ${table} WHERE name = ?`, [name]);
      return row === undefined ? undefined : parse(JSON.parse(String(row['value'])));
    },
    async write(value) {
      await ready();
      await sql(`INSERT INTO ${table} (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, [
        name,
        JSON.stringify(value),
      ]);
    },
    async delete() {
      await ready();
      await sql(`DELETE FROM ${table} WHERE name = ?`, [name]);
    },
    withLock: (work) => withClaim(claims, `lock ${name}`, work),
  });
  return {
    claims,
    tokens: (name = 'tokens') => storeOf(`tokens ${name}`, tokensIn),
    subscription: (name = 'subscription') => storeOf(`subscription ${name}`, subscriptionIn),
    changes: (name = 'changes') => storeOf(`changes ${name}`, knownIn),
  };
}

/**
 * Unreadable data counts as missing. The result includes the address that was sent, because the service may show it in its own form (G43),
 * and the account that has the subscription.
 */
function subscriptionIn(value: unknown): (Subscribed & Pick<StoredSubscription, 'url' | 'account' | 'repeated'>) | undefined {
  if (!isObject(value)) return undefined;
  const { id, signing_secret, url, repeated } = value;
  const account = parseAccount(value['account']);
  if (typeof id !== 'string' || typeof signing_secret !== 'string') return undefined;
  return {
    id,
    signing_secret,
    ...(typeof url === 'string' && { url }),
    ...(account && { account }),
    ...(repeated === true && { repeated }),
  };
}

/** The part of the interface that `node:sqlite`, `better-sqlite3` and `bun:sqlite` share. */
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
export const sqliteStores = (database: SqliteDatabase, options?: SqlOptions): SqlStores => sqlStores(sqliteSql(database), options);

/** Runs statements on an open SQLite database. */
export function sqliteSql(database: SqliteDatabase): Sql {
  // Another process may be writing: without a timeout, a driver fails at once.
  const [{ timeout } = { timeout: 0 }] = database.prepare('PRAGMA busy_timeout').all() as { timeout?: number }[];
  if (timeout === 0) database.prepare('PRAGMA busy_timeout = 5000').all();
  /** Reused, because preparing a statement takes longer than running it, and there are only about thirty. */
  const prepared = new Map<string, ReturnType<SqliteDatabase['prepare']>>();
  return async (statement, values) => {
    const ready = prepared.get(statement) ?? database.prepare(statement);
    prepared.set(statement, ready);
    if (givesRows.test(statement)) return ready.all(...values) as Row[];
    ready.run(...values);
    return [];
  };
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
export const postgresStores = (client: PostgresClient, options?: SqlOptions): SqlStores => sqlStores(postgresSql(client), options);

/** Runs statements on PostgreSQL. */
export const postgresSql =
  (client: PostgresClient): Sql =>
  async (statement, values) => {
    let count = 0;
    return (
      await client.query(
        statement.replaceAll('?', () => `$${(count += 1)}`),
        [...values],
      )
    ).rows as Row[];
  };
