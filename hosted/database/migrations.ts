import { makeTable, type Sql } from '../../sdk/stores/sqlTable.ts';

/**
 * The steps from an empty database to the current one. A released step never changes; new needs are new steps. While processes are replaced
 * one by one, older ones use the newer tables, so a step may only add.
 */
const steps: readonly (readonly string[])[] = [
  [
    `CREATE TABLE mcp_kept (
       kind TEXT NOT NULL, id TEXT NOT NULL, sealed TEXT NOT NULL,
       grant_id TEXT, account TEXT, other TEXT,
       consumed_at BIGINT, used_at BIGINT NOT NULL, until BIGINT NOT NULL,
       PRIMARY KEY (kind, id))`,
    'CREATE INDEX mcp_kept_grant ON mcp_kept (grant_id, kind)',
    'CREATE INDEX mcp_kept_account ON mcp_kept (account, kind)',
    'CREATE INDEX mcp_kept_other ON mcp_kept (other, kind)',
    'CREATE INDEX mcp_kept_until ON mcp_kept (until)',
    `CREATE TABLE mcp_calls (
       id TEXT PRIMARY KEY, owner TEXT NOT NULL, made TEXT NOT NULL, told INTEGER NOT NULL, ended_at BIGINT NOT NULL)`,
    `CREATE TABLE mcp_shares (
       name TEXT NOT NULL, who TEXT NOT NULL, taken INTEGER NOT NULL, until BIGINT NOT NULL,
       PRIMARY KEY (name, who))`,
    // For deletions, so that they delay nobody.
    'CREATE INDEX mcp_shares_until ON mcp_shares (until)',
    'CREATE INDEX mcp_kept_used ON mcp_kept (kind, used_at)',
    'CREATE INDEX mcp_calls_ended ON mcp_calls (ended_at)',
    'CREATE INDEX mcp_locks_at ON mcp_locks (at)',
  ],
];

/** Applies the steps that this database lacks. Only one process at a time may do this. */
export async function migrate(sql: Sql): Promise<void> {
  await makeTable(sql, 'mcp_migrations', 'step INTEGER PRIMARY KEY, at BIGINT NOT NULL');
  const [{ done = 0 } = {}] = await sql('SELECT COUNT(*) AS done FROM mcp_migrations', []);
  for (const [step, statements] of [...steps.entries()].slice(Number(done))) {
    for (const statement of statements) await sql(statement.replace(/^CREATE (TABLE|INDEX)/, 'CREATE $1 IF NOT EXISTS'), []);
    await sql('INSERT INTO mcp_migrations (step, at) VALUES (?, ?) ON CONFLICT (step) DO NOTHING', [step, Date.now()]);
  }
}
