import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../support/until.ts';
import { Installed } from './installed.ts';
import { Stage } from './stage.ts';

let stage: Stage;
let installed: Installed;
const children: ChildProcess[] = [];
beforeAll(async () => void (installed = await Installed.open()));
afterAll(() => installed.close());
beforeEach(async () => void (stage = await Stage.open()));
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await stage.close();
});

test('a result that cannot be written is no success', async () => {
  const env = { ...process.env, SCHEDULING_BASE_URL: stage.sandbox.baseUrl, SCHEDULING_ACCESS_TOKEN: stage.token(), NODE_OPTIONS: '' };
  const child = spawn('bash', ['-c', `'${process.execPath}' '${installed.program}' users current > /dev/full`], { env });
  children.push(child);
  let said = '';
  child.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
  expect([await once(child, 'close'), said]).toEqual([[1, null], 'The output could not be written (ENOSPC).\n']);
});

test.each(['SIGINT', 'SIGHUP', 'nobody reads its output any more'] as const)(
  '`listen` ends quietly, and leaves no subscription behind, when it is stopped or its terminal is closed: %s',
  async (reason) => {
    const given = { SCHEDULING_BASE_URL: stage.sandbox.baseUrl, SCHEDULING_ACCESS_TOKEN: stage.token(), NODE_OPTIONS: '' };
    const child = spawn(process.execPath, [installed.program, 'listen', '--port', '0', '--events', 'BOOKING_CREATED'], {
      env: { ...process.env, ...given },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let said = '';
    child.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
    await until(() => said.includes('Listening at') || child.exitCode !== null);
    child.stdout.destroy();
    if (reason.startsWith('SIG')) child.kill(reason as NodeJS.Signals);
    else stage.sandbox.host.book();
    const [code] = (await once(child, 'close')) as [number | null];
    expect([code, said.trim().split('\n')]).toEqual([0, [expect.stringMatching(/^Listening at /)]]);
    expect(stage.sandbox.subscriptions()).toEqual([]);
  },
);
