import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCommandLine } from '../../tools/commandLine/command.ts';
import { localFolder } from '../../tools/process/command.ts';
import { installN8n, type N8nInstallation } from '../../tools/rigs/n8n/install.ts';
import { queueEnvironment } from '../../tools/rigs/queue/cluster.ts';
import { openPostgres, removeData } from '../../tools/rigs/queue/postgres.ts';
import { findProgram, openRedis } from '../../tools/rigs/queue/servers.ts';
import { root } from '../../tools/root.cjs';
import { Opened } from '../../tools/start/opened.ts';
import { queueCommand, queueOptions } from '../../tools/start/options.ts';

jest.setTimeout(25 * 60_000);

/** `npm run start:queue` itself, as far as it can be started without npm. @param interruptAt is pressed Ctrl-C at, once this has been printed */
async function startQueue(args: string[], temporary = tmpdir(), interruptAt?: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(root, 'tools', 'run.mjs'), 'tools/commands/start-queue.ts', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, TMPDIR: temporary },
  });
  let output = '';
  let isInterrupted = false;
  const take = (chunk: Buffer): void => {
    output += chunk.toString();
    if (isInterrupted || interruptAt === undefined || child.pid === undefined || !output.includes(interruptAt)) return;
    isInterrupted = true;
    // As a terminal does: to everything that runs in the foreground.
    process.kill(-child.pid, 'SIGINT');
  };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', take);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

test('--once does the main job on six processes of n8n and exits with 0', async () => {
  const { code, output } = await startQueue(['--once']);
  expect(output).toMatch(/^  ok .* two webhook processors and three workers are up$/m);
  expect(output).toMatch(/^  ok +19 of 19 .* forged deliveries have started nothing$/m);
  for (const receiver of ['n8n', 'Zapier'])
    expect(output).toMatch(new RegExp(`^ +n8n +${receiver} +Booking Created +\\S+ .* verified +\\d+ ms$`, 'm'));
  expect(output.trimEnd().split('\n').at(-1)).toMatch(/^main job: ok, 3 bookings, 9 deliveries verified, 4 forged ones refused/);
  expect(code).toBe(0);
});

test('Ctrl-C while it is starting stops everything and leaves no temporary folder', async () => {
  const temporary = await mkdtemp(join(tmpdir(), 'queue-interrupted-'));
  // PostgreSQL, run by root, is another user.
  await chmod(temporary, 0o755);
  const { code, output } = await startQueue(['--once'], temporary, 'a Zap on new bookings is turned on');
  expect(output).toMatch(/\nStopping \.\.\.\nStopped\.\s*$/);
  expect(output).not.toContain('FAILED');
  expect(code).toBe(130);
  expect((await readdir(temporary)).filter((name) => name !== 'node-compile-cache')).toEqual([]);
  await rm(temporary, { recursive: true });
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
  const ofThisMachine = 'N8N_LOG_LEVEL EXECUTIONS_DATA_PRUNE_MAX_COUNT N8N_WORKER_SERVER_ADDRESS QUEUE_HEALTH_CHECK_ACTIVE'.split(' ');
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
  afterAll(async () => {
    await removeData(join(folder, 'postgres'));
    await rm(folder, { recursive: true });
  });

  test('PostgreSQL keeps its data in the folder for a later start', async () => {
    for (const sql of ['CREATE TABLE kept AS SELECT 7 AS it', 'SELECT * FROM kept']) {
      const opened = new Opened();
      const { query } = await openPostgres({ folder: join(folder, 'postgres'), name: 'queue', installation }, opened);
      expect(await query(sql)).toEqual(sql.startsWith('SELECT') ? [{ it: 7 }] : []);
      expect(await opened.closeAll()).toEqual([]);
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
      /^Redis at 127\.0\.0\.1:\d+ does not answer: WRONGPASS [^@]*--redis[^@]*$/,
    );
    expect(await ours.closeAll()).toEqual([]);
  });

  test.each([
    ['redis-server', /^Redis is not installed, .*apt-get install redis-server.*--redis redis:\/\//],
    ['initdb', /^PostgreSQL is not installed, .*apt-get install postgresql\).*--postgres postgres:\/\//],
  ] as const)('where %s is missing, one sentence says how to install it', (program, sentence) => {
    expect(() => findProgram(program, ['/nowhere'])).toThrow(sentence);
  });

  test('their addresses are taken from the command line, else from the environment, and a password only from there', async () => {
    const read = async (args: string[], environment: NodeJS.ProcessEnv = {}) =>
      queueOptions(readCommandLine(queueCommand, ['--data', folder, ...args])?.values ?? ({} as never), environment);
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
