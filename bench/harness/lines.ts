import type { Comparison } from './compare.ts';

/** What a figure has to be. */
export interface Target {
  says: string;
  holds(figure: number): boolean;
}

export const atMost = (most: number, unit = 'x'): Target => ({ says: `at most ${shown(most, unit)}`, holds: (figure) => figure <= most });
export const atLeast = (least: number, unit = 'x'): Target => ({
  says: `at least ${shown(least, unit)}`,
  holds: (figure) => figure >= least,
});
export const exactly = (wanted: number, unit: string): Target => ({ says: shown(wanted, unit), holds: (figure) => figure === wanted });
export const within = (least: number, most: number): Target => ({
  says: `${least} to ${most}`,
  holds: (figure) => figure >= least && figure <= most,
});

/** One line of the table. */
export interface Line {
  what: string;
  ours: string;
  /** What it is set against, and that one's figure. */
  against: string;
  /** The figure that the target is about, as it is read. */
  figure: string;
  target: string;
  /** `undefined`: without a target. */
  met: boolean | undefined;
  /** How to read the line; where the target is not met, why it cannot be. */
  note?: string;
  /** The target lies beyond what can be had, as the note explains. */
  beyond?: true;
}

interface Judged {
  what: string;
  ours: string;
  against: string;
  figure: number;
  unit?: string;
  spread?: readonly [low: number, high: number];
  target?: Target | undefined;
  note?: string | undefined;
  /** Why the target cannot be met; shown only where it is not. */
  limit?: string | undefined;
}

export function line({ what, ours, against, figure, unit = 'x', spread, target, note, limit }: Judged): Line {
  const met = target?.holds(figure);
  const explained = met === false && limit !== undefined;
  const words = [note, explained ? limit : undefined].filter((each) => each !== undefined).join(' ');
  return {
    what,
    ours,
    against,
    figure: shown(figure, unit) + (spread === undefined ? '' : ` (${rounded(spread[0])}-${rounded(spread[1])})`),
    target: target?.says ?? 'none',
    met,
    ...(words !== '' && { note: words }),
    ...(explained && { beyond: true }),
  };
}

interface Pair extends Pick<Judged, 'what' | 'target' | 'note' | 'limit'> {
  comparison: Comparison;
  ours?: string;
  peer: string;
  /** What the costs are read in: blocks give nanoseconds, paths milliseconds. */
  unit: 'us' | 'ms';
}

/** Our cost over a peer's in the same rounds. */
export function against({ what, comparison, ours = 'ours', peer, unit, ...judged }: Pair): Line {
  const read = (name: string) => (unit === 'us' ? `${rounded(comparison.cost(name) / 1000)} us` : `${rounded(comparison.cost(name))} ms`);
  const { ratio, spread } = comparison.ratio(ours, peer);
  return line({ what, ours: read(ours), against: `${peer}: ${read(peer)}`, figure: ratio, spread, ...judged });
}

/** Three digits that matter. */
export const rounded = (value: number): string =>
  Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));

const shown = (value: number, unit: string) =>
  unit === 'x' || unit === '%' ? `${rounded(value)}${unit === 'x' ? 'x' : ' %'}` : `${rounded(value)} ${unit}`;
