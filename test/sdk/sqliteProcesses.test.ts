import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

it('four processes that claim a hundred deliveries each in one SQLite database get every one of them once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stores-'));
  const children = [1, 2, 3, 4].map(() => fork(join(__dirname, 'claimer.ts'), [join(folder, 'many.sqlite'), '100']));
  const claimed = await Promise.all(children.map(async (child) => ((await once(child, 'message')) as [number])[0]));
  expect(claimed.reduce((sum, each) => sum + each, 0)).toBe(100);
  await rm(folder, { recursive: true });
});
