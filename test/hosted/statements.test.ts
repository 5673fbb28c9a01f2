import { forgetCalls } from '../../hosted/database/calls.ts';
import { openDatabase, type Database } from '../../hosted/database/database.ts';
import { openRows } from '../../hosted/database/sealedRows.ts';
import { forgetShares, sharesIn, shares } from '../../hosted/database/shares.ts';
import { makeVault, newKey, readKeys } from '../../hosted/database/vault.ts';
import { sqlClaims } from '../../sdk/stores/sqlClaims.ts';
import type { Sql } from '../../sdk/stores/sqlTable.ts';
import { installHosted } from '../../tools/rigs/mcp/hosted.ts';
import { openPostgres } from '../../tools/rigs/queue/postgres.ts';
import { openedForFile } from '../support/hosted.ts';

const opened = openedForFile();
const vault = makeVault(readKeys(newKey()));

/** As many hosts as a service has, so that a database would rather search than read everything. */
const fill = (numbers: string): readonly string[] => [
  `INSERT INTO mcp_kept (kind, id, sealed, grant_id, account, other, used_at, until)
   SELECT kinds.kind, 'id' || n.n, '"x"', 'g' || n.n, 'a' || n.n, 'o' || n.n, 1900000000000 + n.n, 9000000000000 + n.n
   FROM (SELECT 'Connection' AS kind UNION SELECT 'RefreshToken' UNION SELECT 'Ended') kinds, ${numbers}`,
  `INSERT INTO mcp_calls (id, owner, made, told, ended_at) SELECT 'id' || n.n, 'x', 'x', 1, 9000000000000 + n.n FROM ${numbers}`,
  `INSERT INTO mcp_locks (key, owner, until, at) SELECT 'id' || n.n, 'x', NULL, 9000000000000 + n.n FROM ${numbers}`,
  `INSERT INTO mcp_shares (name, who, taken, until) SELECT 'clients', 'id' || n.n, 1, 9000000000000 + n.n FROM ${numbers}`,
  'ANALYZE',
];

interface Case {
  open: () => Promise<Database>;
  numbers: string;
  explain: string;
  scan: RegExp;
}

const cases: [string, Case][] = [
  [
    'a file',
    {
      open: async () => openDatabase({ url: undefined, folder: await opened.temporaryFolder('hosted-') }),
      numbers: '(WITH RECURSIVE all_of(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM all_of WHERE n < 10000) SELECT n FROM all_of) n',
      explain: 'EXPLAIN QUERY PLAN',
      scan: /\bSCAN\b/,
    },
  ],
  [
    'PostgreSQL',
    {
      open: async () => {
        const { url } = await openPostgres(await installHosted(), opened);
        return openDatabase({ url, folder: '' });
      },
      numbers: 'generate_series(1, 10000) AS n(n)',
      explain: 'EXPLAIN',
      scan: /\bSeq Scan\b/,
    },
  ],
];

/** The comment at the end makes a driver return the rows. */
const planOf = (sql: Sql, explain: string, statement: string, values: Parameters<Sql>[1]) =>
  sql(`${explain} ${statement} -- RETURNING`, values);

it.each(cases)('no statement that looks up or clears reads a whole table of %s', async (_, { open, numbers, explain, scan }) => {
  const { sql, now, locks, close } = await open();
  const seen = new Map<string, string>();
  const watched: Sql = async (statement, values) => {
    const plan = /^(?:SELECT|UPDATE|DELETE)/.test(statement) ? await planOf(sql, explain, statement, values) : [];
    const text = plan.map((row) => Object.values(row).join(' ')).join('\n');
    if (scan.test(text)) seen.set(statement, text);
    return sql(statement, values);
  };
  const database = { sql: watched, now, locks, close };
  const rows = await openRows(database, vault);
  for (const statement of fill(numbers)) await sql(statement, []);
  seen.clear();

  await rows.put('Connection', 'one', 'value', { grant: 'grant', account: 'account', other: 'other' });
  await rows.get('Connection', 'one');
  await rows.together('Connection', 'one', ['Connection', 'Tokens']);
  await rows.has('Connection', 'one');
  await rows.consume('RefreshToken', 'one', 1_000);
  await rows.touch('Connection', 'one', 1_000);
  await rows.ofAccount('Connection', 'account');
  await rows.byOther('Session', 'other');
  await rows.isConsumed('RefreshToken', 'other', now());
  await rows.deleteOfGrant('grant', { except: 'Tokens' });
  await rows.deleteOfGrant('grant', { kind: 'AccessToken' });
  const shared = sharesIn(database, rows.hash);
  await shared.take(shares.clients, 'somebody');

  await rows.unused('Connection', now() - 1_000, 200);
  await rows.unused('Ended', now() - 1_000, 200);
  await rows.deleteExpired();
  await forgetCalls(database);
  await forgetShares(database);
  await sqlClaims(watched, { table: 'mcp_locks', now }).claim('clearing');
  expect(Object.fromEntries(seen)).toEqual({});
  await close();
});
