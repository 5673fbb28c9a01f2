import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../scripts/root.cjs';

const minutes = 60_000;

/** `npm run start:queue` itself, as far as it can be started without npm. */
async function startQueue(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(root, 'scripts', 'run.mjs'), 'scripts/start-queue.ts', ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

test('npm run start:queue -- --once does the main job on six processes of n8n and exits with 0', async () => {
  const { code, output } = await startQueue('--once');
  expect(output).toMatch(/^  ok .* two webhook processors and three workers are up$/m);
  for (const receiver of ['n8n', 'Zapier']) expect(output).toMatch(new RegExp(`^ +n8n +${receiver} +BOOKING_CREATED +\\S+ .* verified +\\d+ ms$`, 'm'));
  expect(output.trimEnd().split('\n').at(-1)).toMatch(/^main job: ok, 2 bookings, 6 deliveries verified, 4 forged ones refused/);
  expect(code).toBe(0);
}, 25 * minutes);

test('an option that does not exist is told in a sentence, and the exit code says so', async () => {
  const { code, output } = await startQueue('--wrokers', '5');
  expect(output).toContain("Unknown option '--wrokers'");
  expect(code).toBe(1);
}, minutes);
