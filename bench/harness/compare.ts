import { seeded } from '../../tools/rigs/simulation/virtualTime.ts';
import { mean, quantile, shuffled } from './statistics.ts';

/** One way of doing something, to be compared with others. */
export interface Candidate {
  name: string;
  run: () => unknown;
}

/** What each candidate cost in each round, by name. Milliseconds. */
export type Costs = Record<string, number[]>;

/** The results, by the candidates' names. */
export interface Comparison {
  /** What one call costs, in the same unit as the costs. */
  cost(name: string): number;
  /** The ratio of one candidate's cost to another's, and the quartiles of the ratios of the rounds. */
  ratio(name: string, other: string): { ratio: number; spread: readonly [low: number, high: number] };
}

/**
 * What whole paths cost in CPU time of this process. It does not include the time that servers in other processes and the network take.
 *
 * @param runs how often each candidate runs in a row, so that a candidate that leaves garbage behind also collects most of it
 * @param warmUp rounds that do not count: a path costs up to a fifth more until the engine has compiled it
 */
export function costsOfPaths(
  candidates: readonly Candidate[],
  { rounds = 7, runs = 1, warmUp = 6 }: { rounds?: number; runs?: number; warmUp?: number } = {},
): Promise<Costs> {
  const measured = candidates.map(({ name, run }) => ({
    name,
    measure: async () => {
      const before = process.cpuUsage();
      for (let each = 0; each < runs; each += 1) await run();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000 / runs;
    },
  }));
  return inRounds(measured, rounds, warmUp);
}

interface Measured {
  name: string;
  measure: () => Promise<number>;
}

async function inRounds(candidates: readonly Measured[], rounds: number, warmUp = 3): Promise<Costs> {
  const random = seeded(2030);
  const costs: Costs = Object.fromEntries(candidates.map(({ name }) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const { name, measure } of shuffled(candidates, random)) {
      const cost = await measure();
      if (round >= 0) costs[name]?.push(cost);
    }
  }
  return costs;
}

/**
 * The costs of the same candidates in several processes, because the compiled code and its place in memory differ from process to process.
 */
export const joined = (several: readonly Costs[]): Costs =>
  Object.fromEntries(Object.keys(several[0] ?? {}).map((name) => [name, several.flatMap((costs) => costs[name] ?? [])]));

/**
 * For whole paths: all rounds together. The engine collects garbage once in several runs, so one round may pay for the rounds before it.
 * The median round would miss that cost; the total includes it.
 */
export function compareTotals(costs: Costs): Comparison {
  const of = (name: string) => {
    const own = costs[name];
    if (own === undefined) throw new RangeError(`Nothing named ${name} was compared.`);
    return own;
  };
  return {
    cost: (name) => mean(of(name)),
    ratio(name, other) {
      const [own, others] = [of(name), of(other)];
      const rounds = own.map((cost, round) => cost / (others[round] ?? Number.NaN));
      return { ratio: mean(own) / mean(others), spread: [quantile(rounds, 0.25), quantile(rounds, 0.75)] };
    },
  };
}
