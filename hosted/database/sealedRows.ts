import { randomBytes } from 'node:crypto';
import type { Row, Sql } from '../../sdk/stores/sqlTable.ts';
import type { Database } from './database.ts';
import { hasherWith, type Vault } from './vault.ts';

/** What a row belongs to, so that it is found and deleted with it. The database contains only hashes of these. */
export interface Belongs {
  /** The connection of one assistant. */
  grant?: string | undefined;
  account?: string | undefined;
  /** Any other name by which rows of its kind are found. */
  other?: string | undefined;
}

/** A row's value, decrypted, and the database's own columns. */
export interface StoredValue {
  value: unknown;
  /** Milliseconds since the epoch by the database's clock, like all times here. */
  usedAt: number;
  consumedAt: number | undefined;
  /** When it expires. */
  until: number;
}

const columns = 'kind, id, sealed, consumed_at, used_at, until';

const forever = Number.MAX_SAFE_INTEGER;
const untilOf = (now: number, forMs: number): number => Math.min(Math.floor(now + forMs), forever);

type Clocked = Pick<Database, 'sql' | 'now'>;

const opened = (vault: Vault, { kind, id, sealed }: Row): unknown => vault.open(`${String(kind)} ${String(id)}`, String(sealed));

/** The secret for this database's hashes. The first process creates it. */
async function secretOf({ sql, now }: Clocked, vault: Vault): Promise<string> {
  const [kind, id] = ['Secret', 'hashes'];
  const made = vault.seal(`${kind} ${id}`, randomBytes(32).toString('base64url'));
  const values = [kind, id, made, now(), forever];
  await sql('INSERT INTO mcp_kept (kind, id, sealed, used_at, until) VALUES (?, ?, ?, ?, ?) ON CONFLICT (kind, id) DO NOTHING', values);
  const [row = {}] = await sql('SELECT kind, id, sealed FROM mcp_kept WHERE kind = ? AND id = ?', [kind, id]);
  return String(opened(vault, row));
}

/**
 * Encrypts rows of older keys with the newest key, so that the older ones can be removed. It reads all rows, in parts. It runs after the
 * process has started, because keys can have changed only then, and once more for rows written by processes that have ended since.
 *
 * @returns how many rows were encrypted again
 */
function keyRenewal(sql: Sql, vault: Vault): (over: AbortSignal, part?: number) => Promise<number> {
  /** How often all rows have been read. */
  let looked = 0;
  return async (over, part = 500) => {
    // Without older keys, there is nothing to do.
    if (!vault.hasOlder || looked === 2) return 0;
    let moved = 0;
    for (let [kind, id] = ['', '']; !over.aborted; ) {
      const rows = await sql(
        `SELECT kind, id, CASE WHEN sealed LIKE ? THEN NULL ELSE sealed END AS sealed
         FROM mcp_kept WHERE (kind, id) > (?, ?) ORDER BY kind, id LIMIT ${part}`,
        [`${vault.begins}%`, kind, id],
      );
      for (const row of rows) {
        [kind, id] = [String(row['kind']), String(row['id'])];
        const { sealed } = row;
        if (typeof sealed !== 'string') continue;
        const again = vault.seal(`${kind} ${id}`, opened(vault, row));
        // Only if nobody has changed the row since.
        await sql('UPDATE mcp_kept SET sealed = ? WHERE kind = ? AND id = ? AND sealed = ?', [again, kind, id, sealed]);
        moved += 1;
      }
      if (rows.length < part) {
        looked += 1;
        break;
      }
    }
    return moved;
  };
}

/**
 * All stored data of the server, in one table: who may do what, for how long, and for whom. Ids are hashed, values encrypted. Expired rows
 * count as absent.
 */
export async function openRows({ sql, now }: Clocked, vault: Vault) {
  const hash = hasherWith(await secretOf({ sql, now }, vault));
  const about = (what: keyof Belongs, name: string | undefined): string | null => (name === undefined ? null : hash(what, name));
  const stored = (row: Row): StoredValue => ({
    value: opened(vault, row),
    usedAt: Number(row['used_at']),
    consumedAt: row['consumed_at'] === null ? undefined : Number(row['consumed_at']),
    until: Number(row['until']),
  });
  const read = async (kind: string, condition: string, value: string | number | null): Promise<StoredValue[]> =>
    (await sql(`SELECT ${columns} FROM mcp_kept WHERE kind = ? AND until > ? AND ${condition}`, [kind, now(), value])).map(stored);

  return {
    hash,
    /** The database's time. */
    now,

    /** @param forMs how long the row is kept. Milliseconds */
    async put(kind: string, id: string, value: unknown, { grant, account, other }: Belongs = {}, forMs = Infinity): Promise<void> {
      const [name, at] = [hash(kind, id), now()];
      const abouts = [about('grant', grant), about('account', account), about('other', other)];
      await sql(
        `INSERT INTO mcp_kept (kind, id, sealed, grant_id, account, other, used_at, until) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (kind, id) DO UPDATE SET sealed = excluded.sealed, grant_id = excluded.grant_id, account = excluded.account,
           other = excluded.other, used_at = excluded.used_at, until = excluded.until`,
        [kind, name, vault.seal(`${kind} ${name}`, value), ...abouts, at, untilOf(at, forMs)],
      );
    },

    get: async (kind: string, id: string): Promise<StoredValue | undefined> => (await read(kind, 'id = ?', hash(kind, id)))[0],

    /**
     * Reads a row, and those of two other kinds for the same connection, in one statement, because every tool call begins with it.
     *
     * @returns finds one of them by its id, so that nobody can lend a row to another connection by changing a column
     */
    async together(kind: string, id: string, others: readonly [string, string]) {
      const own = [kind, hash(kind, id), now()];
      const rows = await sql(
        `SELECT ${columns} FROM mcp_kept WHERE kind = ? AND id = ? AND until > ?
         UNION ALL
         SELECT ${columns.replaceAll(/\w+/g, 'other.$&')} FROM mcp_kept AS own
         JOIN mcp_kept AS other ON other.grant_id = own.grant_id AND other.kind IN (?, ?)
         WHERE own.kind = ? AND own.id = ? AND other.until > ?`,
        [...own, ...others, ...own],
      );
      return (of: string, name: string): StoredValue | undefined => {
        const row = rows.find((each) => each['kind'] === of && (of === kind || each['id'] === hash(of, name)));
        return row && stored(row);
      };
    },

    /** @param since counts only a row that was written or used since then */
    async has(kind: string, id: string, since = 0): Promise<boolean> {
      const values = [kind, hash(kind, id), now(), since];
      return (await sql('SELECT 1 FROM mcp_kept WHERE kind = ? AND id = ? AND until > ? AND used_at >= ?', values)).length > 0;
    },

    /**
     * Marks a row as used up. @param forMs how long it is kept from then on, at most. Milliseconds. @returns whether it was the first time
     */
    async consume(kind: string, id: string, forMs: number): Promise<boolean> {
      const at = now();
      const consumed = await sql(
        `UPDATE mcp_kept SET consumed_at = ?, until = CASE WHEN until < ? THEN until ELSE ? END
         WHERE kind = ? AND id = ? AND consumed_at IS NULL RETURNING id`,
        [at, at + forMs, at + forMs, kind, hash(kind, id)],
      );
      return consumed.length > 0;
    },

    /** @param forMs how long the row is kept from now on. Milliseconds */
    async touch(kind: string, id: string, forMs: number): Promise<void> {
      const values = [now(), untilOf(now(), forMs), kind, hash(kind, id)];
      await sql('UPDATE mcp_kept SET used_at = ?, until = ? WHERE kind = ? AND id = ?', values);
    },

    async delete(kind: string, id: string): Promise<void> {
      await sql('DELETE FROM mcp_kept WHERE kind = ? AND id = ?', [kind, hash(kind, id)]);
    },

    /** Deletes a connection's rows. @param kind by default, every kind but `except` */
    async deleteOfGrant(grant: string, { kind, except = '' }: { kind?: string; except?: string }): Promise<void> {
      const values = [about('grant', grant), kind ?? except];
      await sql(`DELETE FROM mcp_kept WHERE grant_id = ? AND kind ${kind === undefined ? '<>' : '='} ?`, values);
    },

    ofAccount: (kind: string, account: string): Promise<StoredValue[]> => read(kind, 'account = ?', about('account', account)),

    byOther: (kind: string, other: string): Promise<StoredValue[]> => read(kind, 'other = ?', about('other', other)),

    /** Whether a row that belongs to `other` ({@link Belongs}) was used up before a time. */
    async isConsumed(kind: string, other: string, before: number): Promise<boolean> {
      const values = [kind, about('other', other), before];
      return (await sql('SELECT 1 FROM mcp_kept WHERE kind = ? AND other = ? AND consumed_at < ? LIMIT 1', values)).length > 0;
    },

    /** The rows of a kind that were not used since a time. */
    unused: (kind: string, before: number, max: number): Promise<StoredValue[]> => read(kind, `used_at < ? LIMIT ${max}`, before),

    async deleteExpired(): Promise<void> {
      await sql('DELETE FROM mcp_kept WHERE until <= ?', [now()]);
    },
    renewKeys: keyRenewal(sql, vault),
  };
}

export type SealedRows = Awaited<ReturnType<typeof openRows>>;
