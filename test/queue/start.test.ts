import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from '../../tools/process/freePort.ts';
import { localFolder } from '../../tools/process/localFolder.ts';
import { removeData } from '../../tools/rigs/queue/postgres.ts';
import { startQueue, type Run } from './startQueue.ts';

const minutes = 60_000;

describe('npm run start:queue -- --once', () => {
  let folder: string;
  let ports: string[];
  let first: Run;

  beforeAll(async () => {
    folder = await localFolder('test-queue-');
    ports = ['--sandbox-port', String(await freePort()), '--n8n-port', String(await freePort()), '--zapier-port', String(await freePort())];
    first = await startQueue(['--once', '--data', folder, ...ports]);
  }, 25 * minutes);
  afterAll(() => removeData(folder));

  test('does the main job on six processes of n8n and exits with 0', () => {
    expect(first.output).toMatch(/^  ok .* two webhook processors and three workers are up$/m);
    for (const receiver of ['n8n', 'Zapier'])
      expect(first.output).toMatch(new RegExp(`^ +n8n +${receiver} +Booking Created +\\S+ .* verified +\\d+ ms$`, 'm'));
    expect(first.output.trimEnd().split('\n').at(-1)).toMatch(/^main job: ok, 3 bookings, 9 deliveries verified, 4 forged ones refused/);
    expect(first.code).toBe(0);
  });

  test(
    'keeps its data: a second start has the same login, credential and subscription',
    async () => {
      expect(first.output).toContain("n8n's credential is connected");
      const before = subscriptions(folder);
      expect(before).toHaveLength(1);
      const second = await startQueue(['--once', '--data', folder, ...ports]);
      expect(second.output.trimEnd().split('\n').at(-1)).toMatch(/^main job: ok, 3 bookings, 6 deliveries verified/);
      expect(second.output).not.toContain("n8n's credential is connected");
      expect(subscriptions(folder)).toEqual(before);
    },
    10 * minutes,
  );
});

/** The subscriptions that the sandbox of a stopped start has kept, by id and address. */
function subscriptions(folder: string): unknown[] {
  const database = new DatabaseSync(join(folder, 'sandbox.sqlite'), { readOnly: true });
  try {
    return database
      .prepare("SELECT id, record ->> '$.url' AS url FROM subscriptions")
      .all()
      .map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}
