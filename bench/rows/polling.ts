import { fork } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../tools/root.cjs';
import { atMost, exactly, line, rounded, within, type Line } from '../harness/lines.ts';
import { resultOf } from '../harness/resultOf.ts';
import { growth as slope } from '../harness/statistics.ts';
import { servePages } from '../service/pages.ts';
import type { Row } from './index.ts';

/** One poll of a list in which nothing has changed, in a process of its own. */
export interface Polled {
  pages: number;
  /** Milliseconds of processor time. */
  cpuMs: number;
  calls: number;
  /** What is kept between two polls. */
  bytes: number;
  /** How often that was written, over all polls. */
  writes: number;
}

export interface PollerArgument {
  lists: { pages: number; baseUrl: string }[];
  memory: { baseUrl: string; polls: number };
}

export interface PollerResult {
  polled: Polled[];
  /** The heap after a collection, after a tenth of the polls and after all of them. */
  heapMB: { first: number; last: number };
}

const sizes = [1, 3, 10, 30, 100, 300, 1_000];
const polls = 1_000;

function polledInAnotherProcess(argument: PollerArgument): Promise<PollerResult> {
  const child = fork(join(root, 'bench', 'service', 'poller.ts'), [JSON.stringify(argument)], {
    execArgv: ['--expose-gc', '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'],
  });
  return resultOf<PollerResult>(child, 'The polls of lists');
}

function linesOf({ polled, heapMB }: PollerResult): Line[] {
  const at = (pages: number) =>
    polled.find((each) => each.pages === pages) ?? { pages, cpuMs: Number.NaN, calls: Number.NaN, bytes: Number.NaN, writes: Number.NaN };
  const [one, hundred, thousand] = [at(1), at(100), at(1_000)];
  const grows = (what: string, says: (each: Polled) => string, of: (each: Polled) => number): Line =>
    line({
      what,
      ours: `${says(thousand)} for 100,000 bookings`,
      against: `${says(hundred)} for 10,000, ${says(one)} for 100`,
      figure: slope(polled.map((each) => [each.pages, of(each)])),
      unit: 'slope',
      target: within(0.95, 1.05),
    });
  return [
    grows(
      'calls of a poll',
      ({ calls }) => rounded(calls),
      ({ calls }) => calls,
    ),
    grows(
      'processor time of a poll',
      ({ cpuMs }) => `${rounded(cpuMs)} ms`,
      ({ cpuMs }) => cpuMs,
    ),
    line({
      what: 'kept for each booking',
      ours: `${rounded(thousand.bytes / 1000)} kB for 100,000 bookings`,
      against: `${rounded(hundred.bytes / 1000)} kB for 10,000, ${rounded(one.bytes / 1000)} kB for 100`,
      figure: thousand.bytes / 100_000,
      unit: 'bytes',
      target: atMost(20, 'bytes'),
    }),
    line({
      what: 'writes, over all polls of a list',
      ours: `${thousand.writes} time`,
      against: 'the state at the first poll',
      figure: Math.max(...polled.map(({ writes }) => writes)),
      unit: 'time',
      target: exactly(1, 'time'),
    }),
    line({
      what: `heap over ${polls.toLocaleString('en')} polls of 1,000 bookings`,
      ours: `${rounded(heapMB.last)} MB at the end`,
      against: `${rounded(heapMB.first)} MB after a tenth`,
      figure: heapMB.last - heapMB.first,
      unit: 'MB more',
      target: atMost(1, 'MB more'),
    }),
  ];
}

export const polling: Row = {
  name: 'polling',
  title: 'A poll that finds nothing new',
  async run() {
    const served = await servePages();
    try {
      const lists = sizes.map((pages) => ({ pages, baseUrl: served.baseUrl(pages) }));
      return linesOf(await polledInAnotherProcess({ lists, memory: { baseUrl: served.baseUrl(10), polls } }));
    } finally {
      await served.stop();
    }
  },
};
