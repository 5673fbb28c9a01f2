import type { Database } from './database.ts';
import type { Hasher } from './vault.ts';

/** How much there is of something that strangers can spend. */
export interface Share {
  name: string;
  /** For everybody together, in the time. */
  all?: number;
  /** For one alone. Where there is an end for all, it also follows from that. */
  each?: number;
  /** Milliseconds. */
  forMs: number;
}

/** What strangers can spend. The guide for operators repeats these numbers. */
export const shares = {
  signIns: { name: 'sign-ins', all: 10_000, forMs: 30 * 60_000 },
  clients: { name: 'clients', all: 1_000, forMs: 60 * 60_000 },
  documents: { name: 'documents', all: 1_000, forMs: 60_000 },
  refreshes: { name: 'refreshes', each: 300, forMs: 60 * 60_000 },
} as const satisfies Record<string, Share>;

/**
 * Shares out what strangers can spend, for all processes together. Nobody may take more than what is left for all others, so whoever asks
 * for everything leaves half of it, and two of them a third (dynamic thresholds; Choudhury and Hahne, 1998).
 */
export class Shares {
  readonly #database: Pick<Database, 'sql' | 'now'>;
  readonly #hash: Hasher;

  constructor(database: Pick<Database, 'sql' | 'now'>, hash: Hasher) {
    this.#database = database;
    this.#hash = hash;
  }

  /**
   * @param who takes it; empty for what is counted and refused to nobody
   * @returns the seconds to wait if nothing is left for this one, and then nothing was written; `undefined` if it took its part
   */
  async take({ name, all = Infinity, each = Infinity, forMs }: Share, who: string): Promise<number | undefined> {
    const own = await this.#add(name, who, Math.min(each, Math.floor((all + 1) / 2)), forMs);
    if (own === undefined) return this.#left(name, who);
    if (all === Infinity || (await this.#add(name, '', all - own + 1, forMs)) !== undefined) return undefined;
    return this.#left(name, '');
  }

  /** Gives back what was taken, as it was not spent. */
  async giveBack({ name }: Share, who: string): Promise<void> {
    const { sql } = this.#database;
    for (const one of [who, ''])
      await sql('UPDATE mcp_shares SET taken = taken - 1 WHERE name = ? AND who = ? AND taken > 0', this.#row(name, one));
  }

  async #add(name: string, who: string, most: number, forMs: number): Promise<number | undefined> {
    const now = this.#database.now();
    const [row] = await this.#database.sql(
      `INSERT INTO mcp_shares (name, who, taken, until) VALUES (?, ?, 1, ?)
       ON CONFLICT (name, who) DO UPDATE SET
         taken = CASE WHEN mcp_shares.until <= ? THEN 1 ELSE mcp_shares.taken + 1 END,
         until = CASE WHEN mcp_shares.until <= ? THEN excluded.until ELSE mcp_shares.until END
       WHERE mcp_shares.until <= ? OR mcp_shares.taken < ?
       RETURNING taken`,
      [...this.#row(name, who), now + forMs, now, now, now, Math.min(most, 2 ** 30)],
    );
    return row === undefined ? undefined : Number(row['taken']);
  }

  async #left(name: string, who: string): Promise<number> {
    const [row] = await this.#database.sql('SELECT until FROM mcp_shares WHERE name = ? AND who = ?', this.#row(name, who));
    return Math.max(1, Math.ceil((Number(row?.['until']) - this.#database.now()) / 1000) || 1);
  }

  #row(name: string, who: string): [string, string] {
    return [name, who === '' ? '' : this.#hash('asker', who)];
  }
}

/** Deletes what nobody counts any more. */
export const forgetShares = ({ sql, now }: Pick<Database, 'sql' | 'now'>): Promise<unknown> =>
  sql('DELETE FROM mcp_shares WHERE until <= ?', [now()]);
