import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { releaseIn } from '../../tools/docs/zoneChanges.ts';
import { mustRun } from '../../tools/process/command.ts';
import { majors, nodeOf } from '../support/node.ts';
import { startWorker } from '../support/worker.ts';
import { root } from '../../tools/root.cjs';

let folder: string;
let program: string;
let worker: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clocks-'));
  program = join(folder, 'clocks.cjs');
  worker = join(folder, 'worker.js');
  const releases = [await releaseIn('moment-timezone'), await releaseIn('moment-timezone-2024a')];
  const data = releases.map(({ rules }) => JSON.stringify(Object.fromEntries(rules)).replaceAll('null', 'Infinity'));
  const wrongClocks = JSON.stringify(join(root, 'test', 'support', 'wrongClocks.ts'));
  const contents = `import { wrongClocks } from ${wrongClocks};\nconst compared = () => JSON.stringify(wrongClocks(${data.join()}));\n`;
  await build({
    stdin: { contents: `${contents}console.log(compared());`, resolveDir: root },
    bundle: true,
    platform: 'node',
    target: 'node20',
    outfile: program,
  });
  await writeFile(worker, `${contents}export default { fetch: () => new Response(compared()) };`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const runtimes: [string, () => Promise<string>][] = [
  ...majors.map((major): [string, () => Promise<string>] => [
    `Node.js ${major}`,
    async () => mustRun(await nodeOf(major), [program], { cwd: folder }),
  ]),
  [
    'workerd',
    async () => {
      const { origin, stop } = await startWorker(worker);
      return fetch(origin)
        .then((answer) => answer.text())
        .finally(stop);
    },
  ],
];

it.each(runtimes)('in %s, each zone has the time of the law of today in each month from 2026 to 2036', async (_, run) => {
  const { compared, wrong } = JSON.parse(await run()) as { compared: number; wrong: string[] };
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(100_000);
});
