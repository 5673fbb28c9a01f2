import { readFile } from 'node:fs/promises';
import { findProgram } from '../../tools/rigs/queue/programs.ts';
import { join } from 'node:path';
import { root } from '../../tools/root.cjs';
import { readCommandLine } from '../../tools/commandLine/command.ts';
import { queueCommand, queueOptions } from '../../tools/rigs/queue/options.ts';
import { queueEnvironment } from '../../tools/rigs/queue/settings.ts';

describe('"Running at scale"', () => {
  test('every setting that start:queue runs with is in the table of settings', async () => {
    const [, table = ''] = /## What to set([^]*?)\n## /.exec(await readFile(join(root, 'docs', 'guides', 'queue-mode.md'), 'utf8')) ?? [];
    const environment = queueEnvironment({
      role: 'worker',
      port: 1,
      encryptionKey: 'k',
      postgres: { url: 'postgres://n8n:p@host:5432/n8n', schema: 'public' },
      redis: { url: 'redis://:p@host:6379', prefix: 'queue' },
      publicOrigin: 'http://localhost',
    });
    const ofThisMachine = new Set([
      'N8N_LOG_LEVEL',
      'EXECUTIONS_DATA_PRUNE_MAX_COUNT',
      'N8N_WORKER_SERVER_ADDRESS',
      'QUEUE_HEALTH_CHECK_ACTIVE',
    ]);
    const isNamed = (name: string): boolean =>
      table.includes(`\`${name}\``) ||
      ['DB_POSTGRESDB_*', 'QUEUE_BULL_REDIS_*'].some((group) => name.startsWith(group.slice(0, -1)) && table.includes(`\`${group}\``));
    expect(Object.keys(environment).filter((name) => !ofThisMachine.has(name) && !isNamed(name))).toEqual([]);
  });
});

describe('the servers that queue mode needs', () => {
  test.each([
    ['redis-server', /^Redis is not installed, .*apt-get install redis-server.*--redis redis:\/\//],
    ['initdb', /^PostgreSQL is not installed, .*apt-get install postgresql\).*--postgres postgres:\/\//],
  ] as const)('where %s is missing, one sentence says how to install it', (program, sentence) => {
    expect(() => findProgram(program, ['/nowhere'])).toThrow(sentence);
  });

  /** As the command reads its line. */
  const read = async (args: string[], environment: NodeJS.ProcessEnv = {}) => {
    const given = readCommandLine(queueCommand, ['--data', '.local/test-queue', ...args]);
    if (given === undefined) throw new Error('It asked for help.');
    return queueOptions(given.values, environment);
  };

  test('their addresses are taken from the command line, else from the environment', async () => {
    const environment = { QUEUE_POSTGRES_URL: 'postgres://n8n:p@two/n8n', QUEUE_REDIS_URL: 'redis://ignored' };
    expect(await read(['--once', '--redis', 'redis://one:1'], environment)).toMatchObject({
      once: true,
      keepsData: true,
      redisUrl: 'redis://one:1',
      postgresUrl: 'postgres://n8n:p@two/n8n',
    });
  });

  test.each([
    [['--postgres', 'localhost'], '--postgres takes an address, such as postgres://USER@HOST:PORT/DATABASE.'],
    [['--redis', 'http://localhost'], '--redis takes an address, such as redis://HOST:PORT.'],
    [['--redis'], '--redis needs a value, such as --redis <address>.'],
    [['--workers', '3'], "Unknown option '--workers'"],
  ])('%j is answered with a sentence', async (args, sentence) => {
    await expect(read(args)).rejects.toThrow(sentence);
  });

  test.each(['--postgres', '--redis'])('a password typed after %s is refused, and not printed', async (option) => {
    const typed = read([option, `${option === '--redis' ? 'redis' : 'postgres'}://n8n:s3cr3t@localhost:1/n8n`]);
    await expect(typed).rejects.toThrow(/^--\w+ must not contain a password, because .* as QUEUE_\w+_URL instead\.$/);
  });
});
