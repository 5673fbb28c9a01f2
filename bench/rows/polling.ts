import { rounded, type Line, type ReportRow } from '../report.ts';
import { limits } from '../../shared/limits.ts';
import type { World } from '../changingService.ts';
import { pollWorld, type Figures } from '../pollWorld.ts';

const { pageSize } = limits;

/** The number of bookings, their order, and the maximum number of calls per minute. */
const worlds: readonly [count: number, order: World['order'], most: number][] = [
  [1_000, 'newest first', 20],
  [10_000, 'newest first', 20],
  [10_000, 'by start', 20],
  [10_000, 'by update', 20],
  [10_000, 'by id', 100],
  [100_000, 'newest first', 60],
  [100_000, 'by id', 100],
];

/** A change that is seen at the next poll or the one after it counts as in time. */
const inTime = 'within two polls';

/** Measured after the first hour, when the first reading and the pause after it are over, and each page has been read twice. */
async function lineOf([count, order, most]: (typeof worlds)[number]): Promise<Line> {
  const world = await pollWorld({ count, order, cursor: 'offset', calm: 75, hours: 0.5, settle: 15 });
  const says = ({ share, median, most: last }: Figures['minutes']['new']): string =>
    `${rounded(share * 100)} % ${inTime}, after ${rounded(median)} minutes, at most ${rounded(last)}`;
  return {
    what: `${count.toLocaleString('en')} bookings, ${order}`,
    ours: `new: ${says(world.minutes.new)}; changed: ${says(world.minutes.upcoming)}`,
    against: `${rounded(count / pageSize + 4)} calls to read everything`,
    figure: world.callsAMinute,
    unit: 'calls a minute',
    most,
    also: ['none twice or invented', world.twice + world.invented === 0],
  };
}

export const polling: ReportRow = {
  name: 'polling',
  title: 'What a poll sees, and what it costs, in virtual time',
  async run() {
    const lines: Line[] = [];
    for (const world of worlds) lines.push(await lineOf(world));
    return lines;
  },
};
