import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { n8nTarball, zapierZip } from '../../tools/build/products.ts';
import { mustRun } from '../../tools/process/command.ts';
import { installN8n } from '../../tools/rigs/n8n/install.ts';
import { root } from '../../tools/root.cjs';
import { seeded } from '../../tools/rigs/simulation/random.ts';
import { measureLoadTime } from '../../tools/rigs/zapier/loadTime.ts';
import { atMost, line, rounded, type Line } from '../harness/lines.ts';
import { shuffled } from '../harness/statistics.ts';
import type { Row } from './index.ts';

const run = promisify(execFile);
const rounds = 9;
const entries = [
  'nodes/Scheduler/Scheduler.node.js',
  'nodes/SchedulerTrigger/SchedulerTrigger.node.js',
  'nodes/SchedulerPollingTrigger/SchedulerPollingTrigger.node.js',
  'credentials/SchedulerOAuth2Api.credentials.js',
];
/** What the nodes load when they are first used: the core, once for all */
const firstUse = 'adapter/run.js';

const theBest = (processes: number) =>
  `The best of ${processes} processes each, because other work on the machine can only make a start slower.`;
const least = (values: readonly number[]) => Math.min(...values);

/** Processor time to load one module in a fresh process, in milliseconds. */
async function loadMs(installation: string, file: string): Promise<number> {
  const { stdout } = await run(process.execPath, [join(root, 'bench', 'service', 'requireOne.mjs'), installation, file], {
    env: { PATH: process.env['PATH'], NODE_PATH: join(installation, 'node_modules') },
  });
  return Number(stdout);
}

/** Each entry of our n8n package over an empty module, in processes that take turns. */
async function n8nEntries(): Promise<Line[]> {
  const { folder: installation } = await installN8n();
  const folder = await mkdtemp(join(tmpdir(), 'n8n-package-'));
  try {
    await mustRun('tar', ['-xzf', await n8nTarball(), '-C', folder], { cwd: folder });
    const empty = join(folder, 'empty.js');
    await writeFile(empty, '');
    const files = [...entries, firstUse].map((entry) => join(folder, 'package', 'dist', entry));
    const costs = new Map([empty, ...files].map((file) => [file, [] as number[]]));
    const random = seeded(rounds);
    for (let round = 0; round < rounds; round += 1)
      for (const file of shuffled([empty, ...files], random)) costs.get(file)?.push(await loadMs(installation, file));

    const nothing = costs.get(empty) ?? [];
    const lines = files.map(async (file) => {
      const own = least(costs.get(file) ?? []);
      const { size } = await stat(file);
      const name = basename(file);
      const atStart = !file.endsWith(firstUse);
      return [
        line({
          what: atStart ? `n8n loads ${name}` : `the first use of a node loads ${name}`,
          ours: `${rounded(own)} ms`,
          against: `an empty module: ${rounded(least(nothing))} ms`,
          figure: own - least(nothing),
          unit: 'ms over it',
          ...(atStart && { target: atMost(3, 'ms over it') }),
          note: theBest(rounds),
        }),
        line({
          what: `size of ${name}`,
          ours: `${rounded(size / 1000)} KB`,
          against: '60 KB',
          figure: size / 1000,
          unit: 'KB',
          ...(atStart && { target: atMost(60, 'KB') }),
        }),
      ];
    });
    return (await Promise.all(lines)).flat();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function zapierApp(): Promise<Line> {
  const turns = 25;
  const { platformMs, archiveMs } = await measureLoadTime(await zapierZip(), turns);
  const more = (archiveMs / platformMs - 1) * 100;
  return line({
    what: 'Zapier loads the archive',
    ours: `${rounded(archiveMs)} ms`,
    against: `zapier-platform-core alone: ${rounded(platformMs)} ms`,
    figure: more,
    unit: '% more',
    target: atMost(10, '% more'),
    note: theBest(turns),
    limit: 'About 15 ms: luxon and zod take 3 ms each, the forms and the definition the rest.',
  });
}

export const coldStart: Row = {
  name: 'cold-start',
  title: 'Cold start and size',
  run: async () => [...(await n8nEntries()), await zapierApp()],
};
