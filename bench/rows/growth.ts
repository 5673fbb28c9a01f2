import { fork } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../tools/root.cjs';
import { line, atMost, rounded, within, type Line } from '../harness/lines.ts';
import { resultOf } from '../harness/resultOf.ts';
import { growth as slope } from '../harness/statistics.ts';
import { servePages } from '../service/pages.ts';
import type { Row } from './index.ts';

/** One walk of a list, measured in a process of its own. */
export interface Walked {
  pages: number;
  /** Milliseconds of processor time for one walk. */
  cpuMs: number;
  calls: number;
  /** The most that the heap held after a collection while the walk went on, above what it held before. */
  heapMB: number;
}

const sizes = [1, 3, 10, 30, 100, 300, 1_000];

async function walkedInAnotherProcess(baseUrls: readonly { pages: number; baseUrl: string }[]): Promise<Walked[]> {
  const child = fork(join(root, 'bench', 'service', 'walker.ts'), [JSON.stringify(baseUrls)], {
    execArgv: ['--expose-gc', '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'],
  });
  return resultOf<Walked[]>(child, 'The walk of lists');
}

export const growth: Row = {
  name: 'growth',
  title: 'Growth from 1 page to 1,000',
  async run() {
    const served = await servePages();
    try {
      const walked = await walkedInAnotherProcess(sizes.map((pages) => ({ pages, baseUrl: served.baseUrl(pages) })));
      const at = (pages: number) =>
        walked.find((each) => each.pages === pages) ?? { cpuMs: Number.NaN, calls: Number.NaN, heapMB: Number.NaN };
      const [ten, thousand] = [at(10), at(1_000)];
      const lines: Line[] = [
        line({
          what: 'processor time',
          ours: `${rounded(thousand.cpuMs)} ms for 1,000 pages`,
          against: `${rounded(ten.cpuMs)} ms for 10`,
          figure: slope(walked.map(({ pages, cpuMs }) => [pages, cpuMs])),
          unit: 'slope',
          target: within(0.95, 1.05),
        }),
        line({
          what: 'calls',
          ours: `${thousand.calls} for 1,000 pages`,
          against: `${ten.calls} for 10`,
          figure: slope(walked.map(({ pages, calls }) => [pages, calls])),
          unit: 'slope',
          target: within(0.95, 1.05),
        }),
        line({
          what: 'heap of the iterator',
          ours: `${rounded(thousand.heapMB)} MB at 1,000 pages`,
          against: `${rounded(ten.heapMB)} MB at 10`,
          figure: thousand.heapMB - ten.heapMB,
          unit: 'MB more',
          target: atMost(8, 'MB more'),
        }),
      ];
      return lines;
    } finally {
      await served.stop();
    }
  },
};
