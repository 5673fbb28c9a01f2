import { rounded, type Line, type Target } from './report.ts';

/** Measures each way once to warm up and then some times, in turns and in the opposite order every other time. Gives the medians. */
export async function inTurns<Way>(ways: readonly Way[], times: number, measure: (way: Way) => Promise<number>): Promise<Map<Way, number>> {
  const figures = new Map(ways.map((way) => [way, [] as number[]]));
  for (let round = 0; round <= times; round += 1) {
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
      const figure = await measure(way);
      if (round > 0) figures.get(way)?.push(figure);
    }
  }
  return new Map([...figures].map(([way, all]) => [way, median(all)]));
}

function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, figure) => sum + figure, 0) / middle.length;
}

interface Named {
  name: string;
}

/** A line with the milliseconds of two ways. Its figure is how many times as long ours takes. */
export function comparing<Way extends Named>(what: string, medians: ReadonlyMap<Way, number>, ours: Way, peer: Way, target: Target): Line {
  const [one = Number.NaN, other = Number.NaN] = [medians.get(ours), medians.get(peer)];
  return { what, ours: `${rounded(one)} ms`, against: `${peer.name}: ${rounded(other)} ms`, figure: one / other, unit: 'x', target };
}
