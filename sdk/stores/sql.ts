import { readTokens, type Tokens } from '../../shared/oauth.ts';
import type { Subscribed } from '../../shared/webhooks/subscriptions.ts';
import { isObject } from '../../shared/values.ts';
import { sleep } from '../sleep.ts';
import type { ChangeClaims } from './claims.ts';
import { knownIn, type KnownChanges } from './knownChanges.ts';
import { sqlClaims } from './sqlClaims.ts';
import type { Store } from './store.ts';

/** A row as a driver gives it. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * What the stores ask of a database: one statement with its values in place of each `?`, and the rows that it gives. Every statement
 * is whole in itself, so a pool of connections will do.
 */
export type Sql = (statement: string, values: readonly (string | number | null)[]) => Promise<readonly Row[]>;

/** How the tables are called and how long things are kept in them. */
export interface SqlOptions {
  /** What the names of the two tables begin with. Letters, digits and underscores. */
  prefix?: string;
  /** How long after the death of a process what it was working on is free again. Seconds; a minute where it is absent. */
  leaseSeconds?: number;
  /** How long it is remembered what was acted on. Days; 30 where it is absent. */
  keepDays?: number;
  /** The time. Milliseconds since the epoch; all processes of one database have to agree on it to within a few seconds. */
  now?: () => number;
}

/** What one database keeps for an application. */
export interface SqlStores {
  /** Which deliveries were acted on, for every process that has the database. */
  claims: ChangeClaims;
  /**
   * The tokens of one connection. They are not encrypted: who can read the database can use them.
   *
   * @param name tells one connection from the next
   */
  tokens(name?: string): Store<Tokens>;
  /**
   * A subscription with its signing secret, which is not encrypted either.
   *
   * @param name tells one subscription from the next
   */
  subscription(name?: string): Store<Subscribed>;
  /**
   * What a poller knows: hashes, of which nothing of a person can be read. Some 13 bytes for each booking, 17 for each contact.
   *
   * @param name tells one poller from the next
   */
  changes(name?: string): Store<KnownChanges>;
}

/** How often who waits for a lock looks again. Milliseconds. */
const againMs = 40;

/**
 * Keeps claims, tokens, subscriptions and what pollers know in a database; its two tables are made when they are first asked for. `sqlite` and
 * `postgres` make the first argument of a driver.
 *
 * @throws Error where the prefix cannot be a name
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
    async alone(work) {
      for (;;) {
        const claim = await claims.claim(`lock ${name}`);
        if (claim.state !== 'mine') {
          await sleep(againMs);
          continue;
        }
        try {
          return await work();
        } finally {
          await claim.release();
        }
      }
    },
  });
  return {
    claims,
    tokens: (name = 'tokens') => storeOf(`tokens ${name}`, tokensIn),
    subscription: (name = 'subscription') => storeOf(`subscription ${name}`, subscriptionIn),
    changes: (name = 'changes') => storeOf(`changes ${name}`, knownIn),
  };
}

/** What is kept and cannot be read counts as nothing kept: then the account is connected, or the address subscribed, anew. */
const tokensIn = (value: unknown): Tokens | undefined =>
  isObject(value) && typeof value['access_token'] === 'string' ? readTokens({ status: 200, headers: {}, body: value }) : undefined;

function subscriptionIn(value: unknown): Subscribed | undefined {
  if (!isObject(value)) return undefined;
  const { id, signing_secret } = value;
  return typeof id === 'string' && typeof signing_secret === 'string' ? { id, signing_secret } : undefined;
}

/** Does something at the first call; after a failure, at the next one again. */
export function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    }));
}

/** Looked for first: an application may be allowed to use its tables, and not to make any. */
export async function makeTable(sql: Sql, table: string, columns: string): Promise<void> {
  const isThere = (): Promise<boolean> =>
    sql(`SELECT 1 FROM ${table} LIMIT 1`, []).then(
      () => true,
      () => false,
    );
  if (await isThere()) return;
  try {
    await sql(`CREATE TABLE IF NOT EXISTS ${table} (${columns})`, []);
  } catch (error) {
    // Of several processes that make it at the same time, PostgreSQL refuses all but one.
    if (!(await isThere())) throw error;
  }
}
