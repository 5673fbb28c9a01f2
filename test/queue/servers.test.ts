import { createRequire } from 'node:module';
import { installN8n, type N8nInstallation } from '../../tools/rigs/n8n/install.ts';
import { openPostgres, type Postgres } from '../../tools/rigs/queue/postgres.ts';
import { openRedis, type Redis } from '../../tools/rigs/queue/redis.ts';
import { Opened } from '../../tools/start/opened.ts';

const ours = new Opened();
let installation: N8nInstallation;
let postgres: Postgres;
let redis: Redis;

beforeAll(async () => {
  installation = await installN8n();
  postgres = await openPostgres({ name: 'queue_own', installation }, ours);
  redis = await openRedis({ name: 'queue_own', installation }, ours);
}, 20 * 60_000);

afterAll(async () => expect(await ours.closeAll()).toEqual([]));

describe('servers that are given by address', () => {
  test('a PostgreSQL keeps everything in a schema of its own, which is gone afterwards where no data is kept', async () => {
    const schemas = (): Promise<unknown[]> => postgres.query("SELECT nspname FROM pg_namespace WHERE nspname = 'queue_test'");
    const opened = new Opened();
    const given = await openPostgres({ url: postgres.url, name: 'queue_test', installation }, opened);
    await given.query('CREATE TABLE execution_entity (id int)');
    expect(given).toMatchObject({ url: postgres.url, schema: 'queue_test' });
    expect(await given.query('SELECT count(*)::int AS all FROM queue_test.execution_entity')).toEqual([{ all: 0 }]);
    expect(await schemas()).toHaveLength(1);
    expect(await opened.closeAll()).toEqual([]);
    expect(await schemas()).toEqual([]);
  });

  test('a Redis keeps what others have put there', async () => {
    const opened = new Opened();
    expect(await openRedis({ url: redis.url, name: 'queue_test', installation }, opened)).toEqual({ url: redis.url, prefix: 'queue_test' });
    await asking(redis.url, async (client) => {
      for (const key of ['queue_test:jobs:id', '{queue_test}:lock', 'bull:jobs:id']) await client.set(key, '1');
    });
    expect(await opened.closeAll()).toEqual([]);
    expect(await asking(redis.url, (client) => client.keys('*'))).toEqual(['bull:jobs:id']);
  });

  test('one that cannot be used is told in a sentence, without its password', async () => {
    const wrong = (url: string): string => url.replace(/:[^:@]+@/, ':not-the-password@');
    const opened = new Opened();
    await expect(openPostgres({ url: wrong(postgres.url), name: 'queue_test', installation }, opened)).rejects.toThrow(
      /^PostgreSQL at 127\.0\.0\.1:\d+ cannot be used: password authentication failed for user "n8n"\. [^@]*--postgres[^@]*$/,
    );
    await expect(openRedis({ url: wrong(redis.url), name: 'queue_test', installation }, opened)).rejects.toThrow(
      /^Redis at 127\.0\.0\.1:\d+ does not answer: WRONGPASS [^@]*--redis[^@]*$/,
    );
    await expect(openRedis({ url: 'redis://127.0.0.1:1', name: 'queue_test', installation }, opened)).rejects.toThrow(
      'Redis at 127.0.0.1:1 does not answer: connect ECONNREFUSED 127.0.0.1:1. Start it',
    );
    expect(await opened.closeAll()).toEqual([]);
  });
});

interface Client {
  set(key: string, value: string): Promise<unknown>;
  keys(pattern: string): Promise<string[]>;
  disconnect(): void;
}

async function asking<T>(url: string, question: (client: Client) => Promise<T>): Promise<T> {
  const Driver = createRequire(installation.bin)('ioredis') as new (url: string) => Client;
  const client = new Driver(url);
  try {
    return await question(client);
  } finally {
    client.disconnect();
  }
}
