import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import { Installed } from './installed.ts';
import { Stage } from './stage.ts';

let stage: Stage;
let installed: Installed;
let folder: string;
const children: ChildProcess[] = [];
beforeAll(async () => void (installed = await Installed.open()));
afterAll(() => installed.close());
beforeEach(async () => {
  stage = await Stage.open();
  folder = await mkdtemp(join(tmpdir(), 'cli-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
  await stage.close();
});

interface Running {
  child: ChildProcess;
  out: () => string;
  err: () => string;
  end: Promise<number | null>;
}

/** Starts the program like somebody in a shell that is not a terminal. */
function start(args: readonly string[], env: Record<string, string> = {}): Running {
  const given = { SCHEDULING_BASE_URL: stage.sandbox.baseUrl, SCHEDULING_FOLDER: join(folder, 'own'), NODE_OPTIONS: '', ...env };
  const child = spawn(process.execPath, [installed.program, ...args], {
    env: { ...process.env, ...given },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let [out, err] = ['', ''];
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (err += piece.toString()));
  return { child, out: () => out, err: () => err, end: once(child, 'close').then(([code]) => code as number | null) };
}

const bookingOptions = () => Object.entries(stage.wanted).flatMap(([key, value]) => [`--${key.replaceAll('_', '-')}`, value]);

test('a result that cannot be written is no success', async () => {
  const env = { ...process.env, SCHEDULING_BASE_URL: stage.sandbox.baseUrl, SCHEDULING_ACCESS_TOKEN: stage.token(), NODE_OPTIONS: '' };
  const child = spawn('bash', ['-c', `'${process.execPath}' '${installed.program}' users current > /dev/full`], { env });
  children.push(child);
  let said = '';
  child.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
  expect([await once(child, 'close'), said]).toEqual([[1, null], 'The output could not be written (ENOSPC).\n']);
});

describe('listen', () => {
  const listening = async (...args: string[]): Promise<Running & { address: string }> => {
    const running = start(['listen', '--port', '0', ...args], { SCHEDULING_ACCESS_TOKEN: stage.token() });
    const address = await until(() => {
      if (running.child.exitCode !== null) throw new Error(running.err());
      return /Listening at (\S+?)\. /.exec(running.err())?.[1];
    });
    return { ...running, address };
  };

  test.each(['SIGINT', 'SIGHUP', 'SIGTERM', 'nobody reads its output any more'] as const)(
    'ends quietly, and leaves no subscription behind, when it is stopped or its terminal is closed: %s',
    async (reason) => {
      const { child, end, err } = await listening('--events', 'BOOKING_CREATED');
      child.stdout?.destroy();
      if (reason.startsWith('SIG')) child.kill(reason as NodeJS.Signals);
      else await stage.client().bookings.create(stage.wanted);
      expect([await end, err().trim().split('\n').length]).toEqual([0, 1]);
      expect(stage.sandbox.subscriptions()).toEqual([]);
    },
  );
});

test('a booking that is interrupted by Ctrl-C after it was sent is reported as perhaps made', async () => {
  stage.sandbox.faults.add({ route: 'POST /v1/bookings', kind: 'stall' });
  const { child, end, err } = start(['bookings', 'create', ...bookingOptions()], { SCHEDULING_ACCESS_TOKEN: stage.token() });
  await until(() => stage.requestsTo('/v1/bookings').length > 0);
  child.kill('SIGINT');
  expect(await end).toBe(1);
  expect(err()).toMatch(/may or may not have happened/);
});
