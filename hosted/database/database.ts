import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { sqlClaims, withClaim } from '../../sdk/stores/sqlClaims.ts';
import { postgresSql, sqliteSql } from '../../sdk/stores/sql.ts';
import type { Sql } from '../../sdk/stores/sqlTable.ts';
import { migrate } from './migrations.ts';

/** How long a lock outlives its process. A living process extends the lease. */
export const leaseSeconds = 20;

/** How often to ask the database for its time. Milliseconds. */
const clockEveryMs = 5_000;

/** How long to retry a statement while the database is unavailable, such as during its restart. Milliseconds. */
const patienceMs = 10_000;

/**
 * Opens the database and brings its tables up to date.
 *
 * @param url of PostgreSQL, for any number of processes; without it, a file in the folder serves one process
 * @throws an error for operators
 */
export async function openDatabase({ url, folder }: { url: string | undefined; folder: string }) {
  const { sql, time, close } = url === undefined ? await inFile(folder) : inPostgres(url);
  try {
    const { now, stop } = await clockOf(sql, time);
    // Shared by all processes. If a process dies, its lock is free when the lease ends.
    const locks = sqlClaims(sql, { table: 'mcp_locks', leaseSeconds, keepDays: 1, now });
    await withClaim(locks, 'migrations', () => migrate(sql));
    return { sql, locks, now, close: (): Promise<void> => (stop(), close()) };
  } catch (cause) {
    // If a host has several addresses, the error has no message.
    const { message, code } = cause as Error & { code?: string };
    throw new Error(`The database ${url === undefined ? `in ${folder}` : 'in DATABASE_URL'} cannot be used (${message || String(code)}).`, {
      cause,
    });
  }
}

export type Database = Awaited<ReturnType<typeof openDatabase>>;

/**
 * Reads the database's time now and then, and counts on from it without this machine's clock, which may be wrong or be changed.
 *
 * @returns the time, which is the same in all processes, however their clocks differ. Whole milliseconds since the epoch
 */
export async function clockOf(sql: Sql, time: string): Promise<{ now: () => number; stop: () => void }> {
  let known: { ahead: number; tookMs: number; at: number } | undefined;
  const ask = async (): Promise<void> => {
    const begun = performance.now();
    const [row] = await sql(`SELECT ${time} AS now`, []);
    const ended = performance.now();
    const tookMs = ended - begun;
    // A slow response (a restart, a busy minute) gives a less exact time, so it only replaces a known time that is old.
    if (known === undefined || tookMs < known.tookMs + (ended - known.at) / 1000)
      known = { ahead: Number(row?.['now']) - (begun + ended) / 2, tookMs, at: ended };
  };
  await ask();
  const asking = setInterval(() => void ask().catch(() => undefined), clockEveryMs);
  asking.unref();
  return { now: () => Math.floor(performance.now() + (known?.ahead ?? 0)), stop: () => clearInterval(asking) };
}

async function inFile(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'mcp-server.sqlite');
  const database = new DatabaseSync(file);
  await chmod(file, 0o600);
  database.exec('PRAGMA journal_mode = WAL');
  return { sql: sqliteSql(database), time: "CAST(unixepoch('subsec') * 1000 AS INTEGER)", close: async () => database.close() };
}

function inPostgres(url: string) {
  // Each new connection derives a key from the password, so it idles for as long as a person is likely to call again.
  const waits = { idleTimeoutMillis: 60_000, connectionTimeoutMillis: 5_000, query_timeout: 15_000 } as const;
  const pool = new pg.Pool({ connectionString: url, max: 20, ...waits });
  // A broken idle connection is replaced at the next statement, which reports the fault if it lasts.
  pool.on('error', () => undefined);
  const once = postgresSql({ query: (statement, values) => pool.query(statement, values) });
  const sql: Sql = async (statement, values) => {
    const until = Date.now() + patienceMs;
    for (let waitMs = 50; ; waitMs *= 2) {
      try {
        return await once(statement, values);
      } catch (error) {
        // Every statement here may be repeated: it has the same effect, or detects that it was already done.
        if (!isAbsence(error) || Date.now() + waitMs > until) throw error;
        await sleep(waitMs);
      }
    }
  };
  return { sql, time: 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)', close: () => pool.end() };
}

/** Whether the database was unavailable, rather than refused the statement. */
function isAbsence(error: unknown): boolean {
  const { code = '', message } = error as Error & { code?: string };
  return /^(?:57P0[123]|08\w{3}|53300|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/.test(code) || /connection|timeout/i.test(message);
}
