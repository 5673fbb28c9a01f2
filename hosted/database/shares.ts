import type { Database } from './database.ts';
import type { Hasher } from './vault.ts';

/** A limit on something that strangers can use up. */
export interface Share {
  name: string;
  /** For everybody together, per period. */
  all?: number;
  /** For one requester, per period. If there is a limit for all, it also follows from that. */
  each?: number;
  /** The period. Milliseconds. */
  forMs: number;
}

/** The limits on what strangers can use up. The guide for operators repeats these numbers. */
export const shares = {
  signIns: { name: 'sign-ins', all: 10_000, forMs: 30 * 60_000 },
  clients: { name: 'clients', all: 1_000, forMs: 60 * 60_000 },
  documents: { name: 'documents', all: 1_000, forMs: 60_000 },
  refreshes: { name: 'refreshes', each: 300, forMs: 60 * 60_000 },
} as const satisfies Record<string, Share>;

/**
 * Divides what strangers can use up, across all processes. Nobody may take more than is left for all others, so a single greedy requester
 * leaves half, and two leave a third (dynamic thresholds; Choudhury and Hahne, 1998).
 */
export function sharesIn({ sql, now }: Pick<Database, 'sql' | 'now'>, hash: Hasher) {
  const row = (name: string, who: string): [string, string] => [name, who === '' ? '' : hash('asker', who)];
  const add = async (name: string, who: string, most: number, forMs: number): Promise<number | undefined> => {
    const at = now();
    const [added] = await sql(
      `INSERT INTO mcp_shares (name, who, taken, until) VALUES (?, ?, 1, ?)
       ON CONFLICT (name, who) DO UPDATE SET
         taken = CASE WHEN mcp_shares.until <= ? THEN 1 ELSE mcp_shares.taken + 1 END,
         until = CASE WHEN mcp_shares.until <= ? THEN excluded.until ELSE mcp_shares.until END
       WHERE mcp_shares.until <= ? OR mcp_shares.taken < ?
       RETURNING taken`,
      [...row(name, who), at + forMs, at, at, at, Math.min(most, 2 ** 30)],
    );
    return added === undefined ? undefined : Number(added['taken']);
  };
  const left = async (name: string, who: string): Promise<number> => {
    const [kept] = await sql('SELECT until FROM mcp_shares WHERE name = ? AND who = ?', row(name, who));
    return Math.max(1, Math.ceil((Number(kept?.['until']) - now()) / 1000) || 1);
  };
  return {
    /**
     * @param who takes it; empty for what is counted but never refused
     * @returns `undefined` if it was taken; otherwise the seconds to wait, and nothing was written
     */
    async take({ name, all = Infinity, each = Infinity, forMs }: Share, who: string): Promise<number | undefined> {
      const own = await add(name, who, Math.min(each, Math.floor((all + 1) / 2)), forMs);
      if (own === undefined) return left(name, who);
      if (all === Infinity || (await add(name, '', all - own + 1, forMs)) !== undefined) return undefined;
      return left(name, '');
    },
  };
}

export type Shares = ReturnType<typeof sharesIn>;

/** Deletes expired counts. */
export const forgetShares = ({ sql, now }: Pick<Database, 'sql' | 'now'>): Promise<unknown> =>
  sql('DELETE FROM mcp_shares WHERE until <= ?', [now()]);
