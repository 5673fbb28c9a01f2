import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../../tools/process/command.ts';
import { queueEnvironment } from '../../tools/rigs/queue/cluster.ts';
import { root } from '../../tools/root.cjs';

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
  const environment = queueEnvironment('worker', 1, {
    encryptionKey: 'k',
    postgresUrl: 'postgres://n8n:p@host:5432/n8n',
    redisUrl: 'redis://:p@host:6379',
    publicOrigin: 'http://localhost',
  });
  const ofThisMachine =
    'N8N_LOG_LEVEL N8N_PUSH_BACKEND EXECUTIONS_DATA_PRUNE_MAX_COUNT N8N_WORKER_SERVER_ADDRESS QUEUE_HEALTH_CHECK_ACTIVE'.split(' ');
  const named = [...table.matchAll(/`([A-Z][A-Z\d_]+)(\*?)`/g)].map(([, name = '', star]) => [name, star === '*'] as const);
  const isNamed = (name: string): boolean => named.some(([known, isGroup]) => name === known || (isGroup && name.startsWith(known)));
  expect(Object.keys(environment).filter((name) => !ofThisMachine.includes(name) && !isNamed(name))).toEqual([]);
});
