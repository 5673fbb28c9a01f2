import { createRequire } from 'node:module';
import { postgresStores, type PostgresClient } from '../../sdk/stores/index.ts';
import { installN8n } from '../../tools/rigs/n8n/install.ts';
import { openPostgres, type Postgres } from '../../tools/rigs/queue/postgres.ts';
import { OpenedParts } from '../../tools/process/opened.ts';
import { storesKeepTheirPromises } from './stores.ts';

interface Pool extends PostgresClient {
  on(event: 'error', listener: () => void): unknown;
  end(): Promise<void>;
}

const opened = new OpenedParts();
let postgres: Postgres;
/** With the driver itself, as an application passes it in. */
let poolAt: (address: string) => Pool;

beforeAll(async () => {
  const installation = await installN8n();
  postgres = await openPostgres(installation, opened);
  const { Pool } = createRequire(installation.bin)('pg') as { Pool: new (options: { connectionString: string; max: number }) => Pool };
  poolAt = (connectionString) => {
    const pool = new Pool({ connectionString, max: 5 });
    // It reports its end before its connections have ended, and the server ends them as well.
    pool.on('error', () => undefined);
    pools.push(pool);
    return pool;
  };
}, 600_000);
const pools: Pool[] = [];
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  expect(await opened.closeAll()).toEqual([]);
});

describe('stores in PostgreSQL', () => {
  storesKeepTheirPromises(async (options) => postgresStores(poolAt(postgres.url), options));

  it('an application that may use tables but not create them can use those that somebody else created', async () => {
    const owner = postgresStores(poolAt(postgres.url), { prefix: 'given' });
    await owner.claims.claim('first');
    await owner.tokens().write({ access_token: 'a' });
    await postgres.query("CREATE ROLE modest LOGIN PASSWORD 'modest'");
    await postgres.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    await postgres.query('GRANT SELECT, INSERT, UPDATE, DELETE ON given_claims, given_kept TO modest');
    const address = new URL(postgres.url);
    [address.username, address.password] = ['modest', 'modest'];
    const modest = postgresStores(poolAt(address.href), { prefix: 'given' });
    expect((await modest.claims.claim('second')).state).toBe('mine');
    expect(await modest.tokens().read()).toEqual({ access_token: 'a' });
    const refused = postgresStores(poolAt(address.href), { prefix: 'missing' });
    await expect(refused.claims.claim('third')).rejects.toThrow('permission denied');
  });
});
