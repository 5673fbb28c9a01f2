import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

it('four processes that claim a hundred deliveries each in one SQLite database get every one of them once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stores-'));
  const claim = () => promisify(execFile)(process.execPath, [join(__dirname, 'claimer.ts'), join(folder, 'many.sqlite'), '100']);
  const claimed = await Promise.all([claim(), claim(), claim(), claim()]);
  expect(claimed.reduce((sum, { stdout }) => sum + Number(stdout), 0)).toBe(100);
  await rm(folder, { recursive: true });
});
