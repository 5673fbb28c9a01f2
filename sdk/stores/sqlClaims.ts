import { randomText } from '../oauth/random.ts';
import { sleep } from '../time.ts';
import type { ChangeClaims, Claim, Claims } from './claims.ts';
import { makeTable, once, type Sql, type SqlOptions } from './sqlTable.ts';

const dayMs = 24 * 60 * 60_000;
/** How often old rows are deleted. */
const clearingMs = 60 * 60_000;

interface ClaimsOptions extends Omit<SqlOptions, 'prefix'> {
  table: string;
}

/**
 * Claims in a table. A claim has an owner and an expiry time, which the owner extends while it works. A kept claim has no expiry; for a
 * thing that changes, its owner is then the key of the last change. If a process dies, its claim expires and is free again, so that the
 * next attempt of the delivery is handled.
 */
export function sqlClaims(sql: Sql, { table, leaseSeconds = 60, keepDays = 30, now = Date.now }: ClaimsOptions): ChangeClaims {
  const ready = once(() => makeTable(sql, table, 'key TEXT PRIMARY KEY, owner TEXT NOT NULL, until BIGINT, at BIGINT NOT NULL'));
  let clearedAt = -Infinity;

  async function prepare(): Promise<void> {
    await ready();
    const time = now();
    if (time - clearedAt < clearingMs) return;
    clearedAt = time;
    await sql(`DELETE FROM ${table} WHERE at < ?`, [time - keepDays * dayMs]);
  }

  /**
   * @param turn the key of a change; absent for a claim that is made only once
   * @param withinMs refuses the claim if another change was kept within this time
   */
  async function take(key: string, turn?: string, withinMs = -Infinity): Promise<Claim> {
    const [owner, time] = [randomText(16), now()];
    const before = turn === undefined ? undefined : await kept(key);
    if (before !== undefined && before === turn) return { state: 'kept' };
    // Only if the row is still the same, because another change may be kept between the two statements. A statement that is sent again
    // because its response was lost finds its own row.
    const isAnother = before === undefined ? '' : `OR ${table}.until IS NULL AND ${table}.owner = ? AND ${table}.at <= ?`;
    const taken = await sql(
      `INSERT INTO ${table} (key, owner, until, at) VALUES (?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, until = excluded.until, at = excluded.at
       WHERE ${table}.owner = excluded.owner OR ${table}.until IS NOT NULL AND ${table}.until < ? ${isAnother}
       RETURNING owner`,
      [
        key,
        owner,
        time + leaseSeconds * 1000,
        time,
        time,
        ...(before === undefined ? [] : [before, Math.min(Math.floor(time - withinMs), Number.MAX_SAFE_INTEGER)]),
      ],
    );
    if (taken.length === 0) {
      const last = await kept(key);
      return { state: last !== undefined && (turn === undefined || last === turn) ? 'kept' : 'busy' };
    }
    const still = setInterval(() => {
      // If it fails, the next one extends the claim. Nobody waits for it.
      sql(`UPDATE ${table} SET until = ? WHERE key = ? AND owner = ? AND until IS NOT NULL`, [
        now() + leaseSeconds * 1000,
        key,
        owner,
      ]).catch(() => undefined);
    }, leaseSeconds * 300);
    // A program may end while a claim is open; the claim then expires by itself.
    (still as { unref?: () => void }).unref?.();
    return {
      state: 'mine',
      owner,
      async keep() {
        clearInterval(still);
        // The delivery was handled, even if the claim has expired in the meantime.
        await sql(`UPDATE ${table} SET until = NULL, owner = ?, at = ? WHERE key = ?`, [turn ?? owner, now(), key]);
      },
      async release() {
        clearInterval(still);
        // If the claim now belongs to another process, only that process may release it.
        const mine = 'key = ? AND owner = ? AND until IS NOT NULL';
        if (before === undefined) await sql(`DELETE FROM ${table} WHERE ${mine}`, [key, owner]);
        else await sql(`UPDATE ${table} SET until = NULL, owner = ? WHERE ${mine}`, [before, key, owner]);
      },
    };
  }

  /** The owner of a claim that was kept. */
  async function kept(key: string): Promise<string | undefined> {
    const [there] = await sql(`SELECT owner FROM ${table} WHERE key = ? AND until IS NULL`, [key]);
    return there === undefined ? undefined : String(there['owner']);
  }

  return {
    async claim(key) {
      await prepare();
      return take(key);
    },
    async claimLast(thing, key, withinMs) {
      await prepare();
      return take(`last ${thing}`, key, withinMs);
    },
  };
}

/** How often a waiting process checks whether a claim is free. Milliseconds. */
const againMs = 40;

/**
 * Runs work while nobody else does under the same key.
 *
 * @param wait waits between two checks. If it throws, the wait ends
 */
export async function withClaim<Result>(
  claims: Pick<Claims, 'claim'>,
  key: string,
  work: () => Promise<Result>,
  wait: (milliseconds: number) => Promise<unknown> = sleep,
): Promise<Result> {
  for (;;) {
    const claim = await claims.claim(key);
    if (claim.state !== 'mine') {
      await wait(againMs);
      continue;
    }
    try {
      return await work();
    } finally {
      // If it cannot be released, it expires by itself.
      await Promise.resolve(claim.release()).catch(() => undefined);
    }
  }
}
