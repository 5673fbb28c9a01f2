import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from '../../tools/process/freePort.ts';
import { localFolder } from '../../tools/process/localFolder.ts';
import { removeData } from '../../tools/rigs/queue/postgres.ts';
import { root } from '../../tools/root.cjs';

const minutes = 60_000;

interface Run {
  code: number | null;
  output: string;
}

/** `npm run start:queue` itself, as far as it can be started without npm. @param interruptAt is pressed Ctrl-C at, once this has been printed */
async function startQueue(
  args: string[],
  { temporary = tmpdir(), interruptAt }: { temporary?: string; interruptAt?: string } = {},
): Promise<Run> {
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
    expect(first.output).toMatch(/^  ok +19 of 19 .* forged deliveries have started nothing$/m);
    for (const receiver of ['n8n', 'Zapier'])
      expect(first.output).toMatch(new RegExp(`^ +n8n +${receiver} +Booking Created +\\S+ .* verified +\\d+ ms$`, 'm'));
    expect(first.output.trimEnd().split('\n').at(-1)).toMatch(/^main job: ok, 3 bookings, 9 deliveries verified, 4 forged ones refused/);
    expect(first.code).toBe(0);
  });

  test(
    'keeps its data: a second start has the same login, credential, subscription and bookings, until Ctrl-C',
    async () => {
      expect(first.output).toContain("n8n's credential is connected");
      const before = subscriptions(folder);
      expect(before).toHaveLength(1);
      const second = await startQueue(['--data', folder, ...ports], { interruptAt: 'Ctrl-C stops everything' });
      expect(second.output).toContain('Your data from the last start is still there');
      expect(second.output).not.toContain("n8n's credential is connected");
      expect(second.output).toMatch(/\nStopping \.\.\.\nStopped\.\s*$/);
      expect(second.code).toBe(130);
      expect(subscriptions(folder)).toEqual(before);
    },
    10 * minutes,
  );
});

test(
  'Ctrl-C while it is starting stops everything and leaves no temporary folder',
  async () => {
    const temporary = await mkdtemp(join(tmpdir(), 'queue-interrupted-'));
    // PostgreSQL, run by root, is another user.
    await chmod(temporary, 0o755);
    const { code, output } = await startQueue(['--once'], { temporary, interruptAt: 'a Zap on new bookings is turned on' });
    expect(output).toMatch(/\nStopping \.\.\.\nStopped\.\s*$/);
    expect(output).not.toContain('FAILED');
    expect(code).toBe(130);
    expect((await readdir(temporary)).filter((name) => name !== 'node-compile-cache')).toEqual([]);
    await rm(temporary, { recursive: true });
  },
  5 * minutes,
);

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
