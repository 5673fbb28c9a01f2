/** A row as a driver returns it. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Runs one statement, with a value for each `?`, and returns the rows. No statement depends on an earlier one, so a pool of connections can
 * be used.
 */
export type Sql = (statement: string, values: readonly (string | number | null)[]) => Promise<readonly Row[]>;

/** The names of the tables, and how long their rows are kept. */
export interface SqlOptions {
  /** The beginning of both tables' names: letters, digits and underscores. Default: `scheduling`. */
  prefix?: string | undefined;
  /** How long after a process dies its claims are free again. Seconds. Default: 60. */
  leaseSeconds?: number | undefined;
  /** How long handled deliveries are remembered. Days. Default: 30. */
  keepDays?: number | undefined;
  /**
   * The current time, in milliseconds since the epoch. The clocks of all processes that share a database must agree within a few seconds.
   */
  now?: (() => number) | undefined;
}

/** Runs `work` on the first call, and again on the next call if it failed. */
export function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    }));
}

/** Creates the table if it does not exist. */
export async function makeTable(sql: Sql, table: string, columns: string): Promise<void> {
  try {
    await sql(`CREATE TABLE IF NOT EXISTS ${table} (${columns})`, []);
  } catch (error) {
    // An application may be allowed to use its tables but not to create them. And if several processes create a table at the same time,
    // PostgreSQL refuses all but one.
    await sql(`SELECT 1 FROM ${table} LIMIT 1`, []).catch(() => {
      throw error;
    });
  }
}
