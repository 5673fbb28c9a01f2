import { rounded, type Line, type Row } from '../report.ts';
import { pollWorld, type World } from '../pollWorld.ts';

/** How many bookings, in which order, and how many calls a minute that may take. */
const worlds: readonly [count: number, order: World['order'], most: number][] = [
  [1_000, 'newest first', 20],
  [10_000, 'newest first', 20],
  [10_000, 'by start', 20],
  [10_000, 'by update', 20],
  [10_000, 'by id', 100],
  [100_000, 'newest first', 60],
  [100_000, 'by id', 100],
];

/** Changes may be seen this much later than the next minute, because a poll takes some time. Minutes. */
const inTime = 2;

async function lineOf([count, order, most]: (typeof worlds)[number]): Promise<Line> {
  const { callsAMinute, minutes, unseen, twice, invented, events } = await pollWorld({
    count,
    order,
    cursor: 'offset',
    hours: 0.5,
    settle: 5,
  });
  const { new: made, upcoming } = minutes;
  const share = (kind: typeof made): string => `${rounded(kind.share * 100)} %`;
  return {
    what: `${count.toLocaleString('en')} bookings, ${order}`,
    ours: `of ${events} changes, new bookings seen within ${inTime} minutes: ${share(made)}, changes of upcoming ones: ${share(upcoming)}`,
    against: `${rounded(Math.ceil(count / 100) + 4)} to read everything`,
    figure: callsAMinute,
    unit: 'calls a minute',
    most,
    also: ['none twice or invented', twice + invented === 0 && (unseen === 0 || count > 1_000)],
  };
}

export const polling: Row = {
  name: 'polling',
  title: 'What a poll sees, and what it costs, in virtual time',
  async run() {
    const lines: Line[] = [];
    for (const world of worlds) lines.push(await lineOf(world));
    return lines;
  },
};
