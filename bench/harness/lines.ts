import type { Comparison } from './compare.ts';

/** The condition that a figure has to meet. */
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
  /** What it is compared with, and the figure of that. */
  against: string;
  /** The figure that the target applies to. */
  figure: string;
  target: string;
  /** `undefined` if there is no target. */
  met: boolean | undefined;
  /** How to read the line. If the target is not met, why it cannot be. */
  note?: string;
  /** The target cannot be reached, as the note explains. */
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
  /** Why the target cannot be met. Shown only if it is not met. */
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
  /** The unit in which costs are shown: nanoseconds for blocks, milliseconds for paths. */
  unit: 'us' | 'ms';
}

/** Our cost divided by a peer's in the same rounds. */
export function against({ what, comparison, ours = 'ours', peer, unit, ...judged }: Pair): Line {
  const read = (name: string) => (unit === 'us' ? `${rounded(comparison.cost(name) / 1000)} us` : `${rounded(comparison.cost(name))} ms`);
  const { ratio, spread } = comparison.ratio(ours, peer);
  return line({ what, ours: read(ours), against: `${peer}: ${read(peer)}`, figure: ratio, spread, ...judged });
}

/** Rounds to three significant digits. */
export const rounded = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));

const shown = (value: number, unit: string) =>
  unit === 'x' || unit === '%' ? `${rounded(value)}${unit === 'x' ? 'x' : ' %'}` : `${rounded(value)} ${unit}`;
