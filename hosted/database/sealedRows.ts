import { randomBytes } from 'node:crypto';
import type { Row, Sql } from '../../sdk/stores/sqlTable.ts';
import type { Database } from './database.ts';
import { type Hasher, hasherWith, sealedBy, type Vault } from './vault.ts';

/** What a row is about, so that it is found and deleted with it. Only hashes of these are in the database. */
export interface Belongs {
  /** The connection of one assistant. */
  grant?: string | undefined;
  account?: string | undefined;
  /** Any other name by which its kind is looked up. */
  other?: string | undefined;
}

/** What a row holds, decrypted, with what the database itself knows of it. */
export interface StoredValue {
  value: unknown;
  /** Milliseconds since the epoch, by the database's time, as all of these. */
  usedAt: number;
  consumedAt: number | undefined;
  /** When it expires. */
  until: number;
}

const columns = 'kind, id, sealed, consumed_at, used_at, until';

const forever = Number.MAX_SAFE_INTEGER;
const untilOf = (now: number, forMs: number): number => (forMs === Infinity ? forever : Math.floor(now + forMs));

/**
 * Everything that the server keeps, in one table: who may do what, for how long, and for whom. Ids are kept as hashes and values encrypted.
 * What has expired counts as absent.
 */
export class SealedRows {
  readonly #sql: Sql;
  readonly #vault: Vault;
  readonly hash: Hasher;
  /** The database's time. */
  readonly now: () => number;
  /** How often all rows were looked at for older keys. */
  #looked = 0;

  private constructor({ sql, now }: Pick<Database, 'sql' | 'now'>, vault: Vault, secret: string) {
    this.#sql = sql;
    this.now = now;
    this.#vault = vault;
    this.hash = hasherWith(secret);
  }

  /** Reads the secret of this database, which makes the hashes; the first process makes it. */
  static async open({ sql, now }: Pick<Database, 'sql' | 'now'>, vault: Vault): Promise<SealedRows> {
    const [kind, id] = ['Secret', 'hashes'];
    const made = await vault.seal(`${kind} ${id}`, randomBytes(32).toString('base64url'));
    await sql('INSERT INTO mcp_kept (kind, id, sealed, used_at, until) VALUES (?, ?, ?, ?, ?) ON CONFLICT (kind, id) DO NOTHING', [
      kind,
      id,
      made,
      now(),
      forever,
    ]);
    const [row] = await sql('SELECT sealed FROM mcp_kept WHERE kind = ? AND id = ?', [kind, id]);
    return new SealedRows({ sql, now }, vault, String(await vault.open(`${kind} ${id}`, String(row?.['sealed']))));
  }

  /** @param forMs how long it is kept. Milliseconds */
  async put(kind: string, id: string, value: unknown, { grant, account, other }: Belongs = {}, forMs = Infinity): Promise<void> {
    const name = this.hash(kind, id);
    const now = this.now();
    await this.#sql(
      `INSERT INTO mcp_kept (kind, id, sealed, grant_id, account, other, used_at, until) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (kind, id) DO UPDATE SET sealed = excluded.sealed, grant_id = excluded.grant_id, account = excluded.account,
         other = excluded.other, used_at = excluded.used_at, until = excluded.until`,
      [
        kind,
        name,
        await this.#vault.seal(`${kind} ${name}`, value),
        this.#about('grant', grant),
        this.#about('account', account),
        this.#about('other', other),
        now,
        untilOf(now, forMs),
      ],
    );
  }

  async get(kind: string, id: string): Promise<StoredValue | undefined> {
    const [row] = await this.#read(kind, 'id = ?', this.hash(kind, id));
    return row;
  }

  /**
   * Reads a row and those of two other kinds that belong to the same connection, in one statement: every call of a tool begins with it.
   *
   * @returns finds one of them by its id, so that nobody can lend a row to another connection by changing a column
   */
  async together(kind: string, id: string, others: readonly [string, string]) {
    const own = [kind, this.hash(kind, id), this.now()];
    const rows = await this.#sql(
      `SELECT ${columns} FROM mcp_kept WHERE kind = ? AND id = ? AND until > ?
       UNION ALL
       SELECT ${columns.replaceAll(/\w+/g, 'other.$&')} FROM mcp_kept AS own
       JOIN mcp_kept AS other ON other.grant_id = own.grant_id AND other.kind IN (?, ?)
       WHERE own.kind = ? AND own.id = ? AND other.until > ?`,
      [...own, ...others, ...own],
    );
    return async (of: string, name: string): Promise<StoredValue | undefined> => {
      const row = rows.find((each) => each['kind'] === of && each['id'] === this.hash(of, name));
      return row && this.#stored(row);
    };
  }

  /** @param since only if it was written or used from then on */
  async has(kind: string, id: string, since = 0): Promise<boolean> {
    const values = [kind, this.hash(kind, id), this.now(), since];
    return (await this.#sql('SELECT 1 FROM mcp_kept WHERE kind = ? AND id = ? AND until > ? AND used_at >= ?', values)).length > 0;
  }

  /** Marks it as used up. @param forMs how long it is kept from then on, at most. Milliseconds. @returns whether nobody had before */
  async consume(kind: string, id: string, forMs: number): Promise<boolean> {
    const now = this.now();
    const values = [now, now + forMs, now + forMs, kind, this.hash(kind, id)];
    return (
      (
        await this.#sql(
          `UPDATE mcp_kept SET consumed_at = ?, until = CASE WHEN until < ? THEN until ELSE ? END
           WHERE kind = ? AND id = ? AND consumed_at IS NULL RETURNING id`,
          values,
        )
      ).length > 0
    );
  }

  /** @param forMs how much longer it is kept from now on. Milliseconds */
  async touch(kind: string, id: string, forMs: number): Promise<void> {
    const now = this.now();
    await this.#sql('UPDATE mcp_kept SET used_at = ?, until = ? WHERE kind = ? AND id = ?', [
      now,
      untilOf(now, forMs),
      kind,
      this.hash(kind, id),
    ]);
  }

  async delete(kind: string, id: string): Promise<void> {
    await this.#sql('DELETE FROM mcp_kept WHERE kind = ? AND id = ?', [kind, this.hash(kind, id)]);
  }

  /** Deletes what belongs to a connection. @param kind by default, every kind but the one given */
  async deleteOfGrant(grant: string, { kind, except = '' }: { kind?: string; except?: string }): Promise<void> {
    const about = this.#about('grant', grant);
    if (kind === undefined) await this.#sql('DELETE FROM mcp_kept WHERE grant_id = ? AND kind <> ?', [about, except]);
    else await this.#sql('DELETE FROM mcp_kept WHERE grant_id = ? AND kind = ?', [about, kind]);
  }

  async ofAccount(kind: string, account: string): Promise<StoredValue[]> {
    return this.#read(kind, 'account = ?', this.#about('account', account));
  }

  async byOther(kind: string, other: string): Promise<StoredValue[]> {
    return this.#read(kind, 'other = ?', this.#about('other', other));
  }

  /** Whether one of those that name another by {@link Belongs} was used up before a time. */
  async isConsumed(kind: string, other: string, before: number): Promise<boolean> {
    const values = [kind, this.#about('other', other), before];
    return (await this.#sql('SELECT 1 FROM mcp_kept WHERE kind = ? AND other = ? AND consumed_at < ? LIMIT 1', values)).length > 0;
  }

  /** Those of a kind that nothing has used since a time. */
  async unused(kind: string, before: number, max: number): Promise<StoredValue[]> {
    return this.#read(kind, `used_at < ? LIMIT ${max}`, before);
  }

  async deleteExpired(): Promise<void> {
    await this.#sql('DELETE FROM mcp_kept WHERE until <= ?', [this.now()]);
  }

  /**
   * Encrypts rows of older keys with the current one, so that the older ones can be removed. It looks at all rows, a part at a time: after the
   * process has begun, because only then the keys can have changed, and once more for what others wrote that ended meanwhile.
   *
   * @returns how many there were
   */
  async renewKeys(over: AbortSignal, part = 500): Promise<number> {
    // Nothing can be of a key that is not there.
    if (!this.#vault.hasOlder || this.#looked === 2) return 0;
    const current = `${sealedBy(this.#vault.current)}.`;
    let moved = 0;
    for (let [kind, id] = ['', '']; !over.aborted; ) {
      const rows = await this.#sql(
        `SELECT kind, id, CASE WHEN sealed LIKE ? THEN NULL ELSE sealed END AS sealed
         FROM mcp_kept WHERE (kind, id) > (?, ?) ORDER BY kind, id LIMIT ${part}`,
        [`${current}%`, kind, id],
      );
      for (const row of rows) {
        [kind, id] = [String(row['kind']), String(row['id'])];
        const { sealed } = row;
        if (typeof sealed !== 'string') continue;
        const again = await this.#vault.seal(`${kind} ${id}`, await this.#opened(row));
        // Only if nobody has written it meanwhile.
        await this.#sql('UPDATE mcp_kept SET sealed = ? WHERE kind = ? AND id = ? AND sealed = ?', [again, kind, id, sealed]);
        moved += 1;
      }
      if (rows.length < part) {
        this.#looked += 1;
        break;
      }
    }
    return moved;
  }

  async #read(kind: string, condition: string, value: string | number | null): Promise<StoredValue[]> {
    const rows = await this.#sql(`SELECT ${columns} FROM mcp_kept WHERE kind = ? AND until > ? AND ${condition}`, [
      kind,
      this.now(),
      value,
    ]);
    return Promise.all(rows.map((row) => this.#stored(row)));
  }

  async #stored(row: Row): Promise<StoredValue> {
    return {
      value: await this.#opened(row),
      usedAt: Number(row['used_at']),
      consumedAt: row['consumed_at'] === null ? undefined : Number(row['consumed_at']),
      until: Number(row['until']),
    };
  }

  #opened({ kind, id, sealed }: Row): Promise<unknown> {
    return this.#vault.open(`${String(kind)} ${String(id)}`, String(sealed));
  }

  #about(what: keyof Belongs, name: string | undefined): string | null {
    return name === undefined ? null : this.hash(what, name);
  }
}
