import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { releaseIn } from '../../tools/docs/zoneChanges.ts';
import { mustRun } from '../../tools/process/command.ts';
import { majors, nodeOf } from '../../tools/rigs/node.ts';
import { root } from '../../tools/root.cjs';

let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clocks-'));
  program = join(folder, 'clocks.cjs');
  const releases = [await releaseIn('moment-timezone'), await releaseIn('moment-timezone-2024a')];
  const data = releases.map(({ rules }) => JSON.stringify(Object.fromEntries(rules)).replaceAll('null', 'Infinity'));
  const contents = `import { wrongClocks } from './test/support/wrongClocks.ts';\nconsole.log(JSON.stringify(wrongClocks(${data.join()})));`;
  await build({ stdin: { contents, resolveDir: root }, bundle: true, platform: 'node', target: 'node20', outfile: program });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each(majors)('in Node.js %i, each zone has the time of the law of today in each month from 2026 to 2036', async (major) => {
  const { compared, wrong } = JSON.parse(await mustRun(await nodeOf(major), [program], { cwd: folder })) as {
    compared: number;
    wrong: string[];
  };
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(100_000);
});
