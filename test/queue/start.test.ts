import { readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { readCommandLine } from '../../tools/commandLine/command.ts';
import { localFolder, runCommand } from '../../tools/process/command.ts';
import { installN8n, type N8nInstallation } from '../../tools/rigs/n8n/install.ts';
import { queueEnvironment } from '../../tools/rigs/queue/cluster.ts';
import { openPostgres } from '../../tools/rigs/queue/postgres.ts';
import { openRedis } from '../../tools/rigs/queue/servers.ts';
import { root } from '../../tools/root.cjs';
import { Opened } from '../../tools/start/opened.ts';
import { queueCommand, queueOptions } from '../../tools/start/options.ts';

jest.setTimeout(25 * 60_000);

test('npm run start:queue -- --once does the main job on six processes of n8n and exits with 0', async () => {
  const program = [join(root, 'tools', 'run.mjs'), 'tools/commands/start-queue.ts', '--once'];
  const { code, output } = await runCommand(process.execPath, program, { cwd: root });
  expect(output).toMatch(/^  ok .* starting two webhook processors and three workers$/m);
  for (const receiver of ['n8n', 'Zapier'])
    expect(output).toMatch(new RegExp(`^  ${receiver} got what n8n booked, verified, after \\d+ ms:\\n    Booking Created, `, 'm'));
  expect(output.trimEnd().split('\n').at(-1)).toMatch(/^main job: ok, 3 bookings, 9 deliveries verified, \d+ s$/);
  expect(code).toBe(0);
});

test('every setting that it runs with is in the table of the guide', async () => {
  const [, table = ''] = /## What to set([^]*?)\n## /.exec(await readFile(join(root, 'docs', 'guides', 'queue-mode.md'), 'utf8')) ?? [];
  const environment = queueEnvironment({
    role: 'worker',
    port: 1,
    encryptionKey: 'k',
    postgres: { url: 'postgres://n8n:p@host:5432/n8n', schema: 'public' },
    redis: { url: 'redis://:p@host:6379', prefix: 'queue' },
    publicOrigin: 'http://localhost',
  });
  const ofThisMachine =
    'N8N_LOG_LEVEL N8N_PUSH_BACKEND EXECUTIONS_DATA_PRUNE_MAX_COUNT N8N_WORKER_SERVER_ADDRESS QUEUE_HEALTH_CHECK_ACTIVE'.split(' ');
  const named = [...table.matchAll(/`([A-Z][A-Z\d_]+)(\*?)`/g)].map(([, name = '', star]) => [name, star === '*'] as const);
  const isNamed = (name: string): boolean => named.some(([known, isGroup]) => name === known || (isGroup && name.startsWith(known)));
  expect(Object.keys(environment).filter((name) => !ofThisMachine.includes(name) && !isNamed(name))).toEqual([]);
});

describe('its own servers', () => {
  let folder: string;
  let installation: N8nInstallation;
  beforeAll(async () => {
    folder = await localFolder('test-queue-');
    installation = await installN8n();
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('PostgreSQL keeps its data in the folder for a later start', async () => {
    for (const sql of ['CREATE TABLE kept AS SELECT 7 AS it', 'SELECT * FROM kept']) {
      const opened = new Opened();
      const options = { folder: join(folder, 'postgres'), name: basename(folder), installation };
      const { query, home = '' } = await openPostgres(options, opened);
      expect(await query(sql)).toEqual(sql.startsWith('SELECT') ? [{ it: 7 }] : []);
      expect(await opened.closeAll()).toEqual([]);
      if (sql.startsWith('SELECT')) await rm(home, { recursive: true });
    }
  });

  test('servers given by address keep what others have in them, lose ours at the end, and are told in a sentence if they cannot be used', async () => {
    const [ours, opened] = [new Opened(), new Opened()];
    const postgres = await openPostgres({ name: 'queue_own', installation }, ours);
    const redis = await openRedis({ name: 'queue_own', installation }, ours);
    const Driver = createRequire(installation.bin)('ioredis') as new (
      url: string,
    ) => Record<'set' | 'keys' | 'disconnect', (...of: string[]) => Promise<unknown>>;
    const client = new Driver(redis.url);
    ours.add('the client', async () => client.disconnect());

    const { query, schema } = await openPostgres({ url: postgres.url, name: 'queue_test', installation }, opened);
    await openRedis({ url: redis.url, name: 'queue_test', installation }, opened);
    await query('CREATE TABLE execution_entity (id int)');
    expect(await postgres.query(`SELECT count(*)::int AS all FROM ${schema}.execution_entity`)).toEqual([{ all: 0 }]);
    for (const key of ['queue_test:jobs:id', '{queue_test}:lock', 'bull:jobs:id']) await client.set(key, '1');
    expect(await opened.closeAll()).toEqual([]);
    expect(await postgres.query("SELECT nspname FROM pg_namespace WHERE nspname = 'queue_test'")).toEqual([]);
    expect(await client.keys('*')).toEqual(['bull:jobs:id']);

    const wrong = (url: string): string => url.replace(/:[^:@]+@/, ':not-the-password@');
    await expect(openPostgres({ url: wrong(postgres.url), name: 'queue_test', installation }, ours)).rejects.toThrow(
      /^PostgreSQL at 127\.0\.0\.1:\d+ cannot be used: password authentication failed for user "n8n"\. [^@]*--postgres[^@]*$/,
    );
    await expect(openRedis({ url: wrong(redis.url), name: 'queue_test', installation }, ours)).rejects.toThrow(
      /^Redis at 127\.0\.0\.1:\d+ cannot be used: WRONGPASS [^@]*--redis[^@]*$/,
    );
    expect(await ours.closeAll()).toEqual([]);
  });

  test('their addresses are taken from the command line, else from the environment, and a password only from there', async () => {
    const read = async (args: string[], environment: NodeJS.ProcessEnv = {}) =>
      queueOptions(readCommandLine(queueCommand, ['--data', folder, ...args]).values, environment);
    const environment = { QUEUE_POSTGRES_URL: 'postgres://n8n:p@two/n8n', QUEUE_REDIS_URL: 'redis://ignored' };
    expect(await read(['--once', '--redis', 'redis://one:1'], environment)).toMatchObject({
      keepsData: true,
      redisUrl: 'redis://one:1',
      postgresUrl: 'postgres://n8n:p@two/n8n',
    });
    await expect(read(['--postgres', 'localhost'])).rejects.toThrow(
      '--postgres takes an address, such as postgres://USER@HOST:PORT/DATABASE.',
    );
    await expect(read(['--redis', 'redis://n8n:s3cr3t@localhost:1'])).rejects.toThrow(
      /^--redis must not contain a password, because .* as QUEUE_REDIS_URL instead\.$/,
    );
  });
});
